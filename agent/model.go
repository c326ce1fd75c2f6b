package agent

import (
	"context"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// ModelCalls makes the calls by which the stages run on a chat model.
type ModelCalls interface {
	engine.ModelCalls
	// Extract asks for the facts of a session's messages.
	Extract(ctx context.Context, in memory.ExtractCall) ([]memory.ExtractedFact, error)
	// Entries asks for the atomic entries of a window's messages.
	Entries(ctx context.Context, in simple.EntriesCall) ([]simple.ModelEntry, error)
	// Summary asks for the summary and the keywords of a session's messages.
	Summary(ctx context.Context, in gas.SummaryCall) (gas.SummaryReply, error)
}

// ModelOptions say how the stages run on a chat model. The zero value is none:
// everything runs offline.
type ModelOptions struct {
	Calls ModelCalls
	Name  string // of the model, as its notes name their author
	// Version names all that a reply depends on beside its input: the model, the
	// versions of the prompts, the supplements. Replies of the way in are kept under
	// it, so that an import that was stopped doesn't pay twice; "" keeps none.
	Version string
	// With returns the calls with notes that evolution learned, and their Version. Nil:
	// notes don't reach the model.
	With func(notes []prompts.Supplement) (ModelCalls, string)
	// OnError is what follows where the model can't be reached or replies nothing
	// that can be used. Default: engine.ErrorOffline, which is told in Degraded of the
	// result and in the ledger.
	OnError engine.OnModelError
	// Concurrency is how many sessions an import learns from at once. Default: 4.
	Concurrency int
}

// concurrency is how many sessions an import may learn from at once.
func (a *Agent) concurrency() int {
	switch {
	case a.opts.Model.Calls == nil:
		return 1
	case a.opts.Model.Concurrency <= 0:
		return 4
	}
	return a.opts.Model.Concurrency
}

// withModel fills what is missing of the stages with those on the model.
func withModel(s Stages, o ModelOptions, lessons []engine.Lesson) Stages {
	if o.Calls == nil {
		return s
	}
	m := engine.NewModel(o.Calls, engine.ModelOptions{OnError: o.OnError, Lessons: lessons})
	if s.Extractor == nil {
		s.Extractor = &memory.ModelExtractor{Call: o.Calls.Extract, Failed: o.fallBack("extract")}
	}
	if s.Annotator == nil {
		s.Annotator = m
	}
	if s.Excepter == nil {
		s.Excepter = m
	}
	if s.Coreferrer == nil {
		s.Coreferrer = m
	}
	if s.Units == nil {
		s.Units = m
	}
	if s.Projector == nil {
		s.Projector = m
	}
	if s.Responder == nil {
		s.Responder = m
	}
	if s.Guard == nil {
		s.Guard = m
	}
	return s
}

// EntryWriter has the model write the entries of the simple host over s; nil without a
// model. A window that it can't be asked for, or gives nothing usable of, has its
// messages as entries, or the request fails: as OnError says.
func EntryWriter(s *memory.Store, o ModelOptions) simple.Writer {
	if o.Calls == nil {
		return nil
	}
	calls := o.cached(s)
	return &simple.ModelWriter{Call: calls.Entries, Failed: o.fallBack("entries")}
}

// SummaryWriter has the model write the summaries and keywords of the gas host over s;
// nil without a model. What it can't be asked for is written offline, or the request
// fails: as OnError says.
func SummaryWriter(s *memory.Store, o ModelOptions) gas.Writer {
	if o.Calls == nil {
		return nil
	}
	calls := o.cached(s)
	return &gas.ModelWriter{Call: calls.Summary, Failed: o.fallBack("summary")}
}

// cached are the calls whose replies of the way in are kept in s.
func (o ModelOptions) cached(s *memory.Store) ModelCalls {
	if o.Version == "" {
		return o.Calls
	}
	return cachedCalls{ModelCalls: o.Calls, store: s, version: o.Version}
}

// fallBack decides what follows from a failed call of a stage.
func (o ModelOptions) fallBack(stage string) func(context.Context, error) error {
	m := engine.NewModel(o.Calls, engine.ModelOptions{OnError: o.OnError})
	return func(ctx context.Context, err error) error { return m.FallBack(ctx, stage, err) }
}
