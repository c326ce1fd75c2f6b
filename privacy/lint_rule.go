package privacy

import (
	"fmt"
	"slices"
	"time"
)

// rules looks at the rules, each on its own and then with those that beat it.
func (l *linter) rules(facts []Fact) {
	ids, events := make(map[FactID]*Fact), make(map[EventID]bool)
	for i := range facts {
		ids[facts[i].ID], events[facts[i].Event] = &facts[i], true
	}
	for i, r := range l.p.rules {
		at := place{"rule", string(r.ID)}
		if r.Ended(l.now) {
			l.warn(at, "remove it", "rule %q ended on %s", r.ID, r.Until.UTC().Format(time.DateTime))
			continue // it does nothing, so nothing else about it matters
		}
		switch {
		case len(facts) == 0:
		case r.Fact != "" && ids[r.Fact] == nil || r.Event != "" && !events[r.Event]:
			l.warn(at, "correct the id, or remove the rule", "rule %q never matches: its fact or event isn't stored", r.ID)
		case r.Fact == "" && !slices.ContainsFunc(facts, func(f Fact) bool { return slices.Contains(f.Rules, r.ID) }):
			l.warn(at, "look at its conditions, unless it is for later facts", "rule %q matches nothing that is stored", r.ID)
		}
		people := l.numbers(r.Parties())
		if len(people) == 0 {
			l.warn(at, "put somebody into the group, or remove the rule", "rule %q is for nobody: its groups are empty", r.ID)
			continue
		}
		if !r.Denies() && l.alreadyOpen(r, people, ids[r.Fact]) {
			l.warn(at, "remove it, unless other categories or later changes make it matter",
				"rule %q changes nothing: %s may know such things anyway", r.ID, l.names(people))
		}
		for k, s := range l.p.rules {
			l.beaten(r, s, people, i < k)
		}
		l.beatsCombination(r, people, facts)
	}
}

// alreadyOpen reports whether the labels alone let all the people of an allow rule
// in: that of its fact, or those of its categories.
func (l *linter) alreadyOpen(r Rule, people []int32, f *Fact) bool {
	var labels []Label
	switch {
	case f != nil:
		j := NewJudge(l.p, []Fact{*f})
		m := &j.marks[0]
		if m.closed || m.anyBlack || m.reserved != noList {
			return false
		}
		labels = append(labels, j.labels[0])
	case r.Fact == "":
		for _, id := range r.Categories {
			labels = append(labels, l.p.categories[l.p.categoryAt[id]].Label())
		}
	}
	for _, n := range people {
		if slices.ContainsFunc(labels, func(label Label) bool { return !l.passes(n, label) }) {
			return false
		}
	}
	return len(labels) > 0
}

// beaten warns where rule s leaves nothing of rule r, or of a part of its people.
// Of two rules that say the same, the later one is the one to remove.
func (l *linter) beaten(r, s Rule, people []int32, earlier bool) {
	if r.ID == s.ID || s.Ended(l.now) || !s.Covers(r) {
		return
	}
	at, line := place{"rule", string(r.ID)}, l.p.lines[place{"rule", string(s.ID)}]
	theirs := l.numbers(s.Parties())
	var both []int32
	for _, n := range people {
		if slices.Contains(theirs, n) {
			both = append(both, n)
		}
	}
	switch {
	case len(both) == 0 || r.Denies() && !s.Denies():
	case r.Denies() != s.Denies():
		remedy := "remove one of the two"
		for _, party := range s.Deny {
			id, isGroup := party.Group()
			if isGroup && slices.ContainsFunc(both, func(n int32) bool { return slices.Contains(l.p.members[id], n) }) {
				remedy = l.rewrite(id, both)
				break
			}
		}
		l.warn(at, remedy, "rule %q allows what rule %q (line %d) denies to %s, and a deny wins", r.ID, s.ID, line, l.names(both))
	case len(both) == len(people) && l.outlasts(s, r) && !(earlier && r.Covers(s) && len(theirs) == len(people) && l.outlasts(r, s)):
		l.warn(at, "remove it", "rule %q changes nothing: rule %q (line %d) says as much", r.ID, s.ID, line)
	}
}

// outlasts reports whether s lasts as long as r.
func (l *linter) outlasts(s, r Rule) bool {
	return s.Until.IsZero() || !r.Until.IsZero() && !s.Until.Before(r.Until)
}

// more says how many facts beside the first a problem is found on.
func more(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" and of %d more", n-1)
}
