package agent

import "github.com/epagent/epagent/memory"

// Store lets tests put facts with given marks into the record.
func (a *Agent) Store() *memory.Store { return a.store }

// Loaded reports whether anything of a fact has been read.
func (a *Agent) Loaded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.world != nil || len(a.judged.Facts) > 0
}
