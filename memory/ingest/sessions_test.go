package ingest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory/ingest"
)

func TestSessionsCut(t *testing.T) {
	text := "[2024-03-03 21:14] Ana: a\n[2024-03-03 23:50] Bo: b\n[2024-03-04 00:20] Ana: c\n[2024-03-04 07:00] Bo: d\n"
	tests := []struct {
		name string
		text string
		gap  time.Duration
		want []int // turns a session
	}{
		{"six hours by default, midnight is no end", text, 0, []int{3, 1}},
		{"a shorter gap", text, 2 * time.Hour, []int{1, 2, 1}},
		{"a longer gap", text, 48 * time.Hour, []int{4}},
		{"day separators", "-- 3 March 2024 --\nAna: a\nBo: b\n-- 4 March 2024 --\nAna: c\nBo: d\n", 0, []int{2, 2}},
		{"nothing known", "Ana: a\nBo: b\nAna: c\nBo: d\n", 0, []int{4}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			ids := map[string]bool{}
			for _, s := range read(t, tt.text, ingest.Options{Gap: tt.gap}).Sessions() {
				got = append(got, len(s.Turns))
				ids[s.ID] = true
			}
			if !slices.Equal(got, tt.want) || len(ids) != len(got) {
				t.Errorf("turns %v, want %v; %d ids", got, tt.want, len(ids))
			}
		})
	}
}

// The same chat in another wrapping has the same ids; a longer export keeps
// those of what was there.
func TestIdentity(t *testing.T) {
	text := "[2024-03-03 21:14] Ana: ok\n[2024-03-03 21:14] Ana: ok\n[2024-03-03 21:15] Bo: yo\n"
	ids := func(name, text string) []string {
		e, err := ingest.Read(t.Context(), write(t, name, text), ingest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return turnIDs(e)
	}
	first := ids("a.txt", text)
	if len(first) != 3 || first[0] == first[1] {
		t.Fatalf("a true repetition was lost: %v", first)
	}
	if diff := cmp.Diff(first, ids("b.txt", "\ufeff"+strings.ReplaceAll(text, "\n", "\r\n"))); diff != "" {
		t.Errorf("renamed, with BOM and CRLF: %s", diff)
	}
	longer := ids("a.txt", text+"[2024-03-03 21:20] Ana: more\n")
	if !slices.Equal(longer[:3], first) {
		t.Error("a longer export of the same chat doubles it")
	}
	if other := ids("a.txt", strings.ReplaceAll(text, "Bo", "Cem")); other[0] == first[0] {
		t.Error("two chats share a message")
	}
}

// Joined fields can't be mistaken for others: "a|b" and "c" aren't "a" and "b|c".
func TestIdentityOfFields(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		part := rapid.SampledFrom([]string{"a", "b", "a|b", "b|c", "c", "ab", "bc"})
		x1, y1, x2, y2 := part.Draw(rt, "x1"), part.Draw(rt, "y1"), part.Draw(rt, "x2"), part.Draw(rt, "y2")
		one := read(t, "[2024-03-03 21:14] "+strings.ReplaceAll(x1, "|", "-")+": "+y1+"\n[2024-03-03 21:15] Zoe: k\n", ingest.Options{})
		two := read(t, "[2024-03-03 21:14] "+strings.ReplaceAll(x2, "|", "-")+": "+y2+"\n[2024-03-03 21:15] Zoe: k\n", ingest.Options{})
		if same := turnIDs(one)[0] == turnIDs(two)[0]; same != (x1 == x2 && y1 == y2) {
			rt.Fatalf("(%s, %s) and (%s, %s): same id %v", x1, y1, x2, y2, same)
		}
	})
}

func TestSourceID(t *testing.T) {
	e, err := ingest.Read(t.Context(), filepath.Join("testdata", "cases", "locomo", "01-two-sessions.json"), ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var turns, sessions []string
	for _, s := range e.Sessions() {
		sessions = append(sessions, ingest.SourceID(s.ID))
		for _, turn := range s.Turns {
			turns = append(turns, ingest.SourceID(turn.ID))
		}
	}
	if !slices.Equal(turns, []string{"D1:1", "D1:2", "D2:1", "D10:1"}) || !slices.Equal(sessions, []string{"session_1", "session_2", "session_10"}) {
		t.Errorf("turns %v, sessions %v", turns, sessions)
	}
	for id, want := range map[string]string{"s01-02": "s01-02", "t-abcdefghijklm": "", "s-abcdefghijklm": "", "": ""} {
		if got := ingest.SourceID(id); got != want {
			t.Errorf("SourceID(%q) = %q, want %q", id, got, want)
		}
	}
}

// The whole LoCoMo file imports, twice to the same ids.
func TestLoCoMoWhole(t *testing.T) {
	dir := os.Getenv("EPAGENT_DATA")
	if dir == "" {
		t.Skip("EPAGENT_DATA doesn't name the folder of public data sets")
	}
	path := filepath.Join(dir, "locomo", "locomo10.json")
	e, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Conversations) != 10 || len(e.Messages) != 5882 || len(e.Skipped) != 0 {
		t.Errorf("%d conversations, %d messages, %d skipped; warnings %v", len(e.Conversations), len(e.Messages), len(e.Skipped), e.Warnings)
	}
	ids := turnIDs(e)
	if n := len(slices.Compact(slices.Sorted(slices.Values(ids)))); n != len(ids) {
		t.Errorf("%d ids of %d turns", n, len(ids))
	}
	for _, s := range e.Sessions() {
		for _, turn := range s.Turns {
			if turn.Self {
				t.Fatal("nobody was named as the owner, and somebody is")
			}
		}
	}
	again, err := ingest.Read(t.Context(), path, ingest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ids, turnIDs(again)) {
		t.Error("a second import gives other ids")
	}
}
