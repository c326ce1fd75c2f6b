package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
)

// languageOf is lexical.Language, save that a text with a good share of words
// that only English has is English: "me" and "no" are common elsewhere too.
func languageOf(text string) string {
	language := lexical.Language(text)
	if language == lexical.FallbackLanguage || hasHan(text) {
		return language
	}
	n, hints := 0, 0
	for w := range strings.FieldsSeq(text) {
		n++
		if onlyEnglish(w) {
			hints++
		}
	}
	if hints*6 >= n && hints > 0 {
		return lexical.FallbackLanguage
	}
	return language
}

// onlyEnglish reports whether a word is one that hardly any other language has.
func onlyEnglish(w string) bool {
	w = strings.ToLower(strings.Trim(w, ".,;:!?\"()"))
	bare, verb := strings.CutSuffix(w, "s")
	return englishOnly[w] || verb && len(bare) > 2 && presentVerbs[bare]
}

// speaksEnglish reports whether a sentence of a text in another language is an
// English one about its speaker.
func speaksEnglish(sentence string) bool {
	n, hints, own := 0, 0, false
	for w := range strings.FieldsSeq(sentence) {
		n++
		if onlyEnglish(w) {
			hints++
		}
		switch strings.Trim(w, ".,;:!?\"()") {
		case "I", "I'm", "I've", "I'll", "I'd", "My", "my", "We", "we", "we're", "Our", "our":
			own = true
		}
	}
	return own && hints*3 >= n
}

var englishOnly = words(`i i'm i've i'll i'd my the and you you're are have it it's to with that this they he she for your at been his her what they're don't can't
	we we're we've our us from now of but would could should because about which who going went told said think know like love does didn't doesn't won't isn't wasn't
	monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday sundays tomorrow yesterday tonight week month year`)

// maxSentence bounds a sentence in bytes. Text without marks is cut at it: facts
// stay short, and no rule that looks around in a sentence gets slow on a hostile one.
const maxSentence = 600

// sentences are lexical.Sentences, long ones cut at a comma or a blank.
func sentences(text string) []string {
	var out []string
	for _, s := range lexical.Sentences(text) {
		for len(s) > maxSentence {
			cut := maxSentence
			for !utf8.RuneStart(s[cut]) {
				cut--
			}
			if i := strings.LastIndexAny(s[:cut], ",;，；、"); i > cut/2 {
				_, n := utf8.DecodeRuneInString(s[i:])
				cut = i + n
			} else if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
				cut = i
			}
			out = append(out, strings.TrimSpace(s[:cut]))
			s = strings.TrimSpace(s[cut:])
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// ownWords drops what isn't the writer's: quoted lines, pictures, control
// characters.
func ownWords(s string) string {
	if strings.ContainsRune(s, '>') {
		lines := strings.Split(s, "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), ">") })
		s = strings.Join(lines, "\n")
	}
	s = withoutSmileys(s)
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' ' + ('\n'-' ')*b2r(r == '\n')
		case r < 0x20 || r == 0x7f || r == utf8.RuneError:
			return -1
		case r < 0x2190:
			if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r == 0x2060 {
				return -1
			}
			if r == '’' || r == '‘' {
				return '\''
			}
			return r
		case r >= 0x1f000 || r >= 0x2190 && r <= 0x2bff || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe000 && r <= 0xf8ff:
			return ' ' // pictures
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// withoutSmileys puts a full stop for each smiley of marks, ":)" and the like,
// that stands alone: it ends a sentence as one does.
func withoutSmileys(s string) string {
	if !strings.ContainsAny(s, ":;") {
		return s
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ':' && s[i] != ';' || i > 0 && s[i-1] != ' ' && s[i-1] != '.' && s[i-1] != '!' && s[i-1] != '?' {
			continue
		}
		j := i + 1
		if j < len(s) && (s[j] == '-' || s[j] == '\'') {
			j++
		}
		mouth := j
		for j < len(s) && strings.IndexByte(")(DPp|/*3", s[j]) >= 0 {
			j++
		}
		if j == mouth || j < len(s) && s[j] != ' ' && s[j] != '\n' {
			continue
		}
		b.WriteString(strings.TrimRight(s[at:i], " "))
		b.WriteByte('.')
		at = j
		i = j - 1
	}
	b.WriteString(s[at:])
	return b.String()
}

func b2r(b bool) rune {
	if b {
		return 1
	}
	return 0
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3400 && unicode.Is(unicode.Han, r) })
}

func join(a, b, language string) string {
	if language == "zh" {
		return a + b
	}
	return a + " " + b
}

// closed writes s as a sentence: first letter upper case, a full stop at its end.
func closed(s, stop string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " ,;:-–—~…，；：、～")
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "\"”」")); !strings.ContainsRune(".!?。！？", last) {
		s += stop
	}
	return s
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}
