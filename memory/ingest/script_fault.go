package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ScriptFault is one thing that is wrong with a script folder, with its place and
// what to do about it. It tells no text of the story.
type ScriptFault struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // 0: the file as a whole
	ID      string `json:"id,omitempty"`   // of the row or turn, "" where it has none
	Problem string `json:"problem"`
	Remedy  string `json:"remedy"`

	kind error
}

// Error writes the fault in one line.
func (f *ScriptFault) Error() string {
	var b strings.Builder
	b.WriteString(f.File)
	if f.Line > 0 {
		fmt.Fprintf(&b, ":%d", f.Line)
	}
	b.WriteString(": ")
	if f.ID != "" {
		fmt.Fprintf(&b, "%q: ", f.ID)
	}
	b.WriteString(f.Problem)
	if f.Remedy != "" {
		b.WriteString("; " + f.Remedy)
	}
	return b.String()
}

// Unwrap returns ErrFormat, ErrEncoding or ErrTooLong.
func (f *ScriptFault) Unwrap() error { return cmp.Or(f.kind, ErrFormat) }

// ScriptError is a script that can't be taken, with everything that is wrong.
type ScriptError struct{ Faults []*ScriptFault }

// maxFaults is how many faults an error lists.
const maxFaults = 20

// Error lists the faults, a line each.
func (e *ScriptError) Error() string {
	var lines []string
	for _, f := range e.Faults[:min(len(e.Faults), maxFaults)] {
		lines = append(lines, f.Error())
	}
	if more := len(e.Faults) - maxFaults; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more faults", more))
	}
	return fmt.Sprintf("%v: %s", ErrFormat, strings.Join(lines, "\n"))
}

// Unwrap returns the faults.
func (e *ScriptError) Unwrap() []error {
	out := make([]error, len(e.Faults))
	for i, f := range e.Faults {
		out[i] = f
	}
	return out
}

func (c *scriptReading) fault(file string, line int, id, remedy, format string, args ...any) {
	c.faults = append(c.faults, &ScriptFault{File: file, Line: line, ID: id, Problem: fmt.Sprintf(format, args...), Remedy: remedy})
}

// unreadable notes a row that is lost.
func (c *scriptReading) unreadable(file string, line int, kind error, remedy, detail string) {
	problem := kind.Error()
	if detail != "" {
		problem += ": " + detail
	}
	c.faults = append(c.faults, &ScriptFault{File: file, Line: line, Problem: problem, Remedy: remedy, kind: kind})
	c.broken = true
}

// sorted returns the faults in the order of the format's files, by line.
func (c *scriptReading) sorted() []*ScriptFault {
	order := []string{policyFile, sessionsFile, factsFile, t1File, t2File, t3File, readmeFile}
	slices.SortStableFunc(c.faults, func(a, b *ScriptFault) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.File), slices.Index(order, b.File)), cmp.Compare(a.Line, b.Line))
	})
	return c.faults
}
