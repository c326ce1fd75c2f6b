package evolve

import (
	"context"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// Trace is a piece of feedback with what was there when it was given: the words are
// looked up, not stored with it.
type Trace struct {
	Feedback memory.Feedback
	// Others: the words of the fact are somebody else's. Fact is nil then, and nothing is
	// learned from it.
	Others   bool
	Language string // of the fact, else of the question, else of the comment
	// Fact is what it is about, nil for none; Label and Categories are those it had,
	// by the machine alone (what the owner decided since is in Right).
	Fact       *memory.Fact
	Label      privacy.Label
	Categories []privacy.CategoryID
	// Entry is the answer that it is about, nil for none. Permitted and Told of the
	// entry say what the recipients might know and what they were told.
	Entry *memory.LedgerEntry
	// Right is what the owner said is right; the zero value says nothing.
	Right Right
}

// Right is what would have been right.
type Right struct {
	Categories []privacy.CategoryID
	Label      *privacy.Label
	NotFact    bool
	Event      Event
	Tell, Keep []privacy.FactID
	Text       string // in the owner's words
}

// Known reports whether it says anything that can be compared.
func (r Right) Known() bool {
	return len(r.Categories) > 0 || r.Label != nil || r.NotFact || r.Event.Known() || len(r.Tell)+len(r.Keep) > 0
}

// Finding is what a diagnosis says of one piece of feedback.
type Finding struct {
	Feedback int64              `json:"feedback"`
	Kind     agent.FeedbackKind `json:"kind"`
	Stage    prompts.Name       `json:"stage"` // at fault; "" where none is
	Language string             `json:"language"`
	Reason   string             `json:"reason"`         // why that stage, without words of the case
	Note     string             `json:"-"`              // general, by a model: a candidate's text
	By       string             `json:"by"`             // "rule", "model NAME"
	Home     string             `json:"home,omitempty"` // of several
	Trace    *Trace             `json:"-"`
}

// Diagnoser finds the stage at fault. An empty Stage says that none of this
// diagnoser's rules fits; the next one is asked.
type Diagnoser interface {
	Diagnose(ctx context.Context, t *Trace) (Finding, error)
}

// Material is what candidates are made from.
type Material struct {
	Findings []Finding
	Existing []Supplement // of every status: what was refused is not proposed again
	Policy   *privacy.Policy
	Policies map[string]*privacy.Policy // by home, where facts are of several: else Policy
	// Facts are the stored facts with the label that counts now, to contrast with.
	Facts []LabelledFact
	// Budget is how many candidates at most.
	Budget int
	Seed   int64
	Model  bool // stages run on a model: notes are of use; else lessons alone
}

// LabelledFact is a stored fact with what counts for it now.
type LabelledFact struct {
	memory.Fact
	Label      privacy.Label
	Categories []privacy.CategoryID
	Decided    bool // by the owner
	Home       string
}

// Proposer makes candidates from findings: general ones, that hold no name, number or
// telling word of a case. What it proposes is checked again by the gate. Equal
// material and seed give equal candidates.
type Proposer interface {
	Propose(ctx context.Context, m Material) ([]Supplement, error)
}
