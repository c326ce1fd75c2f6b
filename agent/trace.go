package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/cloudwego/eino/callbacks"
	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/compose"
)

// Tracer is told of the nodes of the disclosing graph as they run. It learns their
// names, how long they took and whether they failed, and never a question, a fact
// or an answer.
type Tracer interface {
	// Start begins a node, or the whole graph, within ctx; what it returns ends it.
	// Failed says that it ended with an error.
	Start(ctx context.Context, node string) (context.Context, func(failed bool))
}

// slogTracer writes a line a node at debug level.
type slogTracer struct{ log *slog.Logger }

func (s slogTracer) Start(ctx context.Context, node string) (context.Context, func(failed bool)) {
	begin := time.Now()
	return ctx, func(failed bool) {
		s.log.DebugContext(ctx, "node", "node", node, "took", time.Since(begin), "failed", failed)
	}
}

type spanKey struct{ _ byte }

// traced returns the options by which the graph calls the tracers: Eino's
// callbacks, for the graph and each of its nodes. Inputs and outputs are not
// looked at.
func (a *Agent) traced() []compose.Option {
	var out []compose.Option
	for _, tracer := range append([]Tracer{slogTracer{a.log}}, a.opts.Tracers...) {
		key := &spanKey{} // one a tracer: each ends what it began itself
		type ending = func(bool)
		handler := callbacks.NewHandlerBuilder().
			OnStartFn(func(ctx context.Context, info *callbacks.RunInfo, _ callbacks.CallbackInput) context.Context {
				if info == nil || info.Component != compose.ComponentOfGraph && info.Component != compose.ComponentOfLambda && info.Component != components.ComponentOfChatModel {
					return ctx
				}
				ctx, end := tracer.Start(ctx, info.Name)
				return context.WithValue(ctx, key, ending(end))
			}).
			OnEndFn(func(ctx context.Context, _ *callbacks.RunInfo, _ callbacks.CallbackOutput) context.Context {
				if end, ok := ctx.Value(key).(ending); ok {
					end(false)
				}
				return ctx
			}).
			OnErrorFn(func(ctx context.Context, _ *callbacks.RunInfo, err error) context.Context {
				if end, ok := ctx.Value(key).(ending); ok {
					end(!errors.Is(err, context.Canceled))
				}
				return ctx
			}).Build()
		out = append(out, compose.WithCallbacks(handler))
	}
	return out
}
