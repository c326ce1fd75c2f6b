package evolve

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// grammarRunes end a Chinese word wherever they stand.
const grammarRunes = "的了吗呢吧啊是我你他她它们这那和与跟在就都也还又不没有說说"

// wordTerms are the words of a text that may be learned: English ones that say
// something, pairs and triples of Chinese characters; never a name's, never a number.
func wordTerms(text string, names map[string]bool) map[string]bool {
	out := map[string]bool{}
	var run []rune
	flush := func() {
		for i := range run {
			for n := 2; n <= 3 && i+n <= len(run); n++ {
				out[string(run[i:i+n])] = true
			}
		}
		run = run[:0]
	}
	for _, r := range text {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(grammarRunes, r) {
			run = append(run, r)
		} else {
			flush()
		}
	}
	flush()
	eachWord(text, func(low string, capital bool) {
		if len(low) > 2 && !capital && isPlainWord(low) && !lexical.IsStopWord(low) {
			out[low] = true
		}
	})
	for t := range out {
		if holdsName(t, names) || likeName(t) || engine.IsLight(t) {
			delete(out, t)
		}
	}
	return out
}

// eachWord calls f with the words of a text in small letters, and whether each is written
// with a capital that doesn't come from the beginning of a sentence.
func eachWord(text string, f func(low string, capital bool)) {
	start := true
	for _, w := range strings.Fields(text) {
		word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		low := strings.ToLower(word)
		f(low, word != low && !start)
		start = strings.ContainsAny(w[len(w)-1:], ".!?:")
	}
}

// capitals are the words of a text that are written with a capital within a sentence.
func capitals(text string) []string {
	var out []string
	eachWord(text, func(low string, capital bool) {
		if capital {
			out = append(out, low)
		}
	})
	return out
}

func isPlainWord(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
}

// nameWords are the words of all names of a policy, folded, and Chinese ones whole.
func nameWords(p *privacy.Policy) map[string]bool {
	out := map[string]bool{}
	add := func(names ...string) {
		for _, n := range names {
			for _, w := range strings.Fields(strings.ToLower(n)) {
				out[w], out[lexical.Stem(w)] = true, true
			}
		}
	}
	add(append([]string{p.Owner().Name}, p.Owner().Aliases...)...)
	for _, q := range p.People() {
		add(append([]string{q.Name}, q.Aliases...)...)
	}
	return out
}

func holdsName(term string, names map[string]bool) bool {
	if names[term] || names[lexical.Stem(term)] {
		return true
	}
	if !hasHan(term) {
		return false
	}
	for n := range names {
		if hasHan(n) && (strings.Contains(term, n) || strings.Contains(n, term)) {
			return true
		}
	}
	return false
}

// surnames are the commonest Chinese family names that are seldom the beginning of
// another word; callers are characters with which people are called by a name ("小美").
const (
	surnames = "王李张張刘劉陈陳杨楊赵趙吴吳徐孙孫朱胡郭罗羅郑鄭梁谢謝宋唐许許邓鄧韩韓冯馮曹彭曾肖蕭萧蔡潘袁于董余叶葉蒋蔣杜苏蘇魏吕呂丁沈姚卢盧傅钟鍾崔谭譚廖范汪陆陸贾賈韦韋邹鄒熊孟秦阎閻薛侯段雷郝龚龔邵毛钱錢尹黎施陶贺賀顾顧龙龍严嚴"
	callers  = "小阿老"
)

// likeName reports whether a Chinese term looks like somebody's name. What looks like
// one is never proposed, though it may be a word: the owner can still correct facts.
func likeName(term string) bool {
	first, _ := utf8.DecodeRuneInString(term)
	return strings.ContainsRune(surnames+callers, first)
}

// leastBeside is how many different characters must stand on either side of a Chinese
// term for it to be a word: a piece of one has always the rest of it there.
const leastBeside = 2

// standsAlone reports whether a Chinese term is a word of texts and no piece of a longer
// one, by what stands beside it; the end of a run of characters counts each time.
func standsAlone(term string, texts []string) bool {
	before, after := map[rune]bool{}, map[rune]bool{}
	ends := 0
	beside := func(r rune, at map[rune]bool) {
		if !unicode.Is(unicode.Han, r) || strings.ContainsRune(grammarRunes, r) {
			ends++
			r = -rune(ends)
		}
		at[r] = true
	}
	for _, text := range texts {
		for from := 0; ; {
			i := strings.Index(text[from:], term)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(term)
			r, _ := utf8.DecodeLastRuneInString(text[:start])
			beside(r, before)
			r, _ = utf8.DecodeRuneInString(text[end:])
			beside(r, after)
			from = end
		}
	}
	return len(before) >= leastBeside && len(after) >= leastBeside
}

// saysTerm reports whether a category's own words hold a term.
func saysTerm(c privacy.Category, term string) bool {
	text := strings.ToLower(strings.Join(append([]string{c.Name, c.Description}, c.Examples...), " ; "))
	if hasHan(term) {
		return strings.Contains(text, term)
	}
	stem := lexical.Stem(term)
	for _, w := range lexical.Words(text) {
		if lexical.Stem(w) == stem {
			return true
		}
	}
	return false
}
