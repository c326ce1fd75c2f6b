package privacy

import (
	"fmt"
	"slices"
)

// Removal returns the edits that take a person out together with all that names
// them: a rule for them alone, or about facts that mention them, goes; of a rule,
// a category's deny or a circle for several they are left out.
func (p *Policy) Removal(person string) []Edit {
	n := p.number(person)
	if n == 0 {
		return []Edit{RemovePerson{person}}
	}
	id := p.people[n-1].ID
	names := p.naming(n)
	var out []Edit
	for _, r := range p.rules {
		if r.Mentions != id && !slices.ContainsFunc(r.Parties(), names) {
			continue
		}
		out = append(out, RemoveRule{ID: r.ID})
		rest := r.clone()
		rest.Allow, rest.Deny = slices.DeleteFunc(rest.Allow, names), slices.DeleteFunc(rest.Deny, names)
		if r.Mentions != id && len(rest.Parties()) > 0 {
			if r.ID == r.contentID() {
				rest.ID = "" // the file gave none
			}
			out = append(out, AddRule{rest})
		}
	}
	for _, c := range p.categories {
		if slices.ContainsFunc(c.Deny, names) {
			rest := slices.DeleteFunc(slices.Clone(c.Deny), names)
			out = append(out, SetCategory{ID: c.ID, Deny: &rest})
		}
	}
	for _, c := range p.circles {
		if slices.Contains(c.People, id) {
			out = append(out, LeaveCircle{c.ID, string(id)})
		}
	}
	return append(out, RemovePerson{person})
}

// NamedBy returns what names a person, group apart, and so stands against removing
// them: the rules, the deny lists of categories and the circles, each with its line
// and what to do about it.
func (p *Policy) NamedBy(person string) []Problem {
	n := p.number(person)
	if n == 0 {
		return nil
	}
	x, names := p.people[n-1], p.naming(n)
	var out []Problem
	add := func(at place, remedy, format string, args ...any) {
		out = append(out, Problem{p.file, p.lines[at], fmt.Sprintf(format, args...), remedy, SeverityError})
	}
	for _, r := range p.rules {
		if r.Mentions == x.ID || slices.ContainsFunc(r.Parties(), names) {
			add(place{"rule", string(r.ID)}, fmt.Sprintf("`epagent policy remove-rule %s`", r.ID), "rule %q names %s", r.ID, x.Name)
		}
	}
	for _, c := range p.categories {
		if slices.ContainsFunc(c.Deny, names) {
			add(place{"category", string(c.ID)}, "take them off that list", "deny of category %q names %s", c.ID, x.Name)
		}
	}
	for _, c := range p.circles {
		if slices.Contains(c.People, x.ID) {
			add(place{"circle", c.ID}, "take them out of it", "circle %q names %s", c.ID, x.Name)
		}
	}
	return out
}

// naming tells the entries of lists that mean the person with a number.
func (p *Policy) naming(n int32) func(Party) bool {
	return func(party Party) bool {
		_, group := party.Group()
		return !group && p.number(string(party)) == n
	}
}
