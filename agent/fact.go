package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// FactView is one fact with everything known of it, for the owner.
type FactView struct {
	Fact     memory.Fact          `json:"fact"`
	Label    privacy.Label        `json:"label"`
	Marks    []engine.Explained   `json:"marks"`    // what counts, and where each comes from
	Evidence []memory.Turn        `json:"evidence"` // the turns that it rests on
	Told     []memory.LedgerEntry `json:"told"`     // disclosures that used it
	Event    []privacy.FactID     `json:"event"`    // the other facts of its event
}

// Fact shows one fact: provenance, marks, evidence, who was told.
func (a *Agent) Fact(ctx context.Context, id privacy.FactID) (*FactView, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	fact, ok := w.fact(id)
	if !ok {
		return nil, fmt.Errorf("%w: %q; `epagent recall` lists ids", ErrUnknownFact, id)
	}
	view := &FactView{Fact: *fact, Label: w.label(id), Evidence: []memory.Turn{}, Told: []memory.LedgerEntry{}, Event: []privacy.FactID{}}
	view.Marks = w.origins(id)
	if view.Evidence, err = a.store.Evidence(ctx, fact); err != nil {
		return nil, err
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if slices.Contains(e.Told, id) {
			view.Told = append(view.Told, e)
		}
	}
	mark, _ := w.mark(id)
	for _, other := range w.byEvent[mark.Event] {
		if other != id {
			view.Event = append(view.Event, other)
		}
	}
	return view, nil
}

// Edit is a change of the owner to one fact. Zero fields change nothing.
type Edit struct {
	Confirm    bool   // it is true: trusted from now on. It permits nobody to know (MARKS 9, 11)
	Text       string // a better wording
	Event      privacy.EventID
	SameAs     privacy.FactID // put it into the event of this fact
	Alone      bool           // take it out of its event
	CoverOf    []privacy.FactID
	Cover      bool     // it is a cover story
	ToldTo     []string // who was told the cover story
	Real       bool     // it is no cover story
	Categories []privacy.CategoryID
	Label      *privacy.Label
	Allow      []privacy.Party
	Deny       []privacy.Party
	Close      bool // nobody but those on its whitelist
}

// Edited is what an edit did, or would do.
type Edited struct {
	Fact     privacy.FactID       `json:"fact"`
	Label    privacy.Label        `json:"label"`
	Widened  []privacy.PairChange `json:"widened"`
	Narrowed []privacy.PairChange `json:"narrowed"`
	// Loosened are the pairs that a combination would have held back later on.
	Loosened []privacy.Apart `json:"loosened,omitempty"`
	Applied  bool            `json:"applied"`
}

// EditFact applies an owner's change to a fact. A change by which anybody learns
// more is applied only with agreed set; without it the result lists what it would
// open, and the error is ErrWidens.
func (a *Agent) EditFact(ctx context.Context, id privacy.FactID, edit Edit, agreed bool) (*Edited, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	fact, ok := w.fact(id)
	if !ok {
		return nil, fmt.Errorf("%w: %q; `epagent recall` lists ids", ErrUnknownFact, id)
	}
	marks, err := w.marksOf(fact, edit, a.opts.Now())
	if err != nil {
		return nil, err
	}
	if len(marks) == 0 && edit.Text == "" {
		return nil, fmt.Errorf("edit of %s: %w", id, ErrEmpty)
	}
	after := w.with(id, marks, a.opts.Now())
	plan, err := a.difference(ctx, w, after)
	if err != nil {
		return nil, err
	}
	out := &Edited{Fact: id, Label: after.label(id), Widened: nonNil(plan.Shown), Narrowed: nonNil(plan.Hidden), Loosened: plan.Loosened}
	if plan.Widens() && !agreed {
		return out, widens(plan)
	}
	err = a.store.UpdateFact(ctx, id, func(f *memory.Fact) error {
		f.Marks = append(f.Marks, marks...)
		if edit.Text != "" {
			f.Text = strings.TrimSpace(edit.Text)
		}
		return nil
	})
	out.Applied = err == nil
	return out, err
}

