package ingest

import (
	"regexp"
	"testing"
)

// TestPatterns: what is compiled at its first use can be compiled.
func TestPatterns(t *testing.T) {
	if len(patterns) < 100 {
		t.Fatalf("%d patterns", len(patterns))
	}
	for _, p := range patterns {
		if _, err := regexp.Compile(p.source); err != nil {
			t.Error(err)
		}
	}
}
