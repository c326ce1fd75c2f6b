package evolve

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// What a word must show before it is proposed for a theme.
const (
	wordSupport = 3    // facts of the theme that have it and were wrong
	wordShare   = 0.75 // of all facts that have it, those of the theme
	wordOdds    = 1.0  // least log-odds, in nats
)

// words proposes words that facts of one theme share and others don't.
func (l *learner) words(language string) []scoredLesson {
	return l.shared(language, func(s *statement) []string { return sortedKeys(s.terms) }, func(word, theme string) engine.Lesson {
		return engine.Lesson{Kind: engine.LessonWord, Lang: language, Term: word, Of: theme}
	}, wordShare)
}

// signShare is of all facts that show a sign, how many must be of the theme.
const signShare = 0.4

// signs proposes signs that facts of one theme show and others don't.
func (l *learner) signs(language string) []scoredLesson {
	return l.shared(language, func(s *statement) []string {
		return slices.DeleteFunc(engine.Signs(), func(sign string) bool { return !engine.Shows(sign, s.text) })
	}, func(sign, theme string) engine.Lesson {
		return engine.Lesson{Kind: engine.LessonSign, Lang: language, Term: sign, Of: theme}
	}, signShare)
}

// shared counts features of facts by theme and returns lessons for those that tell a
// theme from others.
func (l *learner) shared(language string, features func(*statement) []string, lesson func(feature, theme string) engine.Lesson, share float64) []scoredLesson {
	with := map[string][]*statement{}
	inside, total := map[string]int{}, 0
	for i := range l.all {
		s := &l.all[i]
		if s.language != language || len(s.themes) == 0 {
			continue
		}
		total++
		for t := range s.themes {
			inside[t]++
		}
		for _, f := range features(s) {
			with[f] = append(with[f], s)
		}
	}
	var out []scoredLesson
	for _, feature := range sortedKeys(with) {
		list := with[feature]
		byTheme := map[string][]*statement{}
		for _, s := range list {
			for t := range s.themes {
				byTheme[t] = append(byTheme[t], s)
			}
		}
		for _, theme := range sortedKeys(byTheme) {
			one := scoredLesson{lesson: lesson(feature, theme), support: len(byTheme[theme])}
			homes := map[string]bool{}
			for _, s := range byTheme[theme] {
				homes[s.home] = true
				if s.feedback != 0 {
					one.evidence = append(one.evidence, s.feedback)
				}
			}
			one.homes = len(homes)
			one.odds = logOdds(one.support, inside[theme], len(list)-one.support, total-inside[theme])
			if len(one.evidence) >= wordSupport && float64(one.support) >= share*float64(len(list)) && one.odds >= wordOdds && l.enoughHomes(one.homes) {
				out = append(out, one)
			}
		}
	}
	return ordered(out)
}

// logOdds is how much likelier a feature is in n of the facts inside than in m of those
// outside, in nats, smoothed by half a fact.
func logOdds(n, inside, m, outside int) float64 {
	odds := func(k, of int) float64 { return (float64(k) + 0.5) / (float64(of-k) + 0.5) }
	return math.Log(odds(n, inside) / odds(m, outside))
}

// grammarRunes end a Chinese word wherever they stand.
const grammarRunes = "的了吗呢吧啊是我你他她它们这那和与跟在就都也还又不没有說说"

// wordTerms are the words of a text that may be learned: English ones that are no stop
// words, pairs and triples of Chinese characters; never a name's, never a number.
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
	start := true // of a sentence: a capital says nothing there
	for _, w := range strings.Fields(text) {
		word := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) })
		low := strings.ToLower(word)
		capital := word != low && !start
		start = strings.ContainsAny(w[len(w)-1:], ".!?:")
		if len(low) > 2 && !capital && isPlainWord(low) && !lexical.IsStopWord(low) {
			out[low] = true
		}
	}
	for t := range out {
		if holdsName(t, names) {
			delete(out, t)
		}
	}
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
