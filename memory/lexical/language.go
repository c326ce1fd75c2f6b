package lexical

import (
	"strings"
	"unicode"
)

// FallbackLanguage is what [Language] answers when nothing tells.
const FallbackLanguage = "en"

// Language guesses the language of s as a BCP 47 base subtag: by script for
// languages with a script of their own ("zh", "ja", "ko", "ru", "ar", "he", "el",
// "th", "hi"), by common words for "de", "fr", "es", "it", "nl" and "fi", else
// [FallbackLanguage]. A text in two scripts goes to the one with more letters,
// where a Han character counts three: it stands for about as many Latin ones.
func Language(s string) string {
	var latin, han, kana, hangul int
	scripts := map[string]int{}
	for _, r := range s {
		switch {
		case r < 0x80:
			if unicode.IsLetter(r) {
				latin++
			}
		case unicode.Is(unicode.Han, r):
			han += 3
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana += 3
		case unicode.Is(unicode.Hangul, r):
			hangul += 3
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			for _, sc := range otherScripts {
				if unicode.Is(sc.table, r) {
					scripts[sc.language]++
					break
				}
			}
		}
	}
	best, n := "", latin
	consider := func(language string, count int) {
		if count > n {
			best, n = language, count
		}
	}
	// Kana beside Han is Japanese, however few.
	if kana > 0 && (kana+han) > latin {
		return "ja"
	}
	consider("zh", han)
	consider("ko", hangul)
	for _, sc := range otherScripts {
		consider(sc.language, scripts[sc.language])
	}
	if best != "" {
		return best
	}
	return latinLanguage(s)
}

var otherScripts = []struct {
	language string
	table    *unicode.RangeTable
}{
	{"ru", unicode.Cyrillic},
	{"ar", unicode.Arabic},
	{"he", unicode.Hebrew},
	{"el", unicode.Greek},
	{"th", unicode.Thai},
	{"hi", unicode.Devanagari},
}

// leastWords is how many common words of a language a text in Latin script must
// have to be in it; one may be a name or stand in another language too.
const leastWords = 2

// latinLanguage counts common words: the language with most of them, if it has
// leastWords and more than any other, else the fallback.
func latinLanguage(s string) string {
	counts := map[string]int{}
	first := true
	scan(s, func(word string, cjk bool) {
		if cjk {
			return
		}
		if l := opens[word]; first && l != "" {
			counts[l]++
		}
		first = false
		for _, l := range commonWords {
			if l.words[word] {
				counts[l.language]++
			}
		}
	})
	best, most, next := FallbackLanguage, 0, 0
	for _, l := range commonWords {
		switch n := counts[l.language]; {
		case n > most:
			best, most, next = l.language, n, most
		case n > next:
			next = n
		}
	}
	if most < leastWords || most == next {
		return FallbackLanguage
	}
	return best
}

// opens are question words, and words for oneself, of one language alone: one that
// opens a text counts twice.
var opens = map[string]string{
	"wo": "de", "wer": "de", "wann": "de", "warum": "de", "wie": "de", "wohin": "de",
	"quand": "fr", "comment": "fr", "pourquoi": "fr", "donde": "es", "cuando": "es", "dove": "it", "perche": "it",
	"ich": "de", "wir": "de", "meine": "de", "nous": "fr", "ik": "nl",
	"waar": "nl", "wanneer": "nl", "hoe": "nl", "waarom": "nl", "missa": "fi", "milloin": "fi", "miten": "fi", "miksi": "fi",
}

// commonWords are words that are frequent in one of these languages and rare in
// the others (folded: no diacritics).
var commonWords = []struct {
	language string
	words    map[string]bool
}{
	{"en", set("the and is are was were to of it that this you i my we they he she what who where when how does did do has have with for not will would could your about on me him her at")},
	{"de", set("der das und ist nicht ich du wir sie ein eine den dem mit auf fur wie wo wer wann warum hat haben war bitte mir mich dir dich zum zur auch noch schon gern kann was im bin bist")},
	{"fr", set("le la les un une et est je tu il elle nous vous ils des du que qui pas dans pour avec sur ou quand comment pourquoi c'est mon ma mes")},
	{"es", set("el los las un una y es yo usted ellos que de en con por para donde cuando como porque mi su esta esto fue muy")},
	{"it", set("il lo gli un una e sono io tu lui lei noi voi che di con per dove quando come perche mio mia questo molto non")},
	{"nl", set("de het een en is niet ik jij wij zij van met voor op waar wanneer hoe waarom heeft hebben was mijn dat dit")},
	{"fi", set("ja on ei se mina sina han me te he mita missa milloin miten miksi oli ovat kun tama myos")},
}

// Base returns the base language of a tag such as "zh-CN", lower case.
func Base(tag string) string {
	base, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return base
}
