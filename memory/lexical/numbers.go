package lexical

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// chineseDigits are the small numbers that Chinese writes as one character.
var chineseDigits = map[rune]int{'一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '十': 10}

// Numbers returns the numbers of a text: its runs of digits without leading zeros
// ("84,000" is 84 and 0, "09:30" is 9 and 30). With spelled, those up to twelve that are
// words in English, German or Chinese come behind them.
func Numbers(text string, spelled bool) []string {
	var out []string
	text = fold(text)
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		if run = strings.TrimLeft(run, "0"); run == "" {
			run = "0"
		}
		out = append(out, run)
	}
	if !spelled {
		return out
	}
	scan(text, func(word string, cjk bool) {
		if n, ok := smallNumber(word); ok {
			out = append(out, strconv.Itoa(n))
		}
		if cjk {
			for _, r := range word {
				if n, ok := chineseDigits[r]; ok {
					out = append(out, strconv.Itoa(n))
				}
			}
		}
	})
	return out
}

func smallNumber(word string) (int, bool) {
	switch word {
	case "eleven", "elf":
		return 11, true
	case "twelve", "zwolf":
		return 12, true
	case "once", "eins", "einmal":
		return 1, true
	case "twice", "zweimal":
		return 2, true
	}
	n, ok := periodSmall[word]
	return n, ok
}

// Capitals returns the words of a text that begin with a capital and may be names,
// folded; words for times and those that are left out of [Terms] aren't. German writes
// every noun so, and has none.
func Capitals(text string) []string {
	if Language(text) == "de" {
		return nil
	}
	var out []string
	for _, w := range strings.FieldsFunc(norm.NFKC.String(text), func(r rune) bool { return !isWordRune(r) && !strings.ContainsRune("'’", r) }) {
		first, size := utf8.DecodeRuneInString(w)
		if !unicode.IsUpper(first) || size == len(w) {
			continue
		}
		for _, word := range Words(w) {
			if !timeWords[word] && !stopWords[word] {
				out = append(out, word)
			}
		}
	}
	return out
}
