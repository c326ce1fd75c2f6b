package privacy

import (
	"cmp"
	"slices"
)

// PairChange is one person for whom the answer about one fact changes.
type PairChange struct {
	Fact   FactID   `json:"fact"`
	Person PersonID `json:"person,omitempty"` // "" for anybody whom the policy doesn't know
	Name   string   `json:"name,omitempty"`
	Before Verdict  `json:"before"`
	After  Verdict  `json:"after"`
	// Label is the stricter of the fact's labels before and after, their meet where
	// neither is: how sensitive the change is. A fact on one side only has its own.
	Label Label `json:"label"`
}

// PersonCount is how much changes for one person.
type PersonCount struct {
	Person PersonID `json:"person,omitempty"` // "" for anybody whom the policy doesn't know
	Name   string   `json:"name,omitempty"`
	Shown  int      `json:"shown"`
	Hidden int      `json:"hidden"`
}

// Difference is what changes for whom from one judge to another.
type Difference struct {
	Shown  []PairChange `json:"shown"`  // newly visible, most sensitive first
	Hidden []PairChange `json:"hidden"` // newly hidden, most sensitive first
	// Loosened are the pairs that may be told as before, but that a combination would
	// have held back once its other parts are told, and doesn't any more.
	Loosened []Apart       `json:"loosened,omitempty"`
	Counts   []PersonCount `json:"counts"` // of those for whom something changes, most shown first
	// NewCategories are those that only the second policy has. They change no stored
	// fact; which facts they might suit is for the annotator to propose.
	NewCategories []CategoryID `json:"new_categories,omitempty"`

	Facts     int `json:"facts"`     // compared, those of either side
	People    int `json:"people"`    // compared, those of either side and "anybody else"
	Decisions int `json:"decisions"` // verdicts that were compared: twice the pairs
}

// Widens reports whether somebody learns something new, at once or once something
// else is told.
func (d Difference) Widens() bool { return len(d.Shown) > 0 || len(d.Loosened) > 0 }

// Plan returns the difference between two policies, or two stores, or both: every
// pair of a fact and a person for whom the answer turns, and nobody else. It is
// the difference of two full evaluations (TestPlanIsTheDifference), found by
// comparing sets.
//
// A person is the same one in both policies by id, else by name; somebody who is
// in one policy only is a stranger to the other, and a fact that is in one store
// only is unjudged in the other. "Anybody else" stands for all strangers. The
// owner and capped connections are not compared: the one knows everything, the
// others know part of what the same person knows without a cap.
//
// Combinations count with what each judge knows to have been told (see
// [Judge.WithTold]): the answer compared is that to a person who asks for that one
// fact now. What a combination would have held back later, and no longer will, is
// Loosened.
func Plan(before, after *Judge) Difference {
	people := planPeople(before.policy, after.policy)
	d := Difference{People: len(people)}
	for _, c := range after.policy.categories {
		if _, had := before.policy.categoryAt[c.ID]; !had {
			d.NewCategories = append(d.NewCategories, c.ID)
		}
	}
	was, now := before.audiences(), after.audiences()
	p := planner{before: before, after: after, was: was, now: now, people: people, d: &d, same: before.words == after.words}
	for n, x := range people {
		p.same = p.same && int(x.before) == n && x.after == x.before
	}
	for i := range before.facts {
		id := before.facts[i].ID
		if before.index[id] != int32(i) {
			continue // a twin: denied like the first of them
		}
		at := int32(noFact)
		set := bitset(nil)
		if k, ok := after.index[id]; ok {
			at, set = k, now.of(int(k))
		}
		p.fact(id, int32(i), at, was.of(i), set)
	}
	for k := range after.facts {
		id := after.facts[k].ID
		if _, had := before.index[id]; had || after.index[id] != int32(k) {
			continue
		}
		p.fact(id, noFact, int32(k), nil, now.of(k))
	}
	d.Decisions = 2 * d.Facts * d.People
	sortChanges(d.Shown)
	sortChanges(d.Hidden)
	d.Counts = countByPerson(people, d.Shown, d.Hidden)
	return d
}

