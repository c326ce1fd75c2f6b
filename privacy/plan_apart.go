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

// apart notes for the people who may know a fact before and after which
// combinations held it back from them and no longer do: they deny it as soon as the
// missing parts are known. A hold stands if another one, before it or in its place,
// closes with the same parts known or fewer: whatever is told later, the fact then is
// denied when it was before.
func (p *planner) apart(id FactID, i, k int32, was, now bitset) {
	if i == noFact || k == noFact {
		return
	}
	after := p.after.facetsOf(int(k))
	for at, f := range p.before.facetsOf(int(i)) {
		stands := make([]int, 0, len(after))
		for m, g := range after {
			if subset(g.missing, f.missing) {
				stands = append(stands, m)
			}
		}
		for _, x := range p.people {
			if !was.has(x.before) || !now.has(x.after) || p.was.under[at].has(x.before) {
				continue
			}
			held := func(m int) bool { return !p.now.under[m].has(x.after) }
			if !slices.ContainsFunc(stands, held) {
				p.d.Loosened = append(p.d.Loosened, Apart{Fact: id, Person: x.id, Name: x.name, Combination: f.of.ID})
			}
		}
	}
}
