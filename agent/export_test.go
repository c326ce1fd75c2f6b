package agent

import "github.com/epagent/epagent/memory"

// Store lets tests put facts with given marks into the record.
func (a *Agent) Store() *memory.Store { return a.store }
