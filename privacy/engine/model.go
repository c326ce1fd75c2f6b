package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/epagent/epagent/privacy"
)

// OnModelError is what a stage does when its model can't be reached or gives
// nothing that can be used.
type OnModelError string

// The choices.
const (
	ErrorOffline OnModelError = "offline" // the offline stage takes its place, and says so (default)
	ErrorFail    OnModelError = "fail"    // the request fails
)

// ErrModel says that a model's reply can't be used: it names what it wasn't given,
// states what nothing supports, or is none. Its text holds nothing of the reply.
var ErrModel = errors.New("the model's reply can't be used")

// Model runs the stages on a chat model, through calls that somebody else makes.
// Whatever comes back is checked against what went out before it counts, and no
// reply makes a mark wider than MARKS allows: see each stage. The calls get
// permitted facts only on the way out. Safe for concurrent use.
type Model struct {
	calls ModelCalls
	off   *Offline
	opts  ModelOptions

	mu     sync.Mutex
	spoken map[string][]spokenDraft // session → exceptions that the annotator's model named, until Exceptions takes them
}

// ModelOptions are the settings of a Model. The zero value works.
type ModelOptions struct {
	OnError OnModelError // default: ErrorOffline
	// Budget is about how many tokens of facts go into one call of the annotator.
	// Default: 1500.
	Budget int
	// Lessons are those of the offline stages that take a failed call's place.
	Lessons []Lesson
}

var (
	_ Annotator  = (*Model)(nil)
	_ Excepter   = (*Model)(nil)
	_ Coreferrer = (*Model)(nil)
	_ Grouper    = (*Model)(nil)
	_ UnitFinder = (*Model)(nil)
	_ Projector  = (*Model)(nil)
	_ Responder  = (*Model)(nil)
	_ Guard      = (*Model)(nil)
)

// NewModel returns the stages over calls.
func NewModel(calls ModelCalls, o ModelOptions) *Model {
	if o.OnError == "" {
		o.OnError = ErrorOffline
	}
	if o.Budget <= 0 {
		o.Budget = 1500
	}
	return &Model{calls: calls, off: NewOffline(o.Lessons...), opts: o, spoken: map[string][]spokenDraft{}}
}

// FallBack decides what follows from a failed call: nil where the offline stage may
// take its place, which is then noted; else the error to return. A cancelled
// request is never gone on with, and nobody falls back without a word.
func (m *Model) FallBack(ctx context.Context, stage string, err error) error {
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	err = fmt.Errorf("stage %s: %w", stage, err)
	if m.opts.OnError == ErrorFail || !noteDegraded(ctx, Degraded{Stage: stage, Why: err}) {
		return err
	}
	return nil
}

// unusable is ErrModel with what is wrong, in fixed words.
func unusable(what string) error { return fmt.Errorf("%w: %s", ErrModel, what) }

// ModelCalls makes the calls of the stages. Each returns what the model replied,
// checked for its form alone; an error holds no text of a prompt or a reply.
type ModelCalls interface {
	Annotate(ctx context.Context, in AnnotateCall) (AnnotateReply, error)
	Group(ctx context.Context, in GroupCall) (GroupReply, error)
	Units(ctx context.Context, in UnitsCall) (UnitsReply, error)
	Project(ctx context.Context, in ProjectCall) (ProjectReply, error)
	Respond(ctx context.Context, in RespondCall) (RespondReply, error)
	Claims(ctx context.Context, in ClaimsCall) (ClaimsReply, error)
}

// NamedText is a text with what it is called by in a call.
type NamedText struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	When string `json:"when,omitempty"`
}

// SpokenText is one message of a session in a call.
type SpokenText struct {
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	Owner   bool   `json:"owner"`
	Text    string `json:"text"`
}

// AnnotateCall asks for the categories of drafts, and for what the owner said about
// who may know them.
type AnnotateCall struct {
	Language   string         `json:"language"`
	Owner      string         `json:"owner"`
	Categories []CategoryText `json:"categories"`
	Turns      []SpokenText   `json:"turns"`
	Drafts     []NamedText    `json:"drafts"`
}

// CategoryText is a category as a model sees it: without its audience.
type CategoryText struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Examples    []string `json:"examples,omitempty"`
}

// AnnotateReply says of each draft what it is about.
type AnnotateReply struct{ Drafts []AnnotatedDraft }

// AnnotatedDraft is what a model says of one draft.
type AnnotatedDraft struct {
	ID         string
	Categories []CategoryScore
	Cover      *Evidence // the owner said that this is a story for others
	Exceptions []Exception
}

// CategoryScore is a category with how sure a model is of it, 0..1.
type CategoryScore struct {
	ID    string
	Score float64
}

// Evidence is a passage of a turn.
type Evidence struct {
	Turn string
	Span string // word for word
}

// Exception is what the owner said about who may know a draft.
type Exception struct {
	Allow  bool     // false: it is kept from them
	Closed bool     // kept from everybody but who heard it; with Allow it means nothing
	People []string // names and group ids
	Evidence
}

// GroupCall asks which drafts of a session are about one event.
type GroupCall struct {
	Language string      `json:"language"`
	Drafts   []NamedText `json:"drafts"`
}

// GroupReply lists the drafts that are about one event together.
type GroupReply struct{ Groups [][]string }

// UnitsCall asks which permitted facts a question asks for.
type UnitsCall struct {
	Language   string      `json:"language"`
	Question   string      `json:"question"`
	Candidates []NamedText `json:"candidates"`
}

// UnitsReply lists them, best first.
type UnitsReply struct {
	Facts   []string
	Connect bool
}

// ProjectCall asks for permitted facts in the language of the question, as a
// storyline and one by one.
type ProjectCall struct {
	Language string      `json:"language"`
	Question string      `json:"question"`
	Owner    string      `json:"owner"`
	Details  []NamedText `json:"details"`
}

// ProjectReply is the storyline and the facts as they may be told.
type ProjectReply struct {
	Storyline string
	Details   []NamedText
}

// RespondCall asks for the answer. It holds all that a responder sees.
type RespondCall struct {
	Language  string      `json:"language"`
	Question  string      `json:"question"`
	Owner     string      `json:"owner"`
	Storyline string      `json:"storyline"`
	Details   []NamedText `json:"details"`
	Boundary  []string    `json:"boundary,omitempty"`
	History   []Exchange  `json:"history,omitempty"`
	Avoid     []string    `json:"avoid,omitempty"`
}

// RespondReply is the answer with the facts that it uses.
type RespondReply struct {
	Answer string
	Facts  []string
}

// ClaimsCall asks whether an answer says anything that the permitted facts don't
// support.
type ClaimsCall struct {
	Language string      `json:"language"`
	Question string      `json:"question"`
	Answer   string      `json:"answer"`
	Details  []NamedText `json:"details"`
}

// ClaimsReply says how many claims of the answer nothing supports, and whether it
// answers yes or no to something that nothing supports.
type ClaimsReply struct {
	Unsupported int
	YesOrNo     bool
}

// tokens is about how many tokens a text is: a letter of CJK is one, of others
// four are.
func tokens(text string) int {
	wide, narrow := 0, 0
	for _, r := range text {
		if isCJKRune(r) {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+3)/4
}

// policyCategories are the categories of a policy as a model sees them.
func policyCategories(p *privacy.Policy) []CategoryText {
	var out []CategoryText
	for _, c := range p.Categories() {
		out = append(out, CategoryText{ID: string(c.ID), Name: c.Name, Description: c.Description, Examples: c.Examples})
	}
	return out
}
