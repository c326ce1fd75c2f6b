package memory

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

// Fact is a stored event-level fact (layer F2): the record, where it came from,
// and its links into the native host's layers.
type Fact struct {
	privacy.Record
	Sessions   []string  // every session that it rests on; Record.Session is the first
	Source     Source    // the import that brought it
	ImportedAt time.Time // when it was stored here
	Entries    []string  // F2→F0: ids of the host's entries that state it
}

// Entry is an atomic entry (layer F0): a self-contained statement of a host.
type Entry struct {
	ID      string
	Session string
	Text    string
	Turns   []string // the turns that it restates
	When    privacy.Stamp
}

// Layers is what a native host makes of one session: its atomic entries (F0)
// and its summary (F3), the shared index that links the sidecar to the host.
type Layers struct {
	Session string
	Summary string
	Entries []Entry
}
