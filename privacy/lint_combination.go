package privacy

import (
	"cmp"
	"maps"
	"slices"
)

// combinations looks at the combinations: whether they hold anything apart, and
// what gets past them.
func (l *linter) combinations(j *Judge) {
	if len(l.p.combinations) == 0 {
		return
	}
	reach := l.newReach(j)
	for i := range l.p.combinations {
		c := &l.p.combinations[i]
		at := place{"combination", c.ID}
		switch {
		case l.idle(c) && !reach.holds(c): // a label by hand may be looser than the parts
			l.warn(at, "lower its level below that of its parts, or remove it",
				"combination %q denies nothing: each of its parts is as strict as the whole", c.ID)
		case !reach.completes(c):
			l.warn(at, "remove it, unless you tell people such things yourself",
				"combination %q can't be completed: no person, with their circles, may know all of its parts", c.ID)
		case !reach.holds(c):
			l.warn(at, "lower its level, remove the grants that get past it, or remove it",
				"combination %q holds nothing back: whoever may know its parts passes its level, or is allowed them by name", c.ID)
		}
	}
	l.grantedPast(j)
}

// idle reports whether the whole is no stricter than each of its parts: whoever
// passes the gate of a part then passes that of the whole.
func (l *linter) idle(c *Combination) bool {
	for _, id := range c.Categories {
		if !strict(l.categoryLabel(id), c.Ceiling) {
			return false
		}
	}
	return len(c.Rules) == 0
}

func (l *linter) categoryLabel(id CategoryID) Label {
	return l.p.categories[l.p.categoryAt[id]].Label()
}

// kept reports whether the ceiling of a combination would keep somebody from a fact
// with a label: whom the label alone keeps out is not kept by the combination.
func (l *linter) kept(n int32, label, ceiling Label) bool {
	return !l.passes(n, Meet(label, ceiling)) && (l.passes(n, label) || !l.passes(n, ceiling))
}

// beatsCombination warns of a grant that lets somebody know a part of a combination
// whose ceiling would keep it from them: a whitelist counts under a ceiling. What a
// rule by words, person or event matches is seen on the facts that are stored. Where
// no category narrows it, later facts may match it as well as a part.
func (l *linter) beatsCombination(r Rule, people []int32, facts []Fact) {
	if r.Denies() {
		return
	}
	for _, c := range l.p.combinations {
		labels, certain := l.metBy(r, c, facts), true
		if len(labels) == 0 && l.mayMeet(r, c) {
			labels, certain = []Label{{Level: L4}}, false // any later fact
		}
		past := slices.DeleteFunc(slices.Clone(people), func(n int32) bool {
			return !slices.ContainsFunc(labels, func(label Label) bool { return l.kept(n, label, c.Ceiling) })
		})
		at, line := place{"rule", string(r.ID)}, l.p.lines[place{"combination", c.ID}]
		switch {
		case len(past) == 0:
		case certain:
			l.warn(at, "leave them out, or live with it", "rule %q beats combination %q (line %d) for %s", r.ID, c.ID, line, l.names(past))
		default:
			l.warn(at, "add a category to its conditions, leave them out, or live with it",
				"rule %q would beat combination %q (line %d) for %s on a later fact that is a part of it", r.ID, c.ID, line, l.names(past))
		}
	}
}

// metBy returns the labels of the parts of c that r certainly allows: the facts of
// its categories, and those that are stored.
func (l *linter) metBy(r Rule, c Combination, facts []Fact) []Label {
	var out []Label
	if slices.Contains(c.Rules, r.ID) {
		out = append(out, Label{Level: L4}) // its facts may have any label
	}
	for _, id := range r.Categories {
		if slices.Contains(c.Categories, id) {
			out = append(out, l.categoryLabel(id))
		}
	}
	var met []Fact
	for _, f := range facts {
		if _, own := c.missing(f.item()); own && (f.ID == r.Fact || slices.Contains(f.Rules, r.ID)) {
			met = append(met, f)
		}
	}
	return append(out, NewJudge(l.p, met).labels...)
}

// mayMeet reports whether a later fact may meet r and be a part of c. A rule for
// some categories is taken to match only what is in no other.
func (l *linter) mayMeet(r Rule, c Combination) bool {
	if r.Fact != "" || len(r.Categories) > 0 {
		return false
	}
	if len(c.Categories) > 0 {
		return true
	}
	return slices.ContainsFunc(c.Rules, func(id RuleID) bool {
		s, _ := l.p.Rule(id)
		return s.Fact == "" && (s.Event == "" || r.Event == "" || s.Event == r.Event)
	})
}

// grantedPast warns of whitelists of stored facts that let somebody past a
// combination, their own and those that their event lends. Counted like the other
// exceptions, so that a store of thousands gives one line. What was told, and what
// the rules allow, is no decision to look at here.
func (l *linter) grantedPast(j *Judge) {
	type past struct {
		entry       Party
		combination string
	}
	seen := make(map[past]map[FactID]bool) // the facts that bear the entry
	for i := range j.facts {
		for _, f := range j.facetsOf(i) {
			note := func(bearer *Fact) {
				for _, entry := range bearer.Whitelist {
					by := func(n int32) bool {
						return !j.listed(j.marks[i].black, n) && l.kept(n, j.labels[i], f.of.Ceiling)
					}
					if !slices.ContainsFunc(l.numbers([]Party{entry}), by) {
						continue
					}
					at := past{entry, f.of.ID}
					if seen[at] == nil {
						seen[at] = make(map[FactID]bool)
					}
					seen[at][bearer.ID] = true
				}
			}
			note(&j.facts[i])
			if event := j.facts[i].Event; event != "" && !j.marks[i].closed {
				for _, k := range j.events[event] {
					if int(k) != i && j.lends(k) && j.reaches(k, int32(i)) {
						note(&j.facts[k])
					}
				}
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b past) int {
		return cmp.Or(cmp.Compare(a.combination, b.combination), cmp.Compare(a.entry, b.entry))
	})
	for _, x := range keys {
		bearers := slices.Sorted(maps.Keys(seen[x]))
		l.add(SeverityWarning, 0, "take the entry off, or live with it",
			"the whitelist of fact %q%s names %q and so beats combination %q (line %d)",
			bearers[0], more(len(bearers)), x.entry, x.combination, l.p.lines[place{"combination", x.combination}])
	}
}
