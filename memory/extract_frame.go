package memory

import (
	"regexp"
	"slices"
	"strings"
)

// saysFrame takes "Bo says: " off a sentence in which Bo speaks of Bo: what is
// behind it is told in the voice it returns. Where Bo speaks of somebody else who
// says it matters, and the frame stays.
func (v *voice) saysFrame(toks []token) ([]token, *voice) {
	for n := 1; n <= 3 && n+2 < len(toks); n++ {
		if !sayVerbs[toks[n].lower] {
			continue
		}
		k := n + 1
		if toks[k].lower != ":" {
			return toks, v
		}
		k++
		rest := toks[k:]
		if q := rest[0].lower; q == "\"" || q == "“" {
			rest = slices.DeleteFunc(slices.Clone(rest[1:]), func(t token) bool { return t.lower == "\"" || t.lower == "”" })
		}
		if len(rest) == 0 {
			return toks, v
		}
		name := nameOf(toks[:n])
		known := v.scene.people[name]
		if known == "" && name == "i" {
			known = v.speaker
		}
		if known == "" {
			switch w := toks[0].lower; {
			case w == "my":
				known = possessive(v.speaker) + " " + written(toks[1:n])
			case unnamed[w] && n == 1, w == "the" && n > 1:
				known = w + strings.TrimPrefix(written(toks[:n]), toks[0].text)
			case !isCapital(toks[0]) || pronouns[w] || subjectWords[w] || lowerCased[w]:
				return toks, v
			default:
				known = written(toks[:n])
			}
		}
		first, _ := splitContraction(rest[0].lower)
		own := first == "i" || first == "my" || first == "im" || first == "ive"
		if !own && !(len(rest) >= n && nameOf(rest[:n]) == name) && v.scene.people[strings.TrimSuffix(first, "'s")] != known {
			return toks, v
		}
		if known == v.speaker || !own {
			return rest, v
		}
		theirs := *v
		theirs.speaker, theirs.you, theirs.we = known, v.speaker, ""
		return rest, &theirs
	}
	return toks, v
}

