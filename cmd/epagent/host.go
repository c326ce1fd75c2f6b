package main

import (
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
