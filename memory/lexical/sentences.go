package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts s into sentences, trimmed, with their closing marks. It cuts at
// line breaks, at 。！？；…, and at .!? followed by white space, an opening quote or
// the end; not after an abbreviation ("Dr.", "e.g."), an initial ("J."), or inside
// a number. Nothing but white space is lost.
func Sentences(s string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if t := strings.TrimSpace(s[start:end]); t != "" {
			out = append(out, t)
		}
		start = end
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch r {
		case '\n', '\r', '\u2028', '\u2029':
			flush(i)
		case '。', '！', '？', '；', '!', '?', '…', '.':
			end := closeSentence(s, i)
			if r == '.' && end == i && !endsSentence(s, start, i) {
				continue
			}
			if r == '…' || r == '!' || r == '?' {
				// "so… no" and "wait?!" go on unless white space follows.
				if next, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && !unicode.IsSpace(next) {
					i = end
					continue
				}
			}
			i = end
			flush(i)
		}
	}
	flush(len(s))
	return out
}

// closeSentence extends an end of sentence over further marks and closing quotes.
func closeSentence(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !strings.ContainsRune(".!?。！？…\"'”’」』)）", r) {
			break
		}
		i += n
	}
	return i
}

// endsSentence reports whether the full stop before i ends a sentence.
func endsSentence(s string, start, i int) bool {
	if i >= len(s) {
		return true
	}
	next, n := utf8.DecodeRuneInString(s[i:])
	if !unicode.IsSpace(next) {
		return false // 0.2, example.org, e.g.
	}
	word := s[start : i-1]
	if j := strings.LastIndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '.' }); j >= 0 {
		_, n := utf8.DecodeRuneInString(word[j:])
		word = word[j+n:]
	}
	if abbreviations[strings.ToLower(word)] {
		return false
	}
	if utf8.RuneCountInString(word) == 1 && unicode.IsUpper([]rune(word)[0]) && word != "I" {
		return false // an initial
	}
	// "at 5 p.m. on Friday" goes on; "It was 5 p.m. Then …" ends.
	if strings.Contains(word, ".") {
		after := strings.TrimLeftFunc(s[i+n:], unicode.IsSpace)
		r, _ := utf8.DecodeRuneInString(after)
		return after == "" || !unicode.IsLower(r)
	}
	return true
}

var abbreviations = set("dr mr mrs ms prof st sr jr vs etc no nr approx dept inc ltd co jan feb mar apr jun jul aug sep sept oct nov dec bzw ca z.b d.h e.g i.e u.a")
