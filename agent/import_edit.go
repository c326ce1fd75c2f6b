package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ruleEdited is the rule of a question about a message that has other words now.
const ruleEdited = "edited"

// restingFacts finds facts by the messages that they rest on.
type restingFacts struct {
	facts  []memory.Fact
	byTurn map[string][]int
	told   map[privacy.FactID]bool // the ledger knows of them
	rules  []privacy.EventRule
}

func (im *importer) resting(ctx context.Context) (*restingFacts, error) {
	if im.rests != nil {
		return im.rests, nil
	}
	w, err := im.a.current(ctx)
	if err != nil {
		return nil, err
	}
	r := &restingFacts{facts: w.facts, byTurn: map[string][]int{}, told: map[privacy.FactID]bool{}, rules: w.rules}
	for i := range w.facts {
		for _, turn := range w.facts[i].Evidence {
			r.byTurn[turn] = append(r.byTurn[turn], i)
		}
	}
	ledger, err := im.a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	for _, e := range ledger {
		for _, id := range append(slices.Clone(e.Permitted), e.Told...) {
			r.told[id] = true
		}
	}
	im.rests = r
	return r, nil
}

// settleEdits decides what becomes of the facts of edited messages. Those made of the
// old words alone go, unless somebody was told them or the owner has decided on them:
// then they stay and wait for review. What was kept from somebody in the old words is
// kept from them in the new ones. A new fact that would reach anybody whom no fact of
// the old words reached has no category until the owner gives it one.
func (im *importer) settleEdits(ctx context.Context, t *toLearn, got *learned) error {
	if len(t.edits) == 0 {
		return nil
	}
	rests, err := im.resting(ctx)
	if err != nil {
		return err
	}
	t.marks = map[privacy.FactID][]privacy.Mark{}
	stays := map[privacy.FactID]string{} // texts of the facts that stay
	for i := range t.edits {
		edit := &t.edits[i]
		var old []memory.Fact
		for _, at := range rests.byTurn[edit.Turn.ID] {
			f := rests.facts[at]
			if !slices.Contains(append(slices.Clone(f.Sessions), f.Session), t.session.ID) {
				continue
			}
			old = append(old, f)
			byHand := slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool { return m.By == privacy.ByHand })
			if len(f.Evidence) == 1 && !byHand && !rests.told[f.ID] {
				edit.Drop = append(edit.Drop, f.ID)
				continue
			}
			stays[f.ID] = f.Text
			t.marks[f.ID] = append(t.marks[f.ID], privacy.Mark{
				Kind: privacy.MarkReview, Value: "a message that it rests on was edited", By: privacy.ByMachine, Rule: ruleEdited, Turn: edit.Turn.ID, At: im.l.now,
			})
		}
		im.holdWider(rests.rules, old, got, edit.Turn.ID)
	}
	// A fact is named after the message that it rests on: beside one that stays, what
	// the message says now needs a name of its own.
	got.facts = slices.DeleteFunc(got.facts, func(f memory.Fact) bool { return stays[f.ID] == f.Text && f.Text != "" })
	for i := range got.facts {
		if f := &got.facts[i]; stays[f.ID] != "" {
			f.ID = privacy.FactID("f" + shortHash("edited", string(f.ID), f.Text))
		}
	}
	return nil
}

// holdWider holds back the facts of an edited message that widen.
func (im *importer) holdWider(rules []privacy.EventRule, old []memory.Fact, got *learned, turn string) {
	if len(old) == 0 {
		return // it said nothing before
	}
	policy := im.l.policy
	before := newWorld(policy, old, rules, im.l.now)
	decided := false
	var kept []privacy.Mark
	for _, f := range old {
		for _, m := range f.Marks {
			hand := m.By == privacy.ByHand
			decided = decided || hand
			switch m.Kind {
			case privacy.MarkBlacklist, privacy.MarkReserved:
				kept = append(kept, m)
			case privacy.MarkClosed:
				if m.Value == "true" {
					kept = append(kept, m)
				}
			}
		}
	}
	for i := range got.facts {
		f := &got.facts[i]
		if !slices.Contains(f.Evidence, turn) {
			continue
		}
		for _, m := range kept {
			if !slices.ContainsFunc(f.Marks, func(x privacy.Mark) bool { return x.Kind == m.Kind && x.Value == m.Value }) {
				f.Marks = append(f.Marks, m)
			}
		}
		after := newWorld(policy, []memory.Fact{*f}, append(slices.Clone(rules), got.rules...), im.l.now)
		if !decided && !wider(policy, before, after) {
			continue
		}
		var was []string
		f.Marks = slices.DeleteFunc(f.Marks, func(m privacy.Mark) bool {
			switch {
			case m.Kind == privacy.MarkCategory:
				was = append(was, m.Value)
				return true
			case m.Kind == privacy.MarkWhitelist:
				return true
			}
			return false
		})
		f.Marks = append(f.Marks, privacy.Mark{
			Kind: privacy.MarkReview, By: privacy.ByMachine, Rule: ruleCategory, Turn: turn, At: im.l.now,
			Value: fmt.Sprintf("the message was edited, and more people would get to know it (it reads as %s): say which category it is", orNone(was)),
		})
	}
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "no category"
	}
	return strings.Join(words, ", ")
}

// wider reports whether anybody gets to know a fact of after who knew none of before.
func wider(policy *privacy.Policy, before, after *world) bool {
	for _, p := range policy.People() {
		to := []privacy.Recipient{policy.Recipient(string(p.ID))}
		if anyAllowed(after, to) && !anyAllowed(before, to) {
			return true
		}
	}
	stranger := []privacy.Recipient{policy.Recipient("")}
	return anyAllowed(after, stranger) && !anyAllowed(before, stranger)
}

func anyAllowed(w *world, to []privacy.Recipient) bool {
	return slices.ContainsFunc(w.facts, func(f memory.Fact) bool { return w.audience(f.ID, to).Allow })
}
