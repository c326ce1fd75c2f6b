package privacy

import "slices"

// categoryLabel is the meet of the labels of the categories, L0 of none and of
// one that the policy doesn't define (CALCULUS, Label).
func (j *Judge) categoryLabel(ids []CategoryID) Label {
	if len(ids) == 0 {
		return Label{}
	}
	ceiling := j.labelOf(ids[0])
	for _, id := range ids[1:] {
		ceiling = Meet(ceiling, j.labelOf(id))
	}
	return ceiling
}

func (j *Judge) labelOf(id CategoryID) Label {
	at, ok := j.policy.categoryAt[id]
	if !ok {
		return Label{}
	}
	return j.policy.categories[at].Label()
}

// effectiveLabel is the label that the fact at i is judged by. It needs
// compileLists and computed.
func (j *Judge) effectiveLabel(i int) Label {
	if j.marks[i].closed {
		return Label{}
	}
	return j.openLabel(i)
}

// openLabel is effectiveLabel whatever closes the fact.
func (j *Judge) openLabel(i int) Label { return labelWith(&j.facts[i], j.computed[i]) }

// labelWith is the label of a fact whose categories give computed.
func labelWith(f *Fact, computed Label) Label {
	switch {
	case f.Label == nil:
		return computed
	case lapsed(f, computed):
		return Meet(normalLabel(*f.Label), computed)
	default:
		return normalLabel(*f.Label)
	}
}

// lapsed reports whether the owner's hand label no longer stands: a category was
// tightened since it was set, and it is looser than what the categories say now.
// What then holds is the meet of both. That is the computed label, except where
// the hand label shuts out somebody whom the computed one lets in: a tightening
// must not let them in.
func lapsed(f *Fact, computed Label) bool {
	return f.LabelWas != nil &&
		!strict(normalLabel(*f.LabelWas), computed) &&
		!strict(normalLabel(*f.Label), computed)
}

// compileLists resolves the lists of every fact, closes the facts that name
// somebody whom the policy doesn't know, and returns what each fact's
// whitelist says, which it may lend, and what its OwnWhitelist says, which it
// may not.
//
// Whitelist entries that resolve to nobody grant nothing. A blacklist entry that
// does makes its fact closed: whom it shuts out can't be told any more. So does a
// reserved entry (ours), for the same reason.
func (j *Judge) compileLists() (own, alone []bitset) {
	own, alone = make([]bitset, len(j.facts)), make([]bitset, len(j.facts))
	r := &resolver{j.policy, j.words, make(map[Party]resolution)}
	for i := range j.facts {
		f, m := &j.facts[i], &j.marks[i]
		own[i], _ = r.list(f.Whitelist)
		alone[i], _ = r.list(f.OwnWhitelist)
		black, blackKnown := r.list(f.Blacklist)
		reserved, reservedKnown := r.list(f.Reserved)
		m.white = noList
		m.black = j.store(black)
		m.reserved = j.store(reserved)
		m.anyBlack = len(f.Blacklist) > 0
		m.closed = f.Closed || !blackKnown || !reservedKnown
	}
	return own, alone
}

// resolver turns lists into bitsets. It keeps what it looked up: a store names the
// same few people over and over.
type resolver struct {
	policy *Policy
	words  int
	seen   map[Party]resolution
}

// resolution is what an entry stands for.
type resolution struct {
	numbers []int32
	known   bool
}

// list returns the people whom the entries stand for, nil for nobody, and
// whether every entry stands for something that the policy knows.
func (r *resolver) list(entries []Party) (set bitset, known bool) {
	known = true
	for _, entry := range entries {
		got, ok := r.seen[entry]
		if !ok {
			got.numbers, got.known = r.policy.resolve(entry)
			r.seen[entry] = got
		}
		known = known && got.known
		for _, n := range got.numbers {
			if set == nil {
				set = make(bitset, r.words)
			}
			set.add(n)
		}
	}
	return set, known
}

// store keeps a bitset and returns where it starts, noList for an empty one.
func (j *Judge) store(set bitset) int32 {
	if set == nil || set.empty() {
		return noList
	}
	at := int32(len(j.lists))
	j.lists = append(j.lists, set...)
	return at
}

