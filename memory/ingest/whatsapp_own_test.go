package ingest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A pasted line, in any place and whatever its stamp, neither makes the text another
// format's nor anybody a speaker.
func TestWhatsAppPasted(t *testing.T) {
	own := map[string][2]string{
		"iPhone":  {"[14/01/2024, 09:%02d:00] %s: words %d", "[20/02/2024, 10:00:00] Ana: \u200eThis message was deleted."},
		"Android": {"14/01/2024, 09:%02d - %s: words %d", "20/02/2024, 10:00 - Ana: This message was deleted"},
	}
	pastes := []string{
		"[2024-02-02 10:00] Carl: pasted",
		"2024-02-02 10:00:11 - Carl: pasted",
		"1/2/24, 8:00 PM - Dee: pasted",
		"[02.02.24, 10:00:00] Carl: pasted\n[02.02.24, 10:00:10] Dee: pasted too\n[02.02.24, 10:00:20] Carl: a third\n[02.02.24, 10:00:30] Dee: a fourth",
		"[10:00, 2/2/2024] Carl: pasted",
	}
	for name, form := range own {
		for _, n := range []int{2, 3, 6, 50} {
			for _, at := range []int{1, n / 2, n} {
				for i, paste := range pastes {
					var lines []string
					for j := range n {
						lines = append(lines, fmt.Sprintf(form[0], j, []string{"Ana", "Ben"}[j%2], j))
						if j+1 == at {
							lines = append(lines, strings.Split(paste, "\n")...)
						}
					}
					lines = append(lines, form[1])
					e := read(t, strings.Join(lines, "\n"), ingest.Options{})
					label := fmt.Sprintf("%s, %d lines, paste %d behind line %d", name, n, i, at)
					if e.Format != "whatsapp" || len(e.Messages) != n+1 {
						t.Errorf("%s: %s, %q", label, e.Format, show(e))
						continue
					}
					if diff := cmp.Diff([]string{"Ana", "Ben"}, e.Conversations[0].Participants); diff != "" {
						t.Errorf("%s: (-want +got)\n%s", label, diff)
					}
					if m := e.Messages[at-1]; m.Text != fmt.Sprintf("words %d\n%s", at-1, paste) || !e.Messages[n].Deleted {
						t.Errorf("%s: %q, deleted %v", label, m.Text, e.Messages[n].Deleted)
					}
				}
			}
		}
	}
}

// Of a text in which forms take turns it isn't known whose lines are pasted: it is refused.
// What begins otherwise is no export of WhatsApp's.
func TestWhatsAppNotMixed(t *testing.T) {
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("14/01/2024, 09:%02d - Ana: a", i), fmt.Sprintf("[2024-01-14 09:%02d] Bo: b", i))
	}
	if _, err := ingest.Read(t.Context(), write(t, "chat.txt", strings.Join(lines, "\n")), ingest.Options{}); !errors.Is(err, ingest.ErrFormat) || !strings.Contains(err.Error(), "another form") {
		t.Errorf("forms that take turns: %v", err)
	}
	e := read(t, "[2024-01-14 09:00] Ana: a\n"+strings.Join(lines[:1], "\n")+"\n[2024-01-14 09:05] Bo: b", ingest.Options{})
	if e.Format != "plain" || len(e.Messages) != 3 {
		t.Errorf("%s %q", e.Format, show(e))
	}
}

// Two exports in one file are refused where the second begins, not read as one
// message of the first.
func TestWhatsAppTwoInOne(t *testing.T) {
	var b strings.Builder
	for i := range 450 {
		fmt.Fprintf(&b, "14/01/2024, %02d:%02d - Ana: a\n", i/60, i%60)
	}
	for i := range 300 {
		fmt.Fprintf(&b, "[14/01/2024, %02d:%02d:00] Bo: b\n", i/60, i%60)
	}
	_, err := ingest.Read(t.Context(), write(t, "chat.txt", b.String()), ingest.Options{})
	if !errors.Is(err, ingest.ErrFormat) || !strings.Contains(err.Error(), "line 451") {
		t.Errorf("%v", err)
	}
}

