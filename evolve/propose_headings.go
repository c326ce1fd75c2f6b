package evolve

import (
	"slices"
	"strings"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// What the facts of a category must show before it is taken to be about a theme that
// its own words don't name.
const (
	headingFacts = 3   // that were wrong
	headingShare = 0.3 // of its facts, those whose plain words speak of the theme
	headingOdds  = 1.0 // least log-odds against other facts, in nats
)

// shelf is a category of a home with what turned out to belong to it.
type shelf struct {
	home     string
	category privacy.Category
	language string
	themes   []string // it is taken to be about them now
	facts    []*statement
	wrong    []int64 // feedback on them
}

func (l *learner) shelf(home string, c privacy.Category, themes []string) shelf {
	s := shelf{home: home, category: c, themes: themes, language: lexical.Base(lexical.Language(c.Name + " " + c.Description))}
	for i := range l.all {
		f := &l.all[i]
		if f.home == home && slices.Contains(f.right, c.ID) {
			s.facts = append(s.facts, f)
			if f.feedback != 0 {
				s.wrong = append(s.wrong, f.feedback)
			}
		}
	}
	return s
}

// about returns the themes that the plain words of a shelf's facts speak of more than
// those of other facts do, with the log-odds.
func (l *learner) about(s *shelf) map[string]float64 {
	inside, outside, others := map[string]int{}, map[string]int{}, 0
	for i := range l.all {
		f := &l.all[i]
		if f.language != s.language {
			continue
		}
		count := outside
		if slices.Contains(s.facts, f) {
			count = inside
		} else {
			others++
		}
		for _, t := range engine.ThemesOf(f.text) {
			count[t]++
		}
	}
	out := map[string]float64{}
	for t, n := range inside {
		odds := logOdds(n, len(s.facts), outside[t], others)
		if n >= headingFacts && float64(n) >= headingShare*float64(len(s.facts)) && odds >= headingOdds {
			out[t] = odds
		}
	}
	return out
}

// headings proposes words by which categories of a theme may be recognised: those of a
// category that has no theme, whose facts were wrong and speak of one.
func (l *learner) headings(language string) []scoredLesson {
	type key struct{ term, theme string }
	found, with := map[key]*scoredLesson{}, map[string]int{}
	homes, shelves := map[key]map[string]bool{}, map[key]int{}
	for i := range l.shelves {
		s := &l.shelves[i]
		if s.language != language {
			continue
		}
		about := map[string]float64{}
		for _, t := range s.themes {
			about[t] = 0
		}
		if len(s.themes) == 0 && len(s.wrong) >= headingFacts {
			about = l.about(s)
		}
		for term := range headTerms(s.category, l.names[s.home]) {
			if len(engine.ThemesOf(term)) > 0 {
				continue // it speaks of a theme already
			}
			with[term]++
			for theme, odds := range about {
				k := key{term, theme}
				if found[k] == nil {
					found[k] = &scoredLesson{lesson: engine.Lesson{Kind: engine.LessonHeading, Lang: language, Term: term, Of: theme}}
					homes[k] = map[string]bool{}
				}
				homes[k][s.home] = true
				shelves[k]++
				if len(s.themes) == 0 {
					found[k].evidence, found[k].support = append(found[k].evidence, s.wrong...), found[k].support+len(s.wrong)
					found[k].odds += odds
				}
			}
		}
	}
	var out []scoredLesson
	for k, f := range found {
		f.homes = len(homes[k])
		// A word that categories of other themes have, too, tells nothing.
		if f.support > 0 && shelves[k] == with[k.term] && l.enoughHomes(f.homes) {
			slices.Sort(f.evidence)
			out = append(out, *f)
		}
	}
	return ordered(out)
}

// headTerms are the words of a category's name, single Chinese characters among them,
// and those that describe it.
func headTerms(c privacy.Category, names map[string]bool) map[string]bool {
	out := wordTerms(c.Description, names)
	for t := range wordTerms(strings.ToLower(c.Name), names) {
		out[t] = true
	}
	for _, r := range c.Name {
		if unicode.Is(unicode.Han, r) && !strings.ContainsRune(grammarRunes, r) {
			out[string(r)] = true
		}
	}
	return out
}
