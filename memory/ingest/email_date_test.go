package ingest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/memory/ingest"
)

// A mail keeps what its Date says, however much that is.
func TestMailDates(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ date, instant, local, placed, warn string }{ // placed: with a zone given
		{"Mon, 2 Mar 2026 09:00:00 +0100", "2026-03-02T08:00:00Z", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", ""},
		{"Mon, 2 Mar 2026 09:00:00 EST", "2026-03-02T14:00:00Z", "2026-03-02T09:00:00", "2026-03-02T14:00:00Z", ""},
		{"Mon, 2 Mar 2026 09:00:00 GMT", "2026-03-02T09:00:00Z", "2026-03-02T09:00:00", "2026-03-02T09:00:00Z", ""},
		{"Mon, 2 Mar 2026 09:00:00", "", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", "date_zone"},
		{"Mon, 2 Mar 2026 09:00:00 CET", "", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", "date_zone"},
		{"2 Mar 26 09:00", "", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", "date_zone"},
		{"Mon Mar  2 09:00:00 2026", "", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", "date_zone"},
		{"2026-03-02 09:00:00", "", "2026-03-02T09:00:00", "2026-03-02T08:00:00Z", "date_zone"},
		{"2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z", "2026-03-02T09:00:00", "2026-03-02T09:00:00Z", ""},
		{"Mon, 32 Mar 2026 09:00:00 +0100", "", "", "", "date_unread"},
		{"some day", "", "", "", "date_unread"},
		{"", "", "", "", "date_missing"},
	}
	for _, tt := range tests {
		t.Run(tt.date, func(t *testing.T) {
			head := ""
			if tt.date != "" {
				head = "Date: " + tt.date + "\n"
			}
			text := "From: Bo <bo@example.org>\nTo: ines@example.org\nMessage-ID: <1@example.org>\nSubject: s\n" + head + "\nThe rehearsal is on Monday.\n"
			e := readNamed(t, "x.eml", text, ingest.Options{})
			m := e.Messages[0]
			at := ""
			if !m.When.Instant.IsZero() {
				at = m.When.Instant.UTC().Format(time.RFC3339)
			}
			if at != tt.instant || m.When.Local != tt.local {
				t.Errorf("%q %q", at, m.When.Local)
			}
			if said := strings.Join(e.Warnings, "\n"); tt.warn != "" && (!strings.Contains(said, tt.warn+": 1 mails") || !strings.Contains(said, "x.eml, line 1")) || tt.warn == "" && strings.Contains(said, "date_") {
				t.Errorf("warnings %q, want %s", said, tt.warn)
			}
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`"time_text":%q`, tt.date); (tt.instant == "" && tt.date != "") != strings.Contains(string(b), want) {
				t.Errorf("%s", b)
			}
			in := readNamed(t, "x.eml", text, ingest.Options{TZ: berlin})
			at = ""
			if m := in.Messages[0]; !m.When.Instant.IsZero() {
				at = m.When.Instant.UTC().Format(time.RFC3339)
			}
			if at != tt.placed {
				t.Errorf("placed at %q", at)
			}
		})
	}
}
