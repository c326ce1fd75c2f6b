package evolve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// File is supplements on their way from one home to another: what they say and who made
// them, nothing of the feedback that they come from.
type File struct {
	Version     int        `json:"version"`
	Supplements []Exported `json:"supplements"`
}

// Exported is one of them.
type Exported struct {
	Stage    prompts.Name   `json:"stage"`
	Language string         `json:"language"`
	Text     string         `json:"text,omitempty"`
	Lesson   *engine.Lesson `json:"lesson,omitempty"`
	Author   string         `json:"author"`
}

// Bounds of a file that is read.
const (
	fileVersion   = 1
	maxFileBytes  = 1 << 20
	maxFileLength = 1000
)

// ErrFile says that a file holds no supplements of this form.
var ErrFile = errors.New("not a file of supplements; `epagent evolve export` writes one")

// Export are the supplements of some states, by id; all that are in force for none.
func Export(ctx context.Context, a *agent.Agent, states ...Status) (*File, error) {
	if len(states) == 0 {
		states = []Status{Active}
	}
	known, err := Known(ctx, a)
	if err != nil {
		return nil, err
	}
	out := &File{Version: fileVersion, Supplements: []Exported{}}
	for _, id := range sortedIDs(known) {
		s := known[id]
		if slices.Contains(states, s.Status) {
			out.Supplements = append(out.Supplements, Exported{s.Stage, s.Language, s.Text, s.Lesson, s.Author})
		}
	}
	return out, nil
}

// Import reads a file: each supplement becomes a candidate, or is refused with its
// reason, whatever it was elsewhere. What is known here already stays what it is here, and
// says so (Known). The next run tries them. ErrFile: it is no such file, or there is nothing
// in it.
func Import(ctx context.Context, a *agent.Agent, in io.Reader) ([]Supplement, error) {
	source, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(source) > maxFileBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFile, maxFileBytes)
	}
	list, err := readFile(source)
	if err != nil {
		return nil, err
	}
	door, err := openDoor(ctx, a)
	if err != nil {
		return nil, err
	}
	for _, x := range list {
		s := Supplement{Stage: x.Stage, Language: x.Language, Text: x.Text, Lesson: x.Lesson, Author: importedAuthor(x.Author), At: a.Now(), Status: Candidate}.Identify()
		if x.unknown != "" {
			door.refuse(s, fmt.Errorf("%w %q", ErrKey, x.unknown))
			continue
		}
		if err := door.take(s); err != nil {
			return nil, err
		}
	}
	return door.taken, a.Evolution().PutSupplements(ctx, door.put...)
}

// door is by which candidates come in that this home's feedback didn't make.
type door struct {
	home      *Home
	known     map[string]Supplement
	forbidden *Forbidden
	taken     []Supplement // with those that are known, and refused ones
	put       []memory.StoredSupplement
}

func openDoor(ctx context.Context, a *agent.Agent) (*door, error) {
	known, err := Known(ctx, a)
	if err != nil {
		return nil, err
	}
	home, err := OpenHome(ctx, a)
	if err != nil {
		return nil, err
	}
	forbidden, err := home.Forbidden(ctx)
	if err != nil {
		return nil, err
	}
	return &door{home: home, known: known, forbidden: forbidden, taken: []Supplement{}}, nil
}

func (d *door) knows(s Supplement) bool {
	_, there := d.known[s.ID]
	return there
}

// take takes a candidate in, unless it is known or a check refuses it. The text of a
// refused one isn't kept: it may be anything.
func (d *door) take(s Supplement) error {
	if here, there := d.known[s.ID]; there {
		here.Known = true
		if here.Reason == "" {
			here.Reason = ErrKnown.Error()
		}
		d.taken = append(d.taken, here)
		return nil
	}
	if err := Check(s, d.forbidden); err != nil {
		d.refuse(s, err)
		return nil
	}
	stored, err := s.stored()
	if err != nil {
		return err
	}
	d.known[s.ID] = s
	if s.Lesson == nil { // a lesson says what it does once it was tried
		s.Idle = idle(s, d.home.Policy(), nil, d.home.a.ModelName())
	}
	d.put, d.taken = append(d.put, stored), append(d.taken, s)
	return nil
}

// refuse notes that a candidate isn't taken in, and why.
func (d *door) refuse(s Supplement, why error) {
	s.Status, s.Reason = Refused, why.Error()
	d.taken = append(d.taken, s)
}

// importedAuthor bounds what a file says of who made a supplement.
func importedAuthor(author string) string {
	runes := []rune(author)
	if len(runes) == 0 || len(runes) > 60 || !printable(author) {
		return "import"
	}
	return imported + author + ")"
}
