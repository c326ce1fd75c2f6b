package privacy

import "slices"

// Judge decides who may know which facts of one store under one policy. It is
// compiled once by [NewJudge]: names become numbers and lists become bitsets, so a verdict
// takes a few comparisons and allocates nothing (TestVerdictAllocatesNothing).
// A Judge is immutable and safe for concurrent use. The order of the facts
// changes no verdict (TestStoreOrder).
//
// Two facts with one id are a fault of the store: which of them an id means is
// not known, so all of them are denied as unjudged and lend nothing. So is a
// fact without an id.
type Judge struct {
	policy *Policy
	facts  []Fact
	index  map[FactID]int32
	events map[EventID][]int32 // positions of the facts of an event, ascending

	labels   []Label // effective
	computed []Label // of the categories alone
	marks    []mark

	domains map[Domain]int // number of a domain; none is 0
	closest []Tier         // [person number][domain number]: closest compatible tier, 0 for none
	lists   bitset         // all bitsets, one after the other
	words   int            // words of one bitset

	facets [][]facet // of each fact; nil without combinations

	told  Told            // see [Judge.WithTold]
	known []map[part]bool // [person number]: the parts of combinations that they know of
}

// mark is a fact as the hot path sees it.
type mark struct {
	white, black, reserved int32 // where the bitset starts in lists, -1 for an empty one
	domain                 int32 // number of the label's domain
	level                  Level
	closed                 bool
	unjudged               bool // ambiguous: see [Judge]
	anyBlack               bool // there is a blacklist entry, resolved or not
}

// noList is the start of an empty bitset.
const noList = -1

// NewJudge compiles a store under a policy. The facts are copied. A nil policy
// knows nobody and no category.
func NewJudge(p *Policy, facts []Fact) *Judge {
	if p == nil {
		p = &Policy{}
	}
	j := &Judge{
		policy:   p,
		facts:    make([]Fact, len(facts)),
		index:    make(map[FactID]int32, len(facts)),
		events:   make(map[EventID][]int32),
		labels:   make([]Label, len(facts)),
		computed: make([]Label, len(facts)),
		marks:    make([]mark, len(facts)),
		words:    len(p.people)/64 + 1,
	}
	for i, f := range facts {
		j.facts[i] = f.clone()
		if first, twice := j.index[f.ID]; twice {
			j.marks[first].unjudged, j.marks[i].unjudged = true, true
		} else {
			j.index[f.ID] = int32(i)
			j.marks[i].unjudged = f.ID == ""
		}
		if f.Event != "" {
			j.events[f.Event] = append(j.events[f.Event], int32(i))
		}
	}
	own, alone := j.compileLists()
	for i := range j.facts {
		j.computed[i] = j.categoryLabel(j.facts[i].Categories)
		j.labels[i] = j.effectiveLabel(i)
	}
	j.numberDomains()
	j.fillPositions()
	j.lend(own, alone)
	j.fillFacets()
	return j
}

// Len is the number of facts.
func (j *Judge) Len() int { return len(j.facts) }

// Policy returns the policy that the judge was compiled from.
func (j *Judge) Policy() *Policy { return j.policy }

// Index returns where a fact is, and whether it is there. Of several facts with
// one id it is the first; they are denied to everybody but the owner.
func (j *Judge) Index(id FactID) (int, bool) {
	i, ok := j.index[id]
	return int(i), ok
}

// ID returns the id of the fact at i, "" outside 0 to Len()-1.
func (j *Judge) ID(i int) FactID {
	if !j.inside(i) {
		return ""
	}
	return j.facts[i].ID
}

// Label returns the effective label of the fact at i: the hand label or the meet
// of its categories, L0 if it is closed. L0 outside 0 to Len()-1.
func (j *Judge) Label(i int) Label {
	if !j.inside(i) {
		return Label{}
	}
	return j.labels[i]
}

// LabelIfOpen returns the label that the fact at i would have if nothing closed it.
// L0 outside 0 to Len()-1.
func (j *Judge) LabelIfOpen(i int) Label {
	if !j.inside(i) {
		return Label{}
	}
	return j.openLabel(i)
}

// CategoryLabel returns the meet of the labels of the categories of the fact at
// i, whatever its hand label: L0 without categories, or with one that the policy
// doesn't define.
func (j *Judge) CategoryLabel(i int) Label {
	if !j.inside(i) {
		return Label{}
	}
	return j.computed[i]
}

func (j *Judge) inside(i int) bool { return i >= 0 && i < len(j.facts) }

// Verdict judges the fact at i for r. Outside 0 to Len()-1 nothing is judged.
func (j *Judge) Verdict(i int, r Recipient) Verdict {
	if !j.inside(i) {
		return deny(ReasonUnjudged)
	}
	m := &j.marks[i]
	return j.verdict(m, m.level, m.domain, r)
}

