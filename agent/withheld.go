package agent

import (
	"context"
	"errors"

	"github.com/epagent/epagent/privacy"
)

// What stops every disclosure is the owner's to know. A listener gets what they get
// for everything that they may not know: the deflection, made by the same stages from
// a world without facts, and recorded where that can be done.

// silent is the world as it is for listeners while no policy is in force: that of the
// version read with, and without any fact.
func (w *world) silent() *world {
	w.muted.Do(func() {
		w.mute = newWorld(w.policy, nil, nil, w.now)
		w.mute.stale, w.mute.revision = w.stale, w.revision
	})
	return w.mute
}

// listenersPolicy is the policy by which listeners are named: the one in force, else
// the newest that was.
func (a *Agent) listenersPolicy(ctx context.Context) (*privacy.Policy, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	policy, _, err := a.readingPolicy(ctx)
	return policy, err
}

// withhold makes the deflection of an answer to listeners that can't be recorded. It
// returns err where that is not what went wrong.
func (a *Agent) withhold(ctx context.Context, t *turn, err error) error {
	if !t.request.Listener || t.request.Preview || !errors.Is(err, ErrNotRecorded) || ctx.Err() != nil {
		return err
	}
	if fault := a.deflect(ctx, t); fault != nil {
		return errors.Join(err, fault)
	}
	t.withheld, t.ask, t.entry = err, nil, 0
	return nil
}

// withheldWhy is a word for the log.
func withheldWhy(err error) string {
	switch {
	case errors.Is(err, ErrNotRecorded):
		return "not recorded"
	case errors.Is(err, ErrNoPolicy):
		return "no policy"
	case errors.Is(err, ErrLearned):
		return "supplements unreadable"
	}
	return "policy broken"
}
