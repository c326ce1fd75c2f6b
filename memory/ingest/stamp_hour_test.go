package ingest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// A half of the day is no minute of a recording.
func TestHalvesAreNoOffsets(t *testing.T) {
	for _, text := range []string{"Ines Falk (9:00 AM): hello\nBo (9:00 PM): I moved to Ghent\nInes Falk (10:02 PM): ok\n", "Ines Falk  9:00 AM\nhello\nBo  9:01 AM\nhi\nInes Falk  9:02 AM\nok\n"} {
		e := read(t, text, ingest.Options{Owner: []string{"Ines Falk"}})
		if got := offsets(e); len(e.Messages) != 3 || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "540") }) {
			t.Errorf("%q", got)
		}
	}
}

// A line at an hour that no clock reads is no part of what somebody else said before it.
func TestHoursInTranscripts(t *testing.T) {
	for name, text := range map[string]string{
		"hours":    "09:00 Ines Falk: hello\n09:01 Bo Lind: hi\n10am Ines Falk: one\n11 pm Bo Lind: two\n10h Ines Falk: three\n09:05 Bo Lind: ok\n",
		"brackets": "[9:00] Ines Falk: hello\n[9:01] Bo Lind: hi\n[noon] Ines Falk: one\n[9h] Bo Lind: two\n[??:??] Mira: three\n[9:61] Zed: four\n[9:05] Bo Lind: ok\n",
		"days":     "[2024-03-12 9:00] Ines Falk: hello\n[2024-03-12 9:01] Bo Lind: hi\n[2024-03-12 noon] Ines Falk: one\n[yesterday 10:00] Mira: two\n[2024-03-12 9:05] Bo Lind: ok\n",
	} {
		t.Run(name, func(t *testing.T) {
			e := read(t, text, ingest.Options{Owner: []string{"Ines Falk"}})
			for i := range e.Messages {
				m := &e.Messages[i]
				if strings.Contains(m.Text, "\n") || strings.Contains(m.Text, ":") {
					t.Errorf("%s says %q", m.Sender, m.Text)
				}
				if slices.Contains([]string{"one", "three"}, m.Text) && m.Sender != "Ines Falk" || m.Text == "two" && m.Sender != "Bo Lind" {
					t.Errorf("%q says %q", m.Sender, m.Text)
				}
			}
			if !slices.ContainsFunc(e.Warnings, func(w string) bool { return strings.HasPrefix(w, "time_unsure") }) {
				t.Errorf("%q", e.Warnings)
			}
		})
	}
	// What goes on with a message stays in it.
	e := read(t, "[9:00] Ines Falk: the plan\n10am breakfast\nnoon: lunch\n[9:01] Bo Lind: ok\n", ingest.Options{Owner: []string{"Ines Falk"}})
	if len(e.Messages) != 2 || !strings.Contains(e.Messages[0].Text, "10am breakfast") {
		t.Errorf("%+v", e.Messages)
	}
}
