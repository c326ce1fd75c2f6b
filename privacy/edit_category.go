package privacy

import (
	"fmt"
	"slices"
	"strconv"
)

// AddCategory adds a category at the end of the categories.
type AddCategory struct{ Category Category }

func (a AddCategory) intend(m *model) *Problem {
	c := a.Category.clone()
	if slices.ContainsFunc(m.Categories, func(d Category) bool { return d.ID == c.ID }) {
		return &Problem{Message: fmt.Sprintf("category %q is there already", c.ID), Remedy: "set it instead, or take another id"}
	}
	c.Examples, c.Deny = orNil(c.Examples), orNil(c.Deny)
	m.Categories = append(m.Categories, c)
	return nil
}

func (a AddCategory) splice(e *editor, _ *model) error {
	c := a.Category
	return e.insertItem(e.top, "categories", e.mapping(
		"id", e.word(string(c.ID)), "name", e.word(c.Name),
		"level", strconv.Itoa(int(c.Level)), "domain", e.optional(string(c.Domain)),
		"description", e.optional(c.Description), "examples", optionalWords(e, c.Examples),
		"blur", optionalFlag(c.Blur), "blur_text", e.optional(c.BlurText),
		"confidence", optionalFlag(c.Confidence), "deny", optionalWords(e, c.Deny),
	))
}

// SetCategory changes a category. What is nil stays as it is; a pointer to an
// empty text or list takes the line out.
type SetCategory struct {
	ID          CategoryID
	Name        *string
	Level       *Level
	Domain      *Domain
	Description *string
	Examples    *[]string
	Confidence  *bool
	Deny        *[]Party
}

func (a SetCategory) index(m *model) int {
	return slices.IndexFunc(m.Categories, func(c Category) bool { return c.ID == a.ID })
}

func (a SetCategory) intend(m *model) *Problem {
	i := a.index(m)
	if i < 0 {
		return &Problem{Message: fmt.Sprintf("category %q isn't there", a.ID), Remedy: "add it, or use the id of a category"}
	}
	c := m.Categories[i].clone()
	set(&c.Name, a.Name)
	set(&c.Level, a.Level)
	set(&c.Domain, a.Domain)
	set(&c.Description, a.Description)
	set(&c.Examples, a.Examples)
	set(&c.Confidence, a.Confidence)
	set(&c.Deny, a.Deny)
	c.Examples, c.Deny = orNil(slices.Clone(c.Examples)), orNil(slices.Clone(c.Deny))
	m.Categories[i] = c
	return nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (a SetCategory) splice(e *editor, m *model) error {
	var values [][2]string // key and value, "" to take it out
	add := func(asked bool, key string, value func() string) {
		if asked {
			values = append(values, [2]string{key, value()})
		}
	}
	add(a.Name != nil, "name", func() string { return e.optional(*a.Name) })
	add(a.Level != nil, "level", func() string { return strconv.Itoa(int(*a.Level)) })
	add(a.Domain != nil, "domain", func() string { return e.optional(string(*a.Domain)) })
	add(a.Description != nil, "description", func() string { return e.optional(*a.Description) })
	add(a.Examples != nil, "examples", func() string { return optionalWords(e, *a.Examples) })
	add(a.Confidence != nil, "confidence", func() string { return optionalFlag(*a.Confidence) })
	add(a.Deny != nil, "deny", func() string { return optionalWords(e, *a.Deny) })
	for _, v := range values {
		c := e.item("categories", a.index(m))
		var err error
		if v[1] == "" {
			err = e.removePair(c, v[0])
		} else {
			err = e.setPair(c, v[0], v[1])
		}
		if err != nil {
			return err
		}
	}
	return nil
}
