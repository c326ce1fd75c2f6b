package ingest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

func texts(e *ingest.Export) []string {
	var out []string
	for i := range e.Messages {
		out = append(out, e.Messages[i].Sender+": "+e.Messages[i].Text)
	}
	return out
}

// Of a question that was rewritten, and all that was said upon it, the last wording counts.
func TestClaudeBranches(t *testing.T) {
	row := func(id, parent, sender, second, text string) string {
		return `{"uuid":"` + id + `","parent_message_uuid":"` + parent + `","sender":"` + sender + `","created_at":"2024-03-14T19:02:` + second + `Z","text":"` + text + `"}`
	}
	file := func(leaf, rows string) string {
		return `[{"uuid":"c","name":"N","current_leaf_message_uuid":"` + leaf + `","chat_messages":[` + rows + `]}]`
	}
	rewritten := row("1", "0", "human", "01", "hello") + "," + row("2", "1", "assistant", "02", "hi") + "," +
		row("3", "2", "human", "03", "first") + "," + row("4", "3", "assistant", "04", "to the first") + "," + row("5", "2", "human", "05", "second")
	tests := []struct {
		name, text string
		want       []string
		warns      bool
	}{
		{"rewritten", file("", rewritten), []string{"Ana: hello", "Claude: hi", "Ana: second"}, true},
		{"the branch shown", file("4", rewritten), []string{"Ana: hello", "Claude: hi", "Ana: first", "Claude: to the first"}, true},
		{"the first one rewritten", file("", row("1", "0", "human", "01", "one")+","+row("2", "1", "assistant", "02", "a")+","+row("3", "0", "human", "03", "two")), []string{"Ana: two"}, true},
		{"in a circle", file("", row("1", "2", "human", "01", "one")+","+row("2", "1", "assistant", "02", "a")), []string{"Ana: one", "Claude: a"}, false},
		{"without parents", file("", row("1", "", "human", "01", "one")+","+row("2", "", "assistant", "02", "a")+","+row("3", "", "human", "03", "two")), []string{"Ana: one", "Claude: a", "Ana: two"}, false},
		{"parents that are gone", file("", row("1", "x", "human", "01", "one")+","+row("2", "y", "assistant", "02", "a")), []string{"Ana: one", "Claude: a"}, false},
	}
	for _, tt := range tests {
		e := readNamed(t, "conversations.json", tt.text, ingest.Options{Owner: []string{"Ana"}})
		if diff := cmp.Diff(tt.want, texts(e)); diff != "" || warned(e, "branches", "") != tt.warns {
			t.Errorf("%s (-want +got)\n%s%q", tt.name, diff, e.Warnings)
		}
	}
}

// What somebody adds to a message that they pass on is theirs, what they pass on isn't.
func TestDiscordForwardWithWords(t *testing.T) {
	e := readNamed(t, "x.json", `{"guild":{"id":"0","name":"Direct Messages"},"channel":{"id":"8","type":"DirectTextChat","name":"Bo"},"messages":[
{"id":"1","type":"Default","timestamp":"2024-03-14T19:02:00+00:00","content":"","author":{"id":"1","name":"ana"},"reference":{"messageId":"5","type":"Forward"},"forwardedMessage":{"content":"their words"}},
{"id":"2","type":"Default","timestamp":"2024-03-14T19:03:00+00:00","content":"mine","author":{"id":"1","name":"ana"},"reference":{"messageId":"5","type":"Forward"},"forwardedMessage":{"content":"their words"}}],"messageCount":2}`, ingest.Options{})
	m := e.Messages
	if len(m) != 2 || !m[0].Forwarded || m[0].Text != "their words" || m[1].Forwarded || m[1].Text != "mine" || m[1].Quoted == nil || m[1].Quoted.Text != "their words" {
		t.Errorf("%+v", m)
	}
}

// The line above quoted words is none of a mail's own, in the languages of mail programs.
func TestAttributionsOfMail(t *testing.T) {
	for _, line := range []string{
		"Ana <ana@example.com> ezt írta (időpont: 2024. márc. 14., Cs, 19:02):",
		"Ana Kiss ezt írta (időpont: 2024. márc. 14., Cs,\n19:02):",
		"2024. március 14. 19:02 keltezéssel, Ana írta:",
		"În joi, 14 mar. 2024 la 19:02, Ana <ana@example.com> a scris:",
		"Στις Πέμ 14 Μαρ 2024 στις 7:02 μ.μ., ο χρήστης Ana έγραψε:",
		"Vào 14 thg 3, 2024 lúc 19:02 Ana đã viết:",
	} {
		e := readNamed(t, "m.eml", "From: Bob <bob@example.com>\nTo: ana@example.com\nSubject: Re: Plan\nDate: Thu, 14 Mar 2024 20:02:11 +0100\nMessage-ID: <q@x>\nContent-Type: text/plain; charset=utf-8\n\nMine: ok.\n\n"+line+"\n\n> OLD\n", ingest.Options{})
		if got := texts(e); !slices.Equal(got, []string{"Bob: Mine: ok."}) {
			t.Errorf("%q: %q", line, got)
		}
	}
}
