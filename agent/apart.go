package agent

import (
	"context"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// apart is a coreferrer that joins nothing: each draft is an event of its own.
type apart struct{}

var _ engine.Coreferrer = apart{}

// Corefer implements [engine.Coreferrer].
func (apart) Corefer(_ context.Context, drafts []privacy.Record, _ *engine.Events) ([]privacy.Mark, error) {
	out := make([]privacy.Mark, len(drafts))
	for i := range drafts {
		out[i] = privacy.Mark{Kind: privacy.MarkEvent, Value: string(OwnEvent(drafts[i].ID)), By: privacy.ByMachine, Rule: "MARKS 6"}
	}
	return out, nil
}
