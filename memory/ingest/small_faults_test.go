package ingest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

func TestBrokenJSONIsNoNote(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 200_000), `[[{"a": 1`, `["a", "b"`, "[ ["} {
		if e, err := ingest.Read(t.Context(), write(t, "x.json", text), ingest.Options{}); !errors.Is(err, ingest.ErrFormat) && !errors.Is(err, ingest.ErrHostile) {
			t.Errorf("%.20q: %v %v", text, e, err)
		}
	}
	if e := read(t, "[[Oslo]] is where I live.\n", ingest.Options{}); e.Format != "notes" {
		t.Errorf("a link of a note: %s", e.Format)
	}
}

// Zones by the names of Windows are zones; one that isn't known, and a time that the
// clocks sprang over, are reported.
func TestCalendarZones(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ start, want, warned string }{
		{"TZID=W. Europe Standard Time:20240514T093000", "(2024-05-14 09:30)", ""},
		{"TZID=/example.org/20050126_1/Europe/Berlin:20240514T093000", "(2024-05-14 09:30)", ""},
		{"TZID=Tokyo Standard Time:20240514T093000", "(2024-05-14 09:30 Tokyo Standard Time)", ""},
		{"TZID=Moon Base:20240514T093000", "(2024-05-14 09:30 Moon Base)", "zone_unread"},
		{"TZID=W. Europe Standard Time:20240331T023000", "(2024-03-31 02:30", "time_impossible"},
	} {
		e := readNamed(t, "x.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nDTSTART;"+tt.start+"\nEND:VEVENT\nEND:VCALENDAR\n", ingest.Options{TZ: berlin})
		if len(e.Messages) != 1 || !strings.Contains(e.Messages[0].Text, tt.want) {
			t.Errorf("%s: %+v", tt.start, e.Messages)
		}
		warnings := strings.Join(e.Warnings, "\n")
		if !strings.Contains(warnings, tt.warned) || tt.warned == "" && (strings.Contains(warnings, "zone_unread") || strings.Contains(warnings, "time_impossible")) {
			t.Errorf("%s: %q", tt.start, e.Warnings)
		}
	}
}

func TestCardsOfNoPerson(t *testing.T) {
	e := readNamed(t, "x.vcf", "BEGIN:VCARD\nVERSION:4.0\nKIND:org\nFN:Acme Ltd\nTEL:+4930000000\nEND:VCARD\nBEGIN:VCARD\nVERSION:4.0\nKIND:individual\nFN:Ana Lima\nEND:VCARD\n", ingest.Options{})
	if len(e.People) != 1 || e.People[0].Name != "Ana Lima" || len(e.Skipped) != 1 {
		t.Errorf("%+v %+v", e.People, e.Skipped)
	}
}

// What Android writes without a mark, and stamps in other digits: those don't follow
// American phones.
func TestWhatsAppWithoutMarks(t *testing.T) {
	text := ""
	for _, body := range []string{"hi", "This message was deleted by admin Tom", "Missed voice call", "Verpasster Sprachanruf", "이 메시지는 삭제되었습니다", "यह मैसेज डिलीट कर दिया गया", "Missed your call, sorry"} {
		text += "13.03.24, 21:05 - Ana: " + body + "\n13.03.24, 21:05 - Bo: ok\n"
	}
	var got []string
	for _, m := range readNamed(t, "x.txt", text, ingest.Options{}).Messages {
		switch {
		case m.Deleted:
			got = append(got, "deleted")
		case m.System != "":
			got = append(got, m.System)
		case m.Sender == "Ana":
			got = append(got, m.Text)
		}
	}
	if diff := cmp.Diff([]string{"hi", "deleted", "call", "call", "deleted", "deleted", "Missed your call, sorry"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	e := readNamed(t, "x.txt", "৪/৩/২৪, ৭:০২ PM - Ana: hi\n৪/৩/২৪, ৭:০৩ PM - Bo: ok\n", ingest.Options{})
	if diff := cmp.Diff([]string{"Ana|2024-03-04T19:02:00|hi", "Bo|2024-03-04T19:03:00|ok"}, show(e)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
