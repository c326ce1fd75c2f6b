package agent

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// learner carries the stages of the way in over several sessions: the policy, what
// the owner taught, and the events known so far.
type learner struct {
	stages    Stages
	taught    learnedNow
	host      memory.Host
	policy    *privacy.Policy
	owner     string
	about     string // whom a statement is about where it doesn't say
	exemplars []engine.Exemplar
	events    *eventIndex
	now       time.Time
}

// newLearner reads what learning needs from one world.
func (a *Agent) newLearner(ctx context.Context) (*learner, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	taught, err := a.learnedNow(ctx)
	if err != nil {
		return nil, err
	}
	l := &learner{
		stages: taught.stages, taught: taught, host: a.host, policy: w.policy, owner: ownerName(w.policy),
		events: &a.events, now: a.opts.Now(),
	}
	for _, e := range stored {
		l.exemplars = append(l.exemplars, engine.Exemplar{
			Text: e.Text, Category: e.Category, NotFact: e.NotFact, Fact: e.Fact,
		})
	}
	l.events.catchUp(w.facts)
	return l, nil
}

// eventIndex knows the events of the stored facts, so that a new one finds its
// own. It is kept between requests, since indexing every fact anew for one
// statement would cost more than all the rest.
type eventIndex struct {
	mu    sync.Mutex
	index *engine.Events
	known map[privacy.FactID]string // the event that each fact is indexed under
}

// catchUp brings the index to the given facts. A fact that is gone or has changed
// its event means that it is built anew.
func (x *eventIndex) catchUp(facts []memory.Fact) {
	x.mu.Lock()
	defer x.mu.Unlock()
	same := 0
	for i := range facts {
		event, ok := x.known[facts[i].ID]
		if ok && event != facts[i].Value(privacy.MarkEvent) {
			same = -1
			break
		}
		if ok {
			same++
		}
	}
	if x.index == nil || same != len(x.known) {
		x.index, x.known = engine.NewEvents(), make(map[privacy.FactID]string, len(facts))
	}
	for i := range facts {
		x.add(facts[i].Record)
	}
}

func (x *eventIndex) add(r privacy.Record) {
	if _, ok := x.known[r.ID]; !ok {
		x.index.Add(r)
		x.known[r.ID] = r.Value(privacy.MarkEvent)
	}
}

// drop forgets the index: it holds words.
func (x *eventIndex) drop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.index, x.known = nil, nil
}

// corefer gives each draft its event mark and indexes it, so that the next one
// finds it.
func (x *eventIndex) corefer(ctx context.Context, stage engine.Coreferrer, drafts []privacy.Record, groups [][]int) ([]privacy.Mark, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil { // dropped since
		x.index, x.known = engine.NewEvents(), map[privacy.FactID]string{}
	}
	events, err := stage.Corefer(ctx, drafts, x.index)
	if err != nil || len(events) != len(drafts) {
		return events, err
	}
	engine.Join(drafts, events, groups)
	for i, d := range drafts {
		d.Marks = []privacy.Mark{events[i]}
		x.add(d)
	}
	return events, nil
}

// learned is what one session gave.
type learned struct {
	layers memory.Layers
	facts  []memory.Fact
	rules  []privacy.EventRule
}

// drafted is what one session gave before it is held against what is stored: the
// part of the way in that may call a model, and that several sessions take at once.
type drafted struct {
	layers memory.Layers
	in     engine.Session // with its drafts
	marks  [][]privacy.Mark
	did    [][]memory.SupplementMarks // what supplements did to the marks
	groups [][]int                    // drafts of one event
	asSaid bool                       // the drafts are the session's text as it stands
}

// session runs the way in for one session: the host's layers, then extract,
// annotate, corefer and exceptions. Only drafts that rest on a turn for which
// fresh holds become facts; fresh nil means all. Where the extractor finds nothing,
// whole says that the session's text is a fact as it stands (a statement that the
// owner gave by hand).
func (l *learner) session(ctx context.Context, s *memory.Session, fresh func(turn string) bool, whole func() []privacy.Record) (*learned, error) {
	d, err := l.draft(ctx, s, fresh, whole)
	if err != nil {
		return nil, err
	}
	return l.settle(ctx, s, d)
}

// draft composes, extracts, annotates and groups. It reads nothing of the learner
// that changes, and holds no lock.
func (l *learner) draft(ctx context.Context, s *memory.Session, fresh func(turn string) bool, whole func() []privacy.Record) (*drafted, error) {
	layers, err := l.host.Compose(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("session %s: host: %w", s.ID, err)
	}
	if s.Source.Format == memory.FormatStatements {
		whole = func() []privacy.Record { return stated(s) }
	}
	var drafts []privacy.Record
	if s.Source.Format != memory.FormatStatements {
		drafts, err = l.stages.Extractor.Extract(ctx, s, memory.ExtractOptions{Owner: l.owner, OwnerKnown: l.owner != "", About: l.about})
		if err != nil {
			return nil, fmt.Errorf("session %s: extract: %w", s.ID, err)
		}
	}
	d := &drafted{layers: layers, asSaid: len(drafts) == 0 && whole != nil}
	if d.asSaid {
		drafts = whole()
	}
	if fresh != nil {
		drafts = restingOn(drafts, fresh)
	}
	d.in = engine.Session{ID: s.ID, Utterances: utterances(s), Drafts: drafts}
	if d.marks, d.did, err = l.annotate(ctx, d.in); err != nil {
		return nil, fmt.Errorf("session %s: annotate: %w", s.ID, err)
	}
	if grouper, ok := l.stages.Coreferrer.(engine.Grouper); ok {
		if d.groups, err = grouper.Group(ctx, drafts); err != nil {
			return nil, fmt.Errorf("session %s: corefer: %w", s.ID, err)
		}
	}
	return d, nil
}

