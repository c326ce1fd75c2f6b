package privacy

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrPolicy says that a policy file can't be used. Every *PolicyError is one.
	ErrPolicy = errors.New("policy is not valid")
	// ErrConfusable says that a name is nobody's but can be mistaken for
	// somebody's. Every *ConfusableError is one.
	ErrConfusable = errors.New("name can be mistaken for another")
	// ErrEdit says that a policy file can't be edited so. Every *EditError is one.
	ErrEdit = errors.New("policy can't be edited so")
	// ErrAmbiguous says that a name is nobody's but the first name of somebody.
	// Every *AmbiguousError is one.
	ErrAmbiguous = errors.New("name is only a first name")
	// ErrEmptyName says that nothing is left of a name after normalisation.
	ErrEmptyName = errors.New("name is empty")
)

// Severity says whether a [Problem] stops a policy from being used.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"   // it must be mended
	SeverityWarning Severity = "warning" // it may well be meant
)

// Problem is one fault or warning of a policy file, with the place and what to
// do about it.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"` // 1-based; 0 where no line is to blame
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`
	Severity Severity `json:"severity"`
}

// String returns "file:line: message (remedy)".
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	b.WriteString(p.Message)
	if p.Remedy != "" {
		b.WriteString(" (" + p.Remedy + ")")
	}
	return b.String()
}

// PolicyError lists all that is wrong with a policy file, by line.
type PolicyError struct {
	Problems []Problem
}

// Error lists the problems, a line each.
func (e *PolicyError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap makes errors.Is(err, ErrPolicy) hold.
func (e *PolicyError) Unwrap() error { return ErrPolicy }

// ConfusableError refuses a name that the owner typed: nobody bears it, but it
// looks like Candidate, whom somebody bears. It is for the owner alone.
type ConfusableError struct {
	Name      string // as typed
	Candidate string // the name or alias in the policy
}

// Error names both, the typed one escaped so that the difference can be seen.
func (e *ConfusableError) Error() string {
	return fmt.Sprintf("%+q is nobody's name and looks like %q: type the name as the policy has it, or add it as an alias",
		e.Name, e.Candidate)
}

// Unwrap makes errors.Is(err, ErrConfusable) hold.
func (e *ConfusableError) Unwrap() error { return ErrConfusable }

// AmbiguousError refuses a first name that the owner typed: nobody bears it as a
// name or alias, but it is how the names of Candidates begin. Even a single
// candidate is not taken: a stranger may be called so too. It is for the owner
// alone.
type AmbiguousError struct {
	Name       string   // as typed
	Candidates []string // names of the policy, sorted
}

// Error names the candidates, the first dozen of many.
func (e *AmbiguousError) Error() string {
	const most = 12
	names := quoteAll(e.Candidates[:min(len(e.Candidates), most)])
	if more := len(e.Candidates) - most; more > 0 {
		names += fmt.Sprintf(" or one of %d others", more)
	}
	return fmt.Sprintf("%q is nobody's name or alias and may mean %s: type the full name, or add it as an alias", e.Name, names)
}

// Unwrap makes errors.Is(err, ErrAmbiguous) hold.
func (e *AmbiguousError) Unwrap() error { return ErrAmbiguous }
