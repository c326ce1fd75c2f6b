package sim

import (
	"context"

	"github.com/epagent/epagent/agent"
)

// Endpoint is a delegate as its recipients reach it: bound to them by the connection,
// so that nothing they write says who they are.
type Endpoint interface {
	// Ask returns the delegate's answer.
	Ask(ctx context.Context, question string) (answer string, err error)
}

// Connector opens the endpoint of an owner's delegate for those who read over it. It
// is called once for each set of readers; what it returns must work until the run has
// ended.
type Connector func(ctx context.Context, owner string, a *agent.Agent, readers []string) (Endpoint, error)

// InMemory connects without a server: a connection is what [agent.Agent.Bound] makes of
// a binding, as it is behind the server.
func InMemory(ctx context.Context, _ string, a *agent.Agent, readers []string) (Endpoint, error) {
	people, err := a.Bind(ctx, readers, false)
	if err != nil {
		return nil, err
	}
	return &bound{a, agent.Binding{People: people}}, nil
}

// bound is an endpoint in memory.
type bound struct {
	agent   *agent.Agent
	binding agent.Binding
}

func (b *bound) Ask(ctx context.Context, question string) (string, error) {
	to, err := b.agent.Bound(ctx, b.binding)
	if err != nil {
		return "", err
	}
	d, err := b.agent.Disclose(ctx, agent.DiscloseRequest{Question: question, To: to})
	if err != nil {
		return "", err
	}
	if d.Ledger == 0 {
		return "", agent.ErrNotRecorded
	}
	return d.Answer, nil
}
