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
