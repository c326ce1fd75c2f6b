package privacy

import "slices"

// Apart is a fact that a combination would hold back from somebody once its other
// parts are told.
type Apart struct {
	Fact        FactID   `json:"fact"`
	Person      PersonID `json:"person,omitempty"` // "" for anybody whom the policy doesn't know
	Name        string   `json:"name,omitempty"`
	Combination string   `json:"combination"`
}

// hold is a combination that denies a fact to somebody as soon as they know of
// the missing parts.
type hold struct {
	combination string
	missing     []part
}

// holds returns what would hold the fact at i back from the person with a number
// who may know it now.
func (j *Judge) holds(i int, n int32) []hold {
	var out []hold
	for _, c := range j.policy.combinations {
		rest, own := c.missing(j.facts[i].item())
		if !own {
			continue
		}
		if _, passes := j.under(i, c, j.policy.numbered(n)); !passes {
			out = append(out, hold{c.ID, rest})
		}
	}
	return out
}

// apart notes for the people who may know a fact before and after which
// combinations held it back from them and no longer do. A hold stands if another
// one, before it or in its place, closes with the same parts told or fewer:
// whatever is told later, the fact then is denied when it was before.
func (p *planner) apart(id FactID, i, k int32, was, now bitset) {
	if i == noFact || k == noFact || len(p.before.policy.combinations) == 0 {
		return
	}
	item := p.before.facts[i].item()
	if !slices.ContainsFunc(p.before.policy.combinations, func(c Combination) bool { _, own := c.missing(item); return own }) {
		return
	}
	for _, x := range p.people {
		if !was.has(x.before) || !now.has(x.after) {
			continue
		}
		after := p.after.holds(int(k), x.after)
		for _, h := range p.before.holds(int(i), x.before) {
			if !slices.ContainsFunc(after, func(g hold) bool { return subset(g.missing, h.missing) }) {
				p.d.Loosened = append(p.d.Loosened, Apart{Fact: id, Person: x.id, Name: x.name, Combination: h.combination})
			}
		}
	}
}

// Loosens returns what a new policy takes away from the combinations of p for facts
// that are yet to come, one sentence each: a combination that no other one at least
// as strict stands in for, people of a circle who are not together any more, and a
// rule that is a part and matches otherwise. Without any of these, whatever is
// stored and told later, no combination holds back less than it would have.
func (p *Policy) Loosens(after *Policy) []string {
	var out []string
	for _, c := range p.combinations {
		stands := func(d Combination) bool {
			return subset(d.parts(), c.parts()) && Meet(d.Ceiling, c.Ceiling) == d.Ceiling
		}
		if !slices.ContainsFunc(after.combinations, stands) {
			out = append(out, "the combination "+c.ID+" no longer holds its parts apart as before")
		}
	}
	for _, c := range p.circles {
		kept := func(d Circle) bool {
			return !slices.ContainsFunc(c.People, func(id PersonID) bool {
				n := after.number(string(id))
				return n == 0 || !slices.Contains(d.People, after.people[n-1].ID)
			})
		}
		if !slices.ContainsFunc(after.circles, kept) {
			out = append(out, "the people of the circle "+c.ID+" no longer count as talking to each other")
		}
	}
	for _, c := range p.combinations {
		for _, id := range c.Rules {
			was, _ := p.Rule(id)
			is, there := after.Rule(id)
			if !there || !was.conditionsEqual(is) {
				out = append(out, "the rule "+string(id)+", a part of the combination "+c.ID+", no longer matches what it did")
			}
		}
	}
	return out
}

// conditionsEqual reports whether two rules match the same facts.
func (r Rule) conditionsEqual(s Rule) bool { return r.covers(s) && s.covers(r) }
