package tools

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what a call may return. What is left out is always said: "more" for
// items, "cut" for a text.
const (
	maxItems  = 50        // facts or people in one result
	maxBytes  = 256 << 10 // texts of one result, in bytes
	maxColumn = 2 << 10   // text of one fact in a table, in bytes

	maxPartitionFacts = 20 // facts that a topic finds
)

// budget hands out the bytes of one result.
type budget struct {
	left int
}

func newBudget() *budget { return &budget{left: maxBytes} }

// take returns text as it may be shown, and whether it was cut. ok is false when
// there is no room for it; the first text of a result always has room, cut at the
// whole budget.
func (b *budget) take(text string) (shown string, cut, ok bool) {
	if len(text) > b.left {
		if b.left < maxBytes {
			return "", false, false
		}
		text, cut = clip(text, b.left), true
	}
	b.left -= len(text)
	return text, cut, true
}

// clip shortens text to at most limit bytes, at a character's border, with an
// ellipsis in place of what is gone.
func clip(text string, limit int) string {
	const ellipsis = "…"
	if len(text) <= limit {
		return text
	}
	end := max(limit-len(ellipsis), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + ellipsis
}

// list joins names for reading.
func list(names []string) string { return strings.Join(names, ", ") }
