package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// signal-export's Markdown is known without attachments, reactions or calls, and a stamp
// in somebody's words opens no message.
func TestSignalHeads(t *testing.T) {
	const chat = "[2024-11-02 20:14:07] Me: How?  \n\n[2024-11-02 20:20:31] Aino: negative:\nend  \n\n[2024-11-02 20:21:00] Me: \n\n> negative\n\nsure  \n\n[2024-11-02 20:22:00] Aino: (This message was deleted)\n\n[2024-11-02 20:30:00] Aino: bye  \n\n"
	want := []string{"Me*|2024-11-02T20:14:07|How?", "Aino|2024-11-02T20:20:31|negative:⏎end", "Me*|2024-11-02T20:21:00|sure", "-|2024-11-02T20:22:00|", "Aino|2024-11-02T20:30:00|bye"}
	pasted := func(line string) []string {
		w := append([]string{}, want...)
		w[1] = "Aino|2024-11-02T20:20:31|negative:⏎" + strings.ReplaceAll(line, "\n", "⏎") + "⏎end"
		return w
	}
	const stamp = "[2024-01-01 10:00:00] Carl: pasted"
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{"as it is", "Aino.md", chat, want},
		{"CRLF", "Aino.txt", strings.ReplaceAll(chat, "\n", "\r\n"), want},
		{"without the blanks", "Aino.md", strings.ReplaceAll(chat, "  \n", "\n"), want},
		{"one message", "chat.md", chat[:strings.Index(chat, "\n\n")], want[:1]},
		{"a pasted stamp", "Aino.md", strings.Replace(chat, "end  ", stamp+"\nend  ", 1), pasted(stamp)},
		{"below an empty line", "Aino.md", strings.Replace(chat, "end  ", "\n"+stamp+"\nend  ", 1), pasted("\n" + stamp)},
		{"said before by who speaks", "Aino.md", strings.Replace(chat, "end  ", "\n[2024-01-01 10:00:00] Me: pasted\nend  ", 1), pasted("\n[2024-01-01 10:00:00] Me: pasted")},
		{"blanks that one message lost", "Aino.md", strings.Replace(chat, "end  ", "end", 1), want},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ingest.Read(t.Context(), write(t, tt.file, tt.text), ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, show(e)); diff != "" || e.Format != "signal" {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
			if len(e.Messages) == 5 && (e.Messages[2].ReplyTo != 2 && !strings.Contains(tt.name, "pasted") && strings.Contains(tt.text, ":\nend") || !e.Messages[3].Deleted) {
				t.Errorf("answers %d, deleted %v", e.Messages[2].ReplyTo, e.Messages[3].Deleted)
			}
		})
	}
	// Swedish iPhones write such stamps too.
	e := read(t, "[2024-11-02 20:14:07] Ana: hej\n[2024-11-02 20:20:31] Bo: ja\n[2024-11-02 20:21:00] Ana: \u200eimage omitted\n", ingest.Options{})
	if e.Format != "whatsapp" {
		t.Errorf("read as %s", e.Format)
	}
}
