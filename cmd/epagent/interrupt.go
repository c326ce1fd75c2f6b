package main

import (
	"context"
	"io"
)

// stoppable is a reader whose Read returns when ctx ends: an interrupt ends a
// command that waits for somebody to type.
type stoppable struct {
	ctx context.Context
	r   io.Reader
	got chan typed
}

type typed struct {
	text []byte
	err  error
}

func newStoppable(ctx context.Context, r io.Reader) *stoppable {
	return &stoppable{ctx: ctx, r: r, got: make(chan typed, 1)}
}

// Read reads as r does. After ctx has ended, what is still being typed is nobody's.
func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	go func() {
		text := make([]byte, len(p))
		n, err := s.r.Read(text)
		s.got <- typed{text[:n], err}
	}()
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case x := <-s.got:
		return copy(p, x.text), x.err
	}
}
