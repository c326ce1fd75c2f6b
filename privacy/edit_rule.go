package privacy

import (
	"fmt"
	"slices"
)

// AddRule adds a rule at the end of the rules. An empty ID leaves the rule without
// one in the file, so that it gets the id of its content.
type AddRule struct{ Rule Rule }

func (a AddRule) rule(m *model) (Rule, *Problem) {
	r := a.Rule.clone()
	for _, list := range [][]Party{r.Allow, r.Deny} {
		for i := range list {
			list[i] = m.written(list[i])
		}
	}
	if r.Mentions != "" {
		i := m.person(string(r.Mentions))
		if i < 0 {
			return Rule{}, nobody(string(r.Mentions))
		}
		r.Mentions = m.People[i].ID
	}
	if !r.Until.IsZero() {
		t, err := parseUntil(formatUntil(r.Until))
		if err != nil {
			return Rule{}, &Problem{Message: "the end of the rule can't be written", Remedy: "take a year from 1 to 9999"}
		}
		r.Until = t.UTC()
	}
	if r.ID == "" {
		r.ID = r.contentID()
	}
	r.Allow, r.Deny, r.Categories = orNil(r.Allow), orNil(r.Deny), orNil(r.Categories)
	return r, nil
}

// written is a name as the policy writes it: "ADA ray" is typed, "Ada Ray" is kept,
// so that the same rule isn't there twice.
func (m *model) written(party Party) Party {
	if _, group := party.Group(); group {
		return party
	}
	i := m.person(string(party))
	if i < 0 {
		return party
	}
	x := m.People[i]
	names := slices.Concat([]string{x.Name}, x.Aliases, []string{string(x.ID)})
	if slices.Contains(names, string(party)) {
		return party
	}
	key := NormalizeName(string(party))
	return Party(names[slices.IndexFunc(names, func(s string) bool { return NormalizeName(s) == key })])
}

func (a AddRule) intend(m *model) *Problem {
	r, problem := a.rule(m)
	if problem != nil {
		return problem
	}
	if slices.ContainsFunc(m.Rules, func(s Rule) bool { return s.ID == r.ID }) {
		return &Problem{Message: fmt.Sprintf("rule %q is there already", r.ID), Remedy: "remove it first, or give the new one an id"}
	}
	m.Rules = append(m.Rules, r)
	return nil
}

func (a AddRule) splice(e *editor, m *model) error {
	r, _ := a.rule(m)
	category := ""
	switch len(r.Categories) {
	case 0:
	case 1:
		category = e.word(string(r.Categories[0]))
	default:
		category = words(e, r.Categories)
	}
	mentions, until := "", ""
	if r.Mentions != "" {
		mentions = e.word(m.People[m.person(string(r.Mentions))].Name)
	}
	if !r.Until.IsZero() {
		until = e.word(formatUntil(r.Until))
	}
	return e.insertItem(e.top, "rules", e.mapping(
		"id", e.optional(string(a.Rule.ID)),
		"allow", optionalWords(e, r.Allow), "deny", optionalWords(e, r.Deny),
		"category", category, "about", e.optional(r.About), "mentions", mentions,
		"event", e.optional(string(r.Event)), "fact", e.optional(string(r.Fact)),
		"until", until, "note", e.optional(r.Note),
	))
}

// RemoveRule takes out the rule with an id.
type RemoveRule struct{ ID RuleID }

func (a RemoveRule) index(m *model) int {
	return slices.IndexFunc(m.Rules, func(r Rule) bool { return r.ID == a.ID })
}

func (a RemoveRule) intend(m *model) *Problem {
	i := a.index(m)
	if i < 0 {
		return &Problem{Message: fmt.Sprintf("there is no rule %q", a.ID), Remedy: "use an id that policy show lists"}
	}
	m.Rules = orNil(slices.Delete(slices.Clone(m.Rules), i, i+1))
	return nil
}

func (a RemoveRule) splice(e *editor, m *model) error {
	return e.removeItem(e.top, "rules", a.index(m))
}

// orNil is list, nil where it has no entry: the form in which a file is loaded.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
