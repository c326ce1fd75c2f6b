package lexical

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

// Version names the rules of [Terms] and [IndexTerms].
const Version = "terms-2"

// Words returns the tokens of s in order: lower case, compatibility forms and
// diacritics folded, possessive endings cut. A run of Chinese, Japanese or
// Korean characters gives its overlapping bigrams; a run of one gives itself.
func Words(s string) []string {
	var out []string
	scan(s, func(word string, cjk bool) {
		if cjk {
			out = appendBigrams(out, word, nil)
			return
		}
		out = append(out, word)
	})
	return out
}

// Terms returns the index terms of s in order, with repetitions: [Words] without
// stop words, stemmed. Bigrams are cut at characters that carry grammar only
// (的, 了, 吗, …).
func Terms(s string) []string {
	var out []string
	stems := englishStems.Get().(*stems)
	defer englishStems.Put(stems)
	scan(s, func(word string, cjk bool) {
		if cjk {
			out = appendBigrams(out, word, stopRunes)
			return
		}
		if stopWords[word] {
			return
		}
		out = append(out, stems.of(word))
	})
	return out
}

// stems remembers the stems of the words asked for last: people say the same few
// thousand words again and again. It is for one at a time.
type stems struct {
	env      *snowballstem.Env
	now, old map[string]string
}

const stemsKept = 4096 // up to twice as many

var englishStems = sync.Pool{New: func() any {
	return &stems{env: snowballstem.NewEnv(""), now: map[string]string{}}
}}

func (m *stems) of(word string) string {
	out, ok := m.now[word]
	if ok {
		return out
	}
	if out, ok = m.old[word]; !ok {
		out = stem(m.env, word)
		if out == word {
			out = strings.Clone(word) // no part of its text, which would stay
		}
	}
	if len(m.now) >= stemsKept {
		m.now, m.old = map[string]string{}, m.now
	}
	if out == word {
		m.now[out] = out
	} else {
		m.now[strings.Clone(word)] = out
	}
	return out
}

// Stem returns the index term of one word as [Terms] would, stop word or not.
func Stem(word string) string {
	env := stemmers.Get().(*snowballstem.Env)
	defer stemmers.Put(env)
	return stem(env, fold(word))
}

// IsStopWord reports whether the folded word is left out of [Terms].
func IsStopWord(word string) bool { return stopWords[fold(word)] }

var stemmers = sync.Pool{New: func() any { return snowballstem.NewEnv("") }}

func stem(env *snowballstem.Env, word string) string {
	// Numbers, and words that an English stemmer knows nothing of, stay whole.
	for i := 0; i < len(word); i++ {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	env.SetCurrent(word)
	english.Stem(env)
	return env.Current()
}

// scan calls yield for each word of s and for each unbroken run of CJK
// characters.
func scan(s string, yield func(word string, cjk bool)) {
	s = fold(s)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isCJK(r):
			j := i + size
			for j < len(s) {
				r, n := utf8.DecodeRuneInString(s[j:])
				if !isCJK(r) {
					break
				}
				j += n
			}
			yield(s[i:j], true)
			i = j
		case isWordRune(r):
			j := wordEnd(s, i+size)
			if w := trimWord(s[i:j]); w != "" {
				yield(w, false)
			}
			i = j
		default:
			i += size
		}
	}
}

// wordEnd extends a word from i: letters and digits, an apostrophe between
// letters, and a point or comma between digits (3.5, 84,000).
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if isWordRune(r) {
			i += n
			continue
		}
		prev, _ := utf8.DecodeLastRuneInString(s[:i])
		next, _ := utf8.DecodeRuneInString(s[i+n:])
		switch {
		case r == '\'' && unicode.IsLetter(prev) && unicode.IsLetter(next) && !isCJK(next):
		case (r == '.' || r == ',') && unicode.IsDigit(prev) && unicode.IsDigit(next):
		default:
			return i
		}
		i += n
	}
	return i
}

// trimWord cuts possessive endings, and the group commas of numbers, so that
// 84,000 and 84000 are one term.
func trimWord(w string) string {
	if c := w[0]; c >= '0' && c <= '9' {
		return strings.ReplaceAll(w, ",", "")
	}
	w = strings.TrimSuffix(w, "'s")
	return w
}

func appendBigrams(out []string, run string, stop map[rune]bool) []string {
	var piece []rune
	flush := func() {
		if len(piece) == 1 {
			out = append(out, string(piece))
		}
		for i := 1; i < len(piece); i++ {
			out = append(out, string(piece[i-1:i+1]))
		}
		piece = piece[:0]
	}
	for _, r := range run {
		if stop[r] {
			flush()
			continue
		}
		piece = append(piece, r)
	}
	flush()
	return out
}

// fold maps s to the form in which words are compared: compatibility forms,
// lower case, no diacritics, straight apostrophes. ASCII text, the common case,
// is only lowered.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	decomposed := norm.NFKD.String(s)
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '’' || r == '‘' || r == 'ʼ' || r == '＇':
			return '\''
		case r == 'ß':
			return 's' // Straße and Strasse differ by one letter; both stay findable by their bulk
		case unicode.Is(unicode.Mn, r) && r < 0x0900:
			// Marks of the Latin, Greek, Cyrillic, Hebrew and Arabic blocks are
			// dropped; those of Indic scripts are vowels, and kana voicing marks
			// make other letters.
			return -1
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return unicode.ToLower(r)
	}, decomposed))
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !isCJK(r)
}

func isCJK(r rune) bool {
	if r < 0x1100 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー'
}
