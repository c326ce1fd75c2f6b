package engine

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// talk knows where in a session its drafts stand. What it reads of a turn it
// reads once, however many drafts rest on it. Not safe for concurrent use.
type talk struct {
	s      Session
	at     map[string]int // utterance id → position
	drafts [][]int        // position → drafts that rest on it
	turns  []turn         // position → what was read of it
}

// turn is what is read of one utterance; each part when it is first asked for.
type turn struct {
	own     string // the words that are no quotation
	folded  string // own, folded
	quoted  bool   // it holds somebody else's words too
	secrecy bool   // it speaks of who may know
	clauses []clause

	ownTerms, allTerms map[string]bool
	named              []privacy.PersonID
	stories            *storyIndex
	entrusted          entrusted

	didText, didClauses, didNamed bool
}

func newTalk(s Session) *talk {
	t := &talk{s: s, at: make(map[string]int, len(s.Utterances)), drafts: make([][]int, len(s.Utterances)), turns: make([]turn, len(s.Utterances))}
	for i := range s.Utterances {
		t.at[s.Utterances[i].ID] = i
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

// turn returns what is read of utterance i, its words at least.
func (t *talk) turn(i int) *turn {
	u := &t.turns[i]
	if !u.didText {
		u.didText = true
		text := t.s.Utterances[i].Text
		u.own = ownWords(text)
		u.quoted = u.own != text && strings.TrimSpace(u.own) != strings.TrimSpace(text)
		u.folded = foldText(u.own)
		said := u.folded
		if u.quoted {
			said = foldText(text)
		}
		u.secrecy = containsAny(said, secrecyCues) && secrecyWords.MatchString(said)
	}
	return u
}

func (t *talk) clauses(i int) []clause {
	u := t.turn(i)
	if !u.didClauses {
		u.didClauses, u.clauses = true, clausesOf(u.folded)
	}
	return u.clauses
}

// terms returns the terms of utterance i: of the words that are no quotation,
// and of all.
func (t *talk) terms(i int) (own, all map[string]bool) {
	u := t.turn(i)
	if u.allTerms == nil {
		u.ownTerms = termSet(u.own)
		u.allTerms = u.ownTerms
		if u.quoted {
			u.allTerms = termSet(t.s.Utterances[i].Text)
		}
	}
	return u.ownTerms, u.allTerms
}

func termSet(text string) map[string]bool {
	out := map[string]bool{}
	for _, term := range lexical.Terms(text) {
		out[term] = true
	}
	return out
}

// named returns whom utterance i names last.
func (t *talk) named(a *audience, i int) []privacy.PersonID {
	u := t.turn(i)
	if !u.didNamed {
		u.didNamed, u.named = true, a.lastNamed(t.s.Utterances[i].Text)
	}
	return u.named
}

// part is a part of a clause, compared by its terms.
type part struct {
	text  string
	terms map[string]bool // of text, when first asked for
}

// shares returns how many of terms stand in p.
func (p *part) shares(terms []string) int {
	if p.terms == nil {
		p.terms = termSet(p.text)
	}
	n := 0
	for _, t := range terms {
		if p.terms[t] {
			n++
		}
	}
	return n
}

// nearby is what was said around a sentence, as far as it helps to read it.
type nearby struct {
	people  []privacy.PersonID // spoken of last before, the latest only
	secrecy bool               // who may know was a topic just before
}

// reach is how many utterances back a pronoun or a bare "not him" may point.
const reach = 3

var (
	secrecyWords = regexp.MustCompile(`\b(?:know|knows|tell|told|telling|secret|between us|find out|finds out|hear|a word|mention|keep (?:it|this))\b|知道|告诉|瞒|保密|别说|别跟|外传`)
	secrecyCues  = []string{"know", "tell", "told", "secret", "between us", "find", "hear", "word", "mention", "keep", "知道", "告诉", "瞒", "保密", "别说", "别跟", "外传"}
)

func (t *talk) context(a *audience, i int) nearby {
	n := nearby{secrecy: t.turn(i).secrecy}
	for j := i - 1; j >= 0 && j >= i-reach; j-- {
		n.secrecy = n.secrecy || t.turn(j).secrecy
		if len(n.people) == 0 {
			n.people = t.named(a, j)
		}
	}
	return n
}

// matter is what the sayings of one utterance are about. A sentence about who may
// know concerns what was said before it.
type matter struct {
	own      []int // the owner's drafts on the utterance itself
	answered []int // others' drafts that it answers, or that stand on it
	previous []int // the owner's nearest drafts before it
	next     []int // the owner's nearest drafts after it

	homes map[int][]int    // own draft → the clauses that it may come from
	terms map[int][]string // own draft → its terms
}

func (t *talk) matter(i int) *matter {
	m := &matter{own: t.owners(i), homes: map[int][]int{}, terms: map[int][]string{}}
	for j := i - 1; j >= 0 && len(m.previous) == 0; j-- {
		m.previous = t.owners(j)
	}
	for j := i + 1; j < len(t.drafts) && len(m.next) == 0; j++ {
		m.next = t.owners(j)
	}
	// What the utterance answers: the one before, or the one that it replies to.
	if i > 0 {
		m.answered = t.others(i - 1)
	}
	if j, ok := t.at[t.s.Utterances[i].ReplyTo]; ok {
		m.answered = append(m.answered, t.drafts[j]...)
	}
	m.answered = union(append(m.answered, t.others(i)...), nil)
	if len(m.own) > 0 {
		t.house(i, m)
	}
	return m
}

// house finds the clauses from which the drafts of utterance i come: those with
// which they share most terms.
func (t *talk) house(i int, m *matter) {
	at := map[string][]int{} // term → clauses
	for k, c := range t.clauses(i) {
		for term := range termSet(c.text) {
			at[term] = append(at[term], k)
		}
	}
	shares := make([]int, len(t.clauses(i)))
	for _, d := range m.own {
		clear(shares)
		most := 0
		m.terms[d] = uniqueTerms(t.s.Drafts[d].Text)
		for _, term := range m.terms[d] {
			for _, k := range at[term] {
				shares[k]++
				most = max(most, shares[k])
			}
		}
		for k := range shares {
			if most > 0 && shares[k] == most {
				m.homes[d] = append(m.homes[d], k)
			}
		}
	}
}

// before reports whether draft d says what was said before x, or within its own
// sentence what it is about ("you can tell Anna that …"); and whether it may do so
// at all. What follows x, also in its own sentence ("you can tell the team, they
// worked for it"), is another matter. A draft that comes from no clause in
// particular stands for the whole utterance.
func (m *matter) before(d int, x *saying) (surely, maybe bool) {
	homes := m.homes[d]
	if len(homes) == 0 {
		return true, true
	}
	surely = true
	for _, k := range homes {
		is := k < x.clause
		if k == x.clause {
			is = x.within.shares(m.terms[d]) > x.aside.shares(m.terms[d])
		}
		surely, maybe = surely && is, maybe || is
	}
	return surely, maybe
}

// permits returns the drafts that a grant of x is about.
func (m *matter) permits(x *saying) []int {
	var out []int
	for _, d := range m.own {
		if surely, _ := m.before(d, x); surely {
			out = append(out, d)
		}
	}
	if len(out) == 0 && !x.forward {
		return m.previous
	}
	return out
}

// anyBefore reports whether a draft of the utterance itself is what x is about.
func (m *matter) anyBefore(x *saying) bool {
	return slices.ContainsFunc(m.own, func(d int) bool {
		_, maybe := m.before(d, x)
		return maybe
	})
}

// owners returns the drafts on utterance i that rest on the owner's words.
func (t *talk) owners(i int) []int {
	if !t.s.Utterances[i].Owner {
		return nil
	}
	var out []int
	for _, d := range t.drafts[i] {
		if t.s.Drafts[d].OwnerSaid {
			out = append(out, d)
		}
	}
	return out
}

func (t *talk) others(i int) []int {
	var out []int
	for _, d := range t.drafts[i] {
		if !t.s.Drafts[d].OwnerSaid || !t.s.Utterances[i].Owner {
			out = append(out, d)
		}
	}
	return out
}
