package memory

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

// Fact is a stored event-level fact (layer F2): the record, where it came from,
// and its links into the native host's layers.
type Fact struct {
	privacy.Record
	Sessions   []string  `json:"sessions"`          // every session that it rests on; Record.Session is the first
	Source     Source    `json:"source"`            // the import that brought it
	ImportedAt time.Time `json:"imported_at"`       // when it was stored here
	Entries    []string  `json:"entries,omitempty"` // F2→F0: ids of the host's entries that state it

	// Did is what supplements in force did to its marks when it was made, by which that can
	// be undone. It is read by [Store.Apply] alone.
	Did []SupplementMarks `json:"-"`
}

// Entry is an atomic entry (layer F0): a self-contained statement of a host.
type Entry struct {
	ID      string        `json:"id"`
	Session string        `json:"session"`
	Text    string        `json:"text"`
	Turns   []string      `json:"turns,omitempty"` // the turns that it restates
	When    privacy.Stamp `json:"when,omitzero"`

	// What a host knows of it beside its words; each may be missing.
	Keywords []string `json:"keywords,omitempty"`
	Persons  []string `json:"persons,omitempty"` // whom it is about or names
	Place    string   `json:"place,omitempty"`
	Topic    string   `json:"topic,omitempty"`
}

// Grain is a text that a host makes of a whole session, beside its entries.
type Grain struct {
	Kind string        `json:"kind"` // the host's name for it; one a kind and session
	Text string        `json:"text"`
	When privacy.Stamp `json:"when,omitzero"`
}

// Layers is what a native host makes of one session: its atomic entries (F0)
// and its summary (F3), the shared index that links the sidecar to the host.
type Layers struct {
	Session string  `json:"session"`
	Summary string  `json:"summary"`
	Entries []Entry `json:"entries"`
	// Grains are other texts of the session by which the host finds it. Such a host
	// may tie sessions together ([Association]).
	Grains []Grain `json:"grains,omitempty"`
}
