package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// Coreferred is what the stages make of everything stored where the events of all facts
// are found anew, one after the other as they came in: what later facts like these would
// get. The stored ones keep their events.
type Coreferred struct {
	// Judge holds who may know each fact then, by the stages alone ([Replay.Alone]). What
	// the owner said of an event binds the event of what they said it with.
	Judge *privacy.Judge

	events map[privacy.FactID]privacy.EventID
	alone  *world
}

// Event is the event that a fact would be of; "" for one that isn't there.
func (c *Coreferred) Event(id privacy.FactID) privacy.EventID { return c.events[id] }

// With are the other facts of the event that a fact would be of, sorted.
func (c *Coreferred) With(id privacy.FactID) []privacy.FactID {
	var out []privacy.FactID
	for other, event := range c.events {
		if other != id && event == c.events[id] {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out
}

// Moved are the facts that are of an event with others than in another such replay,
// sorted.
func (c *Coreferred) Moved(other *Coreferred) []privacy.FactID {
	mine, theirs := c.members(), other.members()
	var out []privacy.FactID
	for id, event := range c.events {
		if there, ok := other.events[id]; !ok || !slices.Equal(mine[event], theirs[there]) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

func (c *Coreferred) members() map[privacy.EventID][]privacy.FactID {
	out := map[privacy.EventID][]privacy.FactID{}
	for id, event := range c.events {
		out[event] = append(out[event], id)
	}
	for _, ids := range out {
		slices.Sort(ids)
	}
	return out
}

// joining are the lessons by which the events of later facts may differ.
func joining(lessons []engine.Lesson) []engine.Lesson {
	return slices.DeleteFunc(slices.Clone(lessons), func(l engine.Lesson) bool {
		return prompts.Name(l.Stage()) != prompts.StageCorefer
	})
}

// joins reports whether any of a set does that.
func joins(set []memory.StoredSupplement) bool {
	return slices.ContainsFunc(set, func(x memory.StoredSupplement) bool {
		return prompts.Name(x.Stage) == prompts.StageCorefer && len(x.Lesson) > 0
	})
}

// Coreferred finds the events anew with lessons in force, for facts that a run of the
// stages has placed. No model is called: what one had grouped within a session stays so.
func (r *Replayer) Coreferred(ctx context.Context, run *Replay, lessons []engine.Lesson) (*Coreferred, error) {
	events, err := r.events(ctx, joining(lessons))
	if err != nil {
		return nil, err
	}
	facts := slices.Clone(run.alone.facts)
	for i := range facts {
		f := &facts[i]
		if EventStands(f) {
			continue
		}
		f.Marks = append(slices.DeleteFunc(slices.Clone(f.Marks), func(m privacy.Mark) bool { return m.Kind == privacy.MarkEvent }),
			privacy.Mark{Kind: privacy.MarkEvent, Value: string(events[f.ID]), By: privacy.ByMachine})
	}
	alone := newWorld(r.w.policy, facts, r.rulesBy(events), r.w.now)
	return &Coreferred{Judge: alone.judge, events: events, alone: alone}, nil
}

// OwnEvent is the event of a fact that no other one began.
func OwnEvent(id privacy.FactID) privacy.EventID { return privacy.EventID("e" + string(id)) }

// EventStands reports whether no stage looks for the event of a fact: those of a benchmark
// have theirs given, and what people write to the delegate begins events of its own.
func EventStands(f *memory.Fact) bool { return f.Gold() || f.Source.Format == delegateFormat }

func machineEvent(r *privacy.Record) privacy.Mark {
	for _, m := range slices.Backward(r.Marks) {
		if m.Kind == privacy.MarkEvent && m.By != privacy.ByHand {
			return m
		}
	}
	return privacy.Mark{}
}

// arrival is what came in of one session at once.
type arrival struct {
	at      time.Time
	said    privacy.Stamp
	session string
	drafts  []privacy.Record // without marks
	stored  []privacy.Mark   // the events that the stages found then
	stands  bool             // no stage looks for them
}

// arrivals are the stored facts as they came in, those of one import in the order of
// their times.
func (r *Replayer) arrivals() []*arrival {
	var out []*arrival
	for k := range r.sessions {
		s := &r.sessions[k]
		turn := map[string]int{}
		for n := range s.in.Utterances {
			turn[s.in.Utterances[n].ID] = n
		}
		first := func(x privacy.Record) int {
			at := len(turn)
			for _, id := range x.Evidence {
				if n, ok := turn[id]; ok {
					at = min(at, n)
				}
			}
			return at
		}
		here := slices.Clone(s.facts)
		slices.SortFunc(here, func(i, j int) int {
			a, b := &r.w.facts[i], &r.w.facts[j]
			return cmp.Or(a.ImportedAt.Compare(b.ImportedAt), cmp.Compare(first(a.Record), first(b.Record)), cmp.Compare(a.ID, b.ID))
		})
		var last *arrival
		for _, i := range here {
			f := &r.w.facts[i]
			if last == nil || !last.at.Equal(f.ImportedAt) || last.stands != EventStands(f) {
				last = &arrival{at: f.ImportedAt, said: f.SaidAt, session: s.in.ID, stands: EventStands(f)}
				out = append(out, last)
			}
			draft := f.Record
			draft.Marks = nil
			last.drafts, last.stored = append(last.drafts, draft), append(last.stored, machineEvent(&f.Record))
		}
	}
	slices.SortStableFunc(out, func(a, b *arrival) int {
		return cmp.Or(a.at.Compare(b.at), a.said.Compare(b.said), strings.Compare(a.session, b.session))
	})
	return out
}

// groups are the sets of an arrival that a model had put together.
func (a *arrival) groups() [][]int {
	of := map[string][]int{}
	for i, m := range a.stored {
		of[m.Value] = append(of[m.Value], i)
	}
	var out [][]int
	for _, group := range of {
		if len(group) > 1 && slices.ContainsFunc(group, func(i int) bool { return engine.Grouped(a.stored[i]) }) {
			out = append(out, group)
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
}

// events runs the coreferrer over all arrivals; what is found is kept, so that the same
// isn't run twice.
func (r *Replayer) events(ctx context.Context, lessons []engine.Lesson) (map[privacy.FactID]privacy.EventID, error) {
	var keys []string
	for _, l := range lessons {
		keys = append(keys, l.Key())
	}
	slices.Sort(keys)
	key := strings.Join(keys, "\x00")
	if kept := r.joined[key]; kept != nil {
		return kept, nil
	}
	stage := r.a.stagesWith(Learned{Lessons: lessons}).Coreferrer
	index := &eventIndex{index: engine.NewEvents(), known: map[privacy.FactID]string{}}
	out := map[privacy.FactID]privacy.EventID{}
	for _, a := range r.arrivals() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a.stands {
			for i, d := range a.drafts {
				if out[d.ID] = privacy.EventID(a.stored[i].Value); out[d.ID] == "" {
					out[d.ID] = OwnEvent(d.ID)
				}
				d.Marks = []privacy.Mark{{Kind: privacy.MarkEvent, Value: string(out[d.ID]), By: privacy.ByMachine}}
				index.add(d)
			}
			continue
		}
		marks, err := index.corefer(ctx, stage, a.drafts, a.groups())
		if err == nil && len(marks) != len(a.drafts) {
			err = fmt.Errorf("marks for %d of %d facts", len(marks), len(a.drafts))
		}
		if err != nil {
			return nil, fmt.Errorf("replay of the events: corefer: %w", err)
		}
		for i, d := range a.drafts {
			out[d.ID] = privacy.EventID(marks[i].Value)
		}
	}
	if len(r.joined) < keptRuns {
		r.joined[key] = out
	}
	return out, nil
}

// rulesBy are the owner's rules about events where these are found anew: each binds the
// events of what the owner said it with, and of the fact that its event began with.
func (r *Replayer) rulesBy(events map[privacy.FactID]privacy.EventID) []privacy.EventRule {
	of := map[privacy.EventID][]*memory.Fact{}
	for i := range r.w.facts {
		f := &r.w.facts[i]
		of[privacy.EventID(f.Value(privacy.MarkEvent))] = append(of[privacy.EventID(f.Value(privacy.MarkEvent))], f)
	}
	var out []privacy.EventRule
	for _, rule := range r.w.rules {
		to := []privacy.EventID{}
		for _, f := range of[rule.Event] {
			if rule.Turn != "" && slices.Contains(f.Evidence, rule.Turn) {
				to = append(to, events[f.ID])
			}
		}
		if len(to) == 0 { // said of the event, and with none of its facts
			to = append(to, rule.Event)
			for _, f := range of[rule.Event] {
				to = append(to, events[f.ID])
			}
		}
		for _, event := range unique(to) {
			rule.Event = event
			out = append(out, rule)
		}
	}
	return out
}
