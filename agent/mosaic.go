package agent

import (
	"context"
	"fmt"
	"slices"

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
	var listeners []privacy.Listener
	for _, r := range t.request.To {
		listeners = append(listeners, privacy.Listener{Recipient: r.Recipient, Told: t.world.told(entries, r)})
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

// told is what a reader knows of the owner, as far as epagent can tell: what the
// ledger permitted them or somebody of a circle of theirs, the textless traces of
// what was forgotten since, and what the owner told them in imported chats.
func (w *world) told(entries []memory.LedgerEntry, r Reader) []privacy.CombinationItem {
	circle := map[string]bool{privacy.NormalizeName(r.Name): true}
	people := map[privacy.PersonID]bool{}
	for _, id := range w.policy.Circle(r.Name) {
		people[id] = true
		if p, ok := w.policy.Person(string(id)); ok {
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				circle[privacy.NormalizeName(name)] = true
			}
		}
	}
	var out []privacy.CombinationItem
	seen := map[privacy.FactID]bool{}
	add := func(id privacy.FactID) {
		if mark, ok := w.mark(id); ok && !seen[id] {
			seen[id] = true
			out = append(out, mark.Item())
		}
	}
	for _, e := range entries {
		if !slices.ContainsFunc(e.To, func(name string) bool { return circle[privacy.NormalizeName(name)] }) {
			continue
		}
		for _, id := range e.Permitted {
			add(id)
		}
		for _, trace := range e.Traces {
			out = append(out, privacy.CombinationItem{Categories: trace.Categories})
		}
	}
	for i := range w.facts {
		f := &w.facts[i]
		if f.OwnerSaid && slices.ContainsFunc(f.Values(privacy.MarkToldTo), func(name string) bool {
			p, ok := w.policy.Person(name)
			return ok && (people[p.ID] || circle[privacy.NormalizeName(name)])
		}) {
			add(f.ID)
		}
	}
	return out
}
