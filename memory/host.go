package memory

import "context"

// NativeScore is a host's own score of an entry for a question, 0..1 within one
// question. It is never compared with an EventScore except by [Fuse].
type NativeScore float64

// EventScore is the sidecar's score of an event fact for a question, 0..1
// within one question.
type EventScore float64

// NativeHit is an entry that a host found.
type NativeHit struct {
	Entry   string
	Session string
	Score   NativeScore
}

// Host is a native memory system. The sidecar never changes its store or its
// retriever; with β = 0 its ranking is what recall returns.
type Host interface {
	// Name identifies the host and its configuration in stored data.
	Name() string
	// Compose makes the host's layers of one session: F0 entries and the F3
	// summary. It stores nothing, and is deterministic unless the host asks a model.
	Compose(ctx context.Context, s *Session) (Layers, error)
	// Search returns at most k entries for the question, best first, ties by
	// entry id. k <= 0 means all.
	Search(ctx context.Context, question string, k int) ([]NativeHit, error)
}

// SessionHit is a session found.
type SessionHit struct {
	Session string
	Score   NativeScore // fused, where an overlay gives it
}

// SessionRanker is a host that ranks sessions by a score of their own. One that
// isn't is taken to rank a session by its best entry.
type SessionRanker interface {
	// Sessions returns at most k sessions for the question, best first, ties by
	// id. k <= 0 means all that have anything to do with it.
	Sessions(ctx context.Context, question string, k int) ([]SessionHit, error)
}

// EventRanker is a host with a way of its own to rank sessions by event facts, beside
// its native run and without touching it. For one that isn't, a session's event score
// is that of its facts.
type EventRanker interface {
	// EventSessions returns the sessions that the scores of sessions by their facts
	// lead to, best first, ties by id.
	EventSessions(ctx context.Context, events map[string]EventScore) ([]SessionHit, error)
}

// Feeder is a host that holds what others put into it.
type Feeder interface {
	// Feed returns it as sessions of FormatStatements, for the sidecar to learn.
	Feed(ctx context.Context) ([]Session, error)
}

// FormatStatements is the source format of sessions whose turns were said by nobody:
// each is a statement that stands alone, about what the session's title names.
const FormatStatements = "statements"

// Offliner is a host whose Compose may ask a model.
type Offliner interface {
	// Offline returns the host over the same store that asks nobody.
	Offline() Host
}

// OfflineHost is the host as it makes layers without asking a model.
func OfflineHost(h Host) Host {
	if o, ok := h.(Offliner); ok {
		return o.Offline()
	}
	return h
}

// Settler is a host with work left to do after sessions were stored. What it does
// shows in no ranking: a question that comes first finds it done, and waits.
type Settler interface {
	Settle(ctx context.Context) error
}

// Embedder turns texts into vectors of unit length.
type Embedder interface {
	// Model names the model and its version, stored beside every vector;
	// vectors of two models are never mixed.
	Model() string
	// Dimensions is the length of each vector.
	Dimensions() int
	// Embed returns one vector a text, in order. A text without content gives
	// the zero vector, which matches nothing.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}