// noFact is the position of a fact that isn't there.
const noFact = -1

// planPerson is a person by the numbers that they have before and after.
type planPerson struct {
	id            PersonID
	name          string
	before, after int32
}

// planPeople lists "anybody else" and then everybody of both policies.
func planPeople(before, after *Policy) []planPerson {
	out := []planPerson{{}}
	seen := make(map[int32]bool)
	for n, x := range before.people {
		k := after.number(string(x.ID))
		if k == 0 {
			k = after.number(x.Name)
		}
		seen[k] = true
		out = append(out, planPerson{x.ID, x.Name, int32(n + 1), k})
	}
	for n, x := range after.people {
		if k := int32(n + 1); !seen[k] {
			out = append(out, planPerson{x.ID, x.Name, 0, k})
		}
	}
	return out
}

type planner struct {
	before, after *Judge
	was, now      *audiences // of the fact at hand
	people        []planPerson
	same          bool // everybody has one number on both sides
	d             *Difference
}

// fact compares the audiences of one fact; a nil set is nobody.
func (p *planner) fact(id FactID, i, k int32, was, now bitset) {
	p.d.Facts++
	p.apart(id, i, k, was, now)
	if p.same && was != nil && now != nil && slices.Equal(was, now) {
		return
	}
	for _, x := range p.people {
		if was.has(x.before) == now.has(x.after) {
			continue
		}
		c := PairChange{Fact: id, Person: x.id, Name: x.name, Label: p.stricter(i, k)}
		c.Before = p.before.Decide(int(i), p.before.policy.numbered(x.before)).Verdict
		c.After = p.after.Decide(int(k), p.after.policy.numbered(x.after)).Verdict
		if c.After.Allow {
			p.d.Shown = append(p.d.Shown, c)
		} else {
			p.d.Hidden = append(p.d.Hidden, c)
		}
	}
}

func (p *planner) stricter(i, k int32) Label {
	switch {
	case i == noFact:
		return p.after.labels[k]
	case k == noFact:
		return p.before.labels[i]
	default:
		return Meet(p.before.labels[i], p.after.labels[k])
	}
}

// numbered returns the recipient with a number, an unknown one for 0.
func (p *Policy) numbered(n int32) Recipient {
	if n == 0 {
		return Recipient{}
	}
	return Recipient{policy: p, number: n}
}

// sortChanges puts the most sensitive first: by level, a label bound to a domain
// before one that is not, then by fact and person.
func sortChanges(list []PairChange) {
	slices.SortFunc(list, func(a, b PairChange) int {
		return cmp.Or(
			cmp.Compare(a.Label.Level, b.Label.Level),
			cmp.Compare(unbound(a.Label), unbound(b.Label)),
			cmp.Compare(a.Label.Domain, b.Label.Domain),
			cmp.Compare(a.Fact, b.Fact),
			cmp.Compare(a.Person, b.Person),
		)
	})
}

func unbound(l Label) int {
	if l.Domain == "" {
		return 1
	}
	return 0
}

// countByPerson counts for whom something changes. People with equal counts stay
// in the order of the file, "anybody else" before them.
func countByPerson(people []planPerson, shown, hidden []PairChange) []PersonCount {
	at := make(map[PersonID]int, len(people))
	counts := make([]PersonCount, len(people))
	for n, x := range people {
		at[x.id] = n
		counts[n] = PersonCount{Person: x.id, Name: x.name}
	}
	for _, c := range shown {
		counts[at[c.Person]].Shown++
	}
	for _, c := range hidden {
		counts[at[c.Person]].Hidden++
	}
	counts = slices.DeleteFunc(counts, func(c PersonCount) bool { return c.Shown == 0 && c.Hidden == 0 })
	slices.SortStableFunc(counts, func(a, b PersonCount) int {
		return cmp.Or(cmp.Compare(b.Shown, a.Shown), cmp.Compare(b.Hidden, a.Hidden))
	})
	return counts
}
