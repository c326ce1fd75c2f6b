package memory

import (
	"strings"

	"github.com/epagent/epagent/memory/lexical"
)

// matter says how much a sentence tells.
type matter int

const (
	noMatter matter = iota // a reaction, a courtesy, a plan of this talk: no fact
	leaning                // something, that belongs to the sentence beside it
	whole                  // an event or a state
)

// matterOf judges whether a sentence tells an event or a state, and not only how
// somebody finds one or what this talk itself will do: it has a number, a date or
// a proper noun, or two words of content beside the names of those who talk. One
// is enough where the speaker or somebody named is, has, wants or has done that:
// "I'm pregnant", "Bo resigned". dated says that a time was resolved in it.
func (v *voice) matterOf(toks []token, dated bool) matter {
	content, proper, number := 0, false, dated
	last, quotes := -1, 0
	for i, t := range toks {
		w := t.lower
		if w == "\"" || w == "“" || w == "”" {
			quotes++
		}
		if !isWord(w) {
			continue
		}
		base := strings.TrimSuffix(w, "'s")
		switch {
		case w[0] >= '0' && w[0] <= '9':
			number = true
		case weekdayOK(base), monthsByName[base] != 0 && (isCapital(t) || len(base) > 3), base == "tomorrow", base == "yesterday", base == "tonight", base == "today":
			number = true
		case v.isName(base):
		case base == "i", pronouns[base], lexical.IsStopWord(base), light[base], evaluations[base], adverbs[base], interjections[base], tags[base], strings.Contains(w, "n't"):
		case strings.Contains(w, "'") && base == w: // I'm, you'll
		case i > 0 && isCapital(t) && !shouts(t.text) && isWord(toks[i-1].lower):
			proper = true
			content++
			last = i
		default:
			content++
			last = i
		}
	}
	if quotes > 1 { // quoted words are an event of their own
		content++
	}
	if name := v.subjectOf(toks); name != "" && !v.isName(strings.ToLower(name)) && last >= 0 {
		proper = true
	}
	first, _ := splitContraction(toks[0].lower)
	switch {
	case chatVerbs[first] && len(toks) > 1 && (toks[1].lower == "you" || toks[1].lower == "u" || toks[1].lower == "ya"): // "see you at eight", "call you later"
		if content == 0 {
			return noMatter
		}
		return whole
	case content >= 2, proper, number && (content > 0 || hasVerb(toks)), content == 1 && quotes == 0 && v.predicates(toks, last):
		return whole
	case content == 1:
		return leaning
	}
	return noMatter
}

// predicates reports whether the word at k is said to be so of the speaker or
// somebody named: behind "am", "have", "want" or a past tense, or a verb itself.
func (v *voice) predicates(toks []token, k int) bool {
	first, _ := splitContraction(toks[0].lower)
	named := v.scene.people[strings.TrimSuffix(first, "'s")] != "" || isCapital(toks[0]) && first != "i" && !lowerCased[first] && !subjectWords[first]
	about := named || first == "i" || first == "we" || first == "my" || first == "he" || first == "she" || first == "you" && len(toks) > 2 && toks[1].lower == "and"
	if !about || k == 0 {
		return false
	}
	w := toks[k].lower
	if first == "my" { // "my mum is ill", "my mum died"
		return k > 1
	}
	if k == 1 && named || irregularPast[w] || strings.HasSuffix(w, "ed") && len(w) > 4 {
		return true
	}
	for n := k - 1; n >= 0; n-- {
		x, t := splitContraction(toks[n].lower)
		if beForms[x] || having[x] || likes[x] || (irregularPast[x] || strings.HasSuffix(x, "ed") && len(x) > 4) && !feelings[x] || t == "'m" || t == "'re" || t == "'s" || t == "m" {
			return likes[x] || !gerund(w)
		}
	}
	return false
}

var (
	// having are verbs whose object is a state of their subject.
	having = words("have has had own owns want wants need needs became become becomes take takes")
	// likes are verbs of taste: said in the present, what somebody likes is a state too.
	likes = words("like likes love loves hate hates enjoy enjoys prefer prefers")
)

// isName reports whether a word belongs to the name of somebody who takes part.
func (v *voice) isName(w string) bool {
	if v.scene.people[w] != "" {
		return true
	}
	return v.scene.nameWords[w]
}

// shouts reports whether a word is all capitals: "WHAT", not a name.
func shouts(s string) bool { return len(s) > 1 && strings.ToUpper(s) == s }

var (
	// light are words that carry no matter alone: verbs of doing and talking, vague
	// nouns, the means of the chat itself.
	light = words(`come comes came coming make makes made making take takes took taking give gives gave giving put puts let lets
		see sees saw seen seeing look looks looked looking hear hears heard hearing say says said saying talk talked talking speak spoke
		think thinks thought thinking mean means meant believe guess guessed suppose wonder remember forget forgot imagine hope hopes hoped hoping wish
		feel feels felt sound sounds sounded seem seems seemed love loves loved like likes liked hate hates hated miss missed care cares mind
		need needs needed try tries tried trying keep keeps kept start starts stop stopped happen happens happened happening turn turns turned
		use used work works wait waits waited waiting stay stays stand sit sitting sits check checked bring brings send sends sending sent
		call calls called calling ring rings rang text texts texted message messages picture pictures photo photos pic pics link file pdf
		show shows showed read reading write writes wrote reply answer answered ask asked listen told tell
		thing things stuff bit kind sort way ways part side point case time times day days moment minute minutes second week today later soon
		people person guy guys man men woman someone everyone anyone one ones two half whole lot lots bunch couple something anything
		idea question reason news story word words place home back here there around away together again yet still already
		cry crying cried laugh laughing laughed smile die dead dying promise swear bet trust believe deal dealt matter
		always never maybe perhaps though anyway ever else please exactly true probably
		new old big small little long short first next last early late fast slow
		going gone doing done being been able`)
	// chatVerbs begin plans of the chat itself where "you" follows.
	chatVerbs = words("see call ring text phone message catch talk speak write meet email")
)
