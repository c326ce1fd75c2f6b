package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// judgeCombinations judges the allowed facts of a message against the policy's
// combinations: with what was told before to each reader, or to a circle of theirs,
// they may complete a set that together reveals something. Nothing is read where
// the policy names none.
func (a *Agent) judgeCombinations(ctx context.Context, t *turn) error {
	if len(t.world.policy.Combinations()) == 0 {
		return nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return err
	}
	var ids []privacy.FactID
	for _, j := range t.judged {
		if j.verdict.Allow {
			ids = append(ids, j.id)
		}
	}
	told := t.world.toldBefore(entries)
	var listeners []privacy.Listener
	for _, r := range t.request.To {
		listeners = append(listeners, privacy.Listener{Recipient: r.Recipient, Told: told.items(r.Name)})
	}
	verdicts := t.world.judge.Combine(ids, listeners...)
	for i, id := range ids {
		at := slices.IndexFunc(t.judged, func(j judgedFact) bool { return j.id == id })
		if i < len(verdicts) {
			t.judged[at].tighten(verdicts[i].Verdict)
			if v := verdicts[i]; v.Reason == privacy.ReasonCombination {
				t.judged[at].why = fmt.Sprintf("combination %s: with what was told before it would be complete; judged under %s", v.Combination, v.Ceiling)
			}
		} else {
			t.judged[at].tighten(privacy.Verdict{}) // not judged: denied
		}
	}
	return nil
}

// told is what was told before, by whom it was told to: what the ledger permitted
// them, the textless traces of what was forgotten since, and what the owner told
// them in imported chats.
type told struct {
	policy *privacy.Policy
	by     map[string][]toldFact // by the normalised name of who was told
}

// toldFact is one fact that somebody was told.
type toldFact struct {
	fact privacy.FactID // "" for one that was forgotten
	to   string
	at   time.Time
	item privacy.CombinationItem
}

// toldBefore collects what counts for the combinations of w's policy.
func (w *world) toldBefore(entries []memory.LedgerEntry) told {
	out := told{policy: w.policy, by: map[string][]toldFact{}}
	matters := func(x privacy.CombinationItem) bool {
		return slices.ContainsFunc(w.policy.Combinations(), func(c privacy.Combination) bool {
			return slices.ContainsFunc(c.Categories, func(id privacy.CategoryID) bool { return slices.Contains(x.Categories, id) }) ||
				slices.ContainsFunc(c.Rules, func(id privacy.RuleID) bool { return slices.Contains(x.Rules, id) })
		})
	}
	seen := map[string]bool{}
	add := func(f toldFact) {
		key := privacy.NormalizeName(f.to)
		if again := key + "\x00" + string(f.fact); matters(f.item) && !seen[again] {
			seen[again] = f.fact != "" // traces have no id to know them again by
			out.by[key] = append(out.by[key], f)
		}
	}
	for _, e := range entries {
		for _, to := range e.To {
			for _, id := range e.Permitted {
				if mark, ok := w.mark(id); ok {
					add(toldFact{id, to, e.At, mark.Item()})
				}
			}
			for _, trace := range e.Traces {
				add(toldFact{"", to, e.At, privacy.CombinationItem{Categories: trace.Categories, Rules: trace.Rules}})
			}
		}
	}
	for i := range w.facts {
		if f := &w.facts[i]; f.OwnerSaid {
			mark, _ := w.mark(f.ID)
			for _, to := range f.Values(privacy.MarkToldTo) {
				add(toldFact{f.ID, to, f.SaidAt.Instant, mark.Item()})
			}
		}
	}
	return out
}

// facts returns what somebody knows of, themselves or through a circle of theirs.
func (t told) facts(name string) []toldFact {
	names := []string{privacy.NormalizeName(name)}
	for _, id := range t.policy.Circle(name) {
		if p, ok := t.policy.Person(string(id)); ok {
			for _, n := range append([]string{string(p.ID), p.Name}, p.Aliases...) {
				if n = privacy.NormalizeName(n); !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
	}
	var out []toldFact
	for _, n := range names {
		out = append(out, t.by[n]...)
	}
	return out
}

func (t told) items(name string) []privacy.CombinationItem {
	var out []privacy.CombinationItem
	for _, f := range t.facts(name) {
		out = append(out, f.item)
	}
	return out
}

// everybody returns what each person of the policy knows of.
func (t told) everybody() privacy.Told {
	out := privacy.Told{}
	if len(t.by) == 0 {
		return out
	}
	for _, p := range t.policy.People() {
		if items := t.items(p.Name); len(items) > 0 {
			out[p.ID] = items
		}
	}
	return out
}

// ledgerFor returns the entries that combinations count, up to a moment (zero: up to
// now). Nothing is read where none of the worlds' policies has a combination.
func (a *Agent) ledgerFor(ctx context.Context, until time.Time, worlds ...*world) ([]memory.LedgerEntry, error) {
	if !slices.ContainsFunc(worlds, func(w *world) bool { return len(w.policy.Combinations()) > 0 }) {
		return nil, nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(entries, func(e memory.LedgerEntry) bool { return !until.IsZero() && e.At.After(until) }), nil
}

// informed returns the judge of w with what was told before.
func (w *world) informed(entries []memory.LedgerEntry) *privacy.Judge {
	if len(w.policy.Combinations()) == 0 {
		return w.judge
	}
	return w.judge.WithTold(w.toldBefore(entries).everybody())
}

// difference is what turns for whom from one world to another, combinations
// included.
func (a *Agent) difference(ctx context.Context, before, after *world) (privacy.Difference, error) {
	entries, err := a.ledgerFor(ctx, time.Time{}, before, after)
	if err != nil {
		return privacy.Difference{}, err
	}
	return privacy.Plan(before.informed(entries), after.informed(entries)), nil
}

// keepTold is keep after what was told before: what each of the readers would be
// told if they asked for that one fact now.
func (a *Agent) keepTold(ctx context.Context, w *world, to []Reader) (func(privacy.FactID) bool, error) {
	keep := w.keep(recipients(to))
	entries, err := a.ledgerFor(ctx, w.at, w)
	if err != nil || len(w.policy.Combinations()) == 0 {
		return keep, err
	}
	told := w.toldBefore(entries)
	var listeners []privacy.Listener
	for _, r := range to {
		listeners = append(listeners, privacy.Listener{Recipient: r.Recipient, Told: told.items(r.Name)})
	}
	return func(id privacy.FactID) bool {
		return keep(id) && w.judge.Combine([]privacy.FactID{id}, listeners...)[0].Allow
	}, nil
}
