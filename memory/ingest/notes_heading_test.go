package ingest_test

import (
	"testing"

	"github.com/epagent/epagent/memory/ingest"
)

// A date in a heading dates what stands under it, unless the heading is about a day.
func TestNoteHeadings(t *testing.T) {
	tests := []struct{ heading, when, title string }{
		{"# Diary 2026-10-10", "2026-10-10", "Diary"},
		{"## Diary, 10 October 2026", "2026-10-10", "Diary"},
		{"## Tagebuch (10.10.2026)", "2026-10-10", "Tagebuch"},
		{"# Journal: 2026-10-10 – Lund", "2026-10-10", "Journal – Lund"},
		{"# 日记 2026年10月10日", "2026-10-10", "日记"},
		{"# 2026-10-10 Lund", "2026-10-10", "Lund"},
		{"# Plans for 2026-10-10", "", ""},
		{"# Deadline 2026-10-10", "", ""},
		{"# Notes on room 12", "", ""},
		{"# Everything that went wrong with the boiler 2026-10-10", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.heading, func(t *testing.T) {
			e := readNamed(t, "n.md", tt.heading+"\n\nI signed the lease for the flat.\n", ingest.Options{})
			m := e.Messages[0]
			if e.Format != "notes" || m.When.Local != tt.when {
				t.Fatalf("%s at %q, want %q", e.Format, m.When.Local, tt.when)
			}
			if title := e.Sessions()[0].Title; tt.when != "" && title != tt.title {
				t.Errorf("title %q, want %q", title, tt.title)
			}
		})
	}
}
