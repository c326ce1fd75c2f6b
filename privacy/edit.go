package privacy

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
)

// Edit is one change of a policy: [AddRule], [RemoveRule], [AddPerson],
// [SetGroups], [AddAlias], [RemoveAlias], [RemovePerson], [AddCategory], [SetCategory], [AddGroup],
// [SetGroup], [RemoveGroup], [AddCombination], [RemoveCombination], [JoinCircle],
// [LeaveCircle], [RemoveCircle] or [SetSetting].
type Edit interface {
	// intend makes the change to what the policy says; it returns where it
	// can't be made.
	intend(m *model) *Problem
	// splice makes the change to the text. The model is that before the change.
	splice(e *editor, m *model) error
}

// Splice is a cut into a text: the bytes from Start to End give way to Text.
type Splice struct {
	Start, End int
	Text       string
}

// Edited is a policy after edits.
type Edited struct {
	Policy *Policy
	// Splices lead from the old source to the new one, one after the other: each
	// counts in the text that the one before it left. Every byte outside of them is
	// as it was, comments, order and line ends among them.
	Splices []Splice
}

// Source returns the new text of the file.
func (e *Edited) Source() []byte { return e.Policy.Source() }

// EditError refuses an edit, with the places that stand against it and what to do
// about them.
type EditError struct {
	Problems []Problem
}

// Error lists the problems, a line each.
func (e *EditError) Error() string { return (&PolicyError{e.Problems}).Error() }

// Unwrap makes errors.Is(err, ErrEdit) hold.
func (e *EditError) Unwrap() error { return ErrEdit }

// Edit makes edits, in their order, to the text that p was made from. The new text
// is loaded again, and the edit is refused unless exactly what was asked for has
// changed. The error is an *EditError; p itself never changes.
//
// Nothing is written anywhere: the caller stores the new source, after comparing
// [Policy.Hash] with that of the file as it is by then.
func (p *Policy) Edit(edits ...Edit) (*Edited, error) {
	e := &editor{file: p.file, src: p.Source()}
	m := p.model()
	for _, edit := range edits {
		was := m.clone()
		if x, ok := edit.(RemovePerson); ok && len(edits) == 1 {
			if problems := p.NamedBy(x.Person); len(problems) > 0 {
				return nil, &EditError{Problems: problems}
			}
		}
		if problem := edit.intend(&m); problem != nil {
			return nil, p.refuse(*problem)
		}
		if err := e.layOut(); err != nil {
			return nil, err
		}
		if err := edit.splice(e, &was); err != nil {
			return nil, err
		}
	}
	after, err := Parse(p.file, e.src)
	if err != nil {
		return nil, &EditError{Problems: err.(*PolicyError).Problems}
	}
	if !reflect.DeepEqual(m.normal(), after.model().normal()) {
		return nil, p.refuse(Problem{
			Message: "the edit would change something else as well",
			Remedy:  "make it by hand, or write that part of the file in plain block style first",
		})
	}
	return &Edited{Policy: after, Splices: e.splices}, nil
}

func (p *Policy) refuse(problem Problem) error {
	problem.File, problem.Severity = p.file, SeverityError
	return &EditError{Problems: []Problem{problem}}
}

// model is what a policy says: all that edits may change or must leave alone.
type model struct {
	Version      int
	Owner        OwnerEntry
	Domains      []Domain
	Groups       []Group
	People       []Person
	Removed      []RemovedPerson
	Categories   []Category
	Rules        []Rule
	Combinations []Combination
	Circles      []Circle
	Settings     Settings
}

func (p *Policy) model() model {
	return model{
		Version: p.version, Owner: p.Owner(), Domains: p.Domains(), Groups: p.Groups(),
		People: p.People(), Removed: p.Removed(), Categories: p.Categories(), Rules: p.Rules(),
		Combinations: p.Combinations(), Circles: p.Circles(), Settings: p.settings,
	}
}

// clone copies the lists that edits change.
func (m model) clone() model {
	c := m
	c.People = slices.Clone(m.People)
	c.Removed = slices.Clone(m.Removed)
	c.Categories = slices.Clone(m.Categories)
	c.Rules = slices.Clone(m.Rules)
	c.Groups, c.Combinations, c.Circles = slices.Clone(m.Groups), slices.Clone(m.Combinations), slices.Clone(m.Circles)
	return c
}

// normal is m with nil for lists without an entry, which read the same.
func (m model) normal() model {
	m.People, m.Removed, m.Categories, m.Rules = orNil(m.People), orNil(m.Removed), orNil(m.Categories), orNil(m.Rules)
	m.Groups, m.Combinations, m.Circles = orNil(m.Groups), orNil(m.Combinations), orNil(m.Circles)
	return m
}

// person returns the index of the person whom ref means, -1 for nobody. Edits may
// have added people since the file was loaded.
func (m *model) person(ref string) int {
	key := NormalizeName(ref)
	if key == "" {
		return -1
	}
	return slices.IndexFunc(m.People, func(x Person) bool {
		names := append([]string{string(x.ID), x.Name}, x.Aliases...)
		return slices.ContainsFunc(names, func(s string) bool { return NormalizeName(s) == key })
	})
}

// free returns why a name can't be given to somebody new, nil where it can.
func (m *model) free(name, remedy string) *Problem {
	if i := m.person(name); i >= 0 {
		return &Problem{Message: fmt.Sprintf("%q is a name of %s already", name, m.People[i].Name), Remedy: remedy}
	}
	key := NormalizeName(name)
	for _, x := range m.Removed {
		if slices.ContainsFunc(append([]string{x.Name}, x.Aliases...), func(s string) bool { return NormalizeName(s) == key }) {
			return &Problem{
				Message: fmt.Sprintf("%q is a name of %s, who was removed, and stays reserved", name, x.Name),
				Remedy:  "take another name; if it is the same person, move their line from removed to people",
			}
		}
	}
	return nil
}

func nobody(ref string) *Problem {
	return &Problem{
		Message: fmt.Sprintf("%+q is nobody in this policy", ref),
		Remedy:  "use a name, alias or id of people, or add the person first",
	}
}

// editor is a text while it is edited.
type editor struct {
	file    string
	src     []byte
	splices []Splice
	*layout // of src
}

// layOut finds the tokens of the text as it is now.
func (e *editor) layOut() error {
	l, problem := newLayout(e.src)
	if problem != nil {
		problem.File, problem.Severity = e.file, SeverityError
		return &EditError{Problems: []Problem{*problem}}
	}
	e.layout = l
	return nil
}

// cut replaces a span of the text and lays it out again.
func (e *editor) cut(s span, text string) error {
	e.splices = append(e.splices, Splice{s.start, s.end, text})
	e.src = slices.Concat(e.src[:s.start], []byte(text), e.src[s.end:])
	return e.layOut()
}

// Apply returns what the splices make of the old source, an error if it isn't
// theirs.
func (e *Edited) Apply(old []byte) ([]byte, error) {
	src := bytes.Clone(old)
	for _, s := range e.Splices {
		if s.Start < 0 || s.Start > s.End || s.End > len(src) {
			return nil, fmt.Errorf("splice %d to %d of %d bytes: %w: load the policy again", s.Start, s.End, len(src), ErrEdit)
		}
		src = slices.Concat(src[:s.Start], []byte(s.Text), src[s.End:])
	}
	return src, nil
}
