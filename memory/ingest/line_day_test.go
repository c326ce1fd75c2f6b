package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// A day stands on a line of its own with its weekday, in any language; a date at the end of
// somebody's words is no day.
func TestLineDays(t *testing.T) {
	rows := func(first, second string) string {
		return "[LINE] Chat history with Nok\nSaved on: 20/3/2024 10:00\n\n" + first + "\n19:02\tNok\thi\n19:03\tAna\t[Photo]\n" + second + "\n00:05\tNok\tnight\n"
	}
	want := []string{"Nok|2024-03-14T19:02:00|hi", "Ana|2024-03-14T19:03:00|", "Nok|2024-03-15T00:05:00|night"}
	for name, text := range map[string]string{
		"Thai":               rows("พฤ. 14/3/2024", "ศ. 15/3/2024"),
		"Thai, Buddhist":     rows("พฤ. 14/3/2567", "ศ. 15/3/2567"),
		"Spanish":            rows("jue 14/3/2024", "vie 15/3/2024"),
		"Vietnamese":         rows("Th 5, 14/03/2024", "Th 6, 15/03/2024"),
		"Indonesian":         rows("Kam, 14/3/2024", "Jum, 15/3/2024"),
		"Russian":            rows("чт, 14.3.2024", "пт, 15.3.2024"),
		"behind":             rows("2024/03/14 Do", "2024/03/15 Fr"),
		"behind, in a clasp": rows("2024/03/14（木）", "2024/03/15（金）"),
		"German, dots":       rows("Do., 14.03.2024", "Fr., 15.03.2024"),
	} {
		if diff := cmp.Diff(want, show(readNamed(t, "x.txt", text, ingest.Options{}))); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	for name, words := range map[string]string{
		"a date in words":     "until 20/3/2024",
		"a weekday in no way": "Fri, 3/18/2024 or so",
	} {
		text := rows("Wed, 3/13/2024", "Thu, 3/14/2024")
		text = strings.Replace(text, "\thi\n", "\thi\n"+words+"\n", 1)
		e := readNamed(t, "x.txt", text, ingest.Options{})
		if got := e.Messages[len(e.Messages)-1]; !strings.HasSuffix(e.Messages[0].Text, words) || got.When.Local != "2024-03-14T00:05:00" {
			t.Errorf("%s: %q, then %v", name, e.Messages[0].Text, got.When.Local)
		}
	}
}

// A notice that a message was taken back is no word of who took it back, whether it names
// them or stands behind their name.
func TestLineUnsentBehindName(t *testing.T) {
	e := readNamed(t, "x.txt", "[LINE] Chat history with Bo\n\nThu, 3/14/2024\n07:02 PM\tBo\tHi\n07:04 PM\tBo\tunsent a message.\n07:05 PM\tAna\tBo unsent a message\n07:06 PM\tAna\tshe unsent a message I sent\n", ingest.Options{})
	if m := e.Messages; !m[1].Deleted || m[1].Text != "" || m[2].Deleted || m[3].Deleted {
		t.Errorf("%+v", m)
	}
}
