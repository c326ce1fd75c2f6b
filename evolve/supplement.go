package evolve

import (
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// Stages that have no prompt of their own beside those of package prompts.
const (
	StageExceptions prompts.Name = "exceptions" // offline: what the owner said about who may know
	StageGuard      prompts.Name = "guard"
	StageRecall     prompts.Name = "recall"
)

// Status is where a supplement is in its life.
type Status string

// The states of a supplement.
const (
	Candidate  Status = "candidate"               // nobody has judged it yet
	Proposed   Status = memory.SupplementProposed // it would widen, or might later: it waits for the owner
	Active     Status = memory.SupplementActive
	Refused    Status = "refused"     // Reason says why
	Retired    Status = "retired"     // merged into another one, or taken out by the owner
	RolledBack Status = "rolled back" // later feedback showed that it made things worse
)

// Statuses lists the states.
func Statuses() []Status {
	return []Status{Candidate, Proposed, Active, Refused, Retired, RolledBack}
}

// Authors of supplements.
const (
	ByOwner = "owner"
	ByRule  = "rule"
	ByModel = "model" // followed by a blank and the model's name
)

// Supplement is what one stage learned: a note for a stage that runs on a model
// (Text), or a lesson for an offline stage (Lesson). Exactly one of the two is there.
type Supplement struct {
	ID       string         `json:"id"` // of its content: see [Supplement.Identify]
	Stage    prompts.Name   `json:"stage"`
	Language string         `json:"language"` // of the texts that it is for
	Text     string         `json:"text,omitempty"`
	Lesson   *engine.Lesson `json:"lesson,omitempty"`
	Parents  []string       `json:"parents,omitempty"`  // supplements that it merges or replaces
	Evidence []int64        `json:"evidence,omitempty"` // ids of the feedback that it comes from
	Author   string         `json:"author"`             // "owner", "rule", "model NAME"
	At       time.Time      `json:"at"`
	Gate     *Figures       `json:"gate,omitempty"` // as it was tried last
	Status   Status         `json:"status"`
	Reason   string         `json:"reason,omitempty"` // why it is refused, proposed, retired or rolled back
	// Idle is why it does nothing today though it is in force or might be: what it speaks
	// of is gone from the policy, or its stage doesn't run. It isn't kept.
	Idle string `json:"idle,omitempty"`
	// Outgrown says that it is idle since its theme has come to a category that it wasn't
	// approved for: it may be approved again.
	Outgrown bool `json:"outgrown,omitempty"`
	// Known says that it was here before the file that names it. It isn't kept.
	Known bool `json:"known,omitempty"`
	// Scope are the categories that it was approved for, of a lesson by which statements get
	// or lose one; nil while it isn't approved.
	Scope []privacy.CategoryID `json:"scope,omitzero"`
}

// NewNote returns a candidate note for a stage that runs on a model.
func NewNote(stage prompts.Name, language, text, author string, evidence ...int64) Supplement {
	s := Supplement{Stage: stage, Language: language, Text: strings.TrimSpace(text), Author: author, Evidence: evidence, Status: Candidate}
	return s.Identify()
}

// NewLesson returns a candidate lesson for an offline stage.
func NewLesson(lesson engine.Lesson, author string, evidence ...int64) Supplement {
	s := Supplement{
		Stage: prompts.Name(lesson.Stage()), Language: lesson.Language(), Lesson: &lesson,
		Author: author, Evidence: evidence, Status: Candidate,
	}
	return s.Identify()
}

// Imported reports whether a file brought the supplement: who wrote it isn't known.
func (s Supplement) Imported() bool { return strings.HasPrefix(s.Author, imported) }

// imported begins the author of what a file brought.
const imported = "import ("

// Identify returns s with the id of its content: two that say the same to the same
// stage in the same language have one id.
func (s Supplement) Identify() Supplement {
	s.ID = agent.SupplementID(string(s.Stage), s.Language, s.Key())
	return s
}

// Key is equal for two supplements of a stage and language that say the same.
func (s Supplement) Key() string { return agent.SupplementKey(s.Text, s.Lesson) }

// Says is the supplement in words, for the owner.
func (s Supplement) Says() string {
	if s.Lesson != nil {
		return s.Lesson.Text()
	}
	return s.Text
}
