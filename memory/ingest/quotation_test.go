package ingest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// What apps mark as quoted was said before: it is never the words of who quotes it.
func TestQuotedLines(t *testing.T) {
	slack := func(text string) string {
		return `[{"type":"message","user":"U1","user_profile":{"real_name":"Ana"},"text":"` + text + `","ts":"1709283600.000100"}]`
	}
	discord := func(text string) string {
		return `{"guild":{"id":"0","name":"G"},"channel":{"id":"5","type":"GuildTextChat","name":"c"},"messages":[{"id":"1","type":"Default","timestamp":"2024-03-01T10:00:00+00:00","content":"` + text + `","author":{"id":"1","name":"Ana"}}]}`
	}
	telegram := func(text string) string {
		return `{"name":"G","type":"private_group","id":7,"messages":[{"id":3,"type":"message","date":"2024-03-13T21:05:00","date_unixtime":"1710363900","from":"Ana","from_id":"user2","text":` + text + `}]}`
	}
	whatsApp := func(text string) string {
		return "13/03/24, 21:05 - Ana: " + text + "\n13/03/24, 21:06 - Bo: k\n"
	}
	tests := []struct{ name, file, text, want, quoted string }{
		{"Slack", "general/2024-03-01.json", slack(`&gt; I am leaving\nreally?`), "really?", "I am leaving"},
		{"Slack, nothing said", "general/2024-03-01.json", slack(`&gt; I am leaving`), "", "I am leaving"},
		{"Slack, an arrow", "general/2024-03-01.json", slack(`-&gt; here\n&gt;&gt; there`), "-> here\n>> there", ""},
		{"Discord", "c.json", discord(`so\n> I quit\n> today\nsays who?`), "so\nsays who?", "I quit\ntoday"},
		{"Discord, to the end", "c.json", discord(`hm\n>>> I quit\ntoday`), "hm", "I quit\ntoday"},
		{"Discord, code", "c.json", discord("```\\n> not a quotation\\n```"), "```\n> not a quotation\n```", ""},
		{"Telegram", "result.json", telegram(`[{"type":"blockquote","text":"I was sick"},"\nhe said"]`), "he said", "I was sick"},
		{"Telegram, an arrow", "result.json", telegram(`"> not marked by the app"`), "> not marked by the app", ""},
		{"WhatsApp", "x.txt", whatsApp("> I am leaving\n> soon\nreally?"), "really?", "I am leaving\nsoon"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var e *ingest.Export
			if tt.file == "general/2024-03-01.json" {
				e = readTree(t, map[string]string{tt.file: tt.text, "channels.json": `[{"id":"C1","name":"general"}]`, "users.json": `[]`})
			} else {
				e = readNamed(t, tt.file, tt.text, ingest.Options{})
			}
			m := e.Messages[0]
			quoted := ""
			if m.Quoted != nil {
				quoted = m.Quoted.Text
			}
			if m.Sender != "Ana" || m.Text != tt.want || quoted != tt.quoted || (m.Kind == ingest.KindMessage) != (tt.want != "") {
				t.Errorf("%s, %s: %q, quoted %q", m.Sender, m.Kind, m.Text, quoted)
			}
		})
	}
}

