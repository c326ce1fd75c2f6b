package privacy

import (
	"fmt"
	"slices"
)

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
