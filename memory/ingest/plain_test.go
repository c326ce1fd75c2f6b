package ingest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, text string, o ingest.Options) *ingest.Export {
	t.Helper()
	e, err := ingest.Read(t.Context(), write(t, "chat.txt", text), o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// show writes messages as "sender|time|text" for comparison; "#5" is an offset,
// "*" marks the owner.
func show(e *ingest.Export) []string {
	var out []string
	for _, m := range e.Messages {
		when := m.When.Local
		if !m.When.Instant.IsZero() {
			when = m.When.Instant.UTC().Format(time.RFC3339)
		}
		if m.OffsetSeconds != nil {
			when += fmt.Sprintf("#%d", *m.OffsetSeconds)
		}
		sender := m.Sender
		if m.Self {
			sender += "*"
		}
		if m.Kind == ingest.KindSystem {
			sender = "-"
		}
		out = append(out, sender+"|"+when+"|"+strings.ReplaceAll(m.Text, "\n", "⏎"))
	}
	return out
}

func TestPlainForms(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		text string
		o    ingest.Options
		want []string
	}{
		{"bracketed stamps", "[2024-03-03 21:14] Ana: hi\n[2024-03-03 21:15] Bo: moved to Ghent\nReason: rent", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:00|moved to Ghent⏎Reason: rent"}},
		{"stamps with a dash", "2024-03-03 21:14 - Ana: hi\n2024-03-03 21:15:09 - Bo: yo", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:09|yo"}},
		{"stamps with a comma", "3/28/2024, 9:14 PM: Ana: hi\n3/29/2024, 12:05 AM: Bo: yo", ingest.Options{},
			[]string{"Ana|2024-03-28T21:14:00|hi", "Bo|2024-03-29T00:05:00|yo"}},
		{"zone in the stamp", "[2024-03-03T21:14:05Z] Ana: hi\n[2024-03-03T22:15:05+01:00] Bo: yo", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:05Z|hi", "Bo|2024-03-03T21:15:05Z|yo"}},
		{"zone told", "[2024-07-03 21:14] Ana: hi\n[2024-07-03 21:15] Bo: yo", ingest.Options{TZ: berlin},
			[]string{"Ana|2024-07-03T19:14:00Z|hi", "Bo|2024-07-03T19:15:00Z|yo"}},
		{"time behind the name", "--- 3 March 2024 ---\nAna (21:14): hi\nBo (21:15): yo", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:00|yo"}},
		{"time before the name", "3 March 2024\n9:14 pm Ana: hi\n9:15 p.m. Bo: yo", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:00|yo"}},
		{"name and time, text below", "小明 2024-03-03 21:14:05\n你好\n小红 2024-03-03 21:15:00\n在吗", ingest.Options{},
			[]string{"小明|2024-03-03T21:14:05|你好", "小红|2024-03-03T21:15:00|在吗"}},
		{"full-width colon", "2024年3月3日 星期日\n小明：你好\n我：你好，考上了\n小明：恭喜", ingest.Options{},
			[]string{"小明|2024-03-03|你好", "我*|2024-03-03|你好，考上了", "小明|2024-03-03|恭喜"}},
		{"Chinese clock", "[2024年3月3日 下午9:14] 小明：你好\n[2024年3月3日 晚上9:15] 小红：好", ingest.Options{},
			[]string{"小明|2024-03-03T21:14:00|你好", "小红|2024-03-03T21:15:00|好"}},
		{"German", "Sonntag, 3. März 2024\nUte: ich ziehe um\nich: wohin?\nUte: Gent", ingest.Options{},
			[]string{"Ute|2024-03-03|ich ziehe um", "ich*|2024-03-03|wohin?", "Ute|2024-03-03|Gent"}},
		{"separators of several shapes", "=== Monday, March 4th, 2024 ===\nAna: a\nBo: b\n\n** 5.3.2024 **\nAna: c\nBo: d\n[2024/03/06]\nAna: e", ingest.Options{},
			[]string{"Ana|2024-03-04|a", "Bo|2024-03-04|b", "Ana|2024-03-05|c", "Bo|2024-03-05|d", "Ana|2024-03-06|e"}},
		{"announced people speak once", "Participants: Dr. Ana Cruz (chair), Bo\n\nDr. Ana Cruz: welcome\nBo: thanks\nNote: both late", ingest.Options{},
			[]string{"Dr. Ana Cruz||welcome", "Bo||thanks⏎Note: both late"}},
		{"the owner is told", "Ana: hi\nBo: I got the job\nAna: yes", ingest.Options{Self: "  bo "},
			[]string{"Ana||hi", "Bo*||I got the job", "Ana||yes"}},
		{"somebody who speaks once isn't a speaker", "Ana: I said\nPlan B: leave town\nAna: ok", ingest.Options{},
			[]string{"Ana||I said⏎Plan B: leave town", "Ana||ok"}},
		{"notices", "[2024-03-03 21:14] Ana: hi\n[2024-03-03 21:15] Bo joined the call\n[2024-03-03 21:16] Ana: hello Bo", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "-|2024-03-03T21:15:00|Bo joined the call", "Ana|2024-03-03T21:16:00|hello Bo"}},
		{"a bracketed notice", "Ana: hi\nBo: hi\nAna: bye\n[Ana left]\nBo: gone", ingest.Options{},
			[]string{"Ana||hi", "Bo||hi", "Ana||bye", "-||[Ana left]", "Bo||gone"}},
		{"meeting offsets", "[00:05] Ana: hi\n[01:12] Bo: (laughs) yo\n[62:03] Ana: late", ingest.Options{},
			[]string{"Ana|#5|hi", "Bo|#72|yo", "Ana|#3723|late"}},
		{"offsets on a known day", "Date: 3 March 2024\n00:00:05 Ana: hi\n00:01:12 Bo: yo", ingest.Options{},
			[]string{"Ana|2024-03-03T00:00:05|hi", "Bo|2024-03-03T00:01:12|yo"}},
		{"bold names", "**Ana:** hi\n**Bo**: yo\n**Ana:** bye", ingest.Options{},
			[]string{"Ana||hi", "Bo||yo", "Ana||bye"}},
		{"angled names", "[21:14] <ana> hi\n[21:15] <bo> yo", ingest.Options{},
			[]string{"ana||hi", "bo||yo"}},
		{"phone numbers", "[2024-03-03 21:14] +49 151 0000000: hi\n[2024-03-03 21:15] Bo: yo", ingest.Options{},
			[]string{"+49 151 0000000|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:00|yo"}},
		{"paragraphs of one message", "Ana: one\n\ntwo\nBo: three\nAna: four\nBo: five", ingest.Options{},
			[]string{"Ana||one⏎⏎two", "Bo||three", "Ana||four", "Bo||five"}},
		{"a date as an answer", "[2024-03-03 21:14] Ana: when?\n[2024-03-03 21:15] Bo: well\n9 November 2024", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|when?", "Bo|2024-03-03T21:15:00|well⏎9 November 2024"}},
		{"addresses are no speakers", "Ana: see\nhttps://a.example: pics\nhttps://a.example: more\nBo: ok\nAna: k\nBo: k", ingest.Options{},
			[]string{"Ana||see⏎https://a.example: pics⏎https://a.example: more", "Bo||ok", "Ana||k", "Bo||k"}},
		{"one-letter names", "A: I quit\nB: why?\nA: rent\nB: ok", ingest.Options{},
			[]string{"A||I quit", "B||why?", "A||rent", "B||ok"}},
		{"month first by option", "[3/4/2024 21:14] Ana: hi\n[3/4/2024 21:15] Bo: yo", ingest.Options{DateOrder: "mdy"},
			[]string{"Ana|2024-03-04T21:14:00|hi", "Bo|2024-03-04T21:15:00|yo"}},
		{"month first by the run of days", "[3/4/2024 21:14] Ana: hi\n[3/5/2024 21:15] Bo: yo\n[4/1/2024 1:00] Ana: x", ingest.Options{},
			[]string{"Ana|2024-03-04T21:14:00|hi", "Bo|2024-03-05T21:15:00|yo", "Ana|2024-04-01T01:00:00|x"}},
		{"invisible marks", "\ufeff\u200e[2024-03-03 21:14] Ana: hi\r\n\u200e[2024-03-03 21:15] Bo: yo\r\n", ingest.Options{},
			[]string{"Ana|2024-03-03T21:14:00|hi", "Bo|2024-03-03T21:15:00|yo"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := read(t, tt.text, tt.o)
			if e.Format != "plain" {
				t.Errorf("read as %s", e.Format)
			}
			if diff := cmp.Diff(tt.want, show(e)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPlainWarns(t *testing.T) {
	tests := []struct{ name, text, code string }{
		{"zone", "[2024-03-03 21:14] Ana: hi\n[2024-03-03 21:15] Bo: yo", "zone_unknown"},
		{"inferred order", "[13/4/2024 21:14] Ana: hi\n[14/4/2024 21:15] Bo: yo", "date_order_inferred"},
		{"ambiguous order", "[3/4/2024 21:14] Ana: hi\n[3/4/2024 21:15] Bo: yo", "date_order_unknown"},
		{"no date", "[21:14] Ana: hi\n[21:15] Bo: yo", "date_unknown"},
		{"single speaker", "Ana: hi\nBo: hello\nAna: bye", "speaker_unsure"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if w := strings.Join(read(t, tt.text, ingest.Options{}).Warnings, "\n"); !strings.Contains(w, tt.code) {
				t.Errorf("warnings %q, want %s", w, tt.code)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	text := "---\ntitle: Diary\ndate: 2024-03-02\n---\n# Diary\n\nSigned the lease.\n\n## 2024-03-03\n\nTold Ana about the test.\nShe was kind.\n\n> Ana: you will be fine\n\n## Ideas\n\nPaint the kitchen.\n\n```\nignore: this\n```\n"
	e, err := ingest.Read(t.Context(), write(t, "diary.md", text), ingest.Options{Self: "Ines"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Ines*|2024-03-02|Signed the lease.", "Ines*|2024-03-03|Told Ana about the test.⏎She was kind.", "Ines*|2024-03-03|", "Ines*|2024-03-03|Paint the kitchen."}
	if diff := cmp.Diff(want, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if e.Format != "notes" || len(e.Conversations) != 1 || e.Conversations[0].Kind != ingest.Self || *e.Conversations[0].Title != "Diary" {
		t.Errorf("%s, %+v", e.Format, e.Conversations)
	}
	if q := e.Messages[2]; q.Quoted == nil || q.Quoted.Text != "Ana: you will be fine" || q.Kind == ingest.KindMessage {
		t.Errorf("a quotation was taken as said: %+v", q)
	}
	if len(e.Sessions()) != 3 || e.Sessions()[2].Title != "Ideas" {
		t.Errorf("%d sessions, want 3", len(e.Sessions()))
	}
}

func TestNotesPlainText(t *testing.T) {
	e := read(t, "Remember: the code of the safe is 4417.\n\nCall the bank.", ingest.Options{})
	if e.Format != "notes" || len(e.Messages) != 2 || !e.Messages[0].Self {
		t.Errorf("%s %v", e.Format, show(e))
	}
}

// Bad input is an error that names place and remedy; nothing half read.
func TestReadRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		want       error
		says       string
	}{
		{"empty", "", ingest.ErrEmpty, "chat.txt"},
		{"blank", " \n\t\n", ingest.ErrEmpty, "chat.txt"},
		{"only a mark", "\ufeff\n", ingest.ErrEmpty, "chat.txt"},
		{"invalid UTF-8", "Ana: hi\nBo: a\nAna: b\nBo: c\xff\n", ingest.ErrEncoding, "line 4"},
		{"NUL", "Ana: hi\nBo: a\nAna: b\x00\nBo: c\n", ingest.ErrEncoding, "line 3"},
		{"UTF-16", "A\x00n\x00a\x00:\x00 \x00h\x00i\x00\n\x00", ingest.ErrEncoding, "line 1"},
		{"binary", "\x89PNG\r\n\x1a\n\x00\x00", ingest.ErrEncoding, "line 1"},
		{"unknown JSON", `{"messages": []}`, ingest.ErrFormat, "no known format"},
		{"broken LoCoMo", `[{"conversation": {"speaker_a": "A", "speaker_b": "B", "session_1": [`, ingest.ErrFormat, "sample 1"},
		{"LoCoMo without speaker", `[{"sample_id": "x", "conversation": {"speaker_a": "A", "session_1": []}}]`, ingest.ErrFormat, "speaker_b"},
		{"LoCoMo turn of nobody", `[{"sample_id": "x", "conversation": {"speaker_a": "A", "speaker_b": "B", "session_1": [{"text": "secret"}]}}]`, ingest.ErrFormat, "turn 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "chat.txt", tt.text)
			e, err := ingest.Read(t.Context(), path, ingest.Options{})
			if !errors.Is(err, tt.want) || e != nil {
				t.Fatalf("got %v, want %v and nothing read", err, tt.want)
			}
			if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), filepath.Dir(path)) {
				t.Errorf("error %q", err)
			}
		})
	}
	t.Run("missing", func(t *testing.T) {
		if _, err := ingest.Read(t.Context(), filepath.Join(t.TempDir(), "x.txt"), ingest.Options{}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%v", err)
		}
	})
	t.Run("date order", func(t *testing.T) {
		if _, err := ingest.Read(t.Context(), "x", ingest.Options{DateOrder: "dym"}); !errors.Is(err, ingest.ErrOptions) {
			t.Errorf("%v", err)
		}
	})
	t.Run("long line", func(t *testing.T) {
		path := write(t, "long.txt", "Ana: hi\nBo: yo\nAna: "+strings.Repeat("x", 17<<20))
		if _, err := ingest.Read(t.Context(), path, ingest.Options{}); !errors.Is(err, ingest.ErrTooLong) || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%v", err)
		}
	})
}

func TestLongLineIsKeptWhole(t *testing.T) {
	long := strings.Repeat("雪🙂 ", 300_000) + "the spare key is under the third pot"
	e := read(t, "Ana: hi\nBo: yo\nAna: "+long+"\nBo: ok", ingest.Options{})
	if got := e.Messages[2].Text; got != long {
		t.Errorf("%d of %d bytes kept", len(got), len(long))
	}
}

func TestDryRunShape(t *testing.T) {
	b, err := json.Marshal(read(t, "Ana: hi\nMe: yo\nAna: bye", ingest.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"format":"plain","conversations":[{"id":"c1","title":null,"kind":"direct","participants":["Ana","Me"]}],` +
		`"messages":[{"n":1,"conversation":"c1","time":null,"time_local":null,"sender":"Ana","kind":"message","text":"hi","reply_to":null},` +
		`{"n":2,"conversation":"c1","time":null,"time_local":null,"sender":"Me","self":true,"kind":"message","text":"yo","reply_to":null},` +
		`{"n":3,"conversation":"c1","time":null,"time_local":null,"sender":"Ana","kind":"message","text":"bye","reply_to":null}],"skipped":[],"warnings":[]}`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestKnownPeople: the owner and the people of the policy need no announcement.
func TestKnownPeople(t *testing.T) {
	chat := "Chat with Tomas\n\n--- 3 March 2026 ---\nTomas Falk: how did it go?\nInes: fine, thanks\n"
	e, err := ingest.Read(t.Context(), write(t, "a.txt", chat), ingest.Options{Owner: []string{"Ines Falk", "Ines"}, People: []string{"Tomas Falk"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Conversations[0].Participants; !slices.Equal(got, []string{"Tomas Falk", "Ines"}) {
		t.Errorf("participants %q: the heading's Tomas is the speaker Tomas Falk", got)
	}
	if e.Format != "plain" || len(e.Messages) != 2 || e.Messages[0].Sender != "Tomas Falk" || !e.Messages[1].Self || e.Messages[0].Self {
		t.Errorf("%s: %+v", e.Format, e.Messages)
	}
	// A name given for this file counts before the owner's usual names.
	e, err = ingest.Read(t.Context(), write(t, "b.txt", chat), ingest.Options{Self: "Tomas Falk", Owner: []string{"Ines"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range e.Messages {
		if m.Self != (m.Sender == "Tomas Falk") {
			t.Errorf("%s: self %v", m.Sender, m.Self)
		}
	}
}

// Quoted lines were said before: they are beside the answer, and make nobody speak.
func TestPlainQuotes(t *testing.T) {
	e := read(t, "[2024-03-13 21:05] Ana: > I moved to Rome\n> Bo: and I to Ghent\nreally?\n[2024-03-13 21:06] Bo: yes\n> only quoted\n[2024-03-13 21:07] Ana: 5 > 3\n[2024-03-13 21:08] Bo: > said before\n", ingest.Options{})
	want := []string{"Ana|2024-03-13T21:05:00|really?", "Bo|2024-03-13T21:06:00|yes", "Ana|2024-03-13T21:07:00|5 > 3", "Bo|2024-03-13T21:08:00|"}
	if diff := cmp.Diff(want, show(e)); diff != "" || e.Messages[0].Quoted.Text != "I moved to Rome\nBo: and I to Ghent" || e.Messages[3].Quoted.Text != "said before" || len(e.Conversations[0].Participants) != 2 {
		t.Errorf("%+v (-want +got)\n%s", e.Messages, diff)
	}
	e = read(t, "Ana: look what he wrote\n> Bo: I live in Ghent\n> Bo: and work in Rome\nAna: odd\nCy: indeed\nCy: yes\n", ingest.Options{})
	if diff := cmp.Diff([]string{"Ana||look what he wrote", "Ana||odd", "Cy||indeed", "Cy||yes"}, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