// marksOf turns an edit into marks by the owner's hand.
func (w *world) marksOf(fact *memory.Fact, e Edit, now time.Time) ([]privacy.Mark, error) {
	var out []privacy.Mark
	add := func(kind privacy.MarkKind, value string) {
		out = append(out, privacy.Mark{Kind: kind, Value: value, By: privacy.ByHand, At: now})
	}
	if e.Confirm {
		add(privacy.MarkTrusted, "true")
		if event := fact.Value(privacy.MarkEvent); event != "" {
			add(privacy.MarkEvent, event)
		}
	}
	switch {
	case e.SameAs != "":
		other, ok := w.fact(e.SameAs)
		if !ok {
			return nil, fmt.Errorf("%w: %q", ErrUnknownFact, e.SameAs)
		}
		event := other.Value(privacy.MarkEvent)
		if event == "" {
			return nil, fmt.Errorf("%s is in no event; give that one an event first (`epagent fact event %s --id NAME`)", e.SameAs, e.SameAs)
		}
		add(privacy.MarkEvent, event)
	case e.Event != "":
		add(privacy.MarkEvent, string(e.Event))
	case e.Alone:
		add(privacy.MarkEvent, string(OwnEvent(fact.ID)))
	}
	if e.Cover || len(e.CoverOf) > 0 {
		add(privacy.MarkTruth, privacy.Cover.String())
		for _, id := range e.CoverOf {
			if _, ok := w.fact(id); !ok {
				return nil, fmt.Errorf("%w: %q", ErrUnknownFact, id)
			}
			add(privacy.MarkCovers, string(id))
		}
	}
	if e.Real {
		add(privacy.MarkTruth, privacy.Real.String())
	}
	for _, name := range e.ToldTo {
		party, err := w.party(privacy.Party(name))
		if err != nil {
			return nil, err
		}
		add(privacy.MarkToldTo, string(party))
	}
	for _, id := range e.Categories {
		if _, ok := w.policy.Category(id); !ok {
			return nil, fmt.Errorf("%w: %q; one of: %s", ErrUnknownCategory, id, w.categoryIDs())
		}
		add(privacy.MarkCategory, string(id))
	}
	if e.Label != nil {
		// It stands over what the categories say today, and lapses when they say
		// something stricter one day (CALCULUS, Label).
		add(privacy.MarkLabel, e.Label.String())
		if i, ok := w.judge.Index(fact.ID); ok {
			out[len(out)-1].Rule = "over " + w.judge.CategoryLabel(i).String()
		}
	}
	for kind, parties := range map[privacy.MarkKind][]privacy.Party{privacy.MarkWhitelist: e.Allow, privacy.MarkBlacklist: e.Deny} {
		for _, p := range parties {
			party, err := w.party(p)
			if err != nil {
				return nil, err
			}
			add(kind, string(party))
		}
	}
	if e.Close {
		add(privacy.MarkClosed, "true")
	}
	return out, nil
}

// party checks that a party that the owner typed is in the policy, and returns it
// by its stable id.
func (w *world) party(p privacy.Party) (privacy.Party, error) {
	if g, ok := p.Group(); ok {
		if _, ok := w.policy.Group(g); !ok {
			return "", fmt.Errorf("%w: there is no group %q; the policy has %s", ErrUnknownPerson, g, w.groupIDs())
		}
		return p, nil
	}
	person, ok := w.policy.Person(string(p))
	if !ok {
		if _, err := w.policy.Lookup(string(p)); err != nil {
			return "", err
		}
		return "", w.stranger(string(p))
	}
	return privacy.Party(person.ID), nil
}

func (w *world) groupIDs() string {
	var ids []string
	for _, g := range w.policy.Groups() {
		ids = append(ids, string(g.ID))
	}
	return strings.Join(ids, ", ")
}

func (w *world) categoryIDs() string {
	var ids []string
	for _, c := range w.policy.Categories() {
		ids = append(ids, string(c.ID))
	}
	return strings.Join(ids, ", ")
}

// with returns the world in which a fact has further marks.
func (w *world) with(id privacy.FactID, marks []privacy.Mark, now time.Time) *world {
	facts := slices.Clone(w.facts)
	i := w.byID[id]
	facts[i].Marks = append(slices.Clone(facts[i].Marks), marks...)
	return newWorld(w.policy, facts, w.rules, now)
}
