package privacy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// AddGroup adds a group at the end of the groups. One of tier 1 to 3 must say its
// domain, [AnyDomain] where it passes in every domain; that of tier 4 may be empty.
type AddGroup struct{ Group Group }

// AnyDomain is how an edit and the file write the domain of a group that passes in
// every domain.
const AnyDomain = Domain(anyDomain)

func (a AddGroup) intend(m *model) *Problem {
	g := a.Group
	if slices.ContainsFunc(m.Groups, func(h Group) bool { return h.ID == g.ID }) {
		return &Problem{Message: fmt.Sprintf("group %q is there already", g.ID), Remedy: "set it instead, or take another id"}
	}
	m.Groups = append(m.Groups, everyDomain(g))
	return nil
}

func (a AddGroup) splice(e *editor, _ *model) error {
	g := a.Group
	return e.insertItem(e.top, "groups", e.mapping(
		"id", e.word(string(g.ID)), "tier", strconv.Itoa(int(g.Tier)),
		"domain", e.optional(string(g.Domain)), "description", e.optional(g.Description),
	))
}

// everyDomain is a group as it is loaded, where every domain is none.
func everyDomain(g Group) Group {
	if g.Domain == AnyDomain {
		g.Domain = ""
	}
	return g
}

// SetGroup changes a group. What is nil stays as it is; a pointer to an empty text
// takes the line out, which a group of tier 1 to 3 refuses for its domain.
type SetGroup struct {
	ID          GroupID
	Tier        *Tier
	Domain      *Domain
	Description *string
}

func (a SetGroup) intend(m *model) *Problem {
	i := groupIndex(m, a.ID)
	if i < 0 {
		return noGroup(m, a.ID)
	}
	g := m.Groups[i]
	set(&g.Tier, a.Tier)
	set(&g.Domain, a.Domain)
	set(&g.Description, a.Description)
	m.Groups[i] = everyDomain(g)
	return nil
}

func (a SetGroup) splice(e *editor, m *model) error {
	put := func(key, value string) error {
		if value == "" {
			return e.removePair(e.item("groups", groupIndex(m, a.ID)), key)
		}
		return e.setPair(e.item("groups", groupIndex(m, a.ID)), key, value)
	}
	if a.Tier != nil {
		if err := put("tier", strconv.Itoa(int(*a.Tier))); err != nil {
			return err
		}
	}
	if a.Domain != nil {
		if err := put("domain", e.optional(string(*a.Domain))); err != nil {
			return err
		}
	}
	if a.Description != nil {
		return put("description", e.optional(*a.Description))
	}
	return nil
}

// RemoveGroup takes out a group. While somebody is in it, or a rule or category
// names it, the edit is refused and says who and which.
type RemoveGroup struct{ ID GroupID }

func (a RemoveGroup) intend(m *model) *Problem {
	i := groupIndex(m, a.ID)
	if i < 0 {
		return noGroup(m, a.ID)
	}
	if by := a.inUse(m); len(by) > 0 {
		return &Problem{
			Message: fmt.Sprintf("group %q is in use: %s", a.ID, strings.Join(by, ", ")),
			Remedy:  "move these people first (`epagent policy person move`), and take the group out of what names it",
		}
	}
	m.Groups = slices.Delete(m.Groups, i, i+1)
	return nil
}

// inUse lists what stands against removing the group.
func (a RemoveGroup) inUse(m *model) []string {
	var out []string
	for _, x := range m.People {
		if slices.Contains(x.Groups, a.ID) {
			out = append(out, x.Name)
		}
	}
	for _, r := range m.Rules {
		if slices.Contains(r.Parties(), GroupParty(a.ID)) {
			out = append(out, "rule "+string(r.ID))
		}
	}
	for _, c := range m.Categories {
		if slices.Contains(c.Deny, GroupParty(a.ID)) {
			out = append(out, "deny of category "+string(c.ID))
		}
	}
	return out
}

func (a RemoveGroup) splice(e *editor, m *model) error {
	return e.removeItem(e.top, "groups", groupIndex(m, a.ID))
}

func groupIndex(m *model, id GroupID) int {
	return slices.IndexFunc(m.Groups, func(g Group) bool { return g.ID == id })
}

func noGroup(m *model, id GroupID) *Problem {
	ids := make([]string, len(m.Groups))
	for k, g := range m.Groups {
		ids[k] = string(g.ID)
	}
	return &Problem{Message: fmt.Sprintf("group %q isn't there", id), Remedy: oneOf(ids)}
}