// A name with a colon in it is one name where all its lines say so.
func TestWhatsAppNamesWithColons(t *testing.T) {
	at := "15/03/2024, 21:05 - "
	tests := []struct {
		name, file, text string
		want             []string
	}{
		{"by three lines", "x.txt", at + "Anna: Mama: hi\n" + at + "Ole: yes\n" + at + "Anna: Mama: IMG-20240315-WA0001.jpg (file attached)\n" + at + "Anna: Mama changed the group name\n" + at + "Anna: Mama: well: no\n",
			[]string{"Anna: Mama|hi", "Ole|yes", "Anna: Mama|", "|Anna: Mama changed the group name", "Anna: Mama|well: no"}},
		{"by the title", "WhatsApp Chat with Anna_ Mama.txt", at + "Anna: Mama: hi\n" + at + "Ole: yes\n", []string{"Anna: Mama|hi", "Ole|yes"}},
		{"two lines say nothing", "x.txt", at + "Anna: Mama: hi\n" + at + "Ole: yes\n" + at + "Anna: Mama: ho\n", []string{"Anna|Mama: hi", "Ole|yes", "Anna|Mama: ho"}},
		{"one line without it", "x.txt", at + "Anna: Mama: hi\n" + at + "Anna: Mama: ha\n" + at + "Anna: Mama: ho\n" + at + "Anna: hm\n" + at + "Ole: yes\n", []string{"Anna|Mama: hi", "Anna|Mama: ha", "Anna|Mama: ho", "Anna|hm", "Ole|yes"}},
		{"a label", "x.txt", at + "Anna: Note: hi\n" + at + "Anna: Note: ha\n" + at + "Anna: Note: ho\n" + at + "Ole: yes\n", []string{"Anna|Note: hi", "Anna|Note: ha", "Anna|Note: ho", "Ole|yes"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range readNamed(t, tt.file, tt.text, ingest.Options{}).Messages {
				got = append(got, m.Sender+"|"+m.Text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// A year of four digits behind day and month is the year, in whatever order the
// messages stand; times that aren't known are reported, and make nobody's words the
// owner's notes.
func TestDatesOutOfOrder(t *testing.T) {
	e := readNamed(t, "x.txt", "27/10/2024, 02:30 - D: a\n31/03/2024, 02:30 - E: b\n", ingest.Options{})
	if diff := cmp.Diff([]string{"D|2024-10-27T02:30:00|a", "E|2024-03-31T02:30:00|b"}, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	e = readNamed(t, "x.txt", "24/3/31, 02:30 - D: a\n24/4/1, 02:30 - E: b\n", ingest.Options{})
	if diff := cmp.Diff([]string{"D|2024-03-31T02:30:00|a", "E|2024-04-01T02:30:00|b"}, show(e)); diff != "" {
		t.Errorf("two digits (-want +got)\n%s", diff)
	}
	e = readNamed(t, "x.txt", "15.03.24 г., 21:05 ч. - D: a\n15.03.24 г., 21:06 ч. - E: b\n", ingest.Options{})
	if diff := cmp.Diff([]string{"D|2024-03-15T21:05:00|a", "E|2024-03-15T21:06:00|b"}, show(e)); diff != "" {
		t.Errorf("Bulgarian (-want +got)\n%s", diff)
	}
	e = readNamed(t, "x.txt", "2024/3/15 下午9:05 - D: a\n2024/3/15 半夜11:06 - E: b\n2024/3/16 半夜12:30 - D: c\n2024/3/16 下午1:00 - E: d\n2024/3/16 饭后2:30 - D: e\n", ingest.Options{})
	if diff := cmp.Diff([]string{"D|2024-03-15T21:05:00|a", "E|2024-03-15T23:06:00|b", "D|2024-03-16T00:30:00|c", "E|2024-03-16T13:00:00|d", "D|2024-03-16|e"}, show(e)); diff != "" {
		t.Errorf("Chinese (-want +got)\n%s", diff)
	}
	if !warned(e, "time_unsure", "line 5") {
		t.Errorf("warnings %q", e.Warnings)
	}
	for _, text := range []string{
		"15.03.24 xyz, 21:05 Q - D: a\n15.03.24 xyz, 21:06 Q - E: b\n",
		"[15-03-24 xyz 21.05 q] D: a\n[15-03-24 xyz 21.06 q] E: b\n",
	} {
		if _, err := ingest.Read(t.Context(), write(t, "x.txt", text), ingest.Options{}); err == nil {
			t.Errorf("%q was read as notes", text)
		}
	}
}

// Subtitles, transcripts of recordings and what a meeting saves say who spoke when.
func TestRecordings(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"WebVTT", "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\nAna Berg: Hello\nand welcome.\n\n2\n00:00:05.000 --> 00:00:07.000 align:start\nBo: Thanks.\n\n3\n00:01:08.000 --> 00:01:09.000\nAna Berg: bye\n",
			[]string{"Ana Berg|1|Hello\nand welcome.", "Bo|5|Thanks.", "Ana Berg|68|bye"}},
		{"voices", "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ana>Hello</v>\n\n00:05.000 --> 00:07.000\n<v.loud Bo>Thanks</v>\n", []string{"Ana|1|Hello", "Bo|5|Thanks"}},
		{"SubRip", "1\n00:00:01,000 --> 00:00:04,000\nAna: Hello\n\n2\n00:00:05,000 --> 00:00:07,000\nBo: Thanks\n", []string{"Ana|1|Hello", "Bo|5|Thanks"}},
		{"time behind the name", "Ana Berg  0:03\nHello.\n\nBo  0:12\nHi Ana.\n\nAna Berg  1:02:03\nBye.\n", []string{"Ana Berg|3|Hello.", "Bo|12|Hi Ana.", "Ana Berg|3723|Bye."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, offsets(readNamed(t, "x.txt", tt.text, ingest.Options{}))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	e := readNamed(t, "x.txt", "10:02:03\t From  Ana Berg : hi all\n10:02:10\t From  Bo  to  Ana Berg(Direct Message) : private\n10:02:20\t From  Ana Berg  to  Everyone : bye\n10:03:20 From Cem to Everyone:\n\tlate\n", ingest.Options{})
	var got []string
	for _, m := range e.Messages {
		got = append(got, m.Sender+"|"+m.Text)
	}
	if diff := cmp.Diff([]string{"Ana Berg|hi all", "Bo|private", "Ana Berg|bye", "Cem|late"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, s := range e.Sessions() {
		for _, turn := range s.Turns {
			if turn.Text == "private" && len(s.Participants) != 2 {
				t.Errorf("what was for one alone is in a session of %q", s.Participants)
			}
		}
	}
	e = readNamed(t, "x.txt", "Ana, [3/4/2024 10:02 PM]\nfirst: this\n\nBo, [3/14/2024 12:03 AM]\nyes\n", ingest.Options{})
	if diff := cmp.Diff([]string{"Ana|2024-03-04T22:02:00|first: this", "Bo|2024-03-14T00:03:00|yes"}, show(e)); diff != "" {
		t.Errorf("copied from Telegram (-want +got)\n%s", diff)
	}
}

// readTree reads a folder of files.
func readTree(t testing.TB, files map[string]string) *ingest.Export {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := ingest.Read(t.Context(), dir, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func warned(e *ingest.Export, words ...string) bool {
	for _, w := range e.Warnings {
		all := true
		for _, word := range words {
			all = all && strings.Contains(w, word)
		}
		if all {
			return true
		}
	}
	return false
}

func offsets(e *ingest.Export) []string {
	var out []string
	for _, m := range e.Messages {
		at := -1
		if m.OffsetSeconds != nil {
			at = *m.OffsetSeconds
		}
		out = append(out, fmt.Sprintf("%s|%d|%s", m.Sender, at, m.Text))
	}
	return out
}
