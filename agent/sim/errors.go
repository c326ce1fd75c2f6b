package sim

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrScript: a script is not as docs/simulate.md describes; the error is a
	// *[ScriptError] with each fault.
	ErrScript = errors.New("not a simulation script")
	// ErrOtherRun: the folder holds another run.
	ErrOtherRun = errors.New("the folder holds a run of another script, seed or program; choose another folder, or remove it to begin anew")
	// ErrFolder: the folder holds something else, or a journal that can't be read.
	ErrFolder = errors.New("not a folder of simulation results")
	// ErrOptions: an option is missing.
	ErrOptions = errors.New("can't be played")
)

// Fault is one thing wrong with a script.
type Fault struct {
	File    string `json:"file"`
	Line    int    `json:"line"` // 1-based; 0 where no line is to blame
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
}

// String returns "file:line: message (remedy)".
func (f Fault) String() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Remedy == "" {
		return place + ": " + f.Message
	}
	return fmt.Sprintf("%s: %s (%s)", place, f.Message, f.Remedy)
}

// ScriptError lists all faults of a script, by line.
type ScriptError struct{ Faults []Fault }

func (e *ScriptError) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns ErrScript.
func (e *ScriptError) Unwrap() error { return ErrScript }
