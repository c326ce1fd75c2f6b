package privacy

import (
	"fmt"
	"slices"
)

// RemoveAlias takes a name from somebody. Person is an id, name or alias. Who bears
// that name gets what a stranger gets from then on, and what names them by it binds
// nobody: the edit is refused while a rule, a category or a circle does.
type RemoveAlias struct{ Person, Alias string }

func (a RemoveAlias) at(x *Person) int {
	return slices.IndexFunc(x.Aliases, func(s string) bool { return NormalizeName(s) == NormalizeName(a.Alias) })
}

func (a RemoveAlias) intend(m *model) *Problem {
	i := m.person(a.Person)
	if i < 0 {
		return nobody(a.Person)
	}
	x := &m.People[i]
	k := a.at(x)
	if k < 0 {
		return &Problem{Message: fmt.Sprintf("%q is no alias of %s", a.Alias, x.Name), Remedy: "see `people:` in the policy for the aliases"}
	}
	x.Aliases = orNil(slices.Delete(slices.Clone(x.Aliases), k, k+1))
	return nil
}

func (a RemoveAlias) splice(e *editor, m *model) error {
	i := m.person(a.Person)
	return e.removeItem(e.item("people", i), "aliases", a.at(&m.People[i]))
}
