package main

import (
	"strings"
	"testing"
)

// TestRun: each hears what is theirs, through the program's own host, embedder and
// stage.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), t.TempDir(), &out); err != nil {
		t.Fatal(err)
	}
	jonas, petra, ok := strings.Cut(out.String(), "Petra:")
	if !ok {
		t.Fatalf("output:\n%s", out.String())
	}
	for _, tt := range []struct{ who, text, tells, keeps string }{
		{"Jonas", jonas, "3 June", "9 June"},
		{"Petra", petra, "9 June", "3 June"},
	} {
		if strings.Count(tt.text, tt.tells) != 2 || strings.Contains(tt.text, tt.keeps) || !strings.Contains(tt.text, "From Lea:\n* ") {
			t.Errorf("%s:\n%s", tt.who, tt.text)
		}
	}
}