// written is how tokens were written, without the blank before them.
func written(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

var sayVerbs = words("says said say writes wrote")

// stampLine is a name with a time of day, as chat programs head a message.
var stampLine = regexp.MustCompile(`^[\[(]?((?:\p{Lu}[\p{L}.'-]*,?\s+){1,3})[\[(]?(\d{1,2}):(\d{2})(?::\d{2})?\s*(?i:[ap]\.?m\.?)?[\])]?[.:]?$`)

// isStamp reports whether a sentence is only the head of a message: "Fern 10:03
// AM". Of somebody unknown it is one if nobody arranges to meet at such a minute:
// "Dentist 10:30" is a note.
func (v *voice) isStamp(sentence string) bool {
	m := stampLine.FindStringSubmatch(strings.TrimSpace(sentence))
	if m == nil {
		return false
	}
	name := strings.ToLower(strings.Trim(m[1], " ,"))
	if v.scene.people[name] != "" {
		return true
	}
	return m[3][1] != '0' && m[3][1] != '5'
}

// aboutWhom puts the one whom the session is about for the "he", "she" or "they",
// "his", "her" or "their" with which a sentence begins, or for the subject that it
// leaves out. It returns the sentence and whether it did.
func (v *voice) aboutWhom(toks []token) ([]token, bool) {
	who := v.scene.about
	if who == "" || len(toks) < 2 {
		return toks, false
	}
	i := 0
	for i < len(toks)-2 && (adverbs[toks[i].lower] || toks[i].lower == "and" || toks[i].lower == "but") {
		i++
	}
	name := nameTokens(who)
	if len(name) == 0 {
		return toks, false
	}
	base, tail := splitContraction(toks[i].lower)
	switch base {
	case "he", "she":
		return slices.Concat(toks[:i], name, expanded(tail, toks[i+1:]), toks[i+1:]), true
	case "they":
		rest := slices.Clone(toks[i+1:])
		if tail == "" {
			n := 0
			for n < len(rest)-1 && adverbs[rest[n].lower] {
				n++
			}
			if verb, ok := agree(rest[n].lower, false); ok {
				rest[n].text, rest[n].lower = verb, verb
			}
		}
		return slices.Concat(toks[:i], name, expanded(tail, rest), rest), true
	case "his", "her", "their":
		if tail != "" || !isWord(toks[i+1].lower) || prepositions[toks[i+1].lower] {
			return toks, false
		}
		last := &name[len(name)-1]
		last.text, last.lower = possessive(last.text), possessive(last.lower)
		return slices.Concat(toks[:i], name, toks[i+1:]), true
	}
	if w, next := toks[i].lower, toks[1].lower; i == 0 && isWord(next) && !verbLike(next) && !presentVerbs[next] && (droppedAux[w] || regularPast(w) || irregularPast[w] && !ambiguousPast[w] ||
		strings.HasSuffix(w, "s") && presentVerbs[strings.TrimSuffix(w, "s")] || startVerbs[w]) {
		toks = slices.Clone(toks)
		toks[0].text, toks[0].space = toks[0].lower, true
		return append(name, toks...), true
	}
	return toks, false
}

// regularPast reports whether a word looks like a regular past tense.
func regularPast(w string) bool { return strings.HasSuffix(w, "ed") && len(w) > 4 && !baseInEd[w] }

// nameTokens are the words of a name, the first without a blank before it.
func nameTokens(who string) []token {
	out := tokenize(who)
	if len(out) > 0 {
		out[0].space = false
	}
	return out
}

// expanded writes out the verb that a contraction behind a name stands for.
func expanded(tail string, rest []token) []token {
	next := ""
	if len(rest) > 0 {
		next = rest[0].lower
	}
	for n := 0; n < len(rest)-1 && adverbs[next]; n++ {
		next = rest[n+1].lower
	}
	done := participles[next] || perfects[next]
	verb := ""
	switch tail {
	case "'s":
		verb = pick(done, "has", "is")
	case "'re":
		verb = "is"
	case "'ve":
		verb = "has"
	case "'ll":
		verb = "will"
	case "'d":
		verb = pick(done || strings.HasSuffix(next, "ed") && !baseInEd[next], "had", "would")
	default:
		return nil
	}
	return []token{{text: verb, lower: verb, space: true}}
}

// chineseAbout does for a Chinese statement what aboutWhom does.
func (v *voice) chineseAbout(s string) (string, bool) {
	who := v.scene.about
	if who == "" {
		return s, false
	}
	lead := 0
	for _, w := range chineseFirst {
		if strings.HasPrefix(s[lead:], w) && len(s[lead:]) > len(w) {
			lead += len(w)
			break
		}
	}
	if m := chineseTime.FindStringIndex(s[lead:]); m != nil && m[0] == 0 {
		lead += m[1]
	}
	rest, ok := s[lead:], false
	for _, p := range []string{"他", "她"} {
		if after, found := strings.CutPrefix(rest, p); found && !strings.HasPrefix(after, "们") && after != "" {
			rest, ok = after, true
		}
	}
	if !ok {
		return s, false
	}
	if kin, n := kinAfter(rest); kin != "" {
		rest = "的" + kin + rest[n:]
	}
	return s[:lead] + spaced(s[:lead], who) + pick(endsLatin(who), " ", "") + rest, true
}

// inFirstPerson reports whether words of the first person stand in an English
// text outside quotation marks: such a text isn't a fact of the third person.
func (v *voice) inFirstPerson(text string) bool {
	quoted := false
	for _, t := range tokenize(text) {
		if t.lower == "\"" || t.lower == "“" || t.lower == "”" {
			quoted = t.lower == "“" || t.lower == "\"" && !quoted
			continue
		}
		if quoted {
			continue
		}
		base, tail := splitContraction(t.lower)
		if firstPersons[base] && t.text != "US" && !(v.scene.nameWords[base] && isCapital(t) && base != "i") && (base != "i" || t.text != "i" || tail != "" || t.space) {
			return true
		}
	}
	return false
}

var firstPersons = words("i im ive me my mine myself we us our ours ourselves")
