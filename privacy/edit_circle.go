package privacy

import (
	"fmt"
	"slices"
)

// JoinCircle puts people, by id, name or alias, into a circle: at the end of one
// that is there, else as a new one at the end of the circles. Who is in it already
// stays where they are.
type JoinCircle struct {
	Circle string
	People []string
}

func (a JoinCircle) index(m *model) int {
	return slices.IndexFunc(m.Circles, func(c Circle) bool { return c.ID == a.Circle })
}

// joining lists who is to be added, each once.
func (a JoinCircle) joining(m *model) ([]Person, *Problem) {
	var in []PersonID
	if i := a.index(m); i >= 0 {
		in = slices.Clone(m.Circles[i].People)
	}
	var out []Person
	for _, ref := range a.People {
		k := m.person(ref)
		if k < 0 {
			return nil, nobody(ref)
		}
		if x := m.People[k]; !slices.Contains(in, x.ID) {
			in, out = append(in, x.ID), append(out, x)
		}
	}
	return out, nil
}

func (a JoinCircle) intend(m *model) *Problem {
	joining, problem := a.joining(m)
	if problem != nil {
		return problem
	}
	i := a.index(m)
	if i < 0 {
		m.Circles = append(m.Circles, Circle{ID: a.Circle})
		i = len(m.Circles) - 1
	}
	people := slices.Clone(m.Circles[i].People)
	for _, x := range joining {
		people = append(people, x.ID)
	}
	m.Circles[i].People = people
	return nil
}

func (a JoinCircle) splice(e *editor, m *model) error {
	joining, _ := a.joining(m)
	names := make([]string, len(joining))
	for i, x := range joining {
		names[i] = x.Name
	}
	i := a.index(m)
	if i < 0 {
		return e.insertItem(e.top, "circles", e.mapping("id", e.word(a.Circle), "people", words(e, names)))
	}
	for _, name := range names {
		if err := e.insertItem(e.item("circles", i), "people", e.word(name)); err != nil {
			return err
		}
	}
	return nil
}

// LeaveCircle takes somebody out of a circle, and the circle itself where only one
// would be left in it. Person is an id, name or alias.
type LeaveCircle struct{ Circle, Person string }

// after is the circle's people without the person; nil where there is no circle
// left.
func (a LeaveCircle) after(m *model, at int) []PersonID {
	who := m.person(a.Person)
	out := slices.DeleteFunc(slices.Clone(m.Circles[at].People), func(id PersonID) bool { return m.person(string(id)) == who })
	if len(out) < 2 {
		return nil
	}
	return out
}

func (a LeaveCircle) index(m *model) int {
	return slices.IndexFunc(m.Circles, func(c Circle) bool { return c.ID == a.Circle })
}

func (a LeaveCircle) intend(m *model) *Problem {
	at := a.index(m)
	switch {
	case m.person(a.Person) < 0:
		return nobody(a.Person)
	case at < 0:
		return &Problem{Message: fmt.Sprintf("there is no circle %q", a.Circle), Remedy: "use the id of a circle"}
	}
	if people := a.after(m, at); people != nil {
		m.Circles[at].People = people
	} else {
		m.Circles = orNil(slices.Delete(m.Circles, at, at+1))
	}
	return nil
}

func (a LeaveCircle) splice(e *editor, m *model) error {
	at := a.index(m)
	if a.after(m, at) == nil {
		return e.removeItem(e.top, "circles", at)
	}
	written, ok := e.entries(e.item("circles", at), "people")
	if !ok {
		return e.refuse(0, "people of circle %q can't be found", a.Circle)
	}
	for k := len(written) - 1; k >= 0; k-- {
		if m.person(written[k]) != m.person(a.Person) {
			continue
		}
		if err := e.removeItem(e.item("circles", at), "people", k); err != nil {
			return err
		}
	}
	return nil
}

// RemoveCircle takes out the circle with an id.
type RemoveCircle struct{ ID string }

func (a RemoveCircle) intend(m *model) *Problem {
	i := JoinCircle{Circle: a.ID}.index(m)
	if i < 0 {
		ids := make([]string, len(m.Circles))
		for k, c := range m.Circles {
			ids[k] = c.ID
		}
		return &Problem{Message: fmt.Sprintf("there is no circle %q", a.ID), Remedy: oneOf(ids)}
	}
	m.Circles = slices.Delete(m.Circles, i, i+1)
	return nil
}

func (a RemoveCircle) splice(e *editor, m *model) error {
	return e.removeItem(e.top, "circles", JoinCircle{Circle: a.ID}.index(m))
}
