package ingest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/ingest"
)

// An event's times are on clocks that are named or the calendar's, a range of days
// keeps its end, and a length is an end.
func TestCalendarTimes(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, head, event string
		tz                *time.Location
		want              string
	}{
		{"UTC", "", "DTSTART:20240514T073000Z\nDTEND:20240514T080000Z", nil, "2024-05-14 07:30–08:00 UTC"},
		{"UTC and --tz", "", "DTSTART:20240514T073000Z\nDTEND:20240514T080000Z", oslo, "2024-05-14 09:30–10:00"},
		{"UTC and the calendar's zone", "X-WR-TIMEZONE:Europe/Berlin\n", "DTSTART:20240514T223000Z\nDTEND:20240514T230000Z", nil, "2024-05-15 00:30–01:00"},
		{"its own zone", "", "DTSTART;TZID=Europe/Berlin:20240514T093000\nDTEND;TZID=Europe/Berlin:20240514T100000", nil, "2024-05-14 09:30–10:00"},
		{"another zone than --tz", "", "DTSTART;TZID=America/New_York:20240514T093000\nDTEND;TZID=America/New_York:20240514T100000", oslo, "2024-05-14 09:30–10:00 America/New_York"},
		{"days", "", "DTSTART;VALUE=DATE:20240514\nDTEND;VALUE=DATE:20240518", nil, "2024-05-14–2024-05-17"},
		{"a day", "", "DTSTART;VALUE=DATE:20240514\nDTEND;VALUE=DATE:20240515", nil, "2024-05-14"},
		{"a length", "", "DTSTART;TZID=Europe/Berlin:20240514T093000\nDURATION:PT1H30M", nil, "2024-05-14 09:30–11:00"},
		{"a length in days", "", "DTSTART;VALUE=DATE:20240514\nDURATION:P3D", nil, "2024-05-14–2024-05-16"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := readNamed(t, "c.ics", "BEGIN:VCALENDAR\n"+tt.head+"BEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\n"+tt.event+"\nEND:VEVENT\nEND:VCALENDAR\n", ingest.Options{TZ: tt.tz})
			if got := e.Messages[0].Text; got != "Dentist ("+tt.want+")" {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A weekday beside a date says which number is the month.
func TestWeekdayDecides(t *testing.T) {
	for name, text := range map[string]string{
		"line":          "[LINE] Chat history with Yuki\nSaved on: 04/05/2024, 10:00\n\nThu, 04/04/2024\n21:15\tYuki\ta\n\nWed, 03/07/2024\n21:16\tInes\tb\n",
		"Japanese line": "[LINE] Yukiとのトーク履歴\n\n04/04/2024(木)\n21:15\tYuki\ta\n\n03/07/2024(水)\n21:16\tInes\tb\n",
		"plain":         "--- Thu, 04/04/2024 ---\n21:15 - Yuki: a\n--- Wed, 03/07/2024 ---\n21:16 - Ines: b\n",
	} {
		e := read(t, text, ingest.Options{})
		want := []string{"Yuki|2024-04-04T21:15:00|a", "Ines|2024-07-03T21:16:00|b"}
		if diff := cmp.Diff(want, show(e)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if warned(e, "date_order_unknown", "") {
			t.Errorf("%s: %q", name, e.Warnings)
		}
	}
}

// A message of Telegram without an instant is on the clocks of the others.
func TestTelegramComputerZone(t *testing.T) {
	text := `{"name":"G","type":"personal_chat","id":7,"messages":[
{"id":1,"type":"message","date":"2024-03-13T20:05:00","from":"Bo","from_id":"user2","text":"a"},
{"id":2,"type":"message","date":"2024-03-13T21:05:00","date_unixtime":"1710360300","from":"Ana","from_id":"user1","text":"b"},
{"id":3,"type":"message","date":"2024-03-13T22:05:00","from":"Bo","from_id":"user2","text":"c"}]}`
	want := []string{"Bo|2024-03-13T19:05:00Z|a", "Ana|2024-03-13T20:05:00Z|b", "Bo|2024-03-13T21:05:00Z|c"}
	e := readNamed(t, "result.json", text, ingest.Options{})
	if diff := cmp.Diff(want, show(e)); diff != "" || e.Messages[2].When.Local != "2024-03-13T22:05:00" || warned(e, "zone_unknown", "") {
		t.Errorf("%q (-want +got)\n%s", e.Warnings, diff)
	}
}

// Where the zone was given, nobody is told to give it.
func TestZoneGiven(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	e := read(t, "31.03.24, 02:30 - Ana: sprung over\n31.03.24, 03:30 - Bo: b\n", ingest.Options{TZ: berlin})
	if warned(e, "zone_unknown", "") || !warned(e, "time_impossible", "") {
		t.Errorf("%q", e.Warnings)
	}
}

// What Slack says of an earlier message is what became of that message.
func TestSlackChanges(t *testing.T) {
	slack := func(days map[string]string) *ingest.Export {
		dir := t.TempDir()
		days["users.json"], days["channels.json"] = `[{"id":"U1","real_name":"Ana"},{"id":"U2","real_name":"Bo"}]`, `[{"id":"C1","name":"g","members":["U1","U2"]}]`
		for name, text := range days {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e, err := ingest.Read(t.Context(), dir, ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	changed := `{"type":"message","subtype":"message_changed","ts":"1712268000.000300","message":{"type":"message","user":"U1","text":"I moved to Oslo","ts":"1712178900.000100"}}`
	e := slack(map[string]string{
		"g/2024-04-03.json": `[{"type":"message","user":"U1","text":"I moved to Ghent","ts":"1712178900.000100"},{"type":"message","user":"U2","text":"ok","ts":"1712178960.000100"}]`,
		"g/2024-04-04.json": `[` + changed + `,{"type":"message","subtype":"message_deleted","ts":"1712268060.000300","deleted_ts":"1712178960.000100"}]`,
	})
	if m := e.Messages; m[0].Text != "I moved to Oslo" || !m[0].Edited || m[0].Sender != "Ana" || !m[1].Deleted || m[1].Text != "" {
		t.Errorf("%+v", m)
	}
	e = slack(map[string]string{"g/2024-04-04.json": `[` + changed + `]`})
	if m := e.Messages; len(m) != 1 || m[0].ID != "1712178900.000100" || m[0].Text != "I moved to Oslo" || !m[0].Edited {
		t.Errorf("alone: %+v", m)
	}
	e = slack(map[string]string{"g/2024-04-04.json": `[{"type":"message","subtype":"file_comment","text":"<@U1> commented on <@U2>'s file: nice","comment":{"user":"U1","comment":"nice"},"ts":"1712178900.000100"}]`})
	if m := e.Messages; len(m) != 1 || m[0].Sender != "Ana" || m[0].Text != "nice" {
		t.Errorf("a comment: %+v", m)
	}
}

// A message of chat.db that is in no chat is reported.
func TestIMessageAstray(t *testing.T) {
	path := filepath.Join(t.TempDir(), "chat.db")
	fillChatDB(t, path)
	before, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	execDB(t, path, "INSERT INTO message (ROWID, guid, text, handle_id, is_from_me, date) VALUES (9000, 'lost', 'I moved', 1, 0, 700000000000000000)")
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil || len(e.Messages) != len(before.Messages) {
		t.Fatal(err)
	}
	if len(e.Skipped) != len(before.Skipped)+1 || !slices.ContainsFunc(e.Skipped, func(s ingest.Skip) bool {
		return s.File == "chat.db" && s.Message == "9000" && strings.Contains(s.Reason, "no chat")
	}) {
		t.Errorf("%v", e.Skipped)
	}
}

// Names can't give orders to the terminal that shows them.
func TestNamesWithoutEscapes(t *testing.T) {
	e := read(t, "[LINE] Chat history with Y\x1b[31muki\n\n2024/04/03(Wed)\n21:15\tY\x1b[31mu\x07ki\x1b]0;gone\x07\ta\n21:16\tInes\tb\n", ingest.Options{})
	if e.Messages[0].Sender != "Yuki" || *e.Conversations[0].Title != "Yuki" || !slices.Contains(e.Conversations[0].Participants, "Yuki") {
		t.Errorf("%+v %+v", e.Messages[0], e.Conversations[0])
	}
}

// What could be seen once is "null" on Android.
func TestWhatsAppViewOnce(t *testing.T) {
	e := read(t, "03.04.24, 21:15 - Greta: null\n03.04.24, 21:16 - Ines: what was it?\n", ingest.Options{})
	if m := e.Messages[0]; m.Kind != ingest.KindMedia || m.Text != "" || m.Sender != "Greta" {
		t.Errorf("%+v", m)
	}
}