// VerdictOf judges the fact with an id for r; an unknown id is unjudged.
func (j *Judge) VerdictOf(id FactID, r Recipient) Verdict {
	i, ok := j.index[id]
	if !ok {
		return deny(ReasonUnjudged)
	}
	return j.Verdict(int(i), r)
}

// verdict judges m under a label that need not be its own. A cap is what denied
// where r would be allowed without it.
func (j *Judge) verdict(m *mark, level Level, domain int32, r Recipient) Verdict {
	if r.cap == 0 {
		if r.owner {
			return allow(ReasonOwner)
		}
		return j.steps(m, level, domain, j.numberOf(r), 0, true)
	}
	if r.owner {
		// A listener whom no list names, at the tier of the cap in every domain.
		v := gate(level, r.cap)
		if !v.Allow || m.unjudged || m.anyBlack || m.closed {
			return deny(ReasonCapped)
		}
		return v
	}
	n := j.numberOf(r)
	v := j.steps(m, level, domain, n, 0, true)
	if !v.Allow {
		return v
	}
	if v = j.steps(m, level, domain, n, r.cap, r.keep); !v.Allow {
		return deny(ReasonCapped)
	}
	return v
}

// steps are the rules of CALCULUS in their order, for the person with a number
// (0: unknown) who is treated as no closer than tier floor (0: no cap).
func (j *Judge) steps(m *mark, level Level, domain, n int32, floor Tier, whitelists bool) Verdict {
	switch {
	case m.unjudged:
		return deny(ReasonUnjudged)
	case n == 0 && m.anyBlack, j.listed(m.black, n):
		return deny(ReasonBlacklisted)
	case whitelists && j.listed(m.white, n):
		return allow(ReasonWhitelisted)
	case m.closed:
		return deny(ReasonClosed)
	case j.listed(m.reserved, n):
		return deny(ReasonReserved)
	}
	closest := j.closest[int(n)*len(j.domains)+int(domain)]
	if closest != 0 {
		closest = max(closest, floor)
	}
	return gate(level, closest)
}

// listed reports whether the person with a number is in the bitset at start.
func (j *Judge) listed(start, n int32) bool {
	return start != noList && n != 0 && j.lists[start+n>>6]&(1<<(n&63)) != 0
}

// numberOf returns r's number in j's policy, 0 for whom j can't know. A person
// of another policy is the same one only if id and name both lead there; asking
// that may allocate, so a caller re-makes recipients when the policy changes.
func (j *Judge) numberOf(r Recipient) int32 {
	if r.number == 0 || r.policy == j.policy || r.policy.hash == j.policy.hash {
		return r.number
	}
	was := &r.policy.people[r.number-1]
	n := j.policy.number(string(was.ID))
	if n != j.policy.number(was.Name) {
		return 0
	}
	return n
}

// numberDomains gives every domain of the policy and of a label a number.
func (j *Judge) numberDomains() {
	j.domains = map[Domain]int{"": 0}
	add := func(d Domain) int32 {
		n, ok := j.domains[d]
		if !ok {
			n = len(j.domains)
			j.domains[d] = n
		}
		return int32(n)
	}
	for _, g := range j.policy.groups {
		add(g.Domain)
	}
	for _, c := range j.policy.categories {
		add(c.Domain)
	}
	for _, c := range j.policy.combinations {
		add(c.Ceiling.Domain)
	}
	for i, l := range j.labels {
		j.marks[i].level, j.marks[i].domain = l.Level, add(l.Domain)
	}
}

// fillPositions finds for each person and domain the closest tier of the
// positions that are compatible with a label in that domain: those in it and
// those in none; any position for a label without a domain.
func (j *Judge) fillPositions() {
	people := len(j.policy.people) + 1
	width := len(j.domains)
	j.closest = make([]Tier, people*width)
	for n := range people {
		row := j.closest[n*width : (n+1)*width]
		if n == 0 || len(j.policy.people[n-1].Groups) == 0 {
			row[0] = 4 // no position: (4, none) and nothing else
			continue
		}
		for _, id := range j.policy.people[n-1].Groups {
			g := j.policy.groups[j.policy.groupAt[id]]
			for d := range row {
				if g.Domain != "" && d != 0 && d != j.domains[g.Domain] {
					continue
				}
				if row[d] == 0 || g.Tier < row[d] {
					row[d] = g.Tier
				}
			}
		}
	}
}

func (f Fact) clone() Fact {
	f.Categories = slices.Clone(f.Categories)
	f.Joined = slices.Clone(f.Joined)
	f.Whitelist = slices.Clone(f.Whitelist)
	f.OwnWhitelist = slices.Clone(f.OwnWhitelist)
	f.Blacklist = slices.Clone(f.Blacklist)
	f.Reserved = slices.Clone(f.Reserved)
	f.Rules = slices.Clone(f.Rules)
	f.Label = clonePointer(f.Label)
	f.LabelWas = clonePointer(f.LabelWas)
	return f
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
