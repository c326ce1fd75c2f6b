package engine

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// classifier scores a text against the categories of one policy. Immutable.
type classifier struct {
	p         *privacy.Policy
	ids       []privacy.CategoryID
	levels    []privacy.Level
	domains   []privacy.Domain
	own       []map[string]float64 // category → weighted terms of its own words
	themes    []map[string]bool    // category → ids of the themes that it speaks of
	names     map[string]bool      // terms of people's names: they speak of no category
	owner     map[string]bool      // those of the owner
	kin       map[string]bool      // terms of the names of the owner's relatives
	kinClues  []clue               // what a statement about one of them says
	homeClues []clue               // what a statement of where somebody lives says
	confides  []bool               // category → whether it holds what others confided
	terms     map[string][]clue    // term → the categories that it speaks of
	phrases   map[string][]phrase  // first word → phrases, longest first
	cjk       map[rune][]phrase    // first character → Chinese words of themes, longest first
	bounds    map[string]bounds    // by the language of texts
	signs     map[signKey][]int    // taught: sign → categories that join
}

// clue is what a word says for a category.
type clue struct {
	category int
	value    float64
	weak     bool // ambiguous: counts in full beside others only
}

// phrase is what is found in running text rather than among its terms.
type phrase struct {
	text  string
	clues []clue
}

type themeMatch struct {
	theme    *stemmedTheme
	strength float64 // 0..1
}

// disclaimer marks a sentence of a description that says what the category is
// not: its words would draw in the very facts it sends away.
var disclaimer = regexp.MustCompile(`(?i)\b(?:not (?:my|the|for|in)|own category|other categor|belongs? to|except|excluding|unless)\b|^not\b|不算|不包括|归到|归别|别的类|另有|除外`)

func newClassifier(p *privacy.Policy, lessons []Lesson) *classifier {
	lessons = inScope(p, lessons)
	c := &classifier{p: p, names: map[string]bool{}, terms: map[string][]clue{}, phrases: map[string][]phrase{}, cjk: map[rune][]phrase{}}
	c.signs = map[signKey][]int{}
	c.bounds = map[string]bounds{"en": taughtBounds("en", lessons), "zh": taughtBounds("zh", lessons)}
	owner := p.Owner()
	c.addNames(append([]string{owner.Name}, owner.Aliases...)...)
	c.owner = maps.Clone(c.names)
	c.kin = map[string]bool{}
	for _, q := range p.People() {
		names := append([]string{q.Name}, q.Aliases...)
		c.addNames(names...)
		if isKin(q) {
			for _, t := range lexical.Terms(strings.Join(names, " ; ")) {
				c.kin[t] = !c.owner[t]
			}
		}
	}
	categories := p.Categories()
	c.confides = make([]bool, len(categories))
	own, df := make([]map[string]float64, len(categories)), map[string]int{}
	for i, cat := range categories {
		c.ids, c.levels, c.domains = append(c.ids, cat.ID), append(c.levels, cat.Level), append(c.domains, cat.Domain)
		own[i] = c.ownTerms(cat)
		for t := range own[i] {
			df[t]++
		}
	}
	themes := shareThemes(categories, own, taughtThemes(lessons))
	c.own = own
	for i := range categories {
		c.learn(i, categories[i], own[i], df, themes[i])
		ids, home := map[string]bool{}, 0.0
		for _, m := range themes[i] {
			ids[m.theme.id] = true
			for _, l := range lessons {
				if l.Kind == LessonSign && l.Of == m.theme.id {
					k := signKey{l.Lang, l.Term}
					c.signs[k] = append(c.signs[k], i)
				}
			}
			switch m.theme.id {
			case "family":
				c.kinClues = append(c.kinClues, clue{category: i, value: themeWord * m.strength})
			case "housing", "location":
				home = homeSaid
			}
		}
		c.themes = append(c.themes, ids)
		if home > 0 {
			c.homeClues = append(c.homeClues, clue{category: i, value: home})
		}
		c.confides[i] = categories[i].Confidence || slices.ContainsFunc(themes[i], func(m themeMatch) bool { return m.theme.id == "confidence" })
	}
	for _, list := range c.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return cmp.Compare(len(b.text), len(a.text)) })
	}
	for _, list := range c.cjk {
		slices.SortStableFunc(list, func(a, b phrase) int { return cmp.Compare(len(b.text), len(a.text)) })
	}
	return c
}

func (c *classifier) addNames(names ...string) {
	for _, n := range names {
		for _, t := range lexical.Terms(n) {
			c.names[t] = true
		}
	}
}

// headWeight is the weight of a word of a category's name; one of its description
// counts 1, one of an example less.
const headWeight = 1.5

// vagueHeads are words of names that are too common to place a fact alone even so.
var vagueHeads = stems("pay paid couple talk work home family life leave")

// isKin reports whether the note or an alias of q says that q is a relative of the
// owner, wife and husband left aside.
func isKin(q privacy.Person) bool {
	note := readNote(q)
	return slices.ContainsFunc(relations, func(r relation) bool {
		return r.family && r.id != "wife" && r.id != "husband" &&
			(slices.ContainsFunc(r.words, func(w string) bool { return note.score(w) >= 2 }) ||
				slices.ContainsFunc(r.cjk, func(w string) bool { return note.scoreCJK(w) >= 3 }))
	})
}

