package memory

import (
	"slices"
	"strings"
)

// writer writes a statement with the first and second person resolved.
//
// A name is written whole once in a sentence; after that its first word does
// ("Mara Kellner thinks that Mara …"), never "he" or "she", which nobody told us.
// Two repetitions are left out altogether: the subject after "and" or "but" where
// it is the one of the verb before ("signed it and gives notice"), and the owner
// of what a subject deals with directly ("climbed their first six-c"). Anything
// else between would make "their" ambiguous, so it is a name then.
type writer struct {
	v       *voice
	b       strings.Builder
	subject string // the last resolved subject
	word    string // and the pronoun that it was: "i", "we", "you"
	end     int    // the token behind that subject
	first   string // whom the statement is about, where its start tells
	named   []string
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

// name returns how to call somebody here: whole at first, then by the first word
// where that is only theirs.
func (w *writer) name(who string) string {
	if slices.Contains(w.named, who) {
		if first := firstWord(who); w.v.scene.people[strings.ToLower(first)] == who {
			return first
		}
		return who
	}
	w.named = append(w.named, who)
	return who
}

// group is v.group with its names written by the same rule.
func (w *writer) group(toks []token) string {
	g := w.v.group(toks)
	if rest, ok := strings.CutPrefix(g, w.v.speaker); ok {
		return w.name(w.v.speaker) + rest
	}
	return g
}

// say writes a subject pronoun as name, and its verb. It returns how many tokens
// it took, the pronoun included.
func (w *writer) say(toks []token, i int, tail, who, name string, plural bool) int {
	base, _ := splitContraction(toks[i].lower)
	w.about(who)
	w.put(name, toks[i].space)
	w.word, w.end = base, i+1
	return 1 + w.verb(toks, i+1, tail, plural)
}

// person writes the token at i, and the ones bound to it, in the third person.
// It returns how many tokens it took.
func (w *writer) person(toks []token, i int) int {
	t := toks[i]
	if (t.lower == "and" || t.lower == "but") && i+1 < len(toks) {
		if n := w.shared(toks, i); n > 0 {
			return n
		}
	}
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
		both := coordinated(toks, i)
		n := w.say(toks, i, tail, w.v.speaker, w.name(w.v.speaker), both)
		if both {
			w.word = "" // a later "I" is one of them only
		}
		return n
	case "we":
		return w.say(toks, i, tail, w.v.speaker, w.group(toks), true)
	case "us":
		if tail == "" && t.text != "US" {
			w.put(w.group(toks), t.space)
			return 1
		}
	case "you", "u", "ya":
		if i > 0 && (toks[i-1].lower == "thank" || toks[i-1].lower == "thanks") && tail == "" && (i == 1 || !pronouns[toks[i-2].lower]) {
			break // "thank you" is said to nobody's name
		}
		if tail == "" && i+1 < len(toks) && toks[i+1].lower == "know" && (i == 0 || i+2 == len(toks)) {
			return 2 // "you know" is no more than a breath
		}
		if n := epithet(toks, i); n > 0 && tail == "" { // "Tibor you monster"
			w.put(w.name(w.v.other()), t.space)
			return n
		}
		if w.v.you == "" {
			w.subject = "the others"
			w.put("the others", t.space)
			return 1 + w.verb(toks, i+1, tail, true)
		}
		object := i > 0 && (prepositions[toks[i-1].lower] || takesObject(toks, i)) || i+1 >= len(toks) || !isWord(toks[i+1].lower)
		if tail == "" && (i+1 < len(toks) && toks[i+1].lower == "and" || object) {
			w.put(w.name(w.v.you), t.space)
			return 1
		}
		return w.say(toks, i, tail, w.v.you, w.name(w.v.you), false)
	case "my":
		n := w.possessed(toks, i, w.v.speaker)
		w.put(w.owning(toks, i, "i", w.v.speaker), t.space)
		return 1 + n
	case "our":
		if w.word == "we" && w.deals(toks, i) {
			w.put("their", t.space)
			return 1
		}
		owner := w.v.we
		if owner == "" {
			owner = w.name(w.v.speaker)
		}
		w.put(possessive(owner), t.space)
		return 1
	case "your", "ur":
		if w.v.you != "" {
			n := w.possessed(toks, i, w.v.you)
			w.put(w.owning(toks, i, "you", w.v.you), t.space)
			return 1 + n
		}
		w.put("the others'", t.space)
		return 1
	case "me":
		w.put(w.name(w.v.speaker), t.space)
		return 1
	case "myself":
		if i > 0 && prepositions[toks[i-1].lower] {
			w.put(w.name(w.v.speaker), t.space)
		} else if i > 0 && i == w.end+1 && !beForms[toks[i-1].lower] && !adverbs[toks[i-1].lower] {
			w.put("themself", t.space) // "I hurt myself"
		}
		return 1 // "I'll do it myself": the subject says it
	case "mine", "ours":
		w.put(possessive(w.name(w.v.speaker)), t.space)
		return 1
	case "ourselves":
		w.put(w.group(toks), t.space)
		return 1
	case "yours":
		if w.v.you != "" {
			w.put(possessive(w.name(w.v.you)), t.space)
			return 1
		}
	case "yourself":
		if w.v.you != "" {
			w.put(w.name(w.v.you), t.space)
			return 1
		}
	}
	if (t.lower == "and" || t.lower == "but") && w.present && i+1 < len(toks) && presentVerbs[toks[i+1].lower] {
		w.put(t.text, t.space)
		w.put(thirdPerson(toks[i+1].lower), true)
		return 2
	}
	text := t.text
	if name := w.v.scene.named(t); name != "" && strings.EqualFold(firstWord(name), t.lower) && t.text == t.lower {
		text = firstWord(name) // "hollis" is Hollis
	}
	w.put(text, t.space)
	return 1
}

