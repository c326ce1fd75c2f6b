package engine

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// leastAgreed is the score that a statement's own words must give a category before
// talk may confirm it: more than one ambiguous word does.
const leastAgreed = 0.2

// surroundings are what the owner said around a statement: in the turns that it rests
// on, that share a telling word with it or are beside one of these; and in all of the
// session. The words of others are left out: nobody else can talk a fact into a
// category.
type surroundings struct{ near, whole string }

// around returns the surroundings of draft d. The statement's own words are those of
// its turns, so the two speak of one thing unless the session is about several.
func (t *talk) around(c *classifier, d int) surroundings {
	r := &t.s.Drafts[d]
	own := uniqueTerms(r.Text)
	keep := make([]bool, len(t.s.Utterances))
	for i := range t.s.Utterances {
		u := &t.s.Utterances[i]
		if slices.Contains(r.Evidence, u.ID) || slices.ContainsFunc(uniqueTerms(u.Text), func(w string) bool {
			_, shared := slices.BinarySearch(own, w)
			return shared && c.tells(w)
		}) {
			for j := max(i-1, 0); j <= min(i+1, len(keep)-1); j++ {
				keep[j] = true
			}
		}
	}
	var near, whole strings.Builder
	for i := range t.s.Utterances {
		if u := &t.s.Utterances[i]; u.Owner {
			whole.WriteString(u.Text + " . ")
			if keep[i] {
				near.WriteString(u.Text + " . ")
			}
		}
	}
	return surroundings{near.String(), whole.String()}
}

// agreement is how much more surroundings speak of a category than of any other, 0..1:
// the mean over the turns near it and all of them, 0 where another one leads.
func (c *classifier) agreement(id privacy.CategoryID, s surroundings) float64 {
	lead := 0.0
	for _, text := range []string{s.near, s.whole} {
		mine, other := 0.0, 0.0
		for _, x := range c.scores(text) {
			if e := x.score / (1 - x.score); x.id == id {
				mine = e
			} else {
				other = max(other, e)
			}
		}
		lead += (mine - other) / 2
	}
	if lead <= 0 {
		return 0
	}
	return lead / (1 + lead)
}

// noTalk is for statements that nothing surrounds.
func noTalk() surroundings { return surroundings{} }
