package gas

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/epagent/epagent/memory"
)

func byScore(a, b memory.NativeHit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry))
}

// firstHits returns the k best hits (k <= 0: all) by falling score, ties by entry. Of
// many it sorts only those.
func firstHits(hits []memory.NativeHit, k int) []memory.NativeHit {
	if k > 0 && k < len(hits) {
		worst := worstFirst(slices.Clone(hits[:k]))
		heap.Init(&worst)
		for _, h := range hits[k:] {
			if byScore(h, worst[0]) < 0 {
				worst[0] = h
				heap.Fix(&worst, 0)
			}
		}
		hits = worst
	}
	slices.SortFunc(hits, byScore)
	return hits
}

// worstFirst is a heap with the worst hit at its root.
type worstFirst []memory.NativeHit

func (w worstFirst) Len() int           { return len(w) }
func (w worstFirst) Less(i, j int) bool { return byScore(w[i], w[j]) > 0 }
func (w worstFirst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *worstFirst) Push(x any)        { *w = append(*w, x.(memory.NativeHit)) }
func (w *worstFirst) Pop() any          { old := *w; x := old[len(old)-1]; *w = old[:len(old)-1]; return x }
