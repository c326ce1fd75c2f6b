package simple

import (
	"context"

	"github.com/epagent/epagent/memory"
)

// Host is the simple host over one store. Its methods may be called at once.
type Host struct {
	entries *memory.EntryView
}

var (
	_ memory.Host          = (*Host)(nil)
	_ memory.SessionRanker = (*Host)(nil)
)

// New returns the host of s. It loads nothing before the first search.
func New(s *memory.Store) *Host { return &Host{entries: memory.NewEntryView(s)} }

// Name returns "simple-1"; the number goes up when the same session would give
// other layers.
func (*Host) Name() string { return "simple-1" }

// Compose implements [memory.Host] by [Compose]; the error is the context's.
func (*Host) Compose(ctx context.Context, s *memory.Session) (memory.Layers, error) {
	return Compose(s), ctx.Err()
}

// Search implements [memory.Host]: words, neighbours, sessions, cues of the question
// and the cosine of the store's vectors, over the entries.
func (h *Host) Search(ctx context.Context, question string, k int) ([]memory.NativeHit, error) {
	return h.entries.Search(ctx, question, k)
}

// Sessions implements [memory.SessionRanker].
func (h *Host) Sessions(ctx context.Context, question string, k int) ([]memory.SessionHit, error) {
	return h.entries.Sessions(ctx, question, k)
}
