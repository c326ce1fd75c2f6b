package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
)

// renamedChat is a chat in which the other one is called name, of n exchanges.
func renamedChat(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%02d/03/26, 10:%02d - Ines: question %d about the move\n", 13+i%9, i%60, i)
		fmt.Fprintf(&b, "%02d/03/26, 10:%02d - %s: answer %d, the flat is in street number %d\n", 13+i%9, i%60, name, i, i)
	}
	return b.String()
}

// A contact that was renamed on the phone is known again by what they said and when;
// the two names are proposed as one person's, and nobody else is.
func TestImportRenamedContact(t *testing.T) {
	x := newAgain(t)
	me := agent.ImportOptions{Self: "Ines"}
	x.want(x.take("a.txt", renamedChat("Bruno", 6), me), 12, 0, 0, 0)
	r := x.take("b.txt", renamedChat("Bruno Plumber", 7), me)
	x.want(r, 2, 12, 0, 0)
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "renamed: ") }) {
		t.Errorf("warnings %q", r.Warnings)
	}
	if got := len(x.turns()); got != 1 {
		t.Errorf("%d conversations", got)
	}
	x.want(x.take("c.txt", renamedChat("Bruno Plumber", 7), me), 0, 14, 0, 0)
	list, proposals, err := x.a.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proposed := slices.ContainsFunc(proposals, func(p agent.PeopleProposal) bool {
		return p.One == "Bruno" && p.Other == "Bruno Plumber" || p.Other == "Bruno" && p.One == "Bruno Plumber"
	})
	if !proposed {
		t.Errorf("no proposal: %+v\n%+v", list, proposals)
	}
}

// The names needn't be alike.
func TestImportRenamedUnlike(t *testing.T) {
	x := newAgain(t)
	me := agent.ImportOptions{Self: "Ines"}
	x.want(x.take("a.txt", renamedChat("+49 151 0000001", 6), me), 12, 0, 0, 0)
	x.want(x.take("b.txt", renamedChat("小李", 8), me), 4, 12, 0, 0)
	_, proposals, err := x.a.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(proposals, func(p agent.PeopleProposal) bool { return strings.Contains(p.Why, "same messages") }) {
		t.Errorf("proposals %+v", proposals)
	}
}

// Two people who answer one group of messages are two: words, times and the rest of
// the chat must agree.
func TestImportNotRenamed(t *testing.T) {
	me := agent.ImportOptions{Self: "Ines"}
	for name, second := range map[string]string{
		"other words": strings.ReplaceAll(renamedChat("Cleo", 6), "the flat is", "the house is"),
		"few":         "13/03/26, 10:00 - Ines: question 0 about the move\n13/03/26, 10:00 - Cleo: answer 0, the flat is in street number 0\n14/03/26, 10:01 - Cleo: something of her own\n",
		"other times": strings.ReplaceAll(renamedChat("Cleo", 6), ", 10:", ", 11:"),
	} {
		t.Run(name, func(t *testing.T) {
			x := newAgain(t)
			x.take("a.txt", renamedChat("Bruno", 6), me)
			r := x.take("b.txt", second, me)
			if slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "renamed: ") }) {
				t.Errorf("%q", r.Warnings)
			}
			_, proposals, err := x.a.People(t.Context())
			if err != nil || len(proposals) > 0 {
				t.Errorf("%+v %v", proposals, err)
			}
		})
	}
}

// A zone that is given later places what is stored by its wall clock, and what was
// learned from it.
func TestImportPlacesLater(t *testing.T) {
	x := newAgain(t)
	chat := android("Ines: I play the cello", "Greta: lovely", "Ines: I am pregnant")
	x.take("a.txt", chat, agent.ImportOptions{Self: "Ines"})
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := x.take("a.txt", chat, agent.ImportOptions{Self: "Ines", TZ: berlin})
	x.want(r, 0, 3, 0, 0)
	if r.Placed != 3 {
		t.Errorf("placed %d", r.Placed)
	}
	sessions, err := x.a.Store().Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range sessions {
		if info.Start.Instant.IsZero() {
			t.Errorf("session %s has no instant", info.ID)
		}
		s, err := x.a.Store().Session(t.Context(), info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range s.Turns {
			if turn.When.Instant.IsZero() || turn.When.Instant.In(berlin).Format("2006-01-02T15:04:05") != turn.When.Local {
				t.Errorf("turn %s: %+v", turn.ID, turn.When)
			}
		}
	}
	facts, _, err := x.a.Store().Facts(t.Context())
	if err != nil || len(facts) == 0 {
		t.Fatal(len(facts), err)
	}
	for _, f := range facts {
		if f.SaidAt.Instant.IsZero() {
			t.Errorf("fact %q: %+v", f.Text, f.SaidAt)
		}
	}
	if r := x.take("a.txt", chat, agent.ImportOptions{Self: "Ines", TZ: time.UTC}); r.Placed != 0 {
		t.Errorf("placed %d again", r.Placed)
	}
}
