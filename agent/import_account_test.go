package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// accountChat is a Telegram chat of n messages of the account user5, called name.
func accountChat(name string, n int) string {
	rows := []string{`{"id":1,"type":"message","date":"2026-03-02T08:00:00","date_unixtime":"1772438400","from":"Ines","from_id":"user1","text":"hello"}`}
	for i := range n {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"type":"message","date":"2026-03-02T09:%02d:00","date_unixtime":"%d","from":%q,"from_id":"user5","text":"I play cello no. %d."}`, 10+i, i, 1772442000+60*i, name, i))
	}
	return `{"name":"Band","type":"private_group","id":77,"messages":[` + strings.Join(rows, ",") + `]}`
}

// An account that is called otherwise has said what it had said: a message is known by
// its id, however few there are and however often the name changes.
func TestImportRenamedAccount(t *testing.T) {
	for _, n := range []int{1, 2, 6} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x := newAgain(t)
			x.want(x.take("a.json", accountChat("Bo", n), agent.ImportOptions{}), n+1, 0, 0, 0)
			x.want(x.take("b.json", accountChat("Bo the Cellist", n+1), agent.ImportOptions{}), 1, n+1, 0, 0)
			x.want(x.take("c.json", accountChat("B.", n+1), agent.ImportOptions{}), 0, n+2, 0, 0)
			list, _, err := x.a.People(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range list {
				if p.Name == "Bo" && strings.Contains(strings.Join(p.Names, ","), "Bo the Cellist") {
					return
				}
			}
			t.Errorf("the new name isn't one of the account's: %+v", list)
		})
	}
}

// What was forgotten stays so under a new name.
func TestImportRenamedAccountForgotten(t *testing.T) {
	x := newAgain(t)
	x.take("a.json", accountChat("Bo", 1), agent.ImportOptions{})
	for id := range x.facts() {
		if _, err := x.a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{id}}); err != nil {
			t.Fatal(err)
		}
	}
	if r := x.take("b.json", accountChat("Bo the Cellist", 1), agent.ImportOptions{}); r.New != 0 || r.Forgotten != 1 || x.says("cello") {
		t.Errorf("%d new, %v", r.New, x.facts())
	}
}

// Whoever was forgotten as a whole stays so under a new name of their account, however
// short what they said was.
func TestImportRenamedPersonForgotten(t *testing.T) {
	chat := func(name string) string {
		return strings.ReplaceAll(`{"name":"N","type":"personal_chat","id":7,"messages":[
{"id":1,"type":"message","date":"2026-03-02T20:15:00","date_unixtime":"1772482500","from":"N","from_id":"user7","text":"I quit"},
{"id":2,"type":"message","date":"2026-03-02T20:15:00","date_unixtime":"1772482500","from":"Ines","from_id":"user1","text":"I quit"}]}`, `"N"`, `"`+name+`"`)
	}
	x := newAgain(t)
	x.take("a.json", chat("Bo"), agent.ImportOptions{})
	if _, err := x.a.Forget(t.Context(), agent.ForgetRequest{Person: "Bo"}); err != nil {
		t.Fatal(err)
	}
	if r := x.take("b.json", chat("Zed"), agent.ImportOptions{}); r.New != 0 || r.Forgotten != 1 {
		t.Errorf("%d new, %d forgotten", r.New, r.Forgotten)
	}
	if r := x.take("b.json", chat("Zed"), agent.ImportOptions{Resurrect: true}); r.New != 1 {
		t.Errorf("%d brought back", r.New)
	}
}

// A nickname that changed doesn't make an edited message edited again.
func TestImportNickname(t *testing.T) {
	chat := func(nick string) string {
		return `{"guild":{"id":"1","name":"Band"},"channel":{"id":"2","type":"GuildTextChat","name":"general"},"messages":[
{"id":"90","type":"Default","timestamp":"2026-03-02T09:00:00+00:00","timestampEdited":"2026-03-02T09:05:00+00:00","content":"I play the cello.","author":{"id":"222","name":"bo","nickname":"` + nick + `","isBot":false}},
{"id":"91","type":"Default","timestamp":"2026-03-02T09:01:00+00:00","content":"good","author":{"id":"333","name":"greta","nickname":"Greta","isBot":false}}]}`
	}
	x := newAgain(t)
	x.want(x.take("a.json", chat("Bo"), agent.ImportOptions{}), 2, 0, 0, 0)
	x.want(x.take("b.json", chat("Cello King"), agent.ImportOptions{}), 0, 2, 0, 0)
}
