package privacy

import (
	"slices"
)

// Combination is a set of things that together reveal what none of them does:
// the mosaic. Once somebody knows of all its parts, each fact that is a part of it is judged
// under its ceiling.
type Combination struct {
	ID         string // as the file gives it, else "combination-" and a digest of what it says
	Categories []CategoryID
	Rules      []RuleID // the facts that a rule matches, see [Fact.Rules]
	Ceiling    Label
}

// Circle is a set of people who talk to each other: what one of them was told,
// all of them are taken to know where combinations are concerned.
type Circle struct {
	ID     string
	People []PersonID
}

// CombinationItem is what combinations ask of a fact. For a fact that was
// forgotten it is all that is left, and it counts like any other.
type CombinationItem struct {
	Categories []CategoryID
	Rules      []RuleID
}

// Listener is somebody who reads a message, with what was told to them before,
// or to their circle (see [Policy.Circle]).
type Listener struct {
	Recipient Recipient
	Told      []CombinationItem
}

// CombinationVerdict is a verdict on one fact of a message. Where Reason is
// combination, Combination names the one that denied and Ceiling is the label
// that the fact was judged by; both are zero otherwise.
type CombinationVerdict struct {
	Verdict
	Combination string `json:"combination,omitempty"`
	Ceiling     Label  `json:"ceiling,omitzero"`
}

// Combinations returns the combinations of the policy.
func (p *Policy) Combinations() []Combination {
	out := make([]Combination, len(p.combinations))
	for i, c := range p.combinations {
		out[i] = c.clone()
	}
	return out
}

// Combination returns the combination with this id, and whether there is one.
func (p *Policy) Combination(id string) (Combination, bool) {
	for _, c := range p.combinations {
		if c.ID == id {
			return c.clone(), true
		}
	}
	return Combination{}, false
}

// Circles returns the circles of the policy.
func (p *Policy) Circles() []Circle {
	out := slices.Clone(p.circles)
	for i := range out {
		out[i].People = slices.Clone(out[i].People)
	}
	return out
}

// Circle returns the person and everybody who is in one of their circles, in the
// order of the file. What a circle passes on goes no further: the friend of a
// friend is in it only if a circle says so. Somebody unknown has none.
func (p *Policy) Circle(ref string) []PersonID {
	n := p.number(ref)
	if n == 0 {
		return nil
	}
	self := p.people[n-1].ID
	var out []PersonID
	for _, x := range p.people {
		shares := func(c Circle) bool { return slices.Contains(c.People, self) && slices.Contains(c.People, x.ID) }
		if x.ID == self || slices.ContainsFunc(p.circles, shares) {
			out = append(out, x.ID)
		}
	}
	return out
}

// Combine judges the facts of one message for all who read it, one after the
// other in the order of ids, each with what was told before and with those facts
// of the message that came before it and are told.
//
// A fact that the calculus denies to one of the listeners is denied as in
// [Judge.Audience], and counts for nothing. A fact that it allows is then looked at
// with each combination that it is a part of: where its parts are all told now,
// this fact among them, it is judged again under the meet of its label and the
// combination's ceiling, as in a unit; a listener who doesn't pass is denied it,
// reason combination. So the fact that would complete the set is the one that is
// kept back, and another order of ids may keep back another one. A whitelist
// counts under a ceiling too: the owner named that person for that fact.
//
// The order of Told changes nothing. Combine never allows what Audience denies
// and, without combinations, is Audience (TestCombine). Source: CALCULUS, Caps.
func (j *Judge) Combine(ids []FactID, listeners ...Listener) []CombinationVerdict {
	rs := make([]Recipient, len(listeners))
	known := make([]map[part]bool, len(listeners))
	for k, l := range listeners {
		rs[k], known[k] = l.Recipient, make(map[part]bool)
		for _, item := range l.Told {
			item.tell(known[k])
		}
	}
	out := make([]CombinationVerdict, len(ids))
	for n, id := range ids {
		i, ok := j.index[id]
		if !ok {
			continue // unjudged
		}
		out[n].Verdict = j.Audience(int(i), rs)
		for k := 0; k < len(rs) && out[n].Allow; k++ {
			if v, denied := j.completes(int(i), rs[k], known[k]); denied {
				out[n] = v
			}
		}
		if out[n].Allow {
			for k := range known {
				j.facts[i].item().tell(known[k])
			}
		}
	}
	return out
}

// completes judges the fact at i, allowed to r so far, under the combinations
// that would be complete if r, who knows of some parts, were told it. Of several
// that deny, the first of the file is named.
func (j *Judge) completes(i int, r Recipient, known map[part]bool) (CombinationVerdict, bool) {
	for _, f := range j.facetsOf(i) {
		if knowsAll(known, f.missing) && !j.verdict(&j.marks[i], f.level, f.domain, r).Allow {
			return CombinationVerdict{deny(ReasonCombination), f.of.ID, Meet(j.labels[i], f.of.Ceiling)}, true
		}
	}
	return CombinationVerdict{}, false
}

// part is a category or rule of a combination.
type part struct {
	category CategoryID
	rule     RuleID
}

// tell notes what a fact is a part of.
func (x CombinationItem) tell(known map[part]bool) {
	for _, id := range x.Categories {
		known[part{category: id}] = true
	}
	for _, id := range x.Rules {
		known[part{rule: id}] = true
	}
}

// contentID is the id of a combination that the file gives none: a digest of its
// parts, in any order, and its ceiling.
func (c Combination) contentID() string {
	fields := append(append(sorted(texts(c.Categories)), ""), sorted(texts(c.Rules))...)
	return "combination-" + digest(append(fields, c.Ceiling.String()))
}

func (c Combination) clone() Combination {
	c.Categories = slices.Clone(c.Categories)
	c.Rules = slices.Clone(c.Rules)
	return c
}

// item is what combinations see of f.
func (f *Fact) item() CombinationItem { return CombinationItem{f.Categories, f.Rules} }

// Item returns what combinations ask of f: the trace that the ledger keeps.
func (f Fact) Item() CombinationItem {
	return CombinationItem{slices.Clone(f.Categories), slices.Clone(f.Rules)}
}
