package memory

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Patient is a host beyond this process, which may hang: a question waits for it so
// long and then does without. One that isn't is waited for.
type Patient interface {
	// Patience is how long one search may take.
	Patience() time.Duration
}

// searchHost asks a host for entries. Whatever goes wrong there is ErrHost, but for
// the caller's own end.
func searchHost(ctx context.Context, h Host, text string, k int) ([]NativeHit, error) {
	waits := ctx
	if p, ok := h.(Patient); ok {
		var cancel context.CancelFunc
		waits, cancel = context.WithTimeout(ctx, p.Patience())
		defer cancel()
	}
	type answer struct {
		hits []NativeHit
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if recover() != nil { // what it panics with may hold what it remembers
				a = answer{err: errors.New("it panicked")}
			}
			done <- a
		}()
		a.hits, a.err = h.Search(waits, text, k)
	}()
	var a answer
	select {
	case a = <-done:
	case <-waits.Done(): // it may not look at its context
		a.err = waits.Err()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if a.err != nil {
		return nil, fmt.Errorf("host %q: %w: %w", h.Name(), ErrHost, a.err)
	}
	return a.hits, nil
}
