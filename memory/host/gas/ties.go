package gas

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/epagent/epagent/memory"
)

// The association of a session that is added.
const (
	candidates = 30 // of a node, the likest of all earlier nodes
	alone      = 5  // so many sessions must be there before one ties itself: fewer make no two groups
)

// node is the number of a session's grain: 4·place + grain.
type node = int

// nodes are the vectors of sessions in the order of their places.
type nodes struct {
	places  []int
	vectors [][grains][]float32 // nil: nothing
}

func (n *nodes) add(v memory.SessionVectors) {
	n.places = append(n.places, v.Place)
	var row [grains][]float32
	for g, kind := range kinds {
		row[g] = v.Grains[kind]
	}
	row[Turns] = v.Entries
	n.vectors = append(n.vectors, row)
}

// ties returns to which earlier nodes each node of the session at index i is tied, in
// rising order. The work is one inner product with each of them.
func (n *nodes) ties(i int) [grains][]node {
	var out [grains][]node
	if i < alone {
		return out
	}
	var keep likest
	scores := make([]float64, 0, candidates)
	for g, x := range n.vectors[i] {
		if x == nil {
			continue
		}
		keep.reset()
		for j := range n.vectors[:i] {
			for h, y := range n.vectors[j] {
				if y == nil {
					continue
				}
				if s := memory.Dot(x, y); s > 0 && s > keep.least() {
					keep.add(grains*n.places[j]+h, s)
				}
			}
		}
		scores = scores[:0]
		for _, c := range keep.list {
			scores = append(scores, c.score)
		}
		for _, c := range keep.list[:accepted(scores)] {
			out[g] = append(out[g], c.node)
		}
		slices.Sort(out[g])
	}
	return out
}

// likest keeps the candidates, the likest first, level ones as they came.
type likest struct{ list []candidate }

type candidate struct {
	node  node
	score float64
}

func (l *likest) reset() { l.list = l.list[:0] }

func (l *likest) least() float64 {
	if len(l.list) < candidates {
		return 0
	}
	return l.list[len(l.list)-1].score
}

func (l *likest) add(n node, score float64) {
	if len(l.list) == candidates {
		l.list = l.list[:candidates-1]
	}
	at, _ := slices.BinarySearchFunc(l.list, score, func(c candidate, score float64) int {
		if c.score >= score {
			return -1
		}
		return 1
	})
	l.list = slices.Insert(l.list, at, candidate{n, score})
}

// tiesForm is the first byte of stored ties.
const tiesForm = 1

// encode writes ties: for each grain their number and the steps from node to node.
func encode(ties [grains][]node) []byte {
	out := []byte{tiesForm}
	for _, list := range ties {
		out = binary.AppendUvarint(out, uint64(len(list)))
		last := 0
		for _, n := range list {
			out = binary.AppendUvarint(out, uint64(n-last))
			last = n
		}
	}
	return out
}

var errTies = errors.New("the stored ties of a session can't be read: run epagent reindex")

func decode(b []byte) (ties [grains][]node, err error) {
	if len(b) == 0 || b[0] != tiesForm {
		return ties, errTies
	}
	b = b[1:]
	next := func() (int, bool) {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > 1<<40 {
			return 0, false
		}
		b = b[n:]
		return int(v), true
	}
	for g := range ties {
		count, ok := next()
		if !ok || count > candidates {
			return ties, errTies
		}
		last := 0
		for range count {
			step, ok := next()
			if !ok {
				return ties, errTies
			}
			last += step
			ties[g] = append(ties[g], last)
		}
	}
	if len(b) > 0 {
		return ties, errTies
	}
	return ties, nil
}
