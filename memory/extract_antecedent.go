package memory

import "strings"

// mention is a person whom a sentence names.
type mention struct {
	name   string
	gender byte // 'm', 'f', or 0 where the words don't tell
	known  bool // surely a person, not a place or a firm
}

// antecedent puts a name for the "he" or "she" with which a sentence begins, if
// exactly one person can be meant: whoever was named in the sentences before it
// and in the last two turns, the speaker and the one spoken to left out. Any other
// name there makes it unsure, and an unsure pronoun stays as it is. It returns the
// new sentence and whom it names, "" if nobody.
func (v *voice) antecedent(toks []token) ([]token, string) {
	base, tail := splitContraction(toks[0].lower)
	var gender byte
	switch base {
	case "he":
		gender = 'm'
	case "she":
		gender = 'f'
	default:
		return toks, ""
	}
	who := mention{}
	consider := func(list []mention) bool {
		for _, m := range list {
			if m.name == v.speaker || m.name == v.you || m.gender != 0 && m.gender != gender {
				continue
			}
			if who.name != "" && who.name != m.name {
				return false
			}
			who.name, who.known = m.name, who.known || m.known
		}
		return true
	}
	if !consider(v.before) {
		return toks, ""
	}
	for i, n := v.index-1, 0; i >= 0 && n < 2; i-- {
		if v.scene.session.Turns[i].Kind != Message {
			continue
		}
		n++
		if !consider(v.scene.mentions(i)) {
			return toks, ""
		}
	}
	if !who.known {
		return toks, ""
	}
	out := make([]token, 0, len(toks)+4)
	for i, w := range strings.Fields(who.name) {
		out = append(out, token{text: w, lower: strings.ToLower(w), space: i > 0})
	}
	switch tail {
	case "'s":
		verb := "is"
		k := 1
		for k < len(toks)-1 && adverbs[toks[k].lower] {
			k++
		}
		if k < len(toks) && (participles[toks[k].lower] || perfects[toks[k].lower]) {
			verb = "has"
		}
		out = append(out, token{text: verb, lower: verb, space: true})
	case "'ll":
		out = append(out, token{text: "will", lower: "will", space: true})
	case "'d":
		verb := "would"
		if len(toks) > 1 && (participles[toks[1].lower] || strings.HasSuffix(toks[1].lower, "ed") && !baseInEd[toks[1].lower]) {
			verb = "had"
		}
		out = append(out, token{text: verb, lower: verb, space: true})
	}
	return append(out, toks[1:]...), who.name
}

// mentions returns whom turn i names, in the order of its words; it is worked out
// once a turn, and only where a pronoun asks.
func (c *scene) mentions(i int) []mention {
	if list, ok := c.mentioned[i]; ok {
		return list
	}
	if c.mentioned == nil {
		c.mentioned = map[int][]mention{}
	}
	v := c.voice(i)
	var list []mention
	for n, s := range sentences(ownWords(c.session.Turns[i].Text)) {
		if n == 8 {
			break
		}
		list = append(list, v.mentionsIn(tokenize(s))...)
	}
	c.mentioned[i] = list
	return list
}

// mentionsIn returns whom a sentence names.
func (v *voice) mentionsIn(toks []token) []mention {
	var out []mention
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		base := strings.TrimSuffix(t.lower, "'s")
		if i+1 < len(toks) && toks[i+1].space {
			if name := v.scene.people[base+" "+strings.TrimSuffix(toks[i+1].lower, "'s")]; name != "" {
				out = append(out, mention{name: name, known: true})
				i++
				continue
			}
		}
		if name := v.scene.named(token{text: strings.TrimSuffix(t.text, "'s"), lower: base}); name != "" {
			out = append(out, mention{name: name, known: true})
			continue
		}
		if g := kinGender(base); g != 0 && i > 0 {
			owner := ""
			switch w := toks[i-1].lower; {
			case w == "my", callings[base] && !subjectWords[w] && !strings.HasSuffix(w, "'s"): // "told mum"
				owner = v.speaker
			case w == "your":
				owner = v.you
			}
			if owner != "" {
				out = append(out, mention{name: possessive(owner) + " " + base, gender: g, known: true})
				continue
			}
		}
		if base == "i" || !isCapital(t) || len(base) < 2 || lowerCased[base] || pronouns[base] || interjections[base] || clauseBreak[base] {
			continue
		}
		if _, day := weekdayNames[base]; day || monthsByName[base] != 0 {
			continue
		}
		speaks := i+1 < len(toks) && mindVerbs[toks[i+1].lower] && (i == 0 || !prepositions[toks[i-1].lower])
		if i == 0 && !speaks && !(len(toks) > 1 && (beForms[toks[1].lower] || irregularPast[toks[1].lower])) {
			continue // any word begins a sentence with a capital
		}
		out = append(out, mention{name: strings.TrimSuffix(t.text, "'s"), known: speaks})
	}
	return out
}

// kinGender is 'm' or 'f' for a word of kinship that tells, else 0.
func kinGender(w string) byte {
	switch {
	case maleKin[w]:
		return 'm'
	case femaleKin[w]:
		return 'f'
	}
	return 0
}

var (
	maleKin   = words("dad father daddy brother son husband boyfriend fiance fiancé grandpa grandfather uncle nephew landlord")
	femaleKin = words("mum mom mother mam mummy sister daughter wife girlfriend fiancee fiancée grandma gran granny grandmother aunt niece landlady")
	// perfects are participles before which "she's" is "she has".
	perfects = words("moved arrived returned finished started stopped decided resigned retired died quit agreed refused promised booked invited signed ordered")
	// feelings are past tenses of having an opinion: no event.
	feelings = words("loved liked hated thought felt knew hoped believed wanted meant guessed")
	// mindVerbs are what only people do.
	mindVerbs = words(`says said tells told thinks thought knows knew wants wanted loves loved hates hated likes liked asks asked feels felt cries cried
		hopes hoped believes believed calls called rang texts texted writes wrote promised apologised apologized laughed smiled complained admitted`)
)
