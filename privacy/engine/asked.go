package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// asked is a question as it is held against facts.
type asked struct {
	topic    map[string]bool // telling terms that name nobody
	names    map[string]bool // terms of people's names
	dates    []string
	last     map[string]bool // where it has none of these, everyday verbs
	matter   bool            // it asks for how a whole matter stands
	language string
	themes   map[string]bool // all that its words belong to
	subjects map[string]bool // those that it names as such ("how is your health?")
	phrased  map[string]bool // those of its phrases, whose words may say little ("a day off")
	concepts map[string]bool // those that its question words ask for ("where do you live")
}

func newAsked(question, folded string, candidates []Ranked) *asked {
	d := detailsOf(question)
	q := &asked{topic: map[string]bool{}, names: map[string]bool{}, dates: d.dates, language: lexical.Language(question), themes: themesOf(question), subjects: subjectsOf(question), phrased: phrasedThemes(folded), concepts: conceptsOf(folded), matter: asksMatter(folded)}
	telling := tellingTerms(topicTerms(question, folded), candidates)
	if len(q.concepts) > 0 {
		maps.DeleteFunc(telling, func(t string, _ bool) bool { return planWords[t] })
	}
	people := peopleIn(question, candidates)
	for t := range telling {
		if people[t] {
			q.names[t] = true
		} else {
			q.topic[t] = true
		}
	}
	if !q.hasTopic() && len(q.names)+len(q.dates) == 0 {
		q.last = map[string]bool{}
		for _, t := range d.terms {
			q.last[t] = lastWords[t]
		}
	}
	return q
}

// topicTerms returns the terms of a question without the words in which it asks
// for news.
func topicTerms(question, folded string) []string {
	if hasCJK(folded) && general.MatchString(folded) {
		for _, word := range newsCJK {
			folded = strings.ReplaceAll(folded, word, " ")
		}
		question = folded
	}
	ts := uniqueTerms(question)
	if general.MatchString(folded) {
		ts = slices.DeleteFunc(ts, func(t string) bool { return newsWords[t] })
	}
	return ts
}

// strength returns how much of the question a fact shares, 0 if it isn't asked
// for.
func (q *asked) strength(r *privacy.Record, connect bool) float64 {
	n, names, last := 0.0, 0.0, 0.0
	for _, t := range uniqueTerms(r.Text) {
		if q.topic[t] {
			n++
		}
		if q.names[t] {
			names++
		}
		if q.last[t] {
			last++
		}
	}
	if len(q.dates) > 0 && shared(q.dates, append(detailsOf(r.Text).dates, stampDays(*r)...), sameDay) {
		n++
	}
	if len(q.phrased) > 0 && (len(q.names) == 0 || names > 0) && meets(themesOf(r.Text), q.phrased) {
		n++
	}
	switch {
	case n > 0:
		return n + nameShare*names
	case names > 0 && (!q.hasTopic() || connect || q.matter):
		return names
	case last > 0:
		return last
	case len(q.concepts) > 0 && (len(q.names) == 0 || names > 0) && aboutConcept(r.Text, q.concepts):
		return conceptStrength
	case !sameScript(q.language, *r) && meets(themesOf(r.Text), q.themes):
		return relativeCut / 2 // a theme counts only where nothing else is shared
	}
	return 0
}

// nameShare is what a person's name adds to a fact that is asked for already.
const nameShare = 0.5

// peopleIn returns the terms of question that name people: those of whom the
// candidates say that they speak, hear or are spoken of, and capitalised words that
// no "in" or "at" makes a place.
func peopleIn(question string, candidates []Ranked) map[string]bool {
	out := map[string]bool{}
	for i := range candidates {
		r := &candidates[i].Record
		for _, name := range append([]string{r.Speaker, r.Subject}, r.Listeners...) {
			for _, t := range lexical.Terms(name) {
				out[t] = true
			}
		}
	}
	words := splitWords(question)
	for _, name := range properNames(question) {
		for i, w := range words {
			if strings.TrimSuffix(foldText(w.text), "'s") == name && (i == 0 || !placeWords[foldText(words[i-1].text)]) {
				for _, t := range lexical.Terms(name) {
					out[t] = true
				}
			}
		}
	}
	return out
}

var placeWords = set("in at near from to into im in bei nach aus")

// tellingTerms are the terms of a question that can tell candidates apart: not
// the owner's name, not what most candidates share, not words of asking, not
// everyday words. Where all that is left is what most share, that is what is asked for.
func tellingTerms(terms []string, candidates []Ranked) map[string]bool {
	df := map[string]int{}
	owner := map[string]bool{}
	for i := range candidates {
		r := &candidates[i].Record
		for _, t := range uniqueTerms(r.Text) {
			df[t]++
		}
		if r.OwnerSaid {
			for _, t := range lexical.Terms(r.Speaker) {
				owner[t] = true
			}
		}
	}
	out, common := map[string]bool{}, map[string]bool{}
	for _, t := range terms {
		switch {
		case askWords[t] || lightWords[t] || lightCJK[t] || owner[t] || isMonth(t):
		case df[t] >= commonLeast && float64(df[t]) > commonShare*float64(len(candidates)):
			common[t] = true
		default:
			out[t] = true
		}
	}
	if len(out) == 0 {
		return common
	}
	return out
}

// hasTopic reports whether the question is about anything but people.
func (q *asked) hasTopic() bool { return len(q.topic)+len(q.phrased)+len(q.concepts) > 0 }

// meets reports whether two sets have an element in common.
func meets(a, b map[string]bool) bool {
	for id := range a {
		if b[id] {
			return true
		}
	}
	return false
}

// aboutTheme reports whether text speaks of what the question names as a part of
// life, and names nobody else: "how is your health?".
func (q *asked) aboutTheme(text string) bool {
	if len(q.subjects) == 0 || len(q.names) > 0 {
		return false
	}
	return meets(themesOf(text), q.subjects)
}

// themesOf returns the themes to which words of text belong.
func themesOf(text string) map[string]bool { return themesMemo.of(text) }

func readThemes(text string) map[string]bool {
	out := map[string]bool{}
	folded := foldText(text)
	terms := uniqueTerms(text)
	cjk := hasCJK(folded)
	for i, all := 0, stemmedThemes(); i < len(all); i++ {
		t := &all[i]
		if slices.ContainsFunc(terms, func(s string) bool { return !ambiguousWords[s] && !lightWords[s] && t.stems[s] || t.german[s] }) || cjk && t.saysCJK(folded) {
			out[t.id] = true
		}
	}
	for id := range phrasedThemes(folded) {
		out[id] = true
	}
	return out
}

// phrasedThemes returns the themes of which a phrase stands in folded text.
func phrasedThemes(folded string) map[string]bool {
	out := map[string]bool{}
	words := " " + plainWords(folded) + " "
	for i, all := 0, stemmedThemes(); i < len(all); i++ {
		if containsAny(words, all[i].phrases) {
			out[all[i].id] = true
		}
	}
	return out
}

// subjectsOf returns the themes that text names by the words by which a description
// would.
func subjectsOf(text string) map[string]bool {
	out := map[string]bool{}
	folded := foldText(text)
	terms := uniqueTerms(text)
	for i, all := 0, stemmedThemes(); i < len(all); i++ {
		t := &all[i]
		if slices.ContainsFunc(t.core, func(s string) bool { return !ambiguousWords[s] && slices.Contains(terms, s) }) ||
			slices.ContainsFunc(t.coreCJK, func(s string) bool { return !isShortCJK(s) && strings.Contains(folded, s) }) {
			out[t.id] = true
		}
	}
	return out
}
