package agent

import (
	"context"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy/engine"
)

// ModelCalls makes the calls by which the stages run on a chat model.
type ModelCalls interface {
	engine.ModelCalls
	// Extract asks for the facts of a session's messages.
	Extract(ctx context.Context, in memory.ExtractCall) ([]memory.ExtractedFact, error)
}

// ModelOptions say how the stages run on a chat model. The zero value is none:
// everything runs offline.
type ModelOptions struct {
	Calls ModelCalls
	// Version names all that a reply depends on beside its input: the model, the
	// versions of the prompts, the supplements. Replies of the way in are kept under
	// it, so that an import that was stopped doesn't pay twice; "" keeps none.
	Version string
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
func withModel(s Stages, o ModelOptions) Stages {
	if o.Calls == nil {
		return s
	}
	m := engine.NewModel(o.Calls, engine.ModelOptions{OnError: o.OnError})
	if s.Extractor == nil {
		s.Extractor = &memory.ModelExtractor{Call: o.Calls.Extract, Failed: func(ctx context.Context, err error) error {
			return m.FallBack(ctx, "extract", err)
		}}
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
