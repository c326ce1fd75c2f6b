package ingest

import (
	"strings"
	"unicode"
)

// escapes are orders to a terminal, such as colours.
var escapes = lazily(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b.?`)

// cleanName takes control characters and terminal escapes out of a name: who calls
// themselves so would else write on the owner's screen.
func cleanName(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	s = escapes.ReplaceAllString(s, "")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s))
}