func TestClockWithUnits(t *testing.T) {
	tests := []struct {
		name, text, format string
		want               []string
	}{
		{"Android in Quebec", "2024-03-14 19 h 02 - Les messages sont chiffrés.\n2024-03-14 19 h 02 - Marie: Salut\n2024-03-15 8 h 05 - Luc: oui\n", "whatsapp",
			[]string{"-|2024-03-14T19:02:00|Les messages sont chiffrés.", "Marie|2024-03-14T19:02:00|Salut", "Luc|2024-03-15T08:05:00|oui"}},
		{"iPhone in Quebec", "[2024-03-14 19\u00a0h\u00a002\u00a0min\u00a011\u00a0s] Marie: Salut\n[2024-03-15 00 h 05 min 09 s] Luc: oui\n", "whatsapp",
			[]string{"Marie|2024-03-14T19:02:11|Salut", "Luc|2024-03-15T00:05:09|oui"}},
		{"plain", "[2024-03-14 19 h 02] Marie: Salut\n[2024-03-14 19 h 05] Luc: dormi\n2 h 30 de sommeil\n", "plain",
			[]string{"Marie|2024-03-14T19:02:00|Salut", "Luc|2024-03-14T19:05:00|dormi⏎2 h 30 de sommeil"}},
		{"no such hour", "2024-03-14 29 h 02 - Marie: Salut\n2024-03-14 19 h 02 - Marie: oui\n2024-03-15 8 h 05 - Luc: oui\n", "whatsapp", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == nil {
				e, err := ingest.Read(t.Context(), write(t, "chat.txt", tt.text), ingest.Options{})
				if err == nil && (e.Format == "notes" || e.Messages[0].When.Local == "2024-03-14T05:02:00") {
					t.Errorf("%s %q", e.Format, show(e))
				}
				return
			}
			e := read(t, tt.text, ingest.Options{})
			if diff := cmp.Diff(tt.want, show(e)); diff != "" || e.Format != tt.format {
				t.Errorf("%s (-want +got)\n%s", e.Format, diff)
			}
		})
	}
}

// A chat whose times are written in no known way is refused, never the owner's.
func TestStampedNotesRefused(t *testing.T) {
	for _, text := range []string{
		"2024-03-14 kl. 19,02 - Ana: hej\n2024-03-14 kl. 19,05 - Bo: jag slutade\n",
		"14/03/24 @ 7pm | Ana: hi\nmore\n14/03/24 @ 8pm | Bo: yes\n",
	} {
		e, err := ingest.Read(t.Context(), write(t, "chat.txt", text), ingest.Options{})
		if !errors.Is(err, ingest.ErrFormat) || strings.Contains(err.Error(), "slutade") {
			t.Errorf("%v %v", e, err)
		}
	}
}

// Pastes that the file's own stamps outweigh are the message's; where they don't, the file
// is refused and never read as the talk of those who were pasted.
func TestWhatsAppPastes(t *testing.T) {
	paste := "12/01/24, 09:00 - Zoe: s1\n12/01/24, 09:01 - Max: s2\n12/01/24, 09:02 - Zoe: s3\n"
	two := "13/03/2024, 10:01 - Ana: look\n" + paste + "13/03/2024, 10:02 - Tom: wow\n13/03/2024, 10:03 - Tom: and\n" + paste + "13/03/2024, 10:04 - Ana: ok\n"
	e := read(t, two, ingest.Options{})
	if diff := cmp.Diff([]string{"Ana", "Tom"}, e.Conversations[0].Participants); diff != "" || len(e.Messages) != 4 || len(e.Skipped) > 0 {
		t.Errorf("%s: %q, skipped %v", diff, show(e), e.Skipped)
	}
	own := "[12/03/2024, 10:15:22] Ana: hello\n[12/03/2024, 10:16:22] Tom: hi\n[12/03/2024, 10:17:22] Ana: look:\n"
	for name, text := range map[string]string{"at the end": own + paste, "two exports": "13/03/2024, 10:15 - Ana: a\n13/03/2024, 10:16 - Tom: b\n" + own} {
		if _, err := ingest.Read(t.Context(), write(t, "chat.txt", text), ingest.Options{}); !errors.Is(err, ingest.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Where nobody speaks it is no chat.
	if e := read(t, "12/3/24, 10:00 - fed 90 ml\n12/3/24, 13:00 - fed 80 ml, slept\n12/3/24, 16:00 - nappy\n", ingest.Options{}); e.Format != "notes" {
		t.Errorf("a diary is %s: %q", e.Format, show(e))
	}
}

// What is typed in the words of a notice was said.
func TestWhatsAppTyped(t *testing.T) {
	var b strings.Builder
	said := []string{"foto.jpg (la de mamá)", "clip.mp4 (vu à la télé)", "missed video call", "waiting for this message", "this message was deleted"}
	for i, text := range said {
		fmt.Fprintf(&b, "13/03/2024, 10:%02d - Tom: %s\n", i, text)
	}
	e := read(t, b.String(), ingest.Options{})
	for i, m := range e.Messages {
		if m.Text != said[i] || m.Sender != "Tom" || m.Kind != ingest.KindMessage {
			t.Errorf("%q: %+v", said[i], m)
		}
	}
	// Hebrew shortens its words for the halves of the day, by the mark or by a quotation mark.
	for _, mark := range []string{"״", "\""} {
		e := read(t, "14/3/2024, 7:05 לפנה"+mark+"צ - Ana: a\n14/3/2024, 7:05 אחה"+mark+"צ - Tom: b\n", ingest.Options{})
		if diff := cmp.Diff([]string{"Ana|2024-03-14T07:05:00|a", "Tom|2024-03-14T19:05:00|b"}, show(e)); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}
