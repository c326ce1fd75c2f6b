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

// Decision is the owner's answer to a review.
type Decision struct {
	Edit
	NotFact bool // it is no fact: it goes, and the annotator skips its like
	// AlsoAlike decides the same on every queued fact of the same kind.
	AlsoAlike bool
}

// ErrDecision says that a decision contradicts itself, or is none that a review takes.
var ErrDecision = errors.New("no such decision")

// Decided is what a decision did, or would do.
type Decided struct {
	// Edits are the facts decided on: those that were named, then those alike.
	// Widened and Narrowed of each are its own verdicts that turn.
	Edits []*Edited `json:"edits"`
	// Widened and Narrowed are all verdicts that turn, those of other facts, to which
	// whitelists are lent, among them.
	Widened  []privacy.PairChange `json:"widened"`
	Narrowed []privacy.PairChange `json:"narrowed"`
	// Loosened are the pairs that a combination would have held back later on.
	Loosened []privacy.Apart `json:"loosened,omitempty"`
	// Alike are the queued facts of the same kind that were not decided on, and
	// AlikeWidened the verdicts that the same decision would open there.
	Alike        []privacy.FactID     `json:"alike"`
	AlikeWidened []privacy.PairChange `json:"alike_widened"`
	// Taught are the ids of the exemplars that the annotator learns it by.
	Taught []int64 `json:"taught"`

	after *world // with the decision made
}

// Applied reports whether every fact was decided on.
func (d *Decided) Applied() bool {
	return len(d.Edits) > 0 && !slices.ContainsFunc(d.Edits, func(e *Edited) bool { return !e.Applied })
}

// Decide applies the owner's answer to facts, and with AlsoAlike to the queued
// facts of the same kind, and teaches the annotator by those that were named
// (MARKS 12). Everything is planned together first: where anybody would learn
// more, nothing is done without agreed, the result lists whom it lets in, and the
// error is ErrWidens. A later decision on a fact replaces what the earlier one
// taught.
func (a *Agent) Decide(ctx context.Context, ids []privacy.FactID, d Decision, agreed bool) (*Decided, error) {
	mode := decideTightening
	if agreed {
		mode = decideAgreed
	}
	return a.decide(ctx, ids, d, mode)
}

// decideMode is how far a decision goes.
type decideMode uint8

const (
	decideTightening decideMode = iota // done unless it lets somebody learn more
	decideAgreed                       // done
	decideDry                          // only planned
	decideUntaught                     // done, and nothing is taught
)

func (a *Agent) decide(ctx context.Context, ids []privacy.FactID, d Decision, mode decideMode) (*Decided, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	ids = unique(ids)
	if len(ids) == 0 {
		return nil, fmt.Errorf("review: %w; name the facts to decide on", ErrEmpty)
	}
	for _, id := range ids {
		if _, ok := w.fact(id); !ok {
			return nil, fmt.Errorf("%w: %q; `epagent review` lists what waits", ErrUnknownFact, id)
		}
	}
	now := a.opts.Now()
	alike := w.alikeTo(ids, d.Confirm)
	on := ids
	if d.AlsoAlike {
		on, alike = append(slices.Clone(ids), alike...), nil
	}
	changes, err := w.changesBy(on, d, now)
	if err != nil {
		return nil, err
	}
	after := w.after(changes, now)
	plan, err := a.difference(ctx, w, after)
	if err != nil {
		return nil, err
	}
	out := describe(plan, after, on)
	out.Alike, out.after = nonNil(alike), after
	if out.AlikeWidened, err = a.wouldOpen(ctx, after, alike, d, now); err != nil {
		return nil, err
	}
	switch {
	case mode == decideDry:
		return out, nil
	case plan.Widens() && mode != decideAgreed:
		return out, widens(plan)
	}
	for k, c := range changes {
		if err := a.makeChange(ctx, c); err != nil {
			return out, fmt.Errorf("%d of %d facts were decided on: %w", k, len(changes), err)
		}
		out.Edits[k].Applied = true
	}
	if mode == decideUntaught {
		return out, nil
	}
	if out.Taught, err = a.teach(ctx, w, ids, d); err != nil {
		return out, fmt.Errorf("the facts are decided on, but the annotator could not be taught: %w", err)
	}
	return out, nil
}