// sets gives the bitset at start, nil for noList.
func (j *Judge) set(start int32) bitset {
	if start == noList {
		return nil
	}
	return j.lists[start : int(start)+j.words]
}

// lend stores the effective whitelists: the own one of each fact, what other
// facts of its event lend (CALCULUS, Effective whitelist; MARKS 6), and what is
// granted on the fact alone (MARKS 5).
func (j *Judge) lend(own, alone []bitset) {
	for _, members := range j.events { // events share nothing, so their order is free
		j.lendWithin(members, own)
	}
	for i := range own {
		// What is whitelisted on this fact alone joins after all lending is done.
		if own[i] == nil {
			own[i] = alone[i]
		} else if alone[i] != nil {
			own[i].union(alone[i])
		}
		j.marks[i].white = j.store(own[i])
	}
}

// pool is what facts with one label lend together.
type pool struct {
	label Label
	set   bitset
}

// lendWithin adds to the whitelists of the facts of one event what they borrow.
// Facts are taken together by label, so the work grows with the facts and not
// with their square.
func (j *Judge) lendWithin(members []int32, own []bitset) {
	confirmed := make(bitset, j.words) // lent between confirmed links, whatever the labels
	var byLabel []pool                 // lent by every lender, for whom the labels matter
	for _, i := range members {
		lent := j.lendable(i, own[i])
		if lent == nil {
			continue
		}
		byLabel = addToPool(byLabel, j.lendsAs(i), lent)
		if j.facts[i].Link == LinkConfirmed {
			confirmed.union(lent)
		}
	}
	if len(byLabel) == 0 {
		return
	}
	for _, i := range members {
		if j.marks[i].closed {
			continue
		}
		set := make(bitset, j.words)
		if own[i] != nil {
			set.union(own[i])
		}
		if j.facts[i].Link == LinkConfirmed {
			set.union(confirmed)
		}
		for _, p := range byLabel {
			if j.borrows(i, p.label) {
				set.union(p.set)
			}
		}
		own[i] = set
	}
}

// lendable returns what the fact at i lends: its own whitelist less its own
// blacklist, if it is real, trusted and not closed; else nil.
func (j *Judge) lendable(i int32, own bitset) bitset {
	if own == nil || !j.lends(i) {
		return nil
	}
	lent := slices.Clone(own)
	if black := j.set(j.marks[i].black); black != nil {
		lent.subtract(black)
	}
	return lent
}

// lends reports whether the fact at i may lend at all.
func (j *Judge) lends(i int32) bool {
	f, m := &j.facts[i], &j.marks[i]
	return f.Truth == Real && f.Trusted && !m.closed && !m.unjudged
}

// lendsAs is the label by which the fact at i lends: its own, without the categories
// that only close. A stricter lender reaches more borrowers.
func (j *Judge) lendsAs(i int32) Label {
	f := &j.facts[i]
	if len(f.Joined) == 0 {
		return j.labels[i]
	}
	return labelWith(f, j.categoryLabel(slices.DeleteFunc(slices.Clone(f.Categories), func(id CategoryID) bool { return slices.Contains(f.Joined, id) })))
}

// reaches reports whether what lender lends gets to borrower, a fact of the same
// event that isn't closed.
func (j *Judge) reaches(lender, borrower int32) bool {
	confirmed := j.facts[lender].Link == LinkConfirmed && j.facts[borrower].Link == LinkConfirmed
	return confirmed || j.borrows(borrower, j.lendsAs(lender))
}

// borrows reports whether the fact at i, which isn't closed, may borrow over a
// link that the engine made, from a lender with this label: only from one at
// least as strict, and never as a hand-labelled, uncategorised or untrusted fact.
func (j *Judge) borrows(i int32, lender Label) bool {
	f := &j.facts[i]
	return f.Label == nil && len(f.Categories) > 0 && f.Trusted && strict(lender, j.labels[i])
}

func addToPool(pools []pool, label Label, set bitset) []pool {
	for _, p := range pools {
		if p.label == label {
			p.set.union(set)
			return pools
		}
	}
	return append(pools, pool{label, slices.Clone(set)})
}
