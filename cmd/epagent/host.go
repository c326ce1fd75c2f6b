package main

import (
	"context"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/mcp"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/prompts"
)

// overlays are the weights of the overlay on a host's own entries and sessions; the
// sweep that gave them is in docs/hosts.md. Facts are ranked by memory.DefaultWeights,
// unless the configuration says otherwise.
var overlays = map[string]memory.Weights{
	prompts.HostSimple: {Alpha: 0.95, Beta: 0.05},
	prompts.HostGas:    {Alpha: 0.9, Beta: 0.1},
}

// hostOfHome opens the host by which a home is laid out, where the configuration can't
// be read. How a memory server is started only that says: a home of one does without.
func hostOfHome(ctx context.Context) func(*memory.Store) memory.Host {
	return func(s *memory.Store) memory.Host {
		name, err := s.HostName(ctx)
		if err == nil && strings.HasPrefix(name, prompts.HostGas+"-") {
			return gas.New(s, gas.Options{})
		}
		if err == nil && strings.HasPrefix(name, prompts.HostServer+"-") {
			if host, err := mcp.New([]string{"(the command in " + prompts.ConfigFile + ")"}); err == nil {
				return host
			}
		}
		return simple.New(s)
	}
}

// withHost takes the native host and the weights from the configuration. On the model
// of the options, if there is one and nothing else is configured, it writes entries and
// summaries.
func withHost(o *agent.Options, config prompts.Config) error {
	name := config.Host
	if name == "" {
		name = prompts.HostSimple
	}
	writing := o.Model
	if config.HostWriter == prompts.WriterOffline {
		writing = agent.ModelOptions{}
	}
	switch name {
	case prompts.HostSimple:
		o.Host = func(s *memory.Store) memory.Host {
			return simple.NewWith(s, simple.Options{Writer: agent.EntryWriter(s, writing)})
		}
	case prompts.HostGas:
		o.Host = func(s *memory.Store) memory.Host {
			return gas.New(s, gas.Options{Writer: agent.SummaryWriter(s, writing)})
		}
	case prompts.HostServer:
		host, err := mcp.New(config.HostMCP)
		if err != nil {
			return err
		}
		o.Host = func(*memory.Store) memory.Host { return host }
	}
	if w, ok := config.Overlay[name]; ok {
		o.Alpha, o.Beta = w.Alpha, w.Beta
	}
	return nil
}
