package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ForgetRequest names what is to go: exactly one of the three.
type ForgetRequest struct {
	Facts   []privacy.FactID
	Session string
	Person  string
	DryRun  bool // only say what would go
}

// Forget removes facts, a session, or all that was said by or is about a person
// from every layer: words, entries, summaries, vectors, links, exemplars and the
// wording in the ledger. A keyed hash stays, so that importing the same file again
// doesn't bring it back without a word; the ledger keeps that something was told.
// A fact that also rests on another source survives and is in Kept. What was learned
// from nothing but feedback on it goes, with what it had opened.
func (a *Agent) Forget(ctx context.Context, req ForgetRequest) (*memory.Forgotten, error) {
	f := memory.Forget{Facts: req.Facts, DryRun: req.DryRun, Rules: a.rulesOf(ctx)}
	if req.Session != "" {
		f.Sessions = []string{req.Session}
	}
	if req.Person != "" {
		w, err := a.current(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := w.policy.Lookup(req.Person); errors.Is(err, privacy.ErrConfusable) {
			return nil, err
		}
		f.People = []string{req.Person}
		if p, ok := w.policy.Person(req.Person); ok {
			f.People = append([]string{p.Name}, p.Aliases...)
		}
	}
	if len(f.Facts) == 0 && len(f.Sessions) == 0 && len(f.People) == 0 {
		return nil, fmt.Errorf("forget: %w; name facts, a session or a person", ErrEmpty)
	}
	// A wrong id is found before anything goes.
	dry := f
	dry.DryRun = true
	done, err := a.store.Forget(ctx, dry)
	if err != nil {
		return nil, err
	}
	if len(done.Unknown) > 0 && len(req.Facts)+len(req.Session) > 0 {
		return &done, fmt.Errorf("%w or session: %s; `epagent recall` lists the ids of facts, `epagent fact show` the session of one", ErrUnknownFact, strings.Join(done.Unknown, ", "))
	}
	if req.DryRun {
		plan, err := a.unlearn(ctx, &done)
		if err == nil && plan != nil {
			done.Relabelled = plan.Facts
		}
		return &done, err
	}
	done, err = a.forget(ctx, f)
	return &done, err
}

// forget forgets in the store and drops what is held of the words.
func (a *Agent) forget(ctx context.Context, f memory.Forget) (memory.Forgotten, error) {
	if f.Rules == nil {
		f.Rules = a.rulesOf(ctx)
	}
	var done memory.Forgotten
	err := again(func() error {
		dry := f
		dry.DryRun = true
		would, err := a.store.Forget(ctx, dry)
		if err == nil {
			f.Unlearn, err = a.unlearn(ctx, &would)
		}
		if err == nil {
			done, err = a.store.Forget(ctx, f)
		}
		return err
	})
	a.mu.Lock()
	a.world, a.judged = nil, memory.Judged{} // they hold the words
	a.mu.Unlock()
	a.events.drop()
	return done, err
}

// rulesOf tells which rules of the policy a fact meets; with no policy to read, none.
func (a *Agent) rulesOf(ctx context.Context) func(privacy.FactID) []privacy.RuleID {
	w, err := a.current(ctx)
	if err != nil {
		return nil
	}
	return func(id privacy.FactID) []privacy.RuleID {
		mark, _ := w.mark(id)
		return slices.Clone(mark.Rules)
	}
}

// Ledger lists what was told to whom, newest last. To matches any name of the
// person; "" is everybody.
func (a *Agent) Ledger(ctx context.Context, filter memory.LedgerFilter) ([]memory.LedgerEntry, error) {
	if filter.To != "" {
		w, err := a.current(ctx)
		if err != nil {
			return nil, err
		}
		if _, err := w.policy.Lookup(filter.To); errors.Is(err, privacy.ErrConfusable) {
			return nil, err
		}
		if p, ok := w.policy.Person(filter.To); ok {
			filter.To = p.Name
		}
	}
	return a.store.Ledger(ctx, filter)
}
