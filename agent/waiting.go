package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// WaitingChange is a change that somebody asked for and that waits for the owner.
type WaitingChange struct {
	ID     int64     `json:"id"`
	At     time.Time `json:"at"`
	Origin string    `json:"origin"` // by which way it was asked for
	Kind   string    `json:"kind"`
	Opens  []string  `json:"opens"`
	Closes []string  `json:"closes"`
	Notes  []string  `json:"notes"`
	Key    string    `json:"key"` // see Proposal; "" if it can't be done any more
	// Changed says that it would do something else than the owner was last shown.
	Changed bool `json:"changed,omitempty"`
	// Supplements are those that it would put in force: whoever settles it checks them once more.
	Supplements []string `json:"supplements,omitempty"`
	// Fault says why it can't be done any more; it can only be declined.
	Fault string `json:"fault,omitempty"`
}

// ErrUnknownChange says that no waiting change has this id.
var ErrUnknownChange = errors.New("no change of this id waits")

// Await keeps a change until the owner decides, with the key of what it would do.
// Asking for the same one again returns the same id.
func (a *Agent) Await(ctx context.Context, c Change, key, origin string) (int64, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return 0, fmt.Errorf("keep a change: %w", err)
	}
	facts := append([]privacy.FactID{}, c.Facts...)
	for _, g := range c.Grants {
		facts = append(facts, g.Fact)
	}
	if c.Rule != nil && c.Rule.Fact != "" {
		facts = append(facts, c.Rule.Fact)
	}
	if c.Forget != nil {
		facts = append(facts, c.Forget.Facts...)
	}
	return a.store.AddWaiting(ctx, memory.WaitingChange{At: a.opts.Now(), Facts: unique(facts), Change: raw, Origin: origin, Shown: key})
}

// Waiting lists the changes that wait for the owner, oldest first, each with what it
// would do as things stand.
func (a *Agent) Waiting(ctx context.Context) ([]WaitingChange, error) {
	stored, err := a.store.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	out := []WaitingChange{}
	for _, s := range stored {
		x := WaitingChange{ID: s.ID, At: s.At, Origin: s.Origin, Opens: []string{}, Closes: []string{}, Notes: []string{}}
		var c Change
		if err := json.Unmarshal(s.Change, &c); err != nil {
			x.Fault = "it can't be read"
			out = append(out, x)
			continue
		}
		x.Kind = string(c.Kind)
		if c.Kind == ChangeLearned && c.Learned != nil {
			x.Supplements = c.Learned.Add
		}
		p, err := a.preview(ctx, c)
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return nil, err
		case err != nil:
			x.Fault = err.Error()
		default:
			x.Opens, x.Closes, x.Notes, x.Key = p.Opens, p.Closes, p.Notes, p.Key
			x.Changed = p.Key != s.Shown
		}
		out = append(out, x)
	}
	return out, nil
}

// Shown notes that the owner has seen what these changes would do: from now on that is
// what agreeing to one means.
func (a *Agent) Shown(ctx context.Context, seen ...WaitingChange) error {
	for _, w := range seen {
		if !w.Changed {
			continue
		}
		if err := a.store.ShowWaiting(ctx, w.ID, w.Key); err != nil && !errors.Is(err, memory.ErrNotFound) {
			return err
		}
	}
	return nil
}

// Settle decides on a waiting change: it is the owner who calls it, on the terminal
// or by an elicited consent. Agreed does what was shown under the key; else the
// change goes. What was done, and what was declined, waits no longer.
func (a *Agent) Settle(ctx context.Context, id int64, agreed bool, key string, progress func(done, total int)) (*Proposal, error) {
	stored, err := a.store.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range stored {
		if s.ID != id {
			continue
		}
		if !agreed {
			return nil, a.store.DropWaiting(ctx, id)
		}
		var c Change
		if err := json.Unmarshal(s.Change, &c); err != nil {
			return nil, fmt.Errorf("change %d can't be read; decline it: %w", id, err)
		}
		p, err := a.Agree(ctx, c, key, progress)
		if err != nil {
			return p, err
		}
		if err := a.store.DropWaiting(ctx, id); err != nil && !errors.Is(err, memory.ErrNotFound) {
			return p, err
		}
		return p, nil
	}
	return nil, fmt.Errorf("%w: %d; `epagent review waiting` lists them", ErrUnknownChange, id)
}
