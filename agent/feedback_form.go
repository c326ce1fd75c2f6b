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

// FeedbackForm is what a piece of feedback of one kind has to name. The zero value names
// nothing: it may be in words alone.
type FeedbackForm struct {
	Fact  bool // a fact
	Entry bool // an entry of the ledger
	Right bool // what would have been right may be said of it
}

// Form is what feedback of the kind has to name; docs/evolution.md has the table.
func (k FeedbackKind) Form() FeedbackForm {
	switch k {
	case "wrong-category", "wrong-event", "wrong-person", "wrong-time":
		return FeedbackForm{Fact: true, Right: true}
	case "should-have-told":
		return FeedbackForm{Fact: true, Entry: true}
	case "should-not-have-told": // of the entry's answer the fact, or all that it told
		return FeedbackForm{Entry: true}
	case "too-vague", "wrong-tone", "cover-broken":
		return FeedbackForm{Entry: true, Right: true}
	}
	return FeedbackForm{}
}

// FeedbackError is feedback that can't be taken; it is an [ErrFeedback]. Wants says what is
// wanted instead: names of kinds, ids and categories, no text of a fact.
type FeedbackError struct{ Wants string }

func (e *FeedbackError) Error() string { return ErrFeedback.Error() + ": " + e.Wants }

// Unwrap is ErrFeedback.
func (e *FeedbackError) Unwrap() error { return ErrFeedback }

func badFeedback(format string, args ...any) error {
	return &FeedbackError{Wants: fmt.Sprintf(format, args...)}
}

// check refuses what isn't of the form of its kind.
func (r *FeedbackRequest) check() error {
	form := r.Kind.Form()
	size := len(r.Expected) + len(r.Note)
	switch {
	case !slices.Contains(FeedbackKinds(), r.Kind):
		words := make([]string, 0, len(FeedbackKinds()))
		for _, k := range FeedbackKinds() {
			words = append(words, string(k))
		}
		return badFeedback("kind %q; one of %s", clipped(string(r.Kind)), strings.Join(words, ", "))
	case form.Fact && form.Entry && (r.Fact == "" || r.Entry == 0):
		return badFeedback("%s is about a fact and the answer that should have told it: give the fact's id and the number of the ledger's entry (recall and the ledger list them)", r.Kind)
	case form.Fact && r.Fact == "":
		return badFeedback("%s is about a fact: give its id (recall lists them)", r.Kind)
	case form.Entry && r.Entry == 0:
		return badFeedback("%s is about an answer: give the number of its entry (the ledger lists them)", r.Kind)
	case r.Fact == "" && r.Entry == 0 && strings.TrimSpace(r.Expected+r.Note) == "":
		return badFeedback("%s of what? name a fact, an entry of the ledger, or say what was wrong", r.Kind)
	case size > memory.MaxFeedback:
		return badFeedback("what is right and the note have %d bytes together, and the limit is %d; say it shorter", size, memory.MaxFeedback)
	}
	return nil
}

// clipped bounds a word that is repeated in an error.
func clipped(word string) string {
	const most = 60
	if runes := []rune(word); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return word
}

// ErrUnknownEntry says that the ledger has no such entry.
var ErrUnknownEntry = errors.New("no such entry of the ledger")

// checkThere refuses to speak of a fact or an entry that isn't there, and to call a fact
// told by an answer that told no such fact.
func (a *Agent) checkThere(ctx context.Context, req *FeedbackRequest) error {
	if req.Fact != "" {
		if _, err := a.store.Fact(ctx, req.Fact); errors.Is(err, memory.ErrNotFound) {
			return fmt.Errorf("%w: %q; `epagent recall` lists the ids of facts", ErrUnknownFact, clipped(string(req.Fact)))
		} else if err != nil {
			return err
		}
	}
	if req.Entry == 0 {
		return nil
	}
	e, err := a.entry(ctx, req.Entry)
	switch {
	case err != nil:
		return err
	case e == nil:
		return fmt.Errorf("%w: %d; `epagent ledger` lists their numbers", ErrUnknownEntry, req.Entry)
	case req.Kind != "should-not-have-told" || e.Redacted:
		return nil
	case len(e.Told) == 0:
		return badFeedback("entry %d of the ledger told nothing; give the entry that did", req.Entry)
	case req.Fact != "" && !slices.Contains(e.Told, req.Fact):
		return badFeedback("entry %d of the ledger told no %s; give the entry that did", req.Entry, req.Fact)
	}
	return nil
}

// entry is an entry of the ledger, nil for one that isn't there.
func (a *Agent) entry(ctx context.Context, id int64) (*memory.LedgerEntry, error) {
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if entries[i].ID == id {
			return &entries[i], nil
		}
	}
	return nil, nil
}

// shows reports whether an entry of the ledger shows what an answer should have been: its
// words are there, and feedback on it alone has a fact to speak of.
func (a *Agent) shows(ctx context.Context, id int64, fact privacy.FactID) bool {
	e, err := a.entry(ctx, id)
	return err == nil && e != nil && !e.Redacted && (fact != "" || len(e.Told) > 0)
}
