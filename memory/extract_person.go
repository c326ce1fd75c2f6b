package memory

import (
	"strings"
	"unicode/utf8"
)

// writer writes a statement with the first and second person resolved.
type writer struct {
	v       *voice
	b       strings.Builder
	subject string // the last resolved subject pronoun
	first   string // whom the statement is about, where its start tells
	written int
	present bool // the last conjugated verb was in the present: a verb after "and" is too
}

// put writes a word, with a blank before it where the source has one.
func (w *writer) put(s string, space bool) {
	if space && w.b.Len() > 0 {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(s)
	w.written++
}

// person writes the token at i, and the ones bound to it, in the third person.
// It returns how many tokens it took.
func (w *writer) person(toks []token, i int) int {
	t := toks[i]
	base, tail := splitContraction(t.lower)
	switch base {
	case "i":
		if tail == "" && t.text == "i" && i > 0 && !toks[i].space {
			break // "e.g. i)" and the like
		}
		pair := w.v.pairOf(toks, i)
		if pair != "" {
			w.v.we = pair + " and " + w.v.speaker
		}
		w.about(w.v.speaker)
		w.put(w.v.speaker, t.space)
		return 1 + w.verb(toks, i+1, tail, pair != "")
	case "we":
		w.about(w.v.speaker)
		w.put(w.v.group(toks), t.space)
		return 1 + w.verb(toks, i+1, tail, true)
	case "us":
		if tail == "" {
			w.put(w.v.group(toks), t.space)
			return 1
		}
	case "you", "u", "ya":
		if tail == "" && i+1 < len(toks) && toks[i+1].lower == "know" && (i == 0 || i+2 == len(toks)) {
			return 2 // "you know" is no more than a breath
		}
		if n := epithet(toks, i); n > 0 && tail == "" { // "Tibor you monster"
			w.put(w.v.other(), t.space)
			return n
		}
		if w.v.you == "" {
			w.subject = "the others"
			w.put("the others", t.space)
			return 1 + w.verb(toks, i+1, tail, true)
		}
		object := i > 0 && (prepositions[toks[i-1].lower] || takesObject(toks, i)) || i+1 >= len(toks) || !isWord(toks[i+1].lower)
		if tail == "" && (i+1 < len(toks) && toks[i+1].lower == "and" || object) {
			w.put(w.v.you, t.space)
			return 1
		}
		w.about(w.v.you)
		w.put(w.v.you, t.space)
		return 1 + w.verb(toks, i+1, tail, false)
	case "my":
		n := w.possessed(toks, i, w.v.speaker)
		w.put(possessive(w.v.speaker), t.space)
		return 1 + n
	case "our":
		owner := w.v.speaker
		if w.v.we != "" {
			owner = w.v.we
		}
		w.put(possessive(owner), t.space)
		return 1
	case "your", "ur":
		if w.v.you != "" {
			n := w.possessed(toks, i, w.v.you)
			w.put(possessive(w.v.you), t.space)
			return 1 + n
		}
		w.put("the others'", t.space)
		return 1
	case "me":
		w.put(w.v.speaker, t.space)
		return 1
	case "myself":
		if i > 0 && prepositions[toks[i-1].lower] {
			w.put(w.v.speaker, t.space)
		}
		return 1 // "I'll do it myself": the subject says it
	case "mine":
		w.put(possessive(w.v.speaker), t.space)
		return 1
	case "ours":
		w.put(possessive(w.v.speaker), t.space)
		return 1
	case "ourselves":
		w.put(w.v.group(toks), t.space)
		return 1
	case "yours":
		if w.v.you != "" {
			w.put(possessive(w.v.you), t.space)
			return 1
		}
	case "yourself":
		if w.v.you != "" {
			w.put(w.v.you, t.space)
			return 1
		}
	}
	if (t.lower == "and" || t.lower == "but") && w.present && i+1 < len(toks) && presentVerbs[toks[i+1].lower] {
		w.put(t.text, t.space)
		w.put(thirdPerson(toks[i+1].lower), true)
		return 2
	}
	text := t.text
	if name := w.v.scene.people[t.lower]; name != "" && strings.EqualFold(firstWord(name), t.lower) && t.text == t.lower {
		text = firstWord(name) // "hollis" is Hollis
	}
	w.put(text, t.space)
	return 1
}

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

// about notes whom the statement is about, if it begins with them.
func (w *writer) about(who string) {
	w.subject = who
	if w.written == 0 {
		w.first = who
	}
}

// possessed notes "my mum …" at the start as about Ines's mum. It writes nothing.
func (w *writer) possessed(toks []token, i int, owner string) int {
	if w.written > 0 || i+2 >= len(toks) {
		return 0
	}
	for n := 1; n <= 3 && i+n+1 < len(toks); n++ {
		next, _ := splitContraction(toks[i+n+1].lower)
		if verbLike(next) || strings.HasSuffix(toks[i+n].lower, "'s") {
			var noun []string
			for _, t := range toks[i+1 : i+n+1] {
				noun = append(noun, strings.TrimSuffix(t.text, "'s"))
			}
			w.first = owner
			if kin[strings.ToLower(noun[len(noun)-1])] {
				w.first = possessive(owner) + " " + strings.Join(noun, " ")
			}
			return 0
		}
		if !isWord(next) {
			return 0
		}
	}
	return 0
}

func verbLike(w string) bool {
	return beForms[w] || inverting[w] || irregularPast[w] || strings.HasSuffix(w, "ed") && len(w) > 4 ||
		len(w) > 3 && strings.HasSuffix(w, "s") && presentVerbs[strings.TrimSuffix(w, "s")]
}

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
	if modals[v] || irregularPast[v] || sameInPast[v] || notVerb[v] || prepositions[v] || strings.Contains(v, "'") || isDigits(v) {
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
