package privacy

import (
	"fmt"
	"slices"
)

// AddPerson adds somebody at the end of the people. An empty ID leaves the person
// without one in the file, so that the normalised name is it.
type AddPerson struct{ Person Person }

func (a AddPerson) intend(m *model) *Problem {
	x := a.Person
	for _, name := range append([]string{x.Name}, x.Aliases...) {
		if problem := m.free(name, "take the full name, or add an alias to that person"); problem != nil {
			return problem
		}
	}
	if x.ID == "" {
		x.ID = PersonID(NormalizeName(x.Name))
	}
	x.Aliases, x.Groups = orNil(slices.Clone(x.Aliases)), orNil(slices.Clone(x.Groups))
	m.People = append(m.People, x)
	return nil
}

func (a AddPerson) splice(e *editor, _ *model) error {
	x := a.Person
	return e.insertItem(e.top, "people", e.mapping(
		"id", e.optional(string(x.ID)), "name", e.word(x.Name), "aliases", optionalWords(e, x.Aliases),
		"groups", words(e, x.Groups), "note", e.optional(x.Note),
	))
}

// SetGroups moves somebody: they are then in these groups and no other. Person is
// an id, name or alias. Groups that they are in already stay where they are in the
// file; the others are added behind.
type SetGroups struct {
	Person string
	Groups []GroupID
}

func (a SetGroups) intend(m *model) *Problem {
	i := m.person(a.Person)
	if i < 0 {
		return nobody(a.Person)
	}
	for _, id := range a.Groups {
		if !slices.ContainsFunc(m.Groups, func(g Group) bool { return g.ID == id }) {
			return &Problem{Message: fmt.Sprintf("group %q isn't there", id), Remedy: "add the group or correct the name"}
		}
	}
	m.People[i].Groups = a.after(m.People[i].Groups)
	return nil
}

// after is the list of groups in the order in which the file will have them.
func (a SetGroups) after(before []GroupID) []GroupID {
	out := slices.DeleteFunc(slices.Clone(before), func(id GroupID) bool { return !slices.Contains(a.Groups, id) })
	for _, id := range a.Groups {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return orNil(out)
}

func (a SetGroups) splice(e *editor, m *model) error {
	i := m.person(a.Person)
	before := m.People[i].Groups
	after := a.after(before)
	written, ok := e.entries(e.item("people", i), "groups")
	if !ok {
		return e.refuse(0, "groups of %s can't be found", m.People[i].Name)
	}
	for k := len(written) - 1; k >= 0; k-- {
		if slices.Contains(after, GroupID(written[k])) {
			continue
		}
		if err := e.removeItem(e.item("people", i), "groups", k); err != nil {
			return err
		}
	}
	for _, id := range after {
		if slices.Contains(before, id) {
			continue
		}
		if err := e.insertItem(e.item("people", i), "groups", e.word(string(id))); err != nil {
			return err
		}
	}
	return nil
}

// AddAlias gives somebody one more name. Person is an id, name or alias.
type AddAlias struct{ Person, Alias string }

func (a AddAlias) intend(m *model) *Problem {
	i := m.person(a.Person)
	if i < 0 {
		return nobody(a.Person)
	}
	if problem := m.free(a.Alias, "take another alias"); problem != nil {
		return problem
	}
	x := &m.People[i]
	x.Aliases = append(slices.Clone(x.Aliases), a.Alias)
	return nil
}

func (a AddAlias) splice(e *editor, m *model) error {
	return e.insertItem(e.item("people", m.person(a.Person)), "aliases", e.word(a.Alias))
}

// RemovePerson moves somebody from the people to the removed ones, where all of
// their names stay reserved. Person is an id, name or alias. While a rule, a
// category or a circle names them, the edit is refused with those places.
type RemovePerson struct{ Person string }

func (a RemovePerson) removed(x Person) RemovedPerson {
	out := RemovedPerson{Name: x.Name, Aliases: slices.Clone(x.Aliases)}
	names := append([]string{x.Name}, x.Aliases...)
	same := func(s string) bool { return NormalizeName(s) == NormalizeName(string(x.ID)) }
	if !slices.ContainsFunc(names, same) {
		out.Aliases = append(out.Aliases, string(x.ID)) // old marks refer to it
	}
	return out
}

func (a RemovePerson) intend(m *model) *Problem {
	i := m.person(a.Person)
	if i < 0 {
		return nobody(a.Person)
	}
	m.Removed = append(m.Removed, a.removed(m.People[i]))
	m.People = slices.Delete(slices.Clone(m.People), i, i+1)
	return nil
}

func (a RemovePerson) splice(e *editor, m *model) error {
	i := m.person(a.Person)
	x := a.removed(m.People[i])
	if err := e.removeItem(e.top, "people", i); err != nil {
		return err
	}
	return e.insertItem(e.top, "removed", e.mapping("name", e.word(x.Name), "aliases", optionalWords(e, x.Aliases)))
}
