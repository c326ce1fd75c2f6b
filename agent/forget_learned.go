package agent

import (
	"context"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// unlearn plans what becomes of the facts that stay where supplements go with what they
// rest on: the same as where the owner takes them out, but for what would open. Forgetting
// lets nobody in, so such a fact keeps the marks that it has, for the owner to change. Nil:
// no stored fact differs by it.
func (a *Agent) unlearn(ctx context.Context, done *memory.Forgotten) (*memory.Unlearn, error) {
	if len(done.Supplements) == 0 {
		return nil, nil
	}
	did, err := a.store.SupplementMarks(ctx)
	if err != nil {
		return nil, err
	}
	by := func(m memory.SupplementMarks) bool { return slices.Contains(done.Supplements, m.Supplement) }
	if !slices.ContainsFunc(did, by) {
		return nil, nil
	}
	r, err := a.Replayer(ctx)
	if err != nil {
		return nil, err
	}
	_, active, err := a.store.ActiveSupplements(ctx)
	if err != nil {
		return nil, err
	}
	left := slices.DeleteFunc(active, func(x memory.StoredSupplement) bool {
		return !labels(x) || slices.Contains(done.Supplements, x.ID)
	})
	after, err := r.relabel(ctx, left, did)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		// No stage says it: what was said without anything learned is known.
		after = r.relabelBy(nil, nil, did)
	}
	touched := map[privacy.FactID]bool{}
	for _, m := range did {
		touched[m.Fact] = touched[m.Fact] || by(m)
	}
	stay := func(id privacy.FactID) bool { return touched[id] && !slices.Contains(done.Facts, id) }
	facts := a.closing(r.w, after, stay)
	out := &memory.Unlearn{Gone: done.Supplements, Relabelling: memory.Relabelling{Facts: facts}}
	for _, m := range after.Marks {
		if slices.Contains(facts, m.Fact) {
			out.Marks = append(out.Marks, m)
		}
	}
	return out, nil
}

// closing are the facts that may be relabelled with nobody let in by it, by id: none whose
// own label opens, and none that lends to one that would.
func (a *Agent) closing(w *world, after *relabelled, may func(privacy.FactID) bool) []privacy.FactID {
	facts := slices.DeleteFunc(slices.Clone(after.Facts), func(id privacy.FactID) bool { return !may(id) })
	marks := map[privacy.FactID][]privacy.Mark{}
	for i := range after.facts {
		marks[after.facts[i].ID] = after.facts[i].Marks
	}
	for len(facts) > 0 {
		tried := slices.Clone(w.facts)
		for i := range tried {
			if slices.Contains(facts, tried[i].ID) {
				tried[i].Marks = marks[tried[i].ID]
			}
		}
		next := newWorld(w.policy, tried, w.rules, w.now)
		opens := map[privacy.FactID]bool{}
		for _, id := range LooserLabels(w.judge, next.judge) {
			opens[id] = true
		}
		d := privacy.Plan(w.judge, next.judge)
		for _, x := range d.Shown {
			opens[x.Fact] = true
		}
		for _, x := range d.Loosened {
			opens[x.Fact] = true
		}
		if len(opens) == 0 {
			break
		}
		kept := slices.DeleteFunc(slices.Clone(facts), func(id privacy.FactID) bool { return opens[id] })
		if len(kept) == len(facts) { // it opens others
			return nil
		}
		facts = kept
	}
	slices.Sort(facts)
	return facts
}
