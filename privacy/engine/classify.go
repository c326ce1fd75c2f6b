package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Defaults of the classifier, set by the rate of wrong allows on labelled facts
// in English and Chinese, not by accuracy: a fact without a category is L0 and
// asks for a review, a fact with the wrong one may let somebody in.
const (
	// defaultThreshold is the least score of a category; below it a fact has none.
	defaultThreshold = 0.35
	// defaultMargin is how far below the best a category still counts that is
	// stricter than the best.
	defaultMargin = 0.40
	// looserShare is the part of the margin for one that is not stricter: joined to
	// the best it could close the fact, where their domains differ, and no more.
	looserShare = 0.3
	// equalShare is the part of the margin for one that is as strict as the best.
	equalShare = 0.45
	// leastJoin is the least score at which a category may join: one plain word of it.
	leastJoin = 0.30
	// openLevel is the level from which a category must clear openThreshold: it
	// lets many people in, so it needs more evidence.
	openLevel     = privacy.L3
	openThreshold = 0.44
	// leastStrict is what a stricter category needs beside a best one of openLevel.
	leastStrict = 0.25

	// sameFact is the cosine at which an exemplar decides alone, nearFact the one
	// at which its category joins the candidates (which can only tighten).
	sameFact = 0.90
	nearFact = 0.45
)

// What counts as evidence for a category. The unit is one word that only this
// category has; a score is e/(1+e) of their sum e.
const (
	ownWord     = 0.75 // a word of its name, description or examples, the rarer the more
	ownBigram   = 0.45 // the same in Chinese, where a word gives several bigrams
	themeWord   = 0.58 // a plain word, or phrase, of a theme that the category speaks of
	taughtWord  = 0.80 // a word that the owner approved for a theme: it places alone, also where many are let in
	homeSaid    = 0.85 // a sentence that says where somebody lives, for a category of homes
	bothShare   = 0.5  // what the theme adds to a word that is the category's own too
	weakWord    = 0.22 // an ambiguous word of a theme beside others
	weakShare   = 0.5  // of its value: an ambiguous word of the category's own beside others
	onlyWeak    = 1.25 // what several ambiguous words gain where there is no plain one
	weakAlone   = 0.12 // an ambiguous word that is all there is
	headShare   = 0.55 // of its value: an ambiguous word that is in the category's name
	weakAtMost  = 0.8  // what ambiguous words may add up to
	manyThemes  = 8.0  // hits of a theme at which a category speaks of nothing else
	leastStrong = 0.7  // strength of a theme that a category speaks of in two places
)

// scored is a category with its score, 0..1.
type scored struct {
	id    privacy.CategoryID
	level privacy.Level
	score float64
	plain bool // some of the evidence is no ambiguous word
}

// evidence is what was found for one category.
type evidence struct {
	plain, weak float64
	words       int // ambiguous ones
}

func (e *evidence) add(k clue) {
	if k.weak {
		e.weak += k.value
		e.words++
	} else {
		e.plain += k.value
	}
}

func (e *evidence) score() float64 {
	sum := e.plain + min(e.weak, weakAtMost)
	if e.plain == 0 {
		if sum *= onlyWeak; e.words == 1 {
			sum = weakAlone
		}
	}
	return sum / (1 + sum)
}

// scores returns every category with its score for text, best first; ties by
// level, the stricter first, and id.
func (c *classifier) scores(text string) []scored {
	found := make([]evidence, len(c.ids))
	take := func(clues []clue) {
		for _, k := range clues {
			found[k.category].add(k)
		}
	}
	words := " " + plainWords(foldText(text)) + " "
	likes := onlyLikes(words, c.names)
	terms := lexical.Terms(text)
	begins := ""
	if len(terms) > 0 {
		begins = terms[0]
	}
	slices.Sort(terms)
	for _, t := range slices.Compact(terms) {
		if !c.names[t] && !(likes && t == loveStem) {
			take(c.terms[t])
		}
	}
	c.running(words, take)
	if c.kin[begins] {
		take(c.kinClues)
	}
	if len(c.homeClues) > 0 && lives(text) {
		take(c.homeClues)
	}
	out := make([]scored, len(c.ids))
	for i := range c.ids {
		out[i] = scored{c.ids[i], c.levels[i], found[i].score(), found[i].plain > 0}
	}
	slices.SortFunc(out, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.level, b.level), strings.Compare(string(a.id), string(b.id)))
	})
	return out
}

