package engine

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Defaults of the classifier, set by the rate of wrong allows on labelled facts
// in English and Chinese, not by accuracy: a fact without a category is L0 and
// asks for a review, a fact with the wrong one may let somebody in.
const (
	// defaultThreshold is the least score of a category; below it a fact has none.
	defaultThreshold = 0.35
	// defaultMargin is how far below the best a category still counts.
	defaultMargin = 0.30
	// openLevel is the level from which a category must clear openThreshold: it
	// lets many people in, so it needs more evidence.
	openLevel     = privacy.L3
	openThreshold = 0.50

	// sameFact is the cosine at which an exemplar decides alone, nearFact the one
	// at which its category joins the candidates (which can only tighten).
	sameFact = 0.90
	nearFact = 0.45
)

// classifier scores a text against the categories of one policy. Immutable.
type classifier struct {
	categories []categoryModel
	idf        map[string]float64
	names      map[string]bool // terms of people's names: they speak of no category
	p          *privacy.Policy
}

type categoryModel struct {
	id     privacy.CategoryID
	level  privacy.Level
	terms  map[string]float64 // of name, description and examples
	norm   float64
	themes []themeMatch
}

type themeMatch struct {
	theme    *stemmedTheme
	strength float64 // 0..1
}

// scored is a category with its score, 0..1.
type scored struct {
	id    privacy.CategoryID
	level privacy.Level
	score float64
}

// disclaimer marks a sentence of a description that says what the category is
// not: its words would draw in the very facts it sends away.
var disclaimer = regexp.MustCompile(`(?i)\b(?:not (?:my|the|for|in)|own category|other categor|belongs? to|except|excluding)\b|^not\b|不算|不包括|归到|归别|别的类|另有|除外`)

func newClassifier(p *privacy.Policy) *classifier {
	c := &classifier{idf: map[string]float64{}, names: map[string]bool{}, p: p}
	owner := p.Owner()
	addName := func(names ...string) {
		for _, n := range names {
			for _, t := range lexical.Terms(n) {
				c.names[t] = true
			}
		}
	}
	addName(append([]string{owner.Name}, owner.Aliases...)...)
	for _, q := range p.People() {
		addName(append([]string{q.Name}, q.Aliases...)...)
	}
	categories := p.Categories()
	df := map[string]int{}
	for _, cat := range categories {
		m := categoryModel{id: cat.ID, level: cat.Level, terms: map[string]float64{}}
		add := func(text string, weight float64) {
			for _, s := range lexical.Sentences(text) {
				if disclaimer.MatchString(s) {
					continue
				}
				for _, t := range lexical.Terms(s) {
					if !c.names[t] {
						m.terms[t] += weight
					}
				}
			}
		}
		add(cat.Name, 1.5)
		add(strings.NewReplacer("-", " ", "_", " ").Replace(string(cat.ID)), 1)
		add(cat.Description, 1)
		for _, ex := range cat.Examples {
			add(ex, 0.8)
		}
		for t := range m.terms {
			df[t]++
		}
		m.themes = matchThemes(cat, m.terms)
		c.categories = append(c.categories, m)
	}
	for t, n := range df {
		c.idf[t] = math.Log(1 + float64(len(categories))/float64(n))
	}
	for i := range c.categories {
		m := &c.categories[i]
		for _, t := range sortedKeys(m.terms) {
			m.norm += square(math.Sqrt(m.terms[t]) * c.idf[t])
		}
		m.norm = math.Sqrt(m.norm)
	}
	return c
}

// matchThemes returns the themes that a category's own words speak of: its name
// or id does, or its description does in two places.
func matchThemes(cat privacy.Category, terms map[string]float64) []themeMatch {
	heading := map[string]bool{}
	for _, t := range lexical.Terms(cat.Name + " " + strings.NewReplacer("-", " ", "_", " ").Replace(string(cat.ID))) {
		heading[t] = true
	}
	var body strings.Builder
	for _, s := range append(lexical.Sentences(cat.Description), cat.Examples...) {
		if !disclaimer.MatchString(s) {
			body.WriteString(foldText(s))
			body.WriteByte(' ')
		}
	}
	name := foldText(cat.Name)
	type match struct {
		t    *stemmedTheme
		hits float64
	}
	var found []match
	best := 0.0
	all := stemmedThemes()
	for i := range all {
		t := &all[i]
		hits := 0.0
		for _, stem := range t.core {
			switch {
			case heading[stem]:
				hits += 2
			case terms[stem] > 0:
				hits++
			}
		}
		for _, word := range t.coreCJK {
			switch {
			case strings.Contains(name, word):
				hits += 2
			case strings.Contains(body.String(), word):
				hits++
			}
		}
		for _, word := range t.cjk {
			if strings.Contains(name, word) || strings.Contains(body.String(), word) {
				hits += 0.5
			}
		}
		if hits >= 2 {
			found = append(found, match{t, hits})
			best = max(best, hits)
		}
	}
	var out []themeMatch
	for _, m := range found {
		if m.hits >= best/2 {
			out = append(out, themeMatch{theme: m.t, strength: m.hits / best})
		}
	}
	return out
}

// scores returns every category with its score for text, best first; ties by id.
// A score is e/(1+e) of the evidence e: what text shares with the category's own
// words, and what it says of the category's themes.
func (c *classifier) scores(text string) []scored {
	folded := foldText(text)
	cjk := hasCJK(folded)
	terms := map[string]float64{}
	for _, t := range lexical.Terms(text) {
		if !c.names[t] {
			terms[t]++
		}
	}
	keys := sortedKeys(terms)
	out := make([]scored, len(c.categories))
	for i, m := range c.categories {
		own, norm := 0.0, 0.0
		for _, t := range keys {
			idf, known := c.idf[t]
			if !known {
				continue
			}
			norm += square(idf)
			if w := m.terms[t]; w > 0 {
				own += math.Sqrt(w) * idf * idf
			}
		}
		cos := 0.0
		if own > 0 {
			cos = own / (m.norm * math.Sqrt(norm))
		}
		about := 0.0
		for _, th := range m.themes {
			hits := 0.0
			for _, t := range keys {
				if th.theme.stems[t] {
					hits++
				}
			}
			if cjk {
				hits += float64(th.theme.countCJK(folded))
			}
			about += hits * th.strength
		}
		e := ownWeight*cos + themeWeight*about
		out[i] = scored{m.id, m.level, e / (1 + e)}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(string(a.id), string(b.id)))
	})
	return out
}

// How much a full match with a category's own words, and one word of a theme,
// count as evidence.
const (
	ownWeight   = 1.6
	themeWeight = 0.55
)

// choose returns the categories that text gets: all within the margin of the
// best that clears its threshold (MARKS 1), none if none does.
func (c *classifier) choose(text string) []scored {
	threshold, margin := defaultThreshold, defaultMargin
	if s := c.p.Settings(); s.LabelThreshold > 0 {
		threshold = s.LabelThreshold
	}
	if s := c.p.Settings(); s.LabelMargin > 0 {
		margin = s.LabelMargin
	}
	all := c.scores(text)
	if len(all) == 0 || all[0].score < threshold {
		return nil
	}
	if all[0].level >= openLevel && all[0].score < max(threshold, openThreshold) {
		return nil
	}
	var out []scored
	for _, s := range all {
		if s.score > 0 && s.score >= all[0].score-margin {
			out = append(out, s)
		}
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
