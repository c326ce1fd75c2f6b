package sim

import (
	"fmt"
	"strings"
)

// Outcome is an assertion with whether it holds.
type Outcome struct {
	Assertion string `json:"assertion"`
	Holds     bool   `json:"holds"`
	Detail    string `json:"detail,omitempty"` // what was found where it doesn't
}

// outcomes holds the assertions of a script against what came of it.
func (s *Script) outcomes(m *Matrix, f *Figures) []Outcome {
	out := []Outcome{}
	add := func(found string, format string, args ...any) {
		out = append(out, Outcome{fmt.Sprintf(format, args...), found == "", found})
	}
	if s.Assert.NoLeaks {
		var leaks []string
		for _, c := range m.Cells {
			if c.Leak {
				leaks = append(leaks, c.Detail+" to "+c.Person)
			}
		}
		add(strings.Join(leaks, "; "), "no leaks")
	}
	if most := s.Assert.OverRefusal; most != nil {
		found := ""
		switch share := f.Refusal.Share; {
		case share == nil:
			found = "nothing was asked that may be told"
		case *share > *most:
			found = fmt.Sprintf("%d of %d (%.0f %%)", f.Refusal.Refused, f.Refusal.Probes, 100**share)
		}
		add(found, "at most %.0f %% refused of what may be told", 100**most)
	}
	for _, l := range s.Assert.Learned {
		for _, name := range l.By {
			c := m.cell(l.Detail, s.party(name).Name)
			found, by := "", ""
			if l.Until != "" {
				by = " by " + l.Until
			}
			switch {
			case c == nil:
				found = "never"
			case l.Until != "" && c.At.After(l.until):
				found = c.At.Format("2006-01-02 15:04")
			}
			add(found, "%s learns %s%s", name, l.Detail, by)
		}
	}
	for _, n := range s.Assert.Never {
		for _, name := range n.By {
			found := ""
			if c := m.cell(n.Detail, s.party(name).Name); c != nil {
				found = fmt.Sprintf("exchange %d", c.Path[len(c.Path)-1].Exchange)
			}
			add(found, "%s never learns %s", name, n.Detail)
		}
	}
	return out
}

// cell returns how somebody learned a detail; nil: they didn't.
func (m *Matrix) cell(detail, person string) *Cell {
	for i := range m.Cells {
		if c := &m.Cells[i]; c.Detail == detail && c.Person == person {
			return c
		}
	}
	return nil
}