// ownTerms returns the weighted terms of a category's own words.
func (c *classifier) ownTerms(cat privacy.Category) map[string]float64 {
	out := map[string]float64{}
	add := func(text string, weight float64) {
		for _, s := range lexical.Sentences(text) {
			if disclaimer.MatchString(s) {
				continue
			}
			for _, t := range lexical.Terms(s) {
				if c.tells(t) {
					out[t] += weight
				}
			}
		}
	}
	add(cat.Name, headWeight)
	add(strings.NewReplacer("-", " ", "_", " ").Replace(string(cat.ID)), 1)
	add(cat.Description, 1)
	if !cat.Confidence { // what was confided can be about anything
		for _, ex := range cat.Examples {
			add(ex, 0.8)
		}
	}
	return out
}

// tells reports whether a term can be evidence at all.
func (c *classifier) tells(t string) bool {
	return !c.names[t] && !lightWords[t] && !lightCJK[t] && !isNumber(t)
}

// learn notes what speaks of category i: its own terms, and the themes that are
// its.
func (c *classifier) learn(i int, cat privacy.Category, own map[string]float64, df map[string]int, themes []themeMatch) {
	head := termSet(cat.Name)
	n := float64(len(c.ids))
	values, fromThemes, running := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for t, w := range own {
		unit := ownWord
		if hasCJK(t) {
			unit = ownBigram
		}
		rarity := math.Log(1+n/float64(df[t])) / math.Log(1+n)
		values[t] = unit * rarity * min(math.Sqrt(w), 1.3)
	}
	for _, m := range themes {
		value := func(word string) float64 {
			if m.theme.taught[word] {
				return taughtWord
			}
			return themeWord * m.strength
		}
		for t := range m.theme.stems {
			if c.tells(t) {
				fromThemes[t] = max(fromThemes[t], value(t))
			}
		}
		for _, words := range [][]string{m.theme.phrases, m.theme.allCJK} {
			for _, word := range words {
				running[word] = max(running[word], value(word))
			}
		}
	}
	for t, v := range fromThemes {
		if own[t] > 0 {
			v = values[t] + bothShare*v
		}
		values[t] = v
	}
	for _, t := range sortedKeys(values) {
		k := clue{category: i, value: values[t]}
		if ambiguousWords[t] {
			switch {
			case head[t] && !vagueHeads[t]:
				k.value *= headShare
			case own[t] > 0:
				k.value, k.weak = k.value*weakShare, true
			default:
				k.value, k.weak = weakWord, true
			}
		}
		c.terms[t] = append(c.terms[t], k)
	}
	for _, word := range sortedKeys(running) {
		k := clue{i, running[word], isShortCJK(word)}
		if k.weak {
			k.value = weakWord
		}
		if strings.HasPrefix(word, " ") {
			first, _, _ := strings.Cut(word[1:], " ")
			c.phrases[first] = addPhrase(c.phrases[first], word, k)
		} else {
			first, _ := utf8.DecodeRuneInString(word)
			c.cjk[first] = addPhrase(c.cjk[first], word, k)
		}
	}
}

// plainCJK are characters that say what they mean by themselves.
const plainCJK = "疼晕癌孕债薪吵嫁"

// isShortCJK reports whether a Chinese word is a single character that occurs in
// many other words.
func isShortCJK(word string) bool {
	r, n := utf8.DecodeRuneInString(word)
	return n == len(word) && !strings.ContainsRune(plainCJK, r)
}

func addPhrase(list []phrase, text string, k clue) []phrase {
	for i := range list {
		if list[i].text == text {
			list[i].clues = append(list[i].clues, k)
			return list
		}
	}
	return append(list, phrase{text, []clue{k}})
}

// Of the most that any category speaks of a theme, how much another must for the
// theme to be its as well: a stricter one less, since it can only tighten.
const (
	strictShare = 0.4
	looseShare  = 0.65
)

// shareThemes gives each category the themes that its own words speak of: its name
// does, or its description in two places, and no other category does much more.
func shareThemes(categories []privacy.Category, own []map[string]float64, all []stemmedTheme) [][]themeMatch {
	out := make([][]themeMatch, len(categories))
	hits := make([][]float64, len(categories))
	for i, cat := range categories {
		hits[i] = themeHits(cat, own[i], all)
	}
	for k := range all {
		most := 0
		for i := range categories {
			if hits[i][k] > hits[most][k] {
				most = i
			}
		}
		for i := range categories {
			share := looseShare
			if categories[i].Level < categories[most].Level {
				share = strictShare
			}
			if h := hits[i][k]; h >= 2 && h >= share*hits[most][k] {
				out[i] = append(out[i], themeMatch{&all[k], min(1, max(leastStrong, h/manyThemes+0.4))})
			}
		}
	}
	return out
}

// themeHits returns how much a category's own words speak of each theme.
func themeHits(cat privacy.Category, terms map[string]float64, all []stemmedTheme) []float64 {
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
	out := make([]float64, len(all))
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
			if isShortCJK(word) {
				continue
			}
			switch {
			case strings.Contains(name, word):
				hits += 2
			case strings.Contains(body.String(), word):
				hits++
			}
		}
		for _, word := range t.cjk {
			if !isShortCJK(word) && (strings.Contains(name, word) || strings.Contains(body.String(), word)) {
				hits += 0.5
			}
		}
		for _, h := range t.heads {
			hits += h.in(heading, terms, name, body.String())
		}
		out[i] = hits
	}
	return out
}
