package tools

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, limit := rapid.String().Draw(t, "text"), rapid.IntRange(3, 40).Draw(t, "limit")
		got := clip(text, limit)
		switch {
		case len(text) <= limit:
			if got != text {
				t.Fatalf("clip(%q, %d) = %q", text, limit, got)
			}
		case len(got) > limit, !utf8.ValidString(got), !strings.HasPrefix(text, strings.TrimSuffix(got, "…")):
			t.Fatalf("clip(%q, %d) = %q", text, limit, got)
		}
	})
}

// The first text always has room; all together stay within the bound.
func TestBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		room, total := newBudget(), 0
		for i, size := range rapid.SliceOf(rapid.IntRange(0, 2*maxBytes)).Draw(t, "sizes") {
			text := strings.Repeat("x", size)
			shown, cut, ok := room.take(text)
			if i == 0 && !ok {
				t.Fatal("the first text has no room")
			}
			if ok && !cut && shown != text {
				t.Fatalf("a text of %d bytes was cut to %d without saying so", len(text), len(shown))
			}
			total += len(shown)
		}
		if total > maxBytes {
			t.Fatalf("%d bytes, and the bound is %d", total, maxBytes)
		}
	})
}
