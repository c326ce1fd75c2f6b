package engine

import "context"

// Degraded says that a stage ran offline although a model was to run it.
type Degraded struct {
	Stage string // the name of the stage
	Why   error  // holds no text of a prompt or a reply
}

type noteKey struct{}

// WithNotes returns a context in which stages tell note how they ran. It carries
// no policy and no identity, and changes nothing of what a stage does; note may be
// called from several goroutines.
func WithNotes(ctx context.Context, note func(Degraded)) context.Context {
	return context.WithValue(ctx, noteKey{}, note)
}

// noteDegraded tells whoever listens. It reports whether anybody does: falling back
// without a word is no way out.
func noteDegraded(ctx context.Context, d Degraded) bool {
	note, ok := ctx.Value(noteKey{}).(func(Degraded))
	if ok {
		note(d)
	}
	return ok
}
