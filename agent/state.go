package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// State tells two moments of a home apart, cheaply: who asks often sees that
// something changed, also by another process.
type State struct {
	Policy   string // hash of the version in force; "" while none is
	Revision int64  // of the store
	Ledger   int64  // the newest entry
}

// State returns the home's state as it is now.
func (a *Agent) State(ctx context.Context) (State, error) {
	var out State
	policy, err := a.Policy(ctx)
	switch {
	case err == nil:
		out.Policy = policy.Hash()
	case !errors.Is(err, ErrNoPolicy) && !errors.Is(err, ErrPolicyBroken):
		return State{}, err
	}
	if out.Revision, err = a.store.Revision(ctx); err != nil {
		return State{}, err
	}
	out.Ledger, err = a.store.LedgerEnd(ctx)
	return out, err
}

// ErrUnknownSession says that no session has this id.
var ErrUnknownSession = errors.New("no such session")

// Session returns a stored session with its words and its summary, for the owner.
func (a *Agent) Session(ctx context.Context, id string) (*memory.Session, string, error) {
	s, err := a.store.Session(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, "", fmt.Errorf("%w: %q", ErrUnknownSession, id)
	}
	if err != nil {
		return nil, "", err
	}
	summary, err := a.store.Summary(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		err = nil
	}
	return s, summary, err
}

// Sessions lists the stored sessions, for the owner.
func (a *Agent) Sessions(ctx context.Context) ([]memory.SessionInfo, error) {
	return a.store.Sessions(ctx)
}

// NewFact is a fact that came in lately.
type NewFact struct {
	FactText
	Label   privacy.Label `json:"label"`
	Speaker string        `json:"speaker,omitempty"`
	Trusted bool          `json:"trusted"`
	Waits   string        `json:"waits,omitempty"` // why it waits for the owner
}

// NewFacts lists the facts that were stored since a moment, the latest first, for
// the owner.
func (a *Agent) NewFacts(ctx context.Context, since time.Time) ([]NewFact, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	var at []int
	for i := range w.facts {
		if !w.facts[i].ImportedAt.Before(since) {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return w.facts[j].ImportedAt.Compare(w.facts[i].ImportedAt) })
	out := []NewFact{}
	for _, i := range at {
		f := &w.facts[i]
		x := NewFact{FactText: FactText{f.ID, f.Text}, Label: w.label(f.ID), Speaker: f.Speaker, Trusted: w.marks[i].Trusted}
		if wait, waits := w.waits(i); waits {
			x.Waits = wait.why()
		}
		out = append(out, x)
	}
	return out, nil
}

// Reindex makes the vectors and index terms of the home anew with the embedder in
// use, while it goes on serving.
func (a *Agent) Reindex(ctx context.Context, progress func(done, total int)) error {
	return a.store.Reindex(ctx, a.opts.Embedder, progress)
}
