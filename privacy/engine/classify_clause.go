package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// clauseEnd is where one thought of a statement ends and another may begin: at a
// mark, or at a word that joins a thought with a subject of its own.
var clauseEnd = regexp.MustCompile(`[,;:.!?()，。；：！？、（）—–]+(?:\s|$|\p{Han})|[，。；：！？、（）—–]+|\s(?:and|but|because|while|since|as|so|when|after|before|although|whereas|where|who|which)\s+(?:then\s+)?(?:i|i'm|i've|i'll|we|we're|we've|he|she|they|it|my|our|his|her|their|you|have|am|will)\b|\s(?:because|although|whereas|despite|who|which)\s|而且|但是|不过|因为|所以|顺便|然后|并且`)

// passing are clauses that say nothing of their own: greetings, fillers and
// asides about the telling.
var passing = stems("hello hi hey thanks thank ok okay yes no please well fun great lovely nice fine glad happy sorry funny luckily unfortunately hopefully surprise guess hope wonderful amazing awesome brilliant cool bored exciting excited enjoy enjoyed tired beautiful delicious perfect weather wait looking forward")

// leastClause is how many telling terms that nothing covers make a clause one that
// says something else; Chinese words give several.
const (
	leastClause    = 1
	leastClauseCJK = 3
)

// clausesCovered reports whether every clause of text that says something has a word
// of one of the chosen categories, or of one that is no stricter than all of them
// together. What only one clause of a statement is about is no label for the rest.
func (c *classifier) clausesCovered(text string, chosen []scored) bool {
	level, domain := c.labelOf(chosen)
	covers := make([]bool, len(c.ids))
	for i, id := range c.ids {
		looser := c.levels[i] >= level && (c.domains[i] == "" || c.domains[i] == domain)
		covers[i] = looser || slices.ContainsFunc(chosen, func(s scored) bool { return s.id == id })
	}
	rest := strings.TrimSpace(text)
	for rest != "" {
		part := rest
		if at := clauseEnd.FindStringIndex(rest); at != nil {
			part, rest = rest[:at[0]], trimMark(rest[at[0]:])
		} else {
			rest = ""
		}
		if c.saysElse(part, covers) {
			return false
		}
	}
	return true
}

// trimMark cuts what ends a clause, so that what follows begins with its subject.
func trimMark(s string) string {
	s = strings.TrimLeft(s, " ,;:.!?()，。；：！？、（）—–\t\n")
	for _, word := range []string{"而且", "但是", "不过", "因为", "所以", "顺便", "然后", "并且"} {
		s = strings.TrimPrefix(s, word)
	}
	if first, after, ok := strings.Cut(s, " "); ok && joiners[foldText(first)] {
		return after
	}
	return s
}

var joiners = set("and but because while since as so when after before although whereas where who which despite")

// saysElse reports whether a clause has content and none of it is of a category
// that covers it.
func (c *classifier) saysElse(part string, covers []bool) bool {
	if folded := foldText(part); retracting.MatchString(folded) {
		// That something is taken back is no matter of its own; what is left is.
		part = retracting.ReplaceAllString(folded, " ")
	}
	covered := false
	take := func(clues []clue) {
		for _, k := range clues {
			covered = covered || covers[k.category]
		}
	}
	folded := foldText(part)
	c.running(" "+plainWords(folded)+" ", take)
	if lives(part) {
		take(c.homeClues)
	}
	telling := 0
	cjk := hasCJK(folded)
	for _, t := range uniqueTerms(part) {
		take(c.terms[t])
		if c.tells(t) && !passing[t] && !askWords[t] && !isMonth(t) && !lexical.IsStopWord(t) {
			telling++
		}
	}
	least := leastClause
	if cjk {
		least = leastClauseCJK
	}
	return !covered && telling >= least
}

// labelOf returns the level and domain of the categories together, as the calculus
// meets them; L0 where their domains differ.
func (c *classifier) labelOf(chosen []scored) (privacy.Level, privacy.Domain) {
	label := privacy.Label{Level: privacy.L4}
	for _, s := range chosen {
		i := slices.Index(c.ids, s.id)
		label = privacy.Meet(label, privacy.Label{Level: c.levels[i], Domain: c.domains[i]})
	}
	return label.Level, label.Domain
}
