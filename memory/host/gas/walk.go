package gas

import (
	"math"
	"slices"
)

// The walk of a question.
const (
	damping   = 0.1 // the chance to follow a tie; otherwise it starts anew
	seedNodes = 15  // where it may start; more if the last ones are level
	tolerance = 1e-10
)

// seeded keeps the seedNodes highest scores, and those level with the last of them, and
// makes chances of them: all others become 0. It reports false if none is above 0.
func seeded(scores []float64) bool {
	var positive []float64
	for i, s := range scores {
		if !(s > 0) || math.IsInf(s, 1) {
			scores[i] = 0
			continue
		}
		positive = append(positive, s)
	}
	if len(positive) == 0 {
		return false
	}
	falling(positive)
	least := positive[min(seedNodes, len(positive))-1]
	sum := 0.0
	for i, s := range scores {
		if s < least {
			scores[i] = 0
		}
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
	return true
}

// walk is personalised PageRank over undirected ties of one weight: the chance to be at
// each node in the long run, when with chance damping a random tie is followed and else
// the walk starts anew by the chances of start. A node without ties starts anew always.
// The chances sum to 1.
func walk(ties [][]int32, start []float64) []float64 {
	at := slices.Clone(start)
	next := make([]float64, len(start))
	for {
		home := 0.0 // the mass that starts anew
		clear(next)
		for i, mass := range at {
			if mass == 0 {
				continue
			}
			if len(ties[i]) == 0 {
				home += mass
				continue
			}
			home += (1 - damping) * mass
			step := damping * mass / float64(len(ties[i]))
			for _, j := range ties[i] {
				next[j] += step
			}
		}
		moved := 0.0
		for i := range next {
			next[i] += home * start[i]
			moved += math.Abs(next[i] - at[i])
		}
		at, next = next, at
		if moved < tolerance {
			return at
		}
	}
}
