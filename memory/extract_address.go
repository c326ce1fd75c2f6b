package memory

import "strings"

// trimEnglish drops what a sentence says to its hearer and not about anything:
// interjections, greetings, thanks, reactions and words of address at the start,
// tags and names at the end.
func (v *voice) trimEnglish(toks []token) []token {
	for len(toks) > 0 {
		n := v.opening(toks)
		if n == 0 {
			break
		}
		toks = toks[n:]
	}
	for len(toks) > 0 {
		n := v.closing(toks)
		if n == 0 {
			break
		}
		toks = toks[:len(toks)-n]
	}
	return toks
}

// opening returns how many tokens at the start say nothing.
func (v *voice) opening(toks []token) int {
	w := toks[0].lower
	next := func(k int) string {
		if k < len(toks) {
			return toks[k].lower
		}
		return ""
	}
	switch {
	case !isWord(w):
		if strings.Contains("\"“'(", w) {
			return 0
		}
		return 1
	case len(toks) > 2 && w == "of" && next(1) == "course":
		return 2
	case len(toks) > 3 && w == "by" && next(1) == "the" && next(2) == "way", len(toks) > 3 && w == "to" && next(1) == "be" && next(2) == "honest":
		return 3
	case w == "you" && len(toks) > 3 && next(1) == "know" && (questionWords[next(2)] || next(2) == "that"):
		return 2
	case (w == "then" || w == "so") && len(toks) > 2 && (pronouns[next(1)] || strings.Contains(next(1), "'")):
		return 1
	case w == "thank" && (next(1) == "you" || next(1) == "u"), w == "thanks" && next(1) == "for":
		for k := 1; k < len(toks); k++ { // "thank you for the flowers, …"
			if !isWord(toks[k].lower) {
				return k + 1
			}
		}
		return len(toks)
	case interjections[w] && (len(toks) == 1 || w != "no" && w != "so" && w != "well" && w != "like" || !isWord(next(1))):
		return 1
	}
	if n := reaction(toks); n > 0 {
		return n
	}
	return v.vocative(toks)
}

// reaction returns the length of "all good," or "so sad!" in front of a statement.
func reaction(toks []token) int {
	for k := 0; k < len(toks) && k < 5; k++ {
		w := toks[k].lower
		if !isWord(w) {
			if k > 0 && k+1 < len(toks) && strings.Contains(",!:-–—", w) {
				return k + 1
			}
			return 0
		}
		if !evaluations[w] && !adverbs[w] && w != "how" && w != "what" && w != "very" && w != "all" {
			return 0
		}
	}
	return 0
}

// vocative returns the length of a name that calls the hearer at the start:
// "Bo, …", "Dear Mrs Lind, …", and without a comma where a clause of its own
// follows: "bo I am ill", "bo Cem is ill". Whom it calls is "you" from then on.
func (v *voice) vocative(toks []token) int {
	start := 0
	if toks[0].lower == "dear" && len(toks) > 2 {
		start = 1
	}
	n := v.address(toks[start:])
	if n == 0 || start+n >= len(toks) {
		return 0
	}
	end := start + n
	name := nameOf(toks[start:end])
	if mark := toks[end].lower; !isWord(mark) && mark != "'" {
		v.calls(name)
		return end + 1
	}
	if known := v.scene.people[name]; known == v.speaker && known != "" {
		return 0
	}
	if k := epithet(toks[end:], 0); toks[end].lower == "you" && k > 0 && end+k < len(toks) && !isWord(toks[end+k].lower) { // "Bo you monster, …"
		v.calls(name)
		return end + k + 1
	}
	if !v.beginsClause(toks, end) {
		return 0
	}
	v.calls(name)
	return end
}

// address returns how many tokens at the start are a name or a word that may
// call somebody who hears it.
func (v *voice) address(toks []token) int {
	if len(toks) > 1 {
		if v.scene.people[nameOf(toks[:2])] != "" {
			return 2
		}
		if titles[toks[0].lower] && isCapital(toks[1]) {
			return 2
		}
		if toks[1].lower == "." && len(toks) > 2 && titles[toks[0].lower] && isCapital(toks[2]) {
			return 3
		}
	}
	if v.addressee(toks[0].lower) {
		return 1
	}
	return 0
}

// beginsClause reports whether a clause with a subject of its own begins at k.
func (v *voice) beginsClause(toks []token, k int) bool {
	if k >= len(toks) {
		return false
	}
	base, tail := splitContraction(toks[k].lower)
	if clausePronouns[base] {
		return tail != "" || k+2 < len(toks) && isWord(toks[k+1].lower)
	}
	if k+2 >= len(toks) || v.scene.people[base] == "" && !isCapital(toks[k]) {
		return false
	}
	return tail == "'s" || beForms[toks[k+1].lower] || inverting[toks[k+1].lower] || irregularPast[toks[k+1].lower]
}

// closing returns how many tokens at the end say nothing.
func (v *voice) closing(toks []token) int {
	n := len(toks) - 1
	w := toks[n].lower
	if w == "(" || w == "," || w == "-" || w == "–" || w == "—" || w == ":" || w == ";" || w == "." || w == "!" || tags[w] && n > 0 && !isWord(toks[n-1].lower) {
		return 1
	}
	if n > 0 && toks[n-1].lower == "," && (v.addressee(w) || tags[w]) {
		v.calls(w)
		return 2
	}
	if n > 1 && toks[n-2].lower == "," {
		if toks[n-1].lower == "thank" && w == "you" {
			return 3
		}
		if v.address(toks[n-1:]) == 2 {
			v.calls(nameOf(toks[n-1:]))
			return 3
		}
	}
	return 0
}

func nameOf(toks []token) string {
	if len(toks) == 1 {
		return toks[0].lower
	}
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.lower)
	}
	return b.String()
}

// addressee reports whether w alone calls somebody who hears it.
func (v *voice) addressee(w string) bool {
	return callings[w] || v.scene.people[w] != ""
}

// calls makes the participant whom w calls the one that "you" means: in a group
// "Fenna, you and I …" is said to Fenna, whatever message it answers.
func (v *voice) calls(w string) {
	if name := v.scene.people[w]; name != "" && name != v.speaker {
		v.you = name
	}
}

var (
	clausePronouns = words("i we he she they it you that there im ive")
	titles         = words("mr mrs ms miss dr prof professor sir madam")
)
