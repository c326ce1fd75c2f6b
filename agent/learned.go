package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// Learned is what evolution has in force: notes for the stages that run on a model,
// lessons for those that run offline. The zero value is nothing.
type Learned struct {
	Version string // names the set, for caches; "" for nothing
	Notes   []prompts.Supplement
	Lessons []engine.Lesson
}

// ErrLearned says that what evolution has in force can't be read. Nothing is learned or
// told then: without it an audience might be wider.
var ErrLearned = errors.New("what evolution has in force can't be read; `epagent evolve revert` brings an earlier version back")

// ReadLearned reads supplements as the record keeps them. ErrLearned names the one that
// can't be read.
func ReadLearned(version string, list []memory.StoredSupplement) (Learned, error) {
	out := Learned{Version: version}
	for _, x := range list {
		if len(x.Lesson) == 0 {
			out.Notes = append(out.Notes, prompts.Supplement{ID: x.ID, Stage: prompts.Name(x.Stage), Language: x.Language, Text: x.Text})
			continue
		}
		var l engine.Lesson
		err := json.Unmarshal(x.Lesson, &l)
		if err == nil {
			err = l.Validate()
		}
		if err != nil {
			return Learned{}, fmt.Errorf("%w: supplement %s: %w", ErrLearned, x.ID, err)
		}
		if x.Scope != nil {
			l.Scope = engine.ScopeOf(x.Scope)
		}
		out.Lessons = append(out.Lessons, l)
	}
	return out, nil
}

// LearnedOf is [ReadLearned] under the version that a home gives the set.
func LearnedOf(list []memory.StoredSupplement) (Learned, error) {
	return ReadLearned(setVersion(list), list)
}

// Marking are those of a set by which marks of stored facts may differ. What words answers
// changes no verdict, and what cuts facts or events out of texts shows in no replay.
func Marking(list []memory.StoredSupplement) []memory.StoredSupplement {
	var out []memory.StoredSupplement
	for _, x := range list {
		if labels(x) {
			out = append(out, x)
		}
	}
	return out
}

// Answers reports whether a stage is one by which what is permitted is found and put: it
// gives no fact a mark and lets nobody in.
func Answers(stage prompts.Name) bool {
	switch stage {
	case prompts.StageQueryUnits, prompts.StageProject, prompts.StageRespond, prompts.StageClaims:
		return true
	}
	return false
}

// unforeseen reports whether what a supplement does shows in no replay: those run over
// facts and events as they are stored.
func unforeseen(x memory.StoredSupplement) bool {
	return prompts.Name(x.Stage) == prompts.StageExtract || prompts.Name(x.Stage) == prompts.StageCorefer
}

// taughtStages are the stages with what was in force when they were made.
type taughtStages struct {
	mu       sync.Mutex
	ready    bool
	revision int64 // of the store when it was last looked at
	seq      int64 // version of the supplements
	active   []memory.StoredSupplement
	learned  Learned
	stages   Stages
	chain    chain
}

// chain are the stages with one more of the supplements by which labels may differ after
// the other: the first without any, the last with all of them. Empty where none is in
// force. What else is in force, is in all of them.
type chain struct {
	ids    []string // of those supplements
	stages []Stages // one more than ids
}

// chainOf makes the chain of what is in force; with makes stages of what was learned.
func chainOf(active []memory.StoredSupplement, with func(Learned) Stages) (chain, error) {
	var out chain
	set := slices.DeleteFunc(slices.Clone(active), labels)
	if len(set) == len(active) {
		return out, nil
	}
	add := func() error {
		l, err := LearnedOf(set)
		if err == nil {
			out.stages = append(out.stages, with(l))
		}
		return err
	}
	if err := add(); err != nil {
		return out, err
	}
	for _, x := range active {
		if !labels(x) {
			continue
		}
		set = append(set, x)
		if err := add(); err != nil {
			return out, err
		}
		out.ids = append(out.ids, x.ID)
	}
	return out, nil
}

// stagesNow returns the stages with what evolution has in force now, also by another
// process.
func (a *Agent) stagesNow(ctx context.Context) (Stages, error) {
	t := &a.taught
	t.mu.Lock()
	defer t.mu.Unlock()
	err := a.teachStages(ctx)
	return t.stages, err
}

