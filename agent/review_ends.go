package agent

import (
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// findEnded says of each item which facts of its event it would end. Those that wait
// themselves are told to nobody and aren't named.
func (w *world) findEnded(items []ReviewItem) {
	for k := range items {
		item := &items[k]
		course := w.course([]memory.Hit{{Fact: item.ID}}, nil)
		for earlier, by := range course.Superseded {
			if by == item.ID && !w.open(earlier) {
				item.Ends = append(item.Ends, earlier)
			}
		}
		slices.SortFunc(item.Ends, func(a, b privacy.FactID) int { return w.byID[a] - w.byID[b] })
	}
}