// check refuses decisions that contradict themselves or say nothing.
func (d *Decision) check() error {
	e := &d.Edit
	others := e.Text != "" || e.Event != "" || e.SameAs != "" || e.Alone || e.Cover || len(e.CoverOf) > 0 || len(e.ToldTo) > 0 || e.Real
	marks := e.Confirm || e.Close || e.Label != nil || len(e.Categories)+len(e.Allow)+len(e.Deny) > 0
	switch {
	case others:
		return fmt.Errorf("%w: a review decides on categories, label, exceptions and truth; `epagent fact` edits the rest", ErrDecision)
	case d.NotFact && marks:
		return fmt.Errorf("%w: what is no fact has no marks; give nothing else with it", ErrDecision)
	case !d.NotFact && !marks:
		return fmt.Errorf("decision: %w; choose a category, a label, an exception, or that it is no fact", ErrEmpty)
	}
	return nil
}

// change is what a decision makes of one fact.
type change struct {
	id      privacy.FactID
	marks   []privacy.Mark
	removed bool
}

func (w *world) changesBy(ids []privacy.FactID, d Decision, now time.Time) ([]change, error) {
	var out []change
	for _, id := range ids {
		c := change{id: id, removed: d.NotFact}
		if !d.NotFact {
			fact, _ := w.fact(id)
			var err error
			if c.marks, err = w.marksOf(fact, d.Edit, now); err != nil {
				return nil, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// after returns the world with changes made.
func (w *world) after(changes []change, now time.Time) *world {
	facts := slices.Clone(w.facts)
	gone := map[privacy.FactID]bool{}
	for _, c := range changes {
		if c.removed {
			gone[c.id] = true
			continue
		}
		f := &facts[w.byID[c.id]]
		f.Marks = append(slices.Clone(f.Marks), c.marks...)
	}
	facts = slices.DeleteFunc(facts, func(f memory.Fact) bool { return gone[f.ID] })
	return newWorld(w.policy, facts, w.rules, now)
}

// describe tells what a plan turns, the facts in on one by one.
func describe(plan privacy.Difference, after *world, on []privacy.FactID) *Decided {
	out := &Decided{Edits: []*Edited{}, Taught: []int64{}}
	// Of a fact that goes, nobody learns: there is nothing to turn but its neighbours.
	for _, id := range on {
		e := &Edited{Fact: id, Label: after.label(id), Widened: []privacy.PairChange{}, Narrowed: []privacy.PairChange{}}
		for _, c := range plan.Shown {
			if c.Fact == id {
				e.Widened = append(e.Widened, c)
			}
		}
		for _, c := range plan.Hidden {
			if c.Fact == id {
				e.Narrowed = append(e.Narrowed, c)
			}
		}
		out.Edits = append(out.Edits, e)
	}
	out.Widened, out.Narrowed, out.Loosened = nonNil(plan.Shown), nonNil(plan.Hidden), plan.Loosened
	return out
}

// wouldOpen returns what the same decision on those alike would open besides.
func (a *Agent) wouldOpen(ctx context.Context, after *world, alike []privacy.FactID, d Decision, now time.Time) ([]privacy.PairChange, error) {
	if len(alike) == 0 {
		return []privacy.PairChange{}, nil
	}
	more, err := after.changesBy(alike, d, now)
	if err != nil {
		return nil, err
	}
	plan, err := a.difference(ctx, after, after.after(more, now))
	return nonNil(plan.Shown), err
}

func (a *Agent) makeChange(ctx context.Context, c change) error {
	if c.removed {
		return a.store.DropFact(ctx, c.id)
	}
	return a.store.UpdateFact(ctx, c.id, func(f *memory.Fact) error {
		f.Marks = append(f.Marks, c.marks...)
		return nil
	})
}

func unique[T comparable](ids []T) []T {
	var out []T
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
