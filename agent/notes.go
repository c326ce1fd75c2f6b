package agent

import (
	"slices"
	"sync"

	"github.com/epagent/epagent/privacy/engine"
)

// notes gathers what the stages of one request say about how they ran. The nil
// one has none.
type notes struct {
	mu   sync.Mutex
	list []engine.Degraded
}

func (n *notes) add(d engine.Degraded) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, d)
}

// degraded returns the stages that ran offline in a model's place, sorted.
func (n *notes) degraded() []string {
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []string
	for _, d := range n.list {
		if !slices.Contains(out, d.Stage) {
			out = append(out, d.Stage)
		}
	}
	slices.Sort(out)
	return out
}