// learnedNow is what is in force now for what learns: the supplements, with their version,
// and the stages with them, one after the other.
type learnedNow struct {
	version *int64 // nil where it is given and doesn't change
	active  []memory.StoredSupplement
	learned Learned
	stages  Stages
	chain   chain
}

func (a *Agent) learnedNow(ctx context.Context) (learnedNow, error) {
	t := &a.taught
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := a.teachStages(ctx); err != nil {
		return learnedNow{}, err
	}
	out := learnedNow{active: t.active, learned: t.learned, stages: t.stages, chain: t.chain}
	if a.opts.Learned == nil {
		seq := t.seq
		out.version = &seq
	}
	return out, nil
}

// teachStages makes the stages anew where what is in force has changed.
func (a *Agent) teachStages(ctx context.Context) error {
	t := &a.taught
	if a.opts.Learned != nil {
		if !t.ready {
			t.ready, t.learned = true, *a.opts.Learned
			t.stages = a.stagesWith(t.learned)
		}
		return nil
	}
	revision, err := a.store.Revision(ctx)
	if err != nil {
		return err
	}
	if t.ready && t.revision == revision {
		return nil
	}
	seq, active, err := a.store.ActiveSupplements(ctx)
	if err != nil {
		return err
	}
	if !t.ready || seq != t.seq {
		scoped, err := a.scopeUnnoted(ctx, active)
		if err != nil {
			return err
		}
		learned, err := LearnedOf(active)
		if err != nil {
			return err
		}
		chain, err := chainOf(active, a.stagesWith)
		if err != nil {
			return err
		}
		t.stages, t.learned, t.active, t.chain, t.seq = a.stagesWith(learned), learned, active, chain, seq
		if !scoped {
			t.ready = false // by the policy, once there is one
			return nil
		}
	}
	t.ready, t.revision = true, revision
	return nil
}

// setVersion names a set of supplements: their ids are of their contents; what they were
// approved for is part of what they do.
func setVersion(list []memory.StoredSupplement) string {
	if len(list) == 0 {
		return ""
	}
	ids := make([]string, len(list))
	for i := range list {
		ids[i] = list[i].ID
		if list[i].Scope != nil {
			ids[i] += string(engine.ScopeOf(list[i].Scope))
		}
	}
	slices.Sort(ids)
	return shortHash(append([]string{"supplements"}, ids...)...)
}

// stagesWith makes the stages with what was learned. Replies of a model are kept under a
// version that the notes are part of.
func (a *Agent) stagesWith(l Learned) Stages {
	calls := a.opts.Model
	if calls.Calls != nil && calls.With != nil && len(l.Notes) > 0 {
		calls.Calls, calls.Version = calls.With(l.Notes)
	}
	if calls.Calls != nil && !a.readOnly {
		calls.Calls = calls.cached(a.store)
	}
	return withOffline(withModel(a.opts.Stages, calls, l.Lessons), l.Lessons)
}

// ModelName names the model that the stages run on, "" offline.
func (a *Agent) ModelName() string {
	if a.opts.Model.Calls == nil {
		return ""
	}
	return a.opts.Model.Name
}

// Evolution is the part of the record in which evolution keeps what it knows. Changing
// what is in force goes by [Agent.Propose] and [Agent.Agree].
func (a *Agent) Evolution() EvolutionStore { return a.store }

// EvolutionStore is what of the record evolution may read and write.
type EvolutionStore interface {
	Supplements(ctx context.Context) ([]memory.StoredSupplement, error)
	PutSupplements(ctx context.Context, list ...memory.StoredSupplement) error
	ActiveSupplements(ctx context.Context) (version int64, active []memory.StoredSupplement, err error)
	SupplementVersions(ctx context.Context) ([]memory.SupplementVersion, error)
	PutEvolutionRun(ctx context.Context, r memory.EvolutionRun) (int64, error)
	EvolutionRuns(ctx context.Context) ([]memory.EvolutionRun, error)
	SetFeedbackStatus(ctx context.Context, status memory.FeedbackStatus, ids ...int64) error
}

// Now is the agent's clock.
func (a *Agent) Now() time.Time { return a.opts.Now() }
