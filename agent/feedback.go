package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// maxFeedback is the longest text of a feedback, in bytes.
const maxFeedback = 4 << 10

// ErrFeedback says that feedback is of no known kind, or contradicts what it is about.
var ErrFeedback = errors.New("bad feedback")

// Feedback keeps what the owner says was wrong. It changes nothing by itself.
func (a *Agent) Feedback(ctx context.Context, req FeedbackRequest) (int64, error) {
	switch {
	case !slices.Contains(FeedbackKinds(), req.Kind):
		words := make([]string, 0, len(FeedbackKinds()))
		for _, k := range FeedbackKinds() {
			words = append(words, string(k))
		}
		return 0, fmt.Errorf("%w: kind %q; one of %s", ErrFeedback, req.Kind, strings.Join(words, ", "))
	case req.Fact == "" && req.Entry == 0 && strings.TrimSpace(req.Expected+req.Note) == "":
		return 0, fmt.Errorf("feedback: %w; name a fact, an entry of the ledger, or say what was wrong", ErrEmpty)
	case len(req.Expected)+len(req.Note) > maxFeedback:
		return 0, fmt.Errorf("feedback: %w: %d bytes, and the limit is %d", ErrTooLarge, len(req.Expected)+len(req.Note), maxFeedback)
	}
	f := memory.Feedback{
		At: a.opts.Now(), Kind: string(req.Kind), Fact: req.Fact, Entry: req.Entry,
		Expected: strings.TrimSpace(req.Expected), Note: strings.TrimSpace(req.Note), Origin: req.Origin,
	}
	if w, err := a.current(ctx); err == nil {
		if err := errors.Join(checkExpected(w.policy, &req), w.checkExpectedEvent(&req)); err != nil {
			return 0, err
		}
		f.Policy, f.Was = w.policy.Hash(), w.saidOf(req.Fact)
	}
	if err := a.checkTold(ctx, &req); err != nil {
		return 0, err
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
	if errors.Is(err, memory.ErrNotFound) {
		return 0, fmt.Errorf("%w, or no such entry of the ledger: %w", ErrUnknownFact, err)
	}
	return id, err
}

// checkTold refuses to call a fact told by an answer that told no such fact.
func (a *Agent) checkTold(ctx context.Context, req *FeedbackRequest) error {
	if req.Kind != "should-not-have-told" || req.Fact == "" || req.Entry == 0 {
		return nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return err
	}
	for i := range entries {
		if e := &entries[i]; e.ID == req.Entry && !slices.Contains(e.Told, req.Fact) {
			return fmt.Errorf("%w: entry %d of the ledger told no %s; give the entry that did, or the fact alone", ErrFeedback, req.Entry, req.Fact)
		}
	}
	return nil
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

// FeedbackGiven lists all feedback, oldest first.
func (a *Agent) FeedbackGiven(ctx context.Context) ([]memory.Feedback, error) {
	return a.store.Feedback(ctx)
}
