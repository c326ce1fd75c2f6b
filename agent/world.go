package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// world is one consistent state to judge in: one policy version and one store
// revision, with the facts as the calculus sees them.
type world struct {
	policy   *privacy.Policy
	stale    error // why policy is not the one in force; nothing is disclosed then
	revision int64
	facts    []memory.Fact // sorted by id
	byID     map[privacy.FactID]int
	byEvent  map[privacy.EventID][]privacy.FactID
	rules    []privacy.EventRule
	marks    []privacy.Fact // what is judged, in the order of facts
	judge    *privacy.Judge
}

// current returns the world as it is now. It is rebuilt only when the policy file
// or the store has changed.
func (a *Agent) current(ctx context.Context) (*world, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	policy, stale, err := a.readingPolicy(ctx)
	if err != nil {
		return nil, err
	}
	revision, err := a.store.Revision(ctx)
	if err != nil {
		return nil, err
	}
	if w := a.world; w != nil && w.revision == revision && w.policy == policy && (w.stale == nil) == (stale == nil) {
		return w, nil
	}
	if a.judged, err = a.store.Judged(ctx, a.judged); err != nil {
		a.judged = memory.Judged{}
		return nil, err
	}
	w := newWorld(policy, a.judged.Facts, a.judged.Rules)
	w.stale, w.revision = stale, a.judged.Revision
	a.world = w
	return w, nil
}

func newWorld(policy *privacy.Policy, facts []memory.Fact, rules []privacy.EventRule) *world {
	w := &world{policy: policy, facts: facts, rules: rules, byID: make(map[privacy.FactID]int, len(facts))}
	for i := range facts {
		w.byID[facts[i].ID] = i
	}
	w.marks = engine.Effective(policy, w.records(), rules)
	w.byEvent = make(map[privacy.EventID][]privacy.FactID)
	for _, m := range w.marks {
		if m.Event != "" {
			w.byEvent[m.Event] = append(w.byEvent[m.Event], m.ID)
		}
	}
	w.judge = privacy.NewJudge(policy, w.marks)
	return w
}

// records returns the facts as the engine knows them.
func (w *world) records() []privacy.Record {
	records := make([]privacy.Record, len(w.facts))
	for i := range w.facts {
		records[i] = w.facts[i].Record
	}
	return records
}

// fact returns a stored fact.
func (w *world) fact(id privacy.FactID) (*memory.Fact, bool) {
	i, ok := w.byID[id]
	if !ok {
		return nil, false
	}
	return &w.facts[i], true
}

// label returns the label of a fact as it counts; L0 for an unknown one.
func (w *world) label(id privacy.FactID) privacy.Label {
	if i, ok := w.judge.Index(id); ok {
		return w.judge.Label(i)
	}
	return privacy.Label{}
}

// audience judges one fact for all readers of one message. What is not in this
// world is denied, even where the index already knows it.
func (w *world) audience(id privacy.FactID, to []privacy.Recipient) privacy.Verdict {
	i, ok := w.judge.Index(id)
	if !ok {
		return privacy.Verdict{}
	}
	return w.judge.Audience(i, to)
}

// keep is audience as a filter for recall.
func (w *world) keep(to []privacy.Recipient) func(privacy.FactID) bool {
	return func(id privacy.FactID) bool { return w.audience(id, to).Allow }
}

// ownerName is how facts and answers call the owner: the name of the policy, or
// its first word where that alone is one of the aliases ("Ines" of Ines Falk).
func ownerName(p *privacy.Policy) string {
	owner := p.Owner()
	first, _, more := strings.Cut(owner.Name, " ")
	if more && slices.Contains(owner.Aliases, first) {
		return first
	}
	return owner.Name
}

// mark returns the marks of a fact as the calculus judges them.
func (w *world) mark(id privacy.FactID) (privacy.Fact, bool) {
	i, ok := w.byID[id]
	if !ok {
		return privacy.Fact{}, false
	}
	return w.marks[i], true
}
