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
)

// Replayer runs the stages of the way in over everything that is stored, without
// storing anything, so that what evolution would change can be seen beforehand. It is of
// one moment of the home.
type Replayer struct {
	a        *Agent
	w        *world
	sessions []replaySession
	taught   []engine.Exemplar
	ran      map[string]*Replay                            // by the version of what was in force
	joined   map[string]map[privacy.FactID]privacy.EventID // events found anew, by the lessons that join
}

// replaySession is a session with the stored facts that hang on it.
type replaySession struct {
	in    engine.Session // drafts without marks
	facts []int          // of the world
}

// Replay is what the stages make of everything stored, with one set of supplements.
type Replay struct {
	// Judge holds who may know each stored fact if the stages had just run: the owner's
	// decisions stand over what the stages say.
	Judge *privacy.Judge
	// Alone is the same by the stages alone, as if the owner had decided nothing and
	// taught nothing: what later facts of this kind would get.
	Alone *privacy.Judge

	decided, alone *world
	marks          [][]privacy.Mark // fresh ones with what the owner taught, by fact
}

// Replayer reads the home for replays. ErrNoPolicy and what else stops judging stop it.
func (a *Agent) Replayer(ctx context.Context) (*Replayer, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	r := &Replayer{a: a, w: w, ran: map[string]*Replay{}, joined: map[string]map[privacy.FactID]privacy.EventID{}}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range stored {
		r.taught = append(r.taught, engine.Exemplar{Text: e.Text, Category: e.Category, NotFact: e.NotFact, Fact: e.Fact})
	}
	at := map[string]int{}
	for i := range w.facts {
		id := w.facts[i].Session
		k, ok := at[id]
		if !ok {
			k = len(r.sessions)
			at[id] = k
			in := engine.Session{ID: id}
			s, err := a.store.Session(ctx, id)
			switch {
			case err == nil:
				in.Utterances = utterances(s)
			case !errors.Is(err, memory.ErrNotFound): // a fact may outlive its session
				return nil, err
			}
			r.sessions = append(r.sessions, replaySession{in: in})
		}
		draft := w.facts[i].Record
		draft.Marks = nil
		r.sessions[k].in.Drafts = append(r.sessions[k].in.Drafts, draft)
		r.sessions[k].facts = append(r.sessions[k].facts, i)
	}
	return r, nil
}

// Says returns the label that the stages alone give a fact, and its categories; L0 for one
// that isn't there.
func (r *Replay) Says(id privacy.FactID) (privacy.Label, []privacy.CategoryID) {
	m, _ := r.alone.mark(id)
	return r.alone.label(id), slices.Clone(m.Categories)
}

// LetsIn reports whether all readers of a message would be let in to a fact, by the
// stages alone. Nobody is let in where a name can be mistaken for another's.
func (r *Replay) LetsIn(id privacy.FactID, to []string) bool {
	names, err := readers(r.alone.policy, to)
	return err == nil && len(names) > 0 && r.alone.audience(id, recipients(names)).Allow
}

// Test runs assertions about the policy over what the replay came to.
func (r *Replay) Test(tests *privacy.Tests) []privacy.TestResult {
	return tests.Run(r.decided.policy, r.decided.marks, r.decided.now)
}

// Facts returns the stored facts, sorted by id.
func (r *Replayer) Facts() []memory.Fact { return slices.Clone(r.w.facts) }

// Policy returns the policy that replays are judged by.
func (r *Replayer) Policy() *privacy.Policy { return r.w.policy }

// Decided reports whether the owner has decided by hand what a fact is about.
func (r *Replayer) Decided(id privacy.FactID) bool {
	f, ok := r.w.fact(id)
	return ok && decidedByHand(&f.Record)
}

// OfOthers reports whether the words of a fact aren't the owner's: nothing is learned from
// such words, whoever confirmed them.
func OfOthers(f *memory.Fact) bool { return !f.OwnerSaid || f.Source.Format == delegateFormat }

// Counted returns the label that a stored fact counts with now, and its categories.
func (r *Replayer) Counted(id privacy.FactID) (privacy.Label, []privacy.CategoryID) {
	m, _ := r.w.mark(id)
	return r.w.label(id), slices.Clone(m.Categories)
}

// CallsNeeded is how many calls of a model a replay would make at most: none offline.
func (r *Replayer) CallsNeeded() int {
	if r.a.opts.Model.Calls == nil {
		return 0
	}
	return 4 * len(r.sessions) // facts of a long session go in several calls, twice over
}

// keptRuns is how many replays a replayer keeps: what is in force, nothing, and the two
// sides of a change.
const keptRuns = 4

// Run replays with exactly what l holds in force. A replay is kept, so that the same isn't
// run twice.
func (r *Replayer) Run(ctx context.Context, l Learned) (*Replay, error) {
	if kept := r.ran[l.Version]; kept != nil {
		return kept, nil
	}
	out, err := r.replay(ctx, l)
	if err == nil && len(r.ran) < keptRuns && (l.Version != "" || len(l.Notes)+len(l.Lessons) == 0) {
		r.ran[l.Version] = out
	}
	return out, err
}