// shared writes "and gives" for "and I give" where the verb before has the same
// subject and no other one came between. 0: it doesn't.
func (w *writer) shared(toks []token, i int) int {
	base, tail := splitContraction(toks[i+1].lower)
	if base != w.word || base != "i" && base != "we" || i+2 >= len(toks) && tail == "" || tail == "" && !isWord(toks[i+2].lower) {
		return 0
	}
	for k := w.end + 1; k < i; k++ {
		x := toks[k].lower
		if clauseBreak[x] && x != "," || pronouns[x] || beForms[x] || inverting[x] || irregularPast[x] || k > w.end+2 && (verbLike(x) || isPossessiveVerb(toks, k)) {
			return 0
		}
	}
	w.put(toks[i].text, toks[i].space)
	n := w.verb(toks, i+2, tail, base == "we")
	w.end = i + 2
	return 2 + n
}

// isPossessiveVerb reports whether the word at k is "it's" or "Bo'll": a verb too.
func isPossessiveVerb(toks []token, k int) bool {
	_, tail := splitContraction(toks[k].lower)
	return tail != "" && tail != "'s"
}

// owning writes "my" and "your": "their" for what the subject deals with, else
// the owner's name.
func (w *writer) owning(toks []token, i int, pronoun, who string) string {
	if w.word == pronoun && w.subject == who && w.deals(toks, i) {
		// "lent their brother" could be the brother of several; "their car" is nobody.
		return pick(i+1 < len(toks) && kin[toks[i+1].lower], "their own", "their")
	}
	return possessive(w.name(who))
}

// deals reports whether the noun at i is directly what the last subject's verb is
// about: nothing but that verb and its particles stands between.
func (w *writer) deals(toks []token, i int) bool {
	verbs := 0
	for k := w.end; k < i; k++ {
		x := toks[k].lower
		switch {
		case x == "to":
			verbs = 0
		case beForms[x], inverting[x], modals[x], adverbs[x], prepositions[x], droppedAux[x], strings.HasSuffix(x, "ly"), x == "up", x == "out", x == "off", x == "down", x == "back":
		case !isWord(x), isCapital(toks[k]), notGerund[x], articles[x], strings.HasSuffix(x, "s") && !presentVerbs[strings.TrimSuffix(x, "s")] && verbs == 0 && k > w.end:
			return false // a noun stands between
		default:
			verbs++
		}
	}
	return verbs <= 1 && w.end > 0 && i > w.end
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
