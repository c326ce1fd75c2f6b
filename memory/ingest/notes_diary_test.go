package ingest_test

import (
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// A day with its hours is the owner's own note, and no talk.
func TestDiaryOfHours(t *testing.T) {
	e := read(t, "2024-03-12\n9am Dentist: bring the card\n10am Standup: short today\n12:30 Lunch: with Mira\n3pm Gym: legs\n", ingest.Options{Owner: []string{"Ines Falk"}})
	if e.Format != "notes" || len(e.Messages) == 0 || !e.Messages[0].Self {
		t.Errorf("%s: %+v", e.Format, e.Messages)
	}
}
