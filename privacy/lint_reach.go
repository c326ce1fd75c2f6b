package privacy

import "slices"

// reach answers who could ever come to know the parts of a combination, as far as
// the policy and the stored facts can tell. Number 0 stands for strangers.
type reach struct {
	l      *linter
	stored *Judge
	// any holds two facts for each category of the policy: with all grants that may
	// meet a fact of it, and with those alone that meet every fact of it.
	any *Judge
	// of and parts are where the stored facts of a category and those that are a
	// part of a combination stand; known remembers who gets a category.
	of    map[CategoryID][]int
	parts map[*Combination][]int
	known map[getting]bool
}

type getting struct {
	n        int32
	category CategoryID
}

func (l *linter) newReach(stored *Judge) *reach {
	var facts []Fact
	for _, c := range l.p.categories {
		may := Fact{ID: FactID("may:" + c.ID), Categories: []CategoryID{c.ID}}
		for _, party := range c.Deny {
			if party != SubjectParty {
				may.Blacklist = append(may.Blacklist, party)
			}
		}
		must := Fact{ID: FactID("must:" + c.ID), Categories: may.Categories}
		for _, r := range l.p.rules {
			named := slices.Contains(r.Categories, c.ID)
			every := named && r.About == "" && r.Mentions == "" && r.Event == "" && r.Fact == ""
			if r.Ended(l.now) || !named && len(r.Categories) > 0 {
				continue
			}
			may.OwnWhitelist = append(may.OwnWhitelist, r.Allow...)
			if every {
				must.OwnWhitelist = append(must.OwnWhitelist, r.Allow...)
				may.Blacklist = append(may.Blacklist, r.Deny...)
			}
		}
		must.Blacklist = may.Blacklist
		facts = append(facts, may, must)
	}
	x := &reach{
		l: l, stored: stored, any: NewJudge(l.p, facts),
		of: make(map[CategoryID][]int), parts: make(map[*Combination][]int), known: make(map[getting]bool),
	}
	for i := range stored.facts {
		for _, id := range stored.facts[i].Categories {
			x.of[id] = append(x.of[id], i)
		}
		for _, f := range stored.facetsOf(i) {
			x.parts[f.of] = append(x.parts[f.of], i)
		}
	}
	return x
}

// gets reports whether the person with a number may come to know a part.
func (x *reach) gets(n int32, p part) bool {
	if p.rule == "" {
		return x.getsCategory(n, p.category)
	}
	r, _ := x.l.p.Rule(p.rule)
	who := x.l.numbers(r.Parties())
	switch {
	case r.Denies() && (n == 0 || slices.Contains(who, n)):
		return false // strangers don't pass where anybody is denied
	case r.Fact != "" && x.stored.Len() > 0:
		i, ok := x.stored.Index(r.Fact)
		return ok && x.stored.Verdict(i, x.l.p.numbered(n)).Allow
	case !r.Denies() && !r.Ended(x.l.now) && slices.Contains(who, n):
		return true
	}
	return len(r.Categories) == 0 || slices.ContainsFunc(r.Categories, func(id CategoryID) bool { return x.getsCategory(n, id) })
}

func (x *reach) getsCategory(n int32, id CategoryID) bool {
	key := getting{n, id}
	got, asked := x.known[key]
	if !asked {
		r := x.l.p.numbered(n)
		got = x.any.Verdict(2*x.l.p.categoryAt[id], r).Allow ||
			slices.ContainsFunc(x.of[id], func(i int) bool { return x.stored.Verdict(i, r).Allow })
		x.known[key] = got
	}
	return got
}

// completes reports whether anybody, with those who talk to them, may come to know
// all the parts of c.
func (x *reach) completes(c *Combination) bool {
	return slices.ContainsFunc(x.everybody(), func(n int32) bool { return x.completesFor(n, c) })
}

func (x *reach) completesFor(n int32, c *Combination) bool {
	pool := []int32{n}
	if n != 0 {
		pool = nil
		for _, id := range x.l.p.Circle(string(x.l.p.people[n-1].ID)) {
			pool = append(pool, x.l.p.number(string(id)))
		}
	}
	return !slices.ContainsFunc(c.parts(), func(p part) bool {
		return !slices.ContainsFunc(pool, func(m int32) bool { return x.gets(m, p) })
	})
}

// holds reports whether c, once complete, would keep a part of it from anybody who
// may know it until then.
func (x *reach) holds(c *Combination) bool {
	return slices.ContainsFunc(x.everybody(), func(n int32) bool {
		return x.held(n, c) && x.completesFor(n, c)
	})
}

func (x *reach) held(n int32, c *Combination) bool {
	r := x.l.p.numbered(n)
	byGate := func(j *Judge, i int) bool {
		return j.Verdict(i, r).Reason == ReasonDefault && !x.l.passes(n, Meet(j.labels[i], c.Ceiling))
	}
	for _, id := range c.Categories {
		if byGate(x.any, 2*x.l.p.categoryAt[id]+1) {
			return true
		}
	}
	for _, id := range c.Rules {
		s, _ := x.l.p.Rule(id)
		granted := !s.Denies() && !s.Ended(x.l.now) && slices.Contains(x.l.numbers(s.Allow), n)
		if !granted && x.gets(n, part{rule: id}) && !x.l.passes(n, c.Ceiling) {
			return true
		}
	}
	return slices.ContainsFunc(x.parts[c], func(i int) bool { return byGate(x.stored, i) })
}

// everybody returns the numbers of all people, strangers first.
func (x *reach) everybody() []int32 {
	out := make([]int32, len(x.l.p.people)+1)
	for n := range out {
		out[n] = int32(n)
	}
	return out
}
