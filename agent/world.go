package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
	until    time.Time // when the next grant of the policy ends; zero: none does
	now      time.Time // by which grants have ended
	at       time.Time // the moment up to which what was told counts; zero: all

	serial  int64 // no two worlds of this process have the same
	keptFor struct {
		mu    sync.Mutex
		names map[readersKey]string
	}

	muted sync.Once
	mute  *world // see silent

	aged        sync.Once
	newestFirst []int // see byAge
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
	now := a.opts.Now()
	if w := a.world; w != nil && w.revision == revision && w.policy == policy && (w.stale == nil) == (stale == nil) &&
		(w.until.IsZero() || now.Before(w.until)) {
		return w, nil
	}
	if a.judged, err = a.store.Judged(ctx, a.judged); err != nil {
		a.judged = memory.Judged{}
		return nil, err
	}
	w := newWorld(policy, a.judged.Facts, a.judged.Rules, now)
	w.stale, w.revision = stale, a.judged.Revision
	a.world = w
	return w, nil
}

// newWorld derives what is judged from stored facts: their marks, what the owner
// said about their events, and the rules of the policy as they are at now.
func newWorld(policy *privacy.Policy, facts []memory.Fact, rules []privacy.EventRule, now time.Time) *world {
	w := &world{
		serial: worlds.Add(1), policy: policy, now: now, facts: facts, rules: rules,
		byID: make(map[privacy.FactID]int, len(facts)),
	}
	for _, r := range policy.Rules() {
		if !r.Until.IsZero() && r.Until.After(now) && (w.until.IsZero() || r.Until.Before(w.until)) {
			w.until = r.Until
		}
	}
	for i := range facts {
		w.byID[facts[i].ID] = i
	}
	records := w.records()
	w.marks = engine.ApplyRules(policy, records, engine.Effective(policy, records, rules), now)
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

// worlds counts the worlds of this process.
var worlds atomic.Int64

// keptReaders is for how many sets of readers a world names what they may know.
const keptReaders = 1024

// readersKey is a few readers; a larger group is not remembered.
type readersKey struct {
	n   int
	who [4]privacy.Recipient
}

// kept names what keep allows in this world, "" where it isn't remembered.
func (w *world) kept(to []privacy.Recipient) string {
	var key readersKey
	if w.serial == 0 || len(to) == 0 || len(to) > len(key.who) {
		return ""
	}
	key.n = copy(key.who[:], to)
	w.keptFor.mu.Lock()
	defer w.keptFor.mu.Unlock()
	name, ok := w.keptFor.names[key]
	if !ok {
		if len(w.keptFor.names) >= keptReaders {
			return ""
		}
		if w.keptFor.names == nil {
			w.keptFor.names = map[readersKey]string{}
		}
		name = fmt.Sprintf("%d/%d", w.serial, len(w.keptFor.names))
		w.keptFor.names[key] = name
	}
	return name
}

// within returns keep for facts that rest on one of the sessions; nil: on any.
func (w *world) within(sessions []string, keep func(privacy.FactID) bool) func(privacy.FactID) bool {
	if sessions == nil {
		return keep
	}
	among := make(map[string]bool, len(sessions))
	for _, s := range sessions {
		among[s] = true
	}
	return func(id privacy.FactID) bool {
		f, ok := w.fact(id)
		return ok && slices.ContainsFunc(f.Sessions, func(s string) bool { return among[s] }) && (keep == nil || keep(id))
	}
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

// ownerNames are all names of the owner.
func (w *world) ownerNames() []string {
	owner := w.policy.Owner()
	return append([]string{owner.Name}, owner.Aliases...)
}

// mark returns the marks of a fact as the calculus judges them.
func (w *world) mark(id privacy.FactID) (privacy.Fact, bool) {
	i, ok := w.byID[id]
	if !ok {
		return privacy.Fact{}, false
	}
	return w.marks[i], true
}

// need returns a stored fact and where it is judged.
func (w *world) need(id privacy.FactID) (*memory.Fact, int, error) {
	fact, ok := w.fact(id)
	i, judged := w.judge.Index(id)
	if !ok || !judged {
		return nil, 0, fmt.Errorf("%w: %q; `epagent recall` lists ids", ErrUnknownFact, id)
	}
	return fact, i, nil
}

// known returns a person whose name must be in the policy.
func (w *world) known(name string) (privacy.Recipient, error) {
	r, err := w.policy.Lookup(name)
	if err != nil {
		return r, err
	}
	if !r.Known() {
		return r, w.stranger(name)
	}
	return r, nil
}

// stranger says why a name stands for nobody of the policy.
func (w *world) stranger(name string) error {
	removed := func(x privacy.RemovedPerson) bool {
		return slices.ContainsFunc(append([]string{x.Name}, x.Aliases...), func(n string) bool { return privacy.NormalizeName(n) == privacy.NormalizeName(name) })
	}
	group, isGroup := w.policy.Group(privacy.GroupID(strings.TrimSpace(name)))
	switch {
	case w.policy.IsOwner(name):
		return fmt.Errorf("%w: %q is you, who may know everything; somebody else of that name gets what a stranger gets", ErrUnknownPerson, name)
	case slices.ContainsFunc(w.policy.Removed(), removed):
		return fmt.Errorf("%w: %q was removed and gets what a stranger gets; `epagent policy undo` takes it back, or move the line from removed to people", ErrUnknownPerson, name)
	case isGroup:
		return fmt.Errorf("%w: %q is a group: where groups may stand, write group:%s", ErrUnknownPerson, name, group.ID)
	}
	return fmt.Errorf("%w: %q, who gets what a stranger gets; `epagent policy person add` takes somebody in", ErrUnknownPerson, name)
}

// origins returns what counts of a fact's marks, each with where it comes from.
func (w *world) origins(id privacy.FactID) []engine.Explained {
	out := engine.Why(w.policy, w.records(), w.rules, id)
	mark, _ := w.mark(id)
	for _, ruleID := range mark.Rules {
		rule, ok := w.policy.Rule(ruleID)
		if !ok || rule.Ended(w.now) {
			continue
		}
		effect := engine.AddOwnWhitelist
		if rule.Denies() {
			effect = engine.AddBlacklist
		}
		for _, p := range rule.Parties() {
			out = append(out, engine.Explained{Effect: effect, Value: string(p), Mark: privacy.Mark{
				Kind: privacy.MarkKind(effect), Value: string(p), By: privacy.ByRule, Rule: "policy rule " + string(ruleID),
			}})
		}
	}
	return out
}

// newest adds to ranked the newest facts that keep allows, behind what a question
// found by itself: a question for news names no matter, so nothing ranks for it.
func (w *world) newest(ranked []engine.Ranked, keep func(privacy.FactID) bool, limit int) []engine.Ranked {
	seen := make(map[privacy.FactID]bool, len(ranked))
	for _, r := range ranked {
		seen[r.Record.ID] = true
	}
	left := limit
	for _, i := range w.byAge() {
		if left == 0 {
			break
		}
		if f := &w.facts[i]; !seen[f.ID] && keep(f.ID) {
			ranked = append(ranked, engine.Ranked{Record: f.Record})
			left--
		}
	}
	return ranked
}

// beside adds to ranked what keep allows of the events and the sessions of what was
// ranked, behind it: a question for a whole matter is answered by its other facts, too,
// which may share no word with it.
func (w *world) beside(ranked []engine.Ranked, keep func(privacy.FactID) bool) []engine.Ranked {
	seen, events, sessions := make(map[privacy.FactID]bool, len(ranked)), map[privacy.EventID]bool{}, map[string]bool{}
	for _, r := range ranked {
		seen[r.Record.ID] = true
		sessions[r.Record.Session] = r.Record.Session != ""
		if m, ok := w.mark(r.Record.ID); ok && m.Event != "" {
			events[m.Event] = true
		}
	}
	for i := range w.facts {
		f := &w.facts[i]
		if m, ok := w.mark(f.ID); ok && (events[m.Event] || sessions[f.Session]) && !seen[f.ID] && keep(f.ID) {
			ranked = append(ranked, engine.Ranked{Record: f.Record})
		}
	}
	return ranked
}

// byAge returns the positions of the facts, those said last first.
func (w *world) byAge() []int {
	w.aged.Do(func() {
		w.newestFirst = make([]int, len(w.facts))
		for i := range w.facts {
			w.newestFirst[i] = i
		}
		slices.SortStableFunc(w.newestFirst, func(a, b int) int { return w.facts[b].SaidAt.Compare(w.facts[a].SaidAt) })
	})
	return w.newestFirst
}
