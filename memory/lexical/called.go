package lexical

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// title is a name in the marks of one.
var title = regexp.MustCompile(`《[^》]+》|["“„]\p{Lu}[^"“”]{1,60}["“”]`)

// callsByName reports whether a text calls something by its name: by a word with a
// capital behind one without, or in the marks of a title. German writes every noun
// with a capital, so there only titles count. A capital that begins a sentence tells
// nothing.
func callsByName(text string) bool {
	if strings.ContainsAny(text, `《"“„`) && title.MatchString(text) {
		return true
	}
	found, behindSmall := false, false
	for _, w := range strings.Fields(text) {
		bare := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		first, size := utf8.DecodeRuneInString(bare)
		capital := unicode.IsUpper(first)
		if found = capital && behindSmall && isNameWord(bare[size:]) && !timeWords[strings.ToLower(bare)]; found {
			break
		}
		behindSmall = bare != "" && !capital && !strings.ContainsAny(w[len(w)-1:], ".!?:;)")
	}
	return found && Language(text) != "de"
}

// isNameWord reports whether a word with a capital may be a name by what follows
// that: "Bo" and "NASA" may, "I", "I'm" and "TV" not.
func isNameWord(rest string) bool {
	second, size := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(second) || unicode.IsUpper(second) && len(rest) > size
}
