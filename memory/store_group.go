package memory

import (
	"context"
	"sync"
)

// groupMost is how many entries of the ledger go into one transaction.
const groupMost = 256

// ledgerGroup gathers the entries that wait while a transaction runs, for the next:
// making a transaction durable takes as long for many entries as for one. Nobody's
// answer leaves before its own entry is durable.
type ledgerGroup struct {
	mu      sync.Mutex
	waiting []*groupWrite
	running bool
}

// groupWrite is one entry that waits.
type groupWrite struct {
	ctx   context.Context //nolint:containedctx // it is asked once, before the entry is written
	write func(tx *writeTx) error
	err   error
	done  chan struct{}
}

// grouped runs write in a writing transaction that others may share, and returns
// when that is durable. What fails fails alone. Once it has begun, ctx ends it no
// more: an entry of which it isn't known whether it is there would be worse.
func (s *Store) grouped(ctx context.Context, write func(tx *writeTx) error) error {
	w := &groupWrite{ctx: ctx, write: write, done: make(chan struct{})}
	s.group.mu.Lock()
	s.group.waiting = append(s.group.waiting, w)
	first := !s.group.running
	s.group.running = true
	s.group.mu.Unlock()
	if first {
		go s.commitGroups(context.WithoutCancel(ctx))
	}
	<-w.done
	return w.err
}

// commitGroups writes until nobody waits.
func (s *Store) commitGroups(ctx context.Context) {
	for {
		s.group.mu.Lock()
		n := min(len(s.group.waiting), groupMost)
		group := s.group.waiting[:n:n]
		s.group.waiting = s.group.waiting[n:]
		s.group.running = n > 0
		s.group.mu.Unlock()
		if n == 0 {
			return
		}
		s.commitGroup(ctx, group)
	}
}

func (s *Store) commitGroup(ctx context.Context, group []*groupWrite) {
	err := s.update(ctx, func(tx *writeTx) error {
		for _, w := range group {
			if err := w.run(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && len(group) > 1 {
		// One of them spoilt it for the others: each by itself.
		for _, w := range group {
			s.commitGroup(ctx, []*groupWrite{w})
		}
		return
	}
	for _, w := range group {
		w.err = err
		close(w.done)
	}
}

func (w *groupWrite) run(tx *writeTx) error {
	if err := w.ctx.Err(); err != nil {
		return err // nobody waits for it
	}
	return w.write(tx)
}
