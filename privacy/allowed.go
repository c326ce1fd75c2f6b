package privacy

import "slices"

// audiences gives for each fact of a judge everybody who may know it, as a set of
// numbers in which, other than in the lists of facts, 0 stands for an unknown
// recipient. It asks the gate once a label and not once a person. Not safe for
// concurrent use.
type audiences struct {
	j     *Judge
	gates map[gateKey]bitset
	set   bitset // of the last fact
	// under holds, for each combination that the last fact is a part of, who may know
	// it under that ceiling.
	under []bitset
}

type gateKey struct {
	level  Level
	domain int32
}

func (j *Judge) audiences() *audiences {
	return &audiences{j: j, gates: make(map[gateKey]bitset), set: make(bitset, j.words)}
}

// of returns who may know the fact at i, without the owner: n is in it exactly if
// Decide allows n, which is what TestAudiences holds. The set is good until the next
// call.
func (a *audiences) of(i int) bitset {
	m := &a.j.marks[i]
	a.fill(a.set, m, m.level, m.domain)
	for k, f := range a.j.facetsOf(i) {
		if k == len(a.under) {
			a.under = append(a.under, make(bitset, a.j.words))
		}
		a.fill(a.under[k], m, f.level, f.domain)
	}
	for k, f := range a.j.facetsOf(i) {
		for n := range int32(len(a.j.policy.people) + 1) {
			if a.set.has(n) && !a.under[k].has(n) && knowsAll(a.j.knownBy(n), f.missing) {
				a.set[n>>6] &^= 1 << (n & 63)
			}
		}
	}
	return a.set
}

// fill makes set the audience of m under a label.
func (a *audiences) fill(set bitset, m *mark, level Level, domain int32) {
	j := a.j
	clear(set)
	if m.unjudged {
		return
	}
	if !m.closed {
		copy(set, a.gate(level, domain))
		if reserved := j.set(m.reserved); reserved != nil {
			set.subtract(reserved)
		}
	}
	if white := j.set(m.white); white != nil {
		set.union(white)
	}
	if black := j.set(m.black); black != nil {
		set.subtract(black)
	}
	if m.anyBlack {
		set[0] &^= 1
	}
}

// gate returns who passes the default gate of a label.
func (a *audiences) gate(level Level, domain int32) bitset {
	key := gateKey{level, domain}
	set, ok := a.gates[key]
	if !ok {
		set = make(bitset, a.j.words)
		for n := range int32(len(a.j.policy.people) + 1) {
			if gate(level, a.j.closest[int(n)*len(a.j.domains)+int(domain)]).Allow {
				set.add(n)
			}
		}
		a.gates[key] = set
	}
	return set
}

// Access is somebody who may know a fact and why.
type Access struct {
	Person  PersonID `json:"person,omitempty"` // "" for anybody whom the policy doesn't know
	Name    string   `json:"name,omitempty"`
	Verdict Verdict  `json:"verdict"`
}

// Who returns everybody who may know the fact at i, in the order of the file, and
// last, where it applies, an entry without a person for anybody else. The owner
// is not listed. None outside 0 to Len()-1.
func (j *Judge) Who(i int) []Access {
	if !j.inside(i) {
		return nil
	}
	var out []Access
	for n, x := range j.policy.people {
		r := Recipient{policy: j.policy, number: int32(n + 1)}
		if v := j.Decide(i, r); v.Allow {
			out = append(out, Access{x.ID, x.Name, v.Verdict})
		}
	}
	if v := j.Decide(i, Recipient{}); v.Allow {
		out = append(out, Access{Verdict: v.Verdict})
	}
	return out
}

// Knows returns where the facts are that r may know, ascending.
func (j *Judge) Knows(r Recipient) []int {
	var out []int
	for i := range j.facts {
		if j.Decide(i, r).Allow {
			out = append(out, i)
		}
	}
	return out
}

// Knowledge is what somebody may know of one category.
type Knowledge struct {
	Category CategoryID `json:"category"` // "" for facts without one that the policy defines
	Facts    []FactID   `json:"facts"`
}

// KnowsByCategory is [Judge.Knows] by category, in the order of the file; last
// come facts in no category of the policy. A fact of several categories stands
// under each.
func (j *Judge) KnowsByCategory(r Recipient) []Knowledge {
	found := make(map[CategoryID][]FactID)
	for _, i := range j.Knows(r) {
		f, placed := &j.facts[i], false
		for k, id := range f.Categories {
			if _, defined := j.policy.categoryAt[id]; !defined || slices.Contains(f.Categories[:k], id) {
				continue
			}
			found[id], placed = append(found[id], f.ID), true
		}
		if !placed {
			found[""] = append(found[""], f.ID)
		}
	}
	var out []Knowledge
	for _, c := range j.policy.categories {
		if facts := found[c.ID]; facts != nil {
			out = append(out, Knowledge{c.ID, facts})
		}
	}
	if facts := found[""]; facts != nil {
		out = append(out, Knowledge{"", facts})
	}
	return out
}

// Audience returns who gets a category by its label alone, in the order of the
// file: everybody who would learn a fact of that category with no exception on it.
// Whom the deny list of the category names is left out. None for a category that
// isn't there.
func (p *Policy) Audience(id CategoryID) []Person {
	at, ok := p.categoryAt[id]
	if !ok {
		return nil
	}
	c := p.categories[at]
	f := Fact{ID: "any", Categories: []CategoryID{id}}
	for _, party := range c.Deny {
		if party != SubjectParty {
			f.Blacklist = append(f.Blacklist, party)
		}
	}
	var out []Person
	for _, a := range NewJudge(p, []Fact{f}).Who(0) {
		if a.Person != "" {
			out = append(out, p.person(p.number(string(a.Person))))
		}
	}
	return out
}
