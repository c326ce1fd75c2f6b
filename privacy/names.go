package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// NormalizeName is the form in which names are compared: default-ignorable code
// points removed, NFKC, case folding, NFKC again, white space collapsed and
// trimmed (CALCULUS, Names). Two spellings with the same result are one name.
//
// The result is "" when nothing is left or s is not UTF-8; "" never matches
// anything, itself included. NormalizeName(NormalizeName(s)) is
// NormalizeName(s) (FuzzNormalizeName).
func NormalizeName(s string) string {
	if isPlain(s) {
		return s
	}
	if !utf8.ValidString(s) {
		return ""
	}
	// Folding can make a sequence that composes and then folds again (U+0345 among
	// combining marks), so one round is not always a fixed point.
	for range 4 {
		t := normalizeOnce(s)
		if t == s {
			break
		}
		s = t
	}
	return s
}

func normalizeOnce(s string) string {
	s = norm.NFKC.String(removeIgnorable(s))
	// A Caser may hold state, so each call has its own.
	s = norm.NFKC.String(removeIgnorable(cases.Fold().String(s)))
	return strings.Join(strings.Fields(s), " ")
}

// isPlain reports whether s is in normal form already and plain to see as such:
// lower-case ASCII words with single blanks.
func isPlain(s string) bool {
	blank := true // a blank at the start is one too many
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ' && !blank:
			blank = true
		case c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z':
			return false
		default:
			blank = false
		}
	}
	return !blank
}

func removeIgnorable(s string) string {
	return strings.Map(func(r rune) rune {
		if defaultIgnorable(r) {
			return -1
		}
		return r
	}, s)
}

// defaultIgnorable is the property Default_Ignorable_Code_Point as
// DerivedCoreProperties.txt derives it; the standard library has its parts only.
func defaultIgnorable(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
		return true
	case !unicode.Is(unicode.Cf, r):
		return false
	}
	interlinear := 0xfff9 <= r && r <= 0xfffb
	hieroglyphControl := 0x13430 <= r && r <= 0x1343f
	return !interlinear && !hieroglyphControl && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
