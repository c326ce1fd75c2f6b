package privacy

import (
	"fmt"
	"slices"
	"strconv"
)

// AddCombination adds a combination at the end of the combinations. Of are ids of
// categories and rules; an empty ID leaves it without one in the file, so that it
// gets the id of its content.
type AddCombination struct {
	ID      string
	Of      []string
	Ceiling Label
}

func (a AddCombination) intend(m *model) *Problem {
	c := Combination{ID: a.ID, Ceiling: normalLabel(a.Ceiling)}
	for _, id := range a.Of {
		switch {
		case slices.ContainsFunc(m.Categories, func(c Category) bool { return string(c.ID) == id }):
			c.Categories = append(c.Categories, CategoryID(id))
		case slices.ContainsFunc(m.Rules, func(r Rule) bool { return string(r.ID) == id }):
			c.Rules = append(c.Rules, RuleID(id))
		default:
			return &Problem{Message: fmt.Sprintf("%q is no category and no rule", id), Remedy: "use ids that `epagent policy show` lists"}
		}
	}
	if c.ID == "" {
		c.ID = c.contentID()
	}
	if slices.ContainsFunc(m.Combinations, func(d Combination) bool { return d.ID == c.ID }) {
		return &Problem{Message: fmt.Sprintf("combination %q is there already", c.ID), Remedy: "remove it first, or take another id"}
	}
	m.Combinations = append(m.Combinations, c)
	return nil
}

func (a AddCombination) splice(e *editor, _ *model) error {
	return e.insertItem(e.top, "combinations", e.mapping(
		"id", e.optional(a.ID), "of", words(e, a.Of),
		"level", strconv.Itoa(int(a.Ceiling.Level)), "domain", e.optional(string(a.Ceiling.Domain)),
	))
}

// RemoveCombination takes out the combination with an id.
type RemoveCombination struct{ ID string }

func (a RemoveCombination) index(m *model) int {
	return slices.IndexFunc(m.Combinations, func(c Combination) bool { return c.ID == a.ID })
}

func (a RemoveCombination) intend(m *model) *Problem {
	i := a.index(m)
	if i < 0 {
		ids := make([]string, len(m.Combinations))
		for k, c := range m.Combinations {
			ids[k] = c.ID
		}
		return &Problem{Message: fmt.Sprintf("there is no combination %q", a.ID), Remedy: oneOf(ids)}
	}
	m.Combinations = slices.Delete(m.Combinations, i, i+1)
	return nil
}

func (a RemoveCombination) splice(e *editor, m *model) error {
	return e.removeItem(e.top, "combinations", a.index(m))
}

// oneOf is the remedy for an id that isn't there.
func oneOf(ids []string) string {
	if len(ids) == 0 {
		return "nothing is to be done: the policy has none"
	}
	return "use one of " + quoteAll(ids)
}