// running finds the phrases and the Chinese words of themes in text, each once; of
// those that overlap the longest.
func (c *classifier) running(text string, take func([]clue)) {
	var seen map[string]bool
	for i := 0; i < len(text); {
		var list []phrase
		r, n := rune(text[i]), 1
		at := i
		switch {
		case r == ' ':
			j := strings.IndexByte(text[i+1:], ' ')
			if j < 0 {
				return
			}
			list = c.phrases[text[i+1:i+1+j]]
		case r >= utf8.RuneSelf:
			r, n = utf8.DecodeRuneInString(text[i:])
			list = c.cjk[r]
		}
		for k := range list {
			p := &list[k]
			if !strings.HasPrefix(text[at:], p.text) {
				continue
			}
			if !seen[p.text] {
				if seen == nil {
					seen = map[string]bool{}
				}
				seen[p.text] = true
				take(p.clues)
			}
			n = len(p.text)
			if r == ' ' {
				n-- // the blank that ends it may begin the next
			}
			break
		}
		i += n
	}
}

var (
	loveStem  = lexical.Stem("love")
	loveForms = set("love loves loved loving")
	// beloved is what follows the verb where it is no taste.
	beloved = set("him her you me them each somebody someone another")
)

// onlyLikes reports whether every "love" of the words is a taste ("I love
// cardamom buns") and none is about a person.
func onlyLikes(words string, names map[string]bool) bool {
	if !strings.Contains(words, " lov") {
		return false
	}
	fields := strings.Fields(words)
	likes := false
	for i, w := range fields {
		if !loveForms[w] {
			continue
		}
		if i > 0 && (fields[i-1] == "in" || fields[i-1] == "my") || i+1 < len(fields) && (beloved[fields[i+1]] || names[fields[i+1]]) {
			return false
		}
		likes = true
	}
	return likes
}

// choose returns the categories that text gets: the best that clears its
// threshold and those within the margin of it (MARKS 1), none if none does. Where a
// lesson says so, one that falls short is taken if the talk around agrees.
//
// Those of base don't join by a lesson alone. Whether they cover the text is asked of
// them, since what only closes may not make a text placed that wasn't.
func (c *classifier) choose(text string, around func() surroundings) (chosen, base []scored) {
	b := c.bounds[scriptOf(text)]
	threshold, margin := b.threshold, b.margin
	if s := c.p.Settings(); s.LabelThreshold > 0 {
		threshold = s.LabelThreshold
	}
	if s := c.p.Settings(); s.LabelMargin > 0 {
		margin = s.LabelMargin
	}
	all := c.scores(text)
	if len(all) == 0 {
		return nil, nil
	}
	best := all[0]
	if best.score < threshold || best.level >= openLevel && best.score < max(threshold, b.open) {
		if b.agreed >= 1 || best.score < leastAgreed || c.agreement(best.id, around()) < b.agreed {
			return nil, nil
		}
	}
	unmoved := margin
	if c.p.Settings().LabelMargin <= 0 {
		unmoved = min(margin, defaultMargin)
	}
	base, chosen = c.joined(all, unmoved, b.unmoved()), c.joined(all, margin, b)
	chosen = append(chosen, c.shown(text, chosen)...)
	if best.level <= privacy.L1 && c.aboutAnother(text) {
		chosen, base = append(chosen, c.confidences(chosen)...), append(base, c.confidences(base)...)
	}
	return chosen, base
}

// joined returns the best of all and those that join it.
func (c *classifier) joined(all []scored, margin float64, b bounds) []scored {
	best, out := all[0], all[:1:1]
	for _, s := range all[1:] {
		within := margin
		switch {
		case s.level > best.level:
			within *= b.looser
		case s.level == best.level:
			within *= b.equal
		}
		least := leastJoin
		if best.level >= openLevel && s.level < best.level {
			least, within = leastStrict, 1
		}
		if s.plain && s.score >= least && s.score >= best.score-within {
			out = append(out, s)
		}
	}
	return out
}

// confidences returns the categories for what others confided that are not in
// have: somebody else's health or debts are theirs to tell.
func (c *classifier) confidences(have []scored) []scored {
	var out []scored
	for i, id := range c.ids {
		if c.confides[i] && !slices.ContainsFunc(have, func(s scored) bool { return s.id == id }) {
			out = append(out, scored{id, c.levels[i], leastJoin, false})
		}
	}
	return out
}

// aboutAnother reports whether a statement begins with a person of the policy who
// is not the owner, and not with the two of them.
func (c *classifier) aboutAnother(text string) bool {
	terms := lexical.Terms(text)
	if len(terms) == 0 || !c.names[terms[0]] || c.owner[terms[0]] {
		return false
	}
	for _, t := range terms[1:min(3, len(terms))] {
		if c.owner[t] {
			return false
		}
	}
	words := " " + plainWords(foldText(text)) + " "
	return !containsAny(words, firstPerson)
}

var firstPerson = []string{" i ", " i'm ", " i've ", " we ", " we're ", " my ", " our ", " me ", " us ", "我", "咱"}

func sortedKeys[K ~string, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
