package engine

import (
	"regexp"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// talk knows where in a session its drafts stand.
type talk struct {
	s      Session
	at     map[string]int // utterance id → position
	drafts [][]int        // position → drafts that rest on it
}

func newTalk(s Session) *talk {
	t := &talk{s: s, at: map[string]int{}, drafts: make([][]int, len(s.Utterances))}
	for i, u := range s.Utterances {
		t.at[u.ID] = i
	}
	for d := range s.Drafts {
		for _, id := range s.Drafts[d].Evidence {
			if i, ok := t.at[id]; ok {
				t.drafts[i] = append(t.drafts[i], d)
			}
		}
	}
	return t
}

// nearby is what was said around a sentence, as far as it helps to read it.
type nearby struct {
	previous string             // the utterance before, somebody else's included
	people   []privacy.PersonID // spoken of last before, the latest only
	secrecy  bool               // who may know was a topic just before
}

// reach is how many utterances back a pronoun or a bare "not him" may point.
const reach = 3

var secrecyWords = regexp.MustCompile(`\b(?:know|knows|tell|told|telling|secret|between us|find out|finds out|hear|a word|mention|keep (?:it|this))\b|知道|告诉|瞒|保密|别说|别跟|外传`)

func (t *talk) context(a *audience, i int) nearby {
	var n nearby
	for j := i - 1; j >= 0 && j >= i-reach; j-- {
		text := foldText(t.s.Utterances[j].Text)
		if j == i-1 {
			n.previous = text
		}
		if secrecyWords.MatchString(text) {
			n.secrecy = true
		}
		if len(n.people) == 0 {
			n.people = a.lastNamed(t.s.Utterances[j].Text)
		}
	}
	return n
}

// concerned returns the drafts that a saying of utterance i restricts and those
// that it permits.
func (t *talk) concerned(i int, x *saying) (restricts, permits []int) {
	own := t.owners(i)
	if len(own) == 0 {
		for j := i - 1; j >= 0 && len(own) == 0; j-- {
			own = t.owners(j)
		}
	}
	next := -1
	if len(own) == 0 || x.forward && len(t.owners(i)) == 0 {
		for j := i + 1; j < len(t.drafts); j++ {
			if len(t.owners(j)) > 0 {
				next = j
				break
			}
		}
	}
	permits = own
	restricts = slices.Clone(own)
	if next >= 0 {
		restricts = append(restricts, t.owners(next)...)
	}
	// What the sentence answers: the one before, or the one that it replies to.
	if i > 0 {
		restricts = append(restricts, t.others(i-1)...)
	}
	if j, ok := t.at[t.s.Utterances[i].ReplyTo]; ok {
		restricts = append(restricts, t.drafts[j]...)
	}
	restricts = append(restricts, t.others(i)...)
	return union(restricts, nil), union(permits, nil)
}

// owners returns the drafts on utterance i that rest on the owner's words.
func (t *talk) owners(i int) []int {
	if !t.s.Utterances[i].Owner {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(t.drafts[i]), func(d int) bool { return !t.s.Drafts[d].OwnerSaid })
}

func (t *talk) others(i int) []int {
	return slices.DeleteFunc(slices.Clone(t.drafts[i]), func(d int) bool { return t.s.Drafts[d].OwnerSaid && t.s.Utterances[i].Owner })
}
