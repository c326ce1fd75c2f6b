package memory

import (
	"encoding/json"
	"time"

	"github.com/epagent/epagent/privacy"
)

// StoredSupplement is what a stage learned, as the record keeps it. What the lesson,
// the figures and the status say is the business of whoever stored it; only
// SupplementActive means something here.
type StoredSupplement struct {
	ID       string          `json:"id"`
	Stage    string          `json:"stage"`
	Language string          `json:"language"`
	Text     string          `json:"text,omitempty"`   // of a note
	Lesson   json.RawMessage `json:"lesson,omitempty"` // of a lesson
	Parents  []string        `json:"parents,omitempty"`
	Evidence []int64         `json:"evidence,omitempty"` // ids of feedback
	Author   string          `json:"author"`
	At       time.Time       `json:"at"`
	Gate     json.RawMessage `json:"gate,omitempty"`
	Status   string          `json:"status"`
	Reason   string          `json:"reason,omitempty"`
	// Scope are the categories that it was approved for, sorted; nil where that isn't noted.
	Scope []privacy.CategoryID `json:"scope,omitzero"`
}

// The states that the record itself knows.
const (
	SupplementActive   = "active"   // in force
	SupplementProposed = "proposed" // waits for the owner
)

// SupplementVersion is one state of what is in force.
type SupplementVersion struct {
	Seq      int64     `json:"seq"`
	At       time.Time `json:"at"`
	Active   []string  `json:"active"` // ids, sorted
	Author   string    `json:"author"`
	Note     string    `json:"note,omitempty"`
	Restores int64     `json:"restores,omitempty"` // the version that came back by it; 0 none
}

// SupplementMarks is what a supplement did to the marks of a stored fact.
type SupplementMarks struct {
	Supplement string         `json:"supplement"`
	Fact       privacy.FactID `json:"fact"`
	Added      []privacy.Mark `json:"added,omitempty"`
	Removed    []privacy.Mark `json:"removed,omitempty"`
}

// EvolutionRun is a run of evolution, so that one that was stopped can go on.
type EvolutionRun struct {
	ID         int64     `json:"id"`
	At         time.Time `json:"at"`
	Seed       int64     `json:"seed"`
	Stages     []string  `json:"stages,omitempty"` // none: all
	Feedback   []int64   `json:"feedback"`         // that it learns from
	Candidates []string  `json:"candidates"`       // in the order in which they are tried
	Position   int       `json:"position"`         // how many of them were
	Calls      int       `json:"calls"`            // of a model, spent
	Ended      time.Time `json:"ended,omitzero"`   // zero: it can go on
}
