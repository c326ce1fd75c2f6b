package engine

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clause is a stretch of somebody's own words that is read at once.
type clause struct {
	text     string // folded; words and commas with single blanks between
	question bool
	sentence int // number of the sentence that it stands in, from 0
}

// Longest clause that is read at once, in bytes, and how far the pieces of a
// longer one overlap. The grammars look no further than a sentence; a bound keeps
// what they cost linear in the text.
const (
	maxClause     = 800
	clauseOverlap = 160
)

var (
	clauseJoin = regexp.MustCompile(`\b(?:but|because|cause|cos|although|so that)\b`)
	joinCues   = []string{"but", "cause", "cos", "although", "so that"}
	butExcept  = regexp.MustCompile(`\b(nobody|no one|no-one|noone|none|anyone|anybody|everyone|everybody|(?:nobody|no one|anyone|anybody) else) but `)
)

// clausesOf cuts folded text into clauses.
func clausesOf(text string) []clause {
	if strings.Contains(text, " but ") {
		// "nobody but Anna" is one thought, and "but" else begins another.
		text = butExcept.ReplaceAllString(text, "$1 except ")
	}
	var out []clause
	sentence := 0
	for text != "" {
		end, next, closes, question := nextEnd(text)
		for _, part := range joined(text[:end]) {
			for _, piece := range pieces(plainWords(part)) {
				out = append(out, clause{piece, question, sentence})
			}
		}
		if closes {
			sentence++
		}
		text = text[next:]
	}
	return out
}

func joined(text string) []string {
	if !containsAny(text, joinCues) {
		return []string{text}
	}
	return clauseJoin.Split(text, -1)
}

// nextEnd finds where the first clause of text ends and the next begins, whether
// its sentence ends there too, and whether it was a question.
func nextEnd(text string) (end, next int, closes, question bool) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isSentenceEnd(r):
			end, next = i, i
			for next < len(text) {
				r, n := utf8.DecodeRuneInString(text[next:])
				if !isSentenceEnd(r) {
					break
				}
				question = question || r == '?'
				next += n
			}
			return end, next, true, question
		case r == '-' && i > 0 && isBlank(text[i-1]):
			j := i
			for j < len(text) && text[j] == '-' {
				j++
			}
			if j < len(text) && isBlank(text[j]) {
				return i, j, false, false
			}
			n = j - i
		case r < utf8.RuneSelf:
			if r == '(' || r == ')' || r == '[' || r == ']' {
				return i, i + 1, false, false
			}
		case r == '–' || r == '—' || unicode.Is(unicode.So, r):
			return i, i + n, false, false
		}
		i += n
	}
	return len(text), len(text), true, false
}

// isSentenceEnd takes folded text, where the full-width marks are ASCII.
func isSentenceEnd(r rune) bool {
	switch r {
	case '.', '!', '?', ';', '…', '\n', '。':
		return true
	}
	return false
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// plainWords leaves words and commas, with single blanks between.
func plainWords(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	gap := false
	put := func(s string) {
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteString(s)
	}
	for i, r := range s {
		switch {
		case r == ',':
			gap = true
			put(",")
			gap = true
		case r < utf8.RuneSelf && ('a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z') || r == '\'' || r == '-':
			put(s[i : i+1])
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)):
			put(string(r))
		default:
			gap = true
		}
	}
	return strings.Trim(b.String(), " ,")
}

// pieces cuts a clause that is too long to be read at once.
func pieces(s string) []string {
	if s == "" {
		return nil
	}
	var out []string
	for len(s) > maxClause {
		out = append(out, s[:cut(s, maxClause)])
		s = s[cut(s, maxClause-clauseOverlap):]
	}
	return append(out, strings.Trim(s, " ,"))
}

// cut returns the last place at or before i where s may be cut: at a blank, where
// one is near, else between characters.
func cut(s string, i int) int {
	if j := strings.LastIndexByte(s[i-clauseOverlap/2:i], ' '); j > 0 {
		return i - clauseOverlap/2 + j
	}
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

func containsAny(s string, pieces []string) bool {
	for _, p := range pieces {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// rule is a pattern with pieces of which every text that it matches has one:
// looking for those first spares most of a chat the pattern.
type rule struct {
	cues []string
	re   *regexp.Regexp
}

func (r *rule) matches(s string) bool { return containsAny(s, r.cues) && r.re.MatchString(s) }

func (r *rule) find(s string) []int {
	if !containsAny(s, r.cues) {
		return nil
	}
	return r.re.FindStringIndex(s)
}

func (r *rule) findAll(s string) [][]int {
	if !containsAny(s, r.cues) {
		return nil
	}
	return r.re.FindAllStringSubmatchIndex(s, -1)
}

func (r *rule) submatch(s string) []string {
	if !containsAny(s, r.cues) {
		return nil
	}
	return r.re.FindStringSubmatch(s)
}

func anyRule(list []rule, s string) bool {
	for i := range list {
		if list[i].matches(s) {
			return true
		}
	}
	return false
}
