package engine

import (
	"context"

	"github.com/epagent/epagent/privacy"
)

// Utterance is one message of a session as the stages see it.
type Utterance struct {
	ID        string
	Speaker   string   // as named in the source
	Owner     bool     // the owner's own words
	Listeners []string // who heard it
	Text      string
	At        privacy.Stamp
	ReplyTo   string
}

// Session is what the stages of the way in work on: one session's utterances
// and the drafts that extraction made of them. A draft is a Record without
// marks; its Evidence names utterances.
type Session struct {
	ID         string
	Utterances []Utterance
	Drafts     []privacy.Record
}

// Exemplar is an earlier decision of the owner about one fact. It teaches the
// annotator (MARKS 12).
type Exemplar struct {
	Text     string
	Category privacy.CategoryID // "" with NotFact
	NotFact  bool               // the owner said: this is no fact, skip its like
	Fact     privacy.FactID     // the fact that was corrected
}

// Annotator gives drafts their categories, truth and trust (MARKS 1, 5, 7–10).
type Annotator interface {
	// Annotate returns the marks of each draft of s, in order. Below the
	// policy's threshold a draft gets no category and a MarkReview. It never
	// returns fewer elements than s has drafts.
	Annotate(ctx context.Context, p *privacy.Policy, s Session, exemplars []Exemplar) ([][]privacy.Mark, error)
}

// Excepter finds what the owner said about who may know (MARKS 2–4).
type Excepter interface {
	// Exceptions returns marks to add to the drafts of s (in order) and event
	// rules for the events that the drafts belong to. The drafts carry their
	// event marks already. Only the owner's utterances make any.
	Exceptions(ctx context.Context, p *privacy.Policy, s Session) ([][]privacy.Mark, []privacy.EventRule, error)
}

// Coreferrer decides which drafts are about one event.
type Coreferrer interface {
	// Corefer returns one event mark a draft (By machine, Score its
	// confidence). The same drafts on the same known events give the same
	// marks. It does not change known.
	Corefer(ctx context.Context, drafts []privacy.Record, known *Events) ([]privacy.Mark, error)
}

// Ranked is a fact that recall found for a question, with its fused score.
type Ranked struct {
	Record privacy.Record
	Score  float64 // 0..1 within one question, best first
}

// Units is what a question asks for.
type Units struct {
	Facts   []privacy.FactID // the facts that it asks for, best first
	Connect bool             // it asks for their connection ("both … and …"): one query unit
}

// UnitFinder matches a question to facts.
type UnitFinder interface {
	// Units returns which of the candidates the question asks for. It sees only
	// what the recipient may know, so what it leaves out gives nothing away.
	Units(ctx context.Context, question string, candidates []Ranked) (Units, error)
}

// Material is what projection works on: permitted facts only.
type Material struct {
	Question string
	Language string // of the question
	Owner    string // how the answer calls the owner
	Facts    []privacy.Record
	Truth    map[privacy.FactID]privacy.Truth // as judged
	Covers   string                           // setting: "deflect" or "keep"
	Told     map[privacy.FactID]bool          // told to this listener before
	History  []Exchange                       // with this listener, oldest first
}

// Exchange is a question and what the same listener was answered. It holds nothing
// that they may not know now.
type Exchange struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// Context is the audience-safe context (PROJECTION 4): all that a responder
// ever sees.
type Context struct {
	Question  string   `json:"question"`
	Language  string   `json:"language"`
	Owner     string   `json:"owner"`
	Storyline string   `json:"storyline"` // summary: the permitted facts in time order
	Details   []Detail `json:"details"`
	Boundary  []string `json:"boundary"` // what to deflect, in the question's own words
	// History is what this listener asked and was answered before, oldest first.
	History []Exchange `json:"history,omitempty"`
	// Avoid are kinds of things that a first wording had and the next may not have,
	// see [LeakKind]. They name nothing.
	Avoid []LeakKind `json:"avoid,omitempty"`
}

// Detail is one permitted fact as it may be told.
type Detail struct {
	Fact privacy.FactID `json:"fact"`
	Text string         `json:"text"`
	When string         `json:"when,omitempty"` // a date, "" where none is known
}

// Projector turns verdicts into what a listener gets (PROJECTION.md).
type Projector interface {
	Project(ctx context.Context, m Material) (Context, error)
}

// Answer is what leaves, with the facts that it uses. No facts: a deflection.
type Answer struct {
	Text  string
	Facts []privacy.FactID
}

// Responder writes the answer from the projected context alone.
type Responder interface {
	Respond(ctx context.Context, c Context) (Answer, error)
}

// Leak names a denied fact whose attributable detail an answer carries.
type Leak struct {
	Fact   privacy.FactID
	Kind   LeakKind
	Detail string // for the owner's log at debug level only
}

// LeakKind is what sort of thing leaked. It says nothing of what it was.
type LeakKind string

// The kinds of leaks.
const (
	LeakDate   LeakKind = "date"
	LeakNumber LeakKind = "number"
	LeakName   LeakKind = "name"
	LeakWord   LeakKind = "word"
	LeakYesNo  LeakKind = "yes or no"
	LeakClaim  LeakKind = "claim" // something that no permitted fact supports
	// LeakUnjudged: the judge of claims gave no verdict.
	LeakUnjudged LeakKind = "unjudged"
)

// Outgoing is an answer on its way out, with what the guard holds it against.
type Outgoing struct {
	Question string
	Answer   string
	Owner    []string // the owner's names: every listener knows whom they ask about
	Allowed  []privacy.Record
	Denied   []privacy.Record
}

// Guard checks an answer against what this listener may not know (PROJECTION 10).
type Guard interface {
	// Check returns the leaks of an answer. What the allowed records state, the
	// owner's names, and what the listener wrote in the question are no leak by
	// themselves; a bare yes or no is.
	Check(ctx context.Context, out Outgoing) ([]Leak, error)
}