func (r *Replayer) replay(ctx context.Context, l Learned) (*Replay, error) {
	stages := r.a.stagesWith(l)
	taught, err := r.annotate(ctx, stages, r.taught, r.sessions)
	if err != nil {
		return nil, err
	}
	alone := taught
	if len(r.taught) > 0 {
		if alone, err = r.annotate(ctx, stages, nil, r.sessions); err != nil {
			return nil, err
		}
	}
	out := &Replay{marks: taught}
	_, modelled := stages.Excepter.(*engine.Model)
	kept := func(i int) []privacy.Mark {
		return slices.DeleteFunc(slices.Clone(r.w.facts[i].Marks), func(m privacy.Mark) bool {
			return replayed(m) || modelled && m.By == privacy.BySpoken
		})
	}
	out.decided = r.world(func(i int) []privacy.Mark { return append(kept(i), taught[i]...) })
	out.alone = r.world(func(i int) []privacy.Mark {
		return append(slices.DeleteFunc(kept(i), func(m privacy.Mark) bool { return m.By == privacy.ByHand }), alone[i]...)
	})
	out.Judge, out.Alone = out.decided.judge, out.alone.judge
	return out, nil
}

// annotate runs annotator and excepter over sessions and returns what they make of each
// fact of the world that hangs on them.
func (r *Replayer) annotate(ctx context.Context, stages Stages, taught []engine.Exemplar, sessions []replaySession) ([][]privacy.Mark, error) {
	out := make([][]privacy.Mark, len(r.w.facts))
	_, modelled := stages.Excepter.(*engine.Model)
	for k := range sessions {
		s := &sessions[k]
		in := s.in
		in.Drafts = slices.Clone(in.Drafts)
		marks, err := stages.Annotator.Annotate(ctx, r.w.policy, in, taught)
		if err != nil {
			return nil, fmt.Errorf("replay of session %s: annotate: %w", in.ID, err)
		}
		if len(marks) != len(in.Drafts) {
			return nil, fmt.Errorf("replay of session %s: annotate: marks for %d of %d facts", in.ID, len(marks), len(in.Drafts))
		}
		for n, i := range s.facts {
			out[i] = slices.DeleteFunc(marks[n], func(m privacy.Mark) bool { return !replayed(m) })
		}
		if !modelled {
			continue // what the owner said is read by the same rules as when it was stored
		}
		for n, i := range s.facts {
			in.Drafts[n].Marks = append(slices.Clone(out[i]), eventMarks(r.w.facts[i].Marks)...)
		}
		spoken, _, err := stages.Excepter.Exceptions(ctx, r.w.policy, in)
		if err != nil {
			return nil, fmt.Errorf("replay of session %s: exceptions: %w", in.ID, err)
		}
		for n, i := range s.facts {
			if n < len(spoken) {
				out[i] = append(out[i], spoken[n]...)
			}
		}
	}
	return out, nil
}

// replayed reports whether a mark is one that the annotator makes anew: what a fact is
// about, by the machine or by what the owner taught, and the review in its place.
func replayed(m privacy.Mark) bool {
	if m.By != privacy.ByMachine && m.By != privacy.ByExemplar {
		return false
	}
	switch m.Kind {
	case privacy.MarkCategory:
		return true
	case privacy.MarkReview:
		return strings.HasPrefix(m.Rule, "MARKS 1")
	}
	return false
}

func eventMarks(marks []privacy.Mark) []privacy.Mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m privacy.Mark) bool { return m.Kind != privacy.MarkEvent })
}

// world is the replayed world with other marks.
func (r *Replayer) world(marks func(i int) []privacy.Mark) *world {
	facts := slices.Clone(r.w.facts)
	for i := range facts {
		facts[i].Marks = marks(i)
	}
	return newWorld(r.w.policy, facts, r.w.rules, r.w.now)
}

// Reply is what somebody would be answered, with facts told.
type Reply struct {
	Told, Permitted []privacy.FactID
	Deflected       bool
}

// Ask answers a question for the readers with exactly what l holds in force. Nothing is
// recorded, and the facts are the stored ones.
func (r *Replayer) Ask(ctx context.Context, l Learned, question string, to []string) (*Reply, error) {
	names, err := readers(r.w.policy, to)
	if err != nil {
		return nil, err
	}
	stages := r.a.stagesWith(l)
	d, err := r.a.run(ctx, &turn{request: DiscloseRequest{Question: question, To: names, Preview: true, Explain: true}, stages: &stages})
	if err != nil {
		return nil, err
	}
	out := &Reply{Told: d.FactsTold, Deflected: d.Action == Deflected}
	for _, c := range d.Considered {
		if c.Allow {
			out.Permitted = append(out.Permitted, c.ID)
		}
	}
	return out, nil
}