// annotate says what the drafts of a session are about, and what supplements did to that.
// Where some are in force by which it may differ, the stage runs without them, too, so that
// going back is possible: see [supplemented].
func (l *learner) annotate(ctx context.Context, in engine.Session) ([][]privacy.Mark, [][]memory.SupplementMarks, error) {
	run := func(stages Stages) ([][]privacy.Mark, error) {
		marks, err := stages.Annotator.Annotate(ctx, l.policy, in, l.exemplars)
		if err == nil && len(marks) != len(in.Drafts) {
			err = fmt.Errorf("marks for %d of %d drafts", len(marks), len(in.Drafts))
		}
		return marks, err
	}
	did := make([][]memory.SupplementMarks, len(in.Drafts))
	ids, stages := l.taught.chain.ids, l.taught.chain.stages
	if len(ids) == 0 || len(in.Drafts) == 0 {
		marks, err := run(l.stages)
		return marks, did, err
	}
	runs := make([][][]privacy.Mark, len(stages))
	var err error
	if runs[0], err = run(stages[0]); err != nil {
		return nil, nil, err
	}
	// Last, since what a model said of who may know is what it said last.
	if runs[len(ids)], err = run(l.stages); err != nil {
		return nil, nil, err
	}
	full := runs[len(ids)]
	chained := false
	for i := range full {
		base, about := split(runs[0][i]), split(full[i])
		if sayEqual(base.about, about.about) {
			full[i] = append(base.about, about.rest...) // the same, by what was said without
			continue
		}
		if !chained {
			for k := 1; k < len(ids); k++ {
				if runs[k], err = run(stages[k]); err != nil {
					return nil, nil, err
				}
			}
			chained = true
		}
		steps := make([][]privacy.Mark, len(runs))
		for k := range runs {
			steps[k] = split(runs[k][i]).about
		}
		steps[len(ids)] = about.about
		for j := range base.about {
			base.about[j].At = l.now
		}
		var marks []privacy.Mark
		marks, did[i] = supplemented(base.about, ids, steps, l.now)
		full[i] = append(marks, about.rest...)
	}
	return full, did, nil
}

// halves are the marks of a draft: what it is about, and the rest.
type halves struct{ about, rest []privacy.Mark }

func split(marks []privacy.Mark) halves {
	var out halves
	for _, m := range marks {
		if replayed(m) {
			out.about = append(out.about, m)
		} else {
			out.rest = append(out.rest, m)
		}
	}
	return out
}

// settle finds the events of the drafts among the known ones, and what the owner
// said of those events.
func (l *learner) settle(ctx context.Context, s *memory.Session, d *drafted) (*learned, error) {
	drafts, marks := d.in.Drafts, d.marks
	out := &learned{layers: d.layers}
	events, err := l.events.corefer(ctx, l.stages.Coreferrer, drafts, d.groups)
	if err != nil {
		return nil, fmt.Errorf("session %s: corefer: %w", s.ID, err)
	}
	if len(marks) != len(drafts) || len(events) != len(drafts) {
		return nil, fmt.Errorf("session %s: a stage returned marks for %d and %d of %d drafts", s.ID, len(marks), len(events), len(drafts))
	}
	for i := range drafts {
		drafts[i].Marks = append(append([]privacy.Mark{}, marks[i]...), events[i])
		if d.asSaid && firstPerson(drafts[i].Text) {
			// Nobody is quoted to a listener: what could not be put into words of its
			// own is kept for the owner, until the owner rewords it.
			drafts[i].Marks = append(drafts[i].Marks,
				privacy.Mark{Kind: privacy.MarkClosed, Value: "true", By: privacy.ByMachine, Rule: "kept as it was said"},
				privacy.Mark{Kind: privacy.MarkReview, Value: "kept as it was said: reword it before others may hear it", By: privacy.ByMachine, Rule: "kept as it was said"},
			)
		}
	}
	spoken, rules, err := l.stages.Excepter.Exceptions(ctx, l.policy, d.in)
	if err != nil {
		return nil, fmt.Errorf("session %s: exceptions: %w", s.ID, err)
	}
	if len(spoken) != len(drafts) {
		return nil, fmt.Errorf("session %s: exceptions for %d of %d drafts", s.ID, len(spoken), len(drafts))
	}
	for i := range drafts {
		drafts[i].Marks = append(drafts[i].Marks, spoken[i]...)
		for j := range drafts[i].Marks {
			if drafts[i].Marks[j].At.IsZero() {
				drafts[i].Marks[j].At = l.now
			}
		}
		out.facts = append(out.facts, memory.Fact{
			Record: drafts[i], Sessions: []string{s.ID}, Source: s.Source, ImportedAt: l.now, Did: d.did[i],
		})
	}
	for i := range rules {
		if rules[i].At.IsZero() {
			rules[i].At = l.now
		}
	}
	out.rules = rules
	return out, nil
}

func restingOn(drafts []privacy.Record, fresh func(string) bool) []privacy.Record {
	var out []privacy.Record
	for _, d := range drafts {
		for _, turn := range d.Evidence {
			if fresh(turn) {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

// utterances are the turns of a session that carry somebody's words.
func utterances(s *memory.Session) []engine.Utterance {
	var out []engine.Utterance
	for i := range s.Turns {
		t := &s.Turns[i]
		if t.Kind == memory.System || t.Text == "" {
			continue
		}
		out = append(out, engine.Utterance{
			ID: t.ID, Speaker: t.Speaker, Owner: t.Self, Listeners: s.Listeners(t),
			Text: t.Text, At: t.When, ReplyTo: t.ReplyTo,
		})
	}
	return out
}
