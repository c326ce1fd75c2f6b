package privacy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// exception is a kind of trouble with one entry, counted over all facts so that a
// store of thousands gives one line.
type exception struct {
	kind    string
	entry   Party
	against Party // the blacklist entry that cancels a whitelist entry
}

type sighting struct {
	first FactID
	count int
}

// facts looks at the exceptions of the store.
func (l *linter) facts(j *Judge) {
	seen := make(map[exception]*sighting)
	for i := range j.facts {
		id := j.facts[i].ID
		note := func(x exception) {
			if seen[x] == nil {
				seen[x] = &sighting{first: id}
			}
			seen[x].count++
			seen[x].first = min(seen[x].first, id)
		}
		l.unresolvedEntries(&j.facts[i], note)
		l.cancelled(j, i, note)
		l.needless(j, i, note)
	}
	keys := slices.SortedFunc(maps.Keys(seen), func(a, b exception) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.entry, b.entry), cmp.Compare(a.against, b.against))
	})
	for _, x := range keys {
		l.report(x, *seen[x])
	}
	l.events(j)
}

func (l *linter) report(x exception, s sighting) {
	of := fmt.Sprintf("of fact %q%s", s.first, more(s.count))
	switch x.kind {
	case "blacklist", "reserved list":
		l.add(SeverityError, 0, l.whoMightBe(x.entry), "the %s %s names %q, which isn't there: the fact is closed", x.kind, of, x.entry)
	case "whitelist":
		l.add(SeverityWarning, 0, l.whoMightBe(x.entry), "the whitelist %s names %q, which isn't there: it grants nothing", of, x.entry)
	case "cancelled":
		remedy := "remove one of the two"
		if id, isGroup := x.against.Group(); isGroup {
			remedy = l.rewrite(id, l.numbers([]Party{x.entry}))
		}
		l.add(SeverityWarning, 0, remedy, "the whitelist %s names %q, whom its blacklist shuts out by %q, and the blacklist wins", of, x.entry, x.against)
	default:
		l.add(SeverityWarning, 0, "remove it, unless the label is going to be stricter",
			"the whitelist %s names %q, who may know it anyway", of, x.entry)
	}
}

// unresolvedEntries notes the entries that stand for nobody.
func (l *linter) unresolvedEntries(f *Fact, note func(exception)) {
	lists := []struct {
		kind    string
		entries []Party
	}{{"whitelist", f.Whitelist}, {"whitelist", f.OwnWhitelist}, {"blacklist", f.Blacklist}, {"reserved list", f.Reserved}}
	for _, list := range lists {
		for _, entry := range list.entries {
			if _, known := l.p.resolve(entry); !known {
				note(exception{kind: list.kind, entry: entry})
			}
		}
	}
}

// whoMightBe says what to do about an entry that stands for nobody: it may be the
// name of somebody removed, of the owner, a first name or a look-alike.
func (l *linter) whoMightBe(entry Party) string {
	if id, isGroup := entry.Group(); isGroup {
		return fmt.Sprintf("add a group %q again, or correct the fact's exceptions", id)
	}
	key := NormalizeName(string(entry))
	for _, x := range l.p.removed {
		for _, s := range append([]string{x.Name}, x.Aliases...) {
			if NormalizeName(s) == key {
				return fmt.Sprintf("%s was removed: put them back, or take the entry off", x.Name)
			}
		}
	}
	if l.p.ownerNames[key] {
		return "that is you: take the entry off"
	}
	if candidates := l.p.firstNames(string(entry)); len(candidates) > 0 {
		return "add it as an alias to whom it means: " + quoteAll(candidates)
	}
	for _, form := range skeletons(string(entry)) {
		if like, ok := l.p.lookalikes[form]; ok {
			return fmt.Sprintf("it looks like %q: correct it", like.name)
		}
	}
	return "add it as an alias to the person whom it means, or correct the fact's exceptions"
}

// cancelled notes whitelist entries all of whose people the blacklist shuts out.
func (l *linter) cancelled(j *Judge, i int, note func(exception)) {
	f := &j.facts[i]
	if len(f.Blacklist) == 0 {
		return
	}
	for _, entry := range slices.Concat(f.Whitelist, f.OwnWhitelist) {
		people := l.numbers([]Party{entry})
		shut := func(n int32) bool { return j.listed(j.marks[i].black, n) }
		if len(people) == 0 || slices.ContainsFunc(people, func(n int32) bool { return !shut(n) }) {
			continue
		}
		note(exception{"cancelled", entry, j.naming(f.Blacklist, people[0])[0]})
	}
}

// needless notes whitelist entries whose people would all know the fact without
// them. An entry that other facts may borrow isn't needless, and what was told is
// no decision to look at again.
func (l *linter) needless(j *Judge, i int, note func(exception)) {
	f, m := &j.facts[i], &j.marks[i]
	if m.closed || m.unjudged || f.Event != "" && len(j.events[f.Event]) > 1 {
		return
	}
	for _, entry := range f.Whitelist {
		people := l.numbers([]Party{entry})
		needs := func(n int32) bool {
			return j.listed(m.reserved, n) || j.listed(m.black, n) || !l.passes(n, j.labels[i])
		}
		if len(people) > 0 && !slices.ContainsFunc(people, needs) {
			note(exception{kind: "needless", entry: entry})
		}
	}
}

// events warns of events that are denied to somebody on one fact and open to them
// on another, once for each event.
func (l *linter) events(j *Judge) {
	for _, event := range slices.Sorted(maps.Keys(j.events)) {
		var people []int32
		var denied, open FactID // of the first of the people
		for n := range int32(len(l.p.people)) {
			shut, may := l.halves(j, j.events[event], n+1)
			if shut == "" || may == "" {
				continue
			}
			if people = append(people, n+1); len(people) == 1 {
				denied, open = shut, may
			}
		}
		if len(people) > 0 {
			l.add(SeverityWarning, 0, "deny the event as a whole, or split it in two",
				"event %q is denied to %s on fact %q and open on fact %q", event, l.names(people), denied, open)
		}
	}
}

// halves returns the first fact that is denied to a person by name and the first
// that is open to them, "" for none.
func (l *linter) halves(j *Judge, members []int32, n int32) (denied, open FactID) {
	for _, k := range members {
		id := j.facts[k].ID
		switch {
		case j.listed(j.marks[k].black, n):
			denied = cmp.Or(min(denied, id), id)
		case j.Verdict(int(k), l.p.numbered(n)).Allow:
			open = cmp.Or(min(open, id), id)
		}
	}
	return denied, open
}
