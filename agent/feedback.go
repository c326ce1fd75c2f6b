package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// FeedbackKind is what was wrong.
type FeedbackKind string

// FeedbackKinds lists every kind of feedback.
func FeedbackKinds() []FeedbackKind {
	return []FeedbackKind{
		"wrong-category", "wrong-event", "wrong-person", "wrong-time",
		"should-have-told", "should-not-have-told", "too-vague", "wrong-tone",
		"cover-broken", "missed", "invented",
	}
}

// FeedbackRequest says what was wrong about a fact or an answer.
type FeedbackRequest struct {
	Kind     FeedbackKind
	Fact     privacy.FactID // "" none
	Entry    int64          // of the ledger; 0 none
	Expected string         // what would have been right
	Note     string
	Origin   string // by which way it came
}

// ErrFeedback says that feedback is of no known kind, isn't about what its kind is about, or
// contradicts it; it is a [FeedbackError].
var ErrFeedback = errors.New("bad feedback")

// Feedback keeps what the owner says was wrong, and returns its number. It changes nothing by
// itself. ErrFeedback: it isn't of the form of its kind ([FeedbackKind.Form]); ErrUnknownFact
// and ErrUnknownEntry: what it is about isn't there.
func (a *Agent) Feedback(ctx context.Context, req FeedbackRequest) (int64, error) {
	req.Expected, req.Note = strings.TrimSpace(req.Expected), strings.TrimSpace(req.Note)
	if err := req.check(); err != nil {
		return 0, err
	}
	if err := a.checkThere(ctx, &req); err != nil {
		return 0, err
	}
	f := memory.Feedback{
		At: a.opts.Now(), Kind: string(req.Kind), Fact: req.Fact, Entry: req.Entry,
		Expected: req.Expected, Note: req.Note, Origin: req.Origin,
	}
	if w, err := a.current(ctx); err == nil {
		if err := errors.Join(checkExpected(w.policy, &req), w.checkExpectedEvent(&req)); err != nil {
			return 0, err
		}
		f.Policy, f.Was = w.policy.Hash(), w.saidOf(req.Fact)
	}
	seq, active, err := a.store.ActiveSupplements(ctx)
	if err != nil {
		return 0, err
	}
	if len(active) > 0 {
		f.Supplements = seq
	}
	if a.opts.Model.Calls != nil {
		f.Prompts = map[string]string{}
		for _, v := range prompts.Versions() {
			f.Prompts[string(v.Stage)] = v.Version
		}
	}
	id, err := a.store.AddFeedback(ctx, f)
	if errors.Is(err, memory.ErrNotFound) { // it went meanwhile
		return 0, fmt.Errorf("%w: %w", ErrUnknownFact, err)
	}
	return id, err
}

// saidOf is what the stages had said of a fact, and how it counts; nil for no fact.
func (w *world) saidOf(id privacy.FactID) *memory.FeedbackWas {
	f, ok := w.fact(id)
	if !ok {
		return nil
	}
	alone := f.Record
	alone.Marks = slices.DeleteFunc(slices.Clone(alone.Marks), func(m privacy.Mark) bool { return m.By == privacy.ByHand })
	said := engine.Effective(w.policy, []privacy.Record{alone}, nil)
	return &memory.FeedbackWas{
		Categories: said[0].Categories, Label: privacy.NewJudge(w.policy, said).Label(0), Counted: w.label(id),
		Event: alone.Value(privacy.MarkEvent), Decided: decidedByHand(&f.Record),
	}
}

// FeedbackGiven lists all feedback that wasn't taken back, oldest first.
func (a *Agent) FeedbackGiven(ctx context.Context) ([]memory.Feedback, error) {
	given, _, err := a.FeedbackEver(ctx)
	return given, err
}

// FeedbackEver is all feedback, oldest first, and of what was taken back when that was, by its
// number.
func (a *Agent) FeedbackEver(ctx context.Context) (given []memory.Feedback, dropped map[int64]time.Time, err error) {
	all, err := a.store.Feedback(ctx)
	if err != nil {
		return nil, nil, err
	}
	dropped = map[int64]time.Time{}
	for _, f := range all {
		if f.Status == memory.FeedbackDropped {
			dropped[f.ID] = f.At
			continue
		}
		given = append(given, f)
	}
	return given, dropped, nil
}

// ErrUnknownFeedback says that no piece of feedback has this number, or that it was taken back.
var ErrUnknownFeedback = errors.New("no such feedback; `epagent feedback list` lists the numbers")

// DropFeedback takes a piece of feedback back: its words go, and it is no evidence and no
// kept case any more. Of what rests on nothing else the next run refuses what waits, and takes
// out what is in force where that lets nobody in. ErrUnknownFeedback: there is none of this number.
func (a *Agent) DropFeedback(ctx context.Context, id int64) error {
	err := a.store.DropFeedback(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return fmt.Errorf("%w: %d", ErrUnknownFeedback, id)
	}
	return err
}
