package memory

import (
	"strings"
	"unicode/utf8"
)

// other names the one who is spoken to, or all of them.
func (v *voice) other() string {
	if v.you == "" {
		return "the others"
	}
	return v.you
}

// epithet returns how many tokens "you monster", "you two" take: a word follows
// that no verb begins with, so nothing is said about "you" here. 0: it is none.
func epithet(toks []token, i int) int {
	if i+1 >= len(toks) {
		return 0
	}
	if i > 0 && isWord(toks[i-1].lower) && clauseBreak[toks[i-1].lower] {
		return 0
	}
	next := toks[i+1].lower
	if next == "two" || next == "lot" || next == "guys" || next == "all" && (i+2 >= len(toks) || !isWord(toks[i+2].lower)) {
		return 2
	}
	s, changes := agree(next, false)
	if !changes || presentVerbs[next] || beForms[s] || inverting[s] || adverbs[next] || strings.HasSuffix(next, "ly") || !isWord(next) {
		return 0
	}
	if i > 0 && isWord(toks[i-1].lower) && !connectives[toks[i-1].lower] && i+3 < len(toks) {
		return 0
	}
	n := 2
	for i+n < len(toks) && isWord(toks[i+n].lower) && n < 4 {
		n++
	}
	return n
}

// takesObject reports whether the pronoun at i is the object of a verb before it
// ("sent you another 300"), not the subject of one behind it.
func takesObject(toks []token, i int) bool {
	before, after := toks[i-1].lower, toks[i+1:]
	if !irregularPast[before] && !presentVerbs[before] && !(strings.HasSuffix(before, "ed") && len(before) > 4) || len(after) == 0 {
		return false
	}
	next := after[0].lower
	return !presentVerbs[next] && !inverting[next] && !modals[next] && !irregularPast[next] && !adverbs[next]
}

// group names "we": the two of "Anselm and I", or the two of a two-party talk
// where the sentence itself says so ("the two of us", "you and I"); else the
// speaker and others, since a guess would put words about a stranger.
func (v *voice) group(toks []token) string {
	if v.we != "" {
		return v.we
	}
	if v.you != "" {
		for i, t := range toks {
			if t.lower == "both" || t.lower == "together" || (t.lower == "you" && i+1 < len(toks) && toks[i+1].lower == "and") ||
				t.lower == "two" && i+2 < len(toks) && toks[i+1].lower == "of" && toks[i+2].lower == "us" {
				return v.speaker + " and " + v.you
			}
		}
	}
	return v.speaker + " and others"
}

// pairOf names who stands with "I" in "Anselm and I", where that begins a clause:
// in "I work with Anselm and I like it" it doesn't.
func (v *voice) pairOf(toks []token, i int) string {
	if !coordinated(toks, i) {
		return ""
	}
	name := toks[i-2].text
	if i > 2 && toks[i-2].space { // "Anselm Roth and I"
		if known := v.scene.people[nameOf(toks[i-3:i-1])]; known != "" {
			return known
		}
	}
	if known := v.scene.people[toks[i-2].lower]; known != "" {
		return known
	}
	if toks[i-2].lower == "you" && v.you != "" {
		return v.you
	}
	if isCapital(toks[i-2]) {
		return name
	}
	return ""
}

// coordinated reports whether the "I" at i shares its verb with a noun phrase
// before it that begins the clause: "Bo and I", "my mum and I".
func coordinated(toks []token, i int) bool {
	if i < 2 || toks[i-1].lower != "and" {
		return false
	}
	if i+1 < len(toks) && (toks[i+1].lower == "am" || toks[i+1].lower == "was") || strings.Contains(toks[i].lower, "'m") {
		return false
	}
	start := clauseStart(toks, i-1)
	for start < i-1 && (adverbs[toks[start].lower] || toks[start].lower == "both") {
		start++
	}
	switch n := i - 1 - start; {
	case n == 1:
		w := toks[start].lower
		return isCapital(toks[start]) || w == "you" || w == "he" || w == "she" || w == "they" || !subjectWords[w] && !verbLike(w) && !gerund(w)
	case n == 2 && isCapital(toks[start]) && isCapital(toks[start+1]):
		return true
	case n >= 2 && n <= 4:
		w := toks[start].lower
		if w != "my" && w != "the" && w != "his" && w != "her" && w != "your" && w != "our" && w != "their" && !strings.HasSuffix(w, "'s") {
			return false
		}
		for _, t := range toks[start+1 : i-1] {
			if verbLike(t.lower) || gerund(t.lower) || prepositions[t.lower] || presentVerbs[strings.TrimSuffix(t.lower, "s")] && n > 2 {
				return false
			}
		}
		last := toks[i-2].lower // "my head hurts and I …"
		return n == 2 || kin[last] || !strings.HasSuffix(last, "s")
	}
	return false
}

func possessive(name string) string {
	if strings.HasSuffix(name, "'s") || strings.HasSuffix(name, "'") {
		return name
	}
	return name + "'s"
}

func pick(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

func firstWord(s string) string {
	if i := strings.IndexByte(s, ' '); i > 0 && utf8.RuneCountInString(s[:i]) > 1 {
		return s[:i]
	}
	return s
}
