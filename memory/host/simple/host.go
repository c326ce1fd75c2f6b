package simple

import (
	"context"
	"fmt"

	"github.com/epagent/epagent/memory"
)

// Host is the simple host over one store. Its methods may be called at once.
type Host struct {
	entries *memory.EntryView
	opts    Options
}

// Options are the settings of a Host. The zero value works.
type Options struct {
	// Writer writes the entries of a window, of sessions with more than one message.
	// Default: none, an entry a message.
	Writer Writer
	// Window is how many messages a window has; WholeSession is one a session.
	// Default: 20, of which two are those of the window before.
	Window int
}

var (
	_ memory.Host          = (*Host)(nil)
	_ memory.SessionRanker = (*Host)(nil)
	_ memory.Offliner      = (*Host)(nil)
)

// New returns the host of s. It loads nothing before the first search.
func New(s *memory.Store) *Host { return NewWith(s, Options{}) }

// NewWith is New with settings.
func NewWith(s *memory.Store, opts Options) *Host {
	return &Host{entries: memory.NewEntryView(s), opts: opts}
}

// Offline implements [memory.Offliner].
func (h *Host) Offline() memory.Host { return &Host{entries: h.entries} }

// Name returns "simple-2", with the size of windows and the writer's version if it has
// one; the number goes up when the same session would give other layers.
func (h *Host) Name() string {
	if h.opts.Writer == nil || h.opts.Writer.Version() == "" {
		return "simple-2"
	}
	return fmt.Sprintf("simple-2 %s/%d", h.opts.Writer.Version(), h.opts.Window)
}

// Compose implements [memory.Host] by [Compose], or by the Writer; the error is the
// context's or the writer's.
func (h *Host) Compose(ctx context.Context, s *memory.Session) (memory.Layers, error) {
	if h.opts.Writer == nil || len(memory.Spoken(s.Turns)) < 2 {
		return Compose(s), ctx.Err()
	}
	layers, err := h.written(ctx, s)
	if err != nil {
		return layers, fmt.Errorf("write the entries of session %q: %w", s.ID, err)
	}
	return layers, ctx.Err()
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
