package ingest

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// In a transcript without times "Cem: I quit" may be the only line of somebody who
// isn't announced, or a sentence with a colon of who spoke before. It is doubtful where
// what stands before the colon is written like a name and is no word that introduces a
// remark, words follow, and no message of several lines is going on. A doubtful line is
// nobody's: neither who spoke before nor a person of that name has said it.

// strictName reports whether s is written like the name of a person: up to three words
// that begin with capitals and go on small, perhaps with particles, or a few letters of a
// script without capitals.
func strictName(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 4 {
		return false
	}
	names := 0
	for i, word := range words {
		word = strings.TrimRight(word, ".")
		first, size := utf8.DecodeRuneInString(word)
		switch {
		case i > 0 && i < len(words)-1 && nameParticles[word]:
			continue
		case labels[strings.ToLower(word)] || !unicode.IsLetter(first) || unicode.IsLower(first):
			return false
		case unicode.IsUpper(first):
			small := strings.ContainsFunc(word[size:], unicode.IsLower)
			if !small && utf8.RuneCountInString(word) > 2 || strings.ContainsFunc(word, unicode.IsDigit) {
				return false // "FAQ", "Step1"
			}
		case utf8.RuneCountInString(s) > 6:
			return false
		}
		names++
	}
	return names > 0 && names <= 3
}

// doubtful reports whether an unknown header may be said by somebody else than the open
// message.
func (w *plainWriter) doubtful(l line) bool {
	return !w.survey.byTime && w.open != nil && !w.survey.known[w.survey.key(l.name)] && !labels[w.survey.key(l.name)] &&
		strictName(l.name) && strings.ContainsFunc(l.text, unicode.IsLetter) &&
		(len(w.text) == 1 || w.open.Bot) && !strings.HasSuffix(w.text[len(w.text)-1], ":") && !strings.HasSuffix(w.text[len(w.text)-1], "：")
}
