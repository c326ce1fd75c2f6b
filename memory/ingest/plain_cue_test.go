package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A subtitle that names nobody is nobody's, not of who spoke before; lines of one
// subtitle are of whom it names.
func TestCuesWithoutName(t *testing.T) {
	vtt := "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\nIna: I start in May.\n\n2\n00:00:03.000 --> 00:00:05.000\nI am ill.\n\n3\n00:00:05.000 --> 00:00:07.000\nBo: good\nto hear\n\n4\n00:00:07.000 --> 00:00:09.000\nIna: thanks\n\n5\n00:00:09.000 --> 00:00:10.000\nBo: bye\n"
	voice := "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v Ina>I start in May,\nI hope.\n\n00:00:03.000 --> 00:00:05.000\nI am ill.\n\n00:00:05.000 --> 00:00:07.000\n<v Bo>good</v>\n"
	for name, tt := range map[string]struct{ text, want string }{
		"named by colon": {vtt, "Ina: I start in May.|bot unknown: I am ill.|Bo: good⏎to hear|Ina: thanks|Bo: bye"},
		"named by voice": {voice, "Ina: I start in May,⏎I hope.|bot unknown: I am ill.|Bo: good"},
	} {
		t.Run(name, func(t *testing.T) {
			e := readNamed(t, "x.vtt", tt.text, ingest.Options{Self: "Ina"})
			var got []string
			for _, m := range e.Messages {
				who := m.Sender
				if m.Bot {
					who = "bot " + who
				}
				if m.Self != (who == "Ina") {
					t.Errorf("%s: self %v", m.Text, m.Self)
				}
				got = append(got, who+": "+strings.ReplaceAll(m.Text, "\n", "⏎"))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "|")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if !strings.Contains(strings.Join(e.Warnings, "\n"), "cue_unnamed") {
				t.Errorf("warnings %q", e.Warnings)
			}
		})
	}
}
