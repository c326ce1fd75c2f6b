package agent

import (
	"context"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// MergePeople makes two names one person's: the names of other that the policy doesn't
// have become aliases of into, so that what the policy says of the person binds them
// under each. Where the policy knows neither, into is added, in no group. Two whom the
// policy knows are ErrTwoPeople. Without agreed the plan comes back, with ErrWidens,
// and nothing is written: a name that meant nobody comes to mean somebody.
func (a *Agent) MergePeople(ctx context.Context, into, other string, agreed bool) (*PolicyPlan, error) {
	p, err := a.people(ctx)
	if err != nil {
		return nil, err
	}
	if p.policy == nil {
		return nil, ErrNoPolicy
	}
	one, two := p.find(into), p.find(other)
	if two.Known && !one.Known {
		one, two = two, one
	}
	switch {
	case privacy.NormalizeName(into) == "" || privacy.NormalizeName(other) == "":
		return nil, fmt.Errorf("merge: %w; name two people", ErrEmpty)
	case one.nobody || two.nobody:
		return nil, fmt.Errorf("merge %q and %q: %w; `epagent people` lists who was, `epagent policy person alias` takes a name in for later", into, other, ErrNobody)
	case one.Owner || two.Owner:
		return nil, fmt.Errorf("merge %q and %q: %w: one of them is you; the owner's names stand under `owner:` in the policy", into, other, ErrTwoPeople)
	case one.Known && two.Known && one.Name != two.Name:
		return nil, fmt.Errorf("merge %q and %q: %w; remove one with `epagent policy person remove` first", into, other, ErrTwoPeople)
	}
	var names []string
	for _, name := range joined(&one, &two, into, other) {
		if _, known := p.policy.Person(name); !known && !slices.ContainsFunc(names, func(n string) bool { return privacy.NormalizeName(n) == privacy.NormalizeName(name) }) {
			names = append(names, name)
		}
	}
	var edits []privacy.Edit
	if one.Known {
		for _, name := range names {
			edits = append(edits, privacy.AddAlias{Person: one.Name, Alias: name})
		}
	} else {
		names = slices.DeleteFunc(names, func(n string) bool { return privacy.NormalizeName(n) == privacy.NormalizeName(one.Name) })
		edits = append(edits, privacy.AddPerson{Person: privacy.Person{Name: one.Name, Aliases: names}})
	}
	if len(names) == 0 && one.Known {
		return nil, fmt.Errorf("merge %q and %q: the policy has all of their names already", into, other)
	}
	plan, err := a.planned(ctx, "people merge "+one.Name+" "+two.Name, agreed, edits...)
	if err == nil {
		err = a.store.Together(ctx, privacy.NormalizeName(into), privacy.NormalizeName(other))
	}
	if err == nil && len(names) > 0 { // what a split takes back
		err = a.store.NotePeople(ctx, memory.People{Contacts: []memory.Contact{{
			Name: one.Name, Format: memory.FormatMerged, SourceID: privacy.NormalizeName(names[len(names)-1]), Aliases: names,
		}}})
	}
	return plan, err
}

// joined are the names that a merge is about: the two that were given, and those that are
// certainly one with the one that isn't the person's own yet.
func joined(one, two *SeenPerson, into, other string) []string {
	given := func(s *SeenPerson) []string {
		var out []string
		for _, name := range append([]string{s.Name}, s.Names...) {
			if k := privacy.NormalizeName(name); (k == privacy.NormalizeName(into) || k == privacy.NormalizeName(other)) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return out
	}
	if one.Name == two.Name && slices.Equal(one.Names, two.Names) { // names missing of one person
		return given(one)
	}
	return append(given(one), two.Names...)
}

// SplitPeople takes a merge back, or keeps two names from being proposed as one again:
// an alias of the person goes from the policy, with what the merge that wrote it wrote
// beside it and nothing else; who bears them gets what a stranger gets.
func (a *Agent) SplitPeople(ctx context.Context, person, name string, agreed bool) (*PolicyPlan, error) {
	p, err := a.people(ctx)
	if err != nil {
		return nil, err
	}
	if p.policy == nil {
		return nil, ErrNoPolicy
	}
	var plan *PolicyPlan
	gone := []string{name}
	var merges []memory.Contact
	x, known := p.policy.Person(person)
	y, alias := p.policy.Person(name)
	if known && alias && x.ID == y.ID {
		if gone, merges, err = a.mergedWith(ctx, &x, name); err != nil {
			return nil, err
		}
		var edits []privacy.Edit
		for _, alias := range gone {
			edits = append(edits, privacy.RemoveAlias{Person: person, Alias: alias})
		}
		if plan, err = a.planned(ctx, "people split "+person+" "+name, agreed, edits...); err != nil {
			return plan, err
		}
	}
	var apart [][2]string
	for _, one := range []string{person, x.Name} {
		for _, other := range gone {
			if one, other := privacy.NormalizeName(one), privacy.NormalizeName(other); one != "" && one != other {
				apart = append(apart, [2]string{one, other})
			}
		}
	}
	return plan, a.store.NotePeople(ctx, memory.People{Apart: apart, Contacts: merges})
}

// mergedWith are the aliases that the merge which wrote name wrote for x, and that the
// policy still has; name alone where no merge did.
func (a *Agent) mergedWith(ctx context.Context, x *privacy.Person, name string) ([]string, []memory.Contact, error) {
	known, err := a.store.People(ctx)
	if err != nil {
		return nil, nil, err
	}
	is := func(name string) func(string) bool {
		key := privacy.NormalizeName(name)
		return func(other string) bool { return privacy.NormalizeName(other) == key }
	}
	gone := []string{name}
	var merges []memory.Contact
	for _, c := range known.Contacts {
		if c.Format != memory.FormatMerged || !is(x.Name)(c.Name) || !slices.ContainsFunc(c.Aliases, is(name)) {
			continue
		}
		for _, alias := range c.Aliases {
			if slices.ContainsFunc(x.Aliases, is(alias)) && !slices.ContainsFunc(gone, is(alias)) {
				gone = append(gone, alias)
			}
		}
		c.Aliases = nil
		merges = append(merges, c)
	}
	return gone, merges, nil
}

// planned edits the policy once the owner has seen the plan and agreed.
func (a *Agent) planned(ctx context.Context, note string, agreed bool, edits ...privacy.Edit) (*PolicyPlan, error) {
	if agreed {
		return a.EditPolicy(ctx, nil, note, true, edits...)
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	edited, err := w.policy.Edit(edits...)
	if err != nil {
		return nil, err
	}
	plan, err := a.plan(ctx, w, edited.Source())
	if err != nil {
		return nil, err
	}
	return plan, fmt.Errorf("%w: it names people anew", ErrWidens)
}

// find is who bears a name, or somebody new who does.
func (p *people) find(name string) SeenPerson {
	key := privacy.NormalizeName(name)
	list := p.list()
	for _, s := range list {
		if slices.ContainsFunc(append(slices.Clone(s.Names), s.Name), func(n string) bool { return privacy.NormalizeName(n) == key }) {
			return s
		}
	}
	if x, ok := p.policy.Person(name); ok {
		for _, s := range list {
			if s.Known && s.Name == x.Name {
				return s
			}
		}
		return SeenPerson{Name: x.Name, Known: true, Names: []string{x.Name}}
	}
	return SeenPerson{Name: name, Names: []string{name}, Owner: p.policy.IsOwner(name), nobody: !p.policy.IsOwner(name)}
}

// OwnerNames lists the names under which the owner said to speak, by format.
func (a *Agent) OwnerNames(ctx context.Context) ([]memory.OwnerName, error) {
	people, err := a.store.People(ctx)
	return people.Owner, err
}

// ForgetOwnerName takes back that the owner speaks under a name; false where it was
// not known. What was imported stays as it is.
func (a *Agent) ForgetOwnerName(ctx context.Context, name string) (bool, error) {
	return a.store.ForgetOwnerName(ctx, name)
}
