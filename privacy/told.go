package privacy

import "slices"

// Told is what was told to whom before: for each person the items of the facts
// that they know of, themselves or through a circle of theirs. Somebody whom the
// policy doesn't know has none; [Judge.Combine] takes what a stranger was told.
type Told map[PersonID][]CombinationItem

// WithTold returns a judge that knows what was told before. What it decides with
// [Judge.Decide], explains, lists and plans then is what the person would get if
// they asked for that one fact now. The calculus of [Judge.Verdict] stays the same.
func (j *Judge) WithTold(told Told) *Judge {
	k := *j
	k.told = told
	k.known = nil
	if len(told) == 0 || len(j.policy.combinations) == 0 {
		return &k
	}
	k.known = make([]map[part]bool, len(j.policy.people)+1)
	for id, items := range told {
		n := j.policy.number(string(id))
		if n == 0 {
			continue
		}
		if k.known[n] == nil {
			k.known[n] = make(map[part]bool)
		}
		for _, item := range items {
			item.tell(k.known[n])
		}
	}
	return &k
}

// Decide is [Judge.Verdict] and then the combinations of the policy: whether r
// may be told the fact at i alone, after all that was told before. It never allows
// what Verdict denies, and equals what [Judge.Combine] says of that one fact
// (TestDecideIsCombine).
func (j *Judge) Decide(i int, r Recipient) CombinationVerdict {
	v := CombinationVerdict{Verdict: j.Verdict(i, r)}
	if !v.Allow || len(j.policy.combinations) == 0 {
		return v
	}
	if denied, ok := j.completes(i, r, j.knownBy(j.numberOf(r))); ok {
		return denied
	}
	return v
}

// DecideOf is Decide by id; an unknown id is unjudged.
func (j *Judge) DecideOf(id FactID, r Recipient) CombinationVerdict {
	i, ok := j.index[id]
	if !ok {
		return CombinationVerdict{}
	}
	return j.Decide(int(i), r)
}

// knownBy returns the parts that the person with a number knows of.
func (j *Judge) knownBy(n int32) map[part]bool {
	if int(n) >= len(j.known) {
		return nil
	}
	return j.known[n]
}

// facet is a combination that a fact is a part of.
type facet struct {
	of      *Combination
	missing []part // the parts that the fact is not
	level   Level  // what the fact is judged by once they are known
	domain  int32
}

// fillFacets finds for each fact the combinations that it is a part of, in the order
// of the file.
func (j *Judge) fillFacets() {
	if len(j.policy.combinations) == 0 {
		return
	}
	j.facets = make([][]facet, len(j.facts))
	for i := range j.facts {
		for k := range j.policy.combinations {
			c := &j.policy.combinations[k]
			rest, own := c.missing(j.facts[i].item())
			if !own {
				continue
			}
			// A meet has the domain of one of its labels, so it has a number.
			ceiling := Meet(j.labels[i], c.Ceiling)
			j.facets[i] = append(j.facets[i], facet{c, rest, ceiling.Level, int32(j.domains[ceiling.Domain])})
		}
	}
}

// facetsOf returns the combinations that the fact at i is a part of.
func (j *Judge) facetsOf(i int) []facet {
	if j.facets == nil {
		return nil
	}
	return j.facets[i]
}

// parts returns the parts of c in the order of the file: categories, then rules.
func (c Combination) parts() []part {
	out := make([]part, 0, len(c.Categories)+len(c.Rules))
	for _, id := range c.Categories {
		out = append(out, part{category: id})
	}
	for _, id := range c.Rules {
		out = append(out, part{rule: id})
	}
	return out
}

// missing returns the parts of c that x is not, and whether x is any part of it.
func (c Combination) missing(x CombinationItem) (rest []part, own bool) {
	for _, p := range c.parts() {
		if x.is(p) {
			own = true
		} else {
			rest = append(rest, p)
		}
	}
	return rest, own
}

func (x CombinationItem) is(p part) bool {
	if p.rule != "" {
		return slices.Contains(x.Rules, p.rule)
	}
	return slices.Contains(x.Categories, p.category)
}

// knowsAll reports whether known holds every part of list.
func knowsAll(known map[part]bool, list []part) bool {
	return !slices.ContainsFunc(list, func(p part) bool { return !known[p] })
}

// String is the id that the file names the part by.
func (p part) String() string {
	if p.rule != "" {
		return string(p.rule)
	}
	return string(p.category)
}
