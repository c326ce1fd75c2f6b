package evolve

import (
	"math"
	"slices"

	"github.com/epagent/epagent/privacy/engine"
)

// What a word must show before it is proposed for a theme.
const (
	wordSupport = 3    // facts of the theme that have it and were wrong
	wordShare   = 0.75 // of all facts that have it, those of the theme
	wordOdds    = 1.0  // least log-odds, in nats, where there are fewOthers or more to compare with
	fewOthers   = 5    // facts of other themes
)

// words proposes words that facts of one theme share and others don't, nor any category
// of another theme.
func (l *learner) words(language string) []scoredLesson {
	found := l.shared(language, func(s *statement) []string { return sortedKeys(s.terms) }, func(word, theme string) engine.Lesson {
		return engine.Lesson{Kind: engine.LessonWord, Lang: language, Term: word, Of: theme}
	}, wordShare, fewOthers)
	return slices.DeleteFunc(found, func(s scoredLesson) bool {
		term := s.lesson.Term
		return l.elsewhere(term, s.lesson.Of) || hasHan(term) && !standsAlone(term, l.texts(language))
	})
}

// elsewhere reports whether the owner describes a category of another theme with a term.
func (l *learner) elsewhere(term, theme string) bool {
	return slices.ContainsFunc(l.shelves, func(s shelf) bool {
		return !slices.Contains(s.themes, theme) && saysTerm(s.category, term)
	})
}

func (l *learner) texts(language string) []string {
	var out []string
	for i := range l.all {
		if l.all[i].language == language {
			out = append(out, l.all[i].text)
		}
	}
	return out
}

// signShare is of all facts that show a sign, how many must be of the theme.
const signShare = 0.4

// signs proposes signs that facts of one theme show and others don't.
func (l *learner) signs(language string) []scoredLesson {
	return l.shared(language, func(s *statement) []string {
		return slices.DeleteFunc(engine.Signs(), func(sign string) bool { return !engine.Shows(sign, s.text) })
	}, func(sign, theme string) engine.Lesson {
		return engine.Lesson{Kind: engine.LessonSign, Lang: language, Term: sign, Of: theme}
	}, signShare, 0)
}

// shared counts features of facts by theme and returns lessons for those that tell a
// theme from others. Where fewer than so many facts are of other themes there is nothing
// to tell it from, and the share alone decides.
func (l *learner) shared(language string, features func(*statement) []string, lesson func(feature, theme string) engine.Lesson, share float64, others int) []scoredLesson {
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
			if len(one.evidence) >= wordSupport && float64(one.support) >= share*float64(len(list)) && (one.odds >= wordOdds || total-inside[theme] < others) && l.enoughHomes(one.homes) {
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
