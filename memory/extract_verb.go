package memory

import "strings"

// verb writes the verb that follows a resolved subject, with its contraction
// and the adverbs before it; it returns how many tokens after the subject it took.
func (w *writer) verb(toks []token, i int, tail string, plural bool) int {
	w.present = false
	switch tail {
	case "'m", "'re", "m", "re":
		w.put(pick(plural, "are", "is"), true)
		return 0
	case "'ve", "ve":
		w.put(pick(plural, "have", "has"), true)
		return 0
	case "'ll", "ll":
		w.put("will", true)
		return 0
	case "'d", "d":
		next := ""
		if i < len(toks) {
			next = toks[i].lower
		}
		if next == "better" || next == "been" || next == "already" || next == "just" || strings.HasSuffix(next, "ed") && len(next) > 3 && !baseInEd[next] || participles[next] {
			w.put("had", true)
		} else {
			w.put("would", true)
		}
		return 0
	}
	n := 0
	if i+1 < len(toks) && toks[i].lower == "no" && toks[i+1].lower == "longer" {
		w.put(toks[i].text, toks[i].space)
		w.put(toks[i+1].text, toks[i+1].space)
		n = 2
	}
	for i+n < len(toks) && (adverbs[toks[i+n].lower] || strings.HasSuffix(toks[i+n].lower, "ly") && !notAdverb[toks[i+n].lower]) {
		w.put(toks[i+n].text, toks[i+n].space)
		n++
	}
	if i+n >= len(toks) {
		return n
	}
	t := toks[i+n]
	if !isWord(t.lower) {
		return n
	}
	if s, ok := agree(t.lower, plural); ok {
		w.put(s, t.space)
		w.present = !plural && s != t.lower
		return n + 1
	}
	return n
}

func verbLike(w string) bool {
	return beForms[w] || inverting[w] || irregularPast[w] || strings.HasSuffix(w, "ed") && len(w) > 4 ||
		len(w) > 3 && strings.HasSuffix(w, "s") && presentVerbs[strings.TrimSuffix(w, "s")]
}

// agree returns a verb as it goes with the third person, and whether it is one
// to change at all.
func agree(v string, plural bool) (string, bool) {
	if plural {
		if v == "am" {
			return "are", true
		}
		return v, false
	}
	switch v {
	case "am", "are":
		return "is", true
	case "were":
		return "was", true
	case "have":
		return "has", true
	case "haven't":
		return "hasn't", true
	case "do":
		return "does", true
	case "don't", "dont":
		return "doesn't", true
	case "aren't":
		return "isn't", true
	case "weren't":
		return "wasn't", true
	}
	if modals[v] || irregularPast[v] || sameInPast[v] || notVerb[v] || prepositions[v] && v != "like" || strings.Contains(v, "'") || isDigits(v) {
		return v, false
	}
	if strings.HasSuffix(v, "ed") && !baseInEd[v] || strings.HasSuffix(v, "ing") && !presentVerbs[v] || strings.HasSuffix(v, "s") && !presentVerbs[v] {
		return v, false
	}
	for _, r := range v {
		if r < 'a' || r > 'z' {
			return v, false
		}
	}
	return thirdPerson(v), true
}

// thirdPerson conjugates a verb: go → goes, try → tries, say → says.
func thirdPerson(v string) string {
	switch v {
	case "have":
		return "has"
	case "be":
		return "is"
	}
	switch {
	case strings.HasSuffix(v, "s"), strings.HasSuffix(v, "x"), strings.HasSuffix(v, "z"), strings.HasSuffix(v, "ch"), strings.HasSuffix(v, "sh"), strings.HasSuffix(v, "o"):
		return v + "es"
	case strings.HasSuffix(v, "y") && len(v) > 1 && !strings.ContainsRune("aeiou", rune(v[len(v)-2])):
		return v[:len(v)-1] + "ies"
	}
	return v + "s"
}

// splitContraction takes "i'm" apart, and the "im", "ive", "ur" of hasty typing.
func splitContraction(w string) (base, tail string) {
	if i := strings.IndexByte(w, '\''); i > 0 {
		switch w[i:] {
		case "'m", "'re", "'ve", "'ll", "'d", "'s":
			return w[:i], w[i:]
		}
	}
	switch w {
	case "im":
		return "i", "m"
	case "ive":
		return "i", "ve"
	case "youre":
		return "you", "re"
	case "youve":
		return "you", "ve"
	}
	return w, ""
}
