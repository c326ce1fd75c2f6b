package memory

import (
	"cmp"
	"context"
	"slices"
)

// Scored is one result of an index.
type Scored struct {
	ID    string
	Score float64 // cosine, -1..1
}

// Index finds the vectors nearest to a vector. It is a copy in memory of what
// the record holds; no verdict rests on it. Its methods may be called at once.
type Index interface {
	// Add puts in one vector or replaces that of the id. ErrVector if it is
	// zero, not finite or of another length than the index's. The vector is
	// copied, and brought to unit length.
	Add(id string, vector []float32) error
	// Delete takes vectors out; unknown ids are nothing.
	Delete(ids ...string)
	// Query returns the k vectors with the highest cosine among those whose ids
	// keep allows (nil: all), by falling score, ties by id. k above what there is
	// gives what there is; k <= 0 gives nothing. The error is ErrVector or the
	// context's.
	Query(ctx context.Context, vector []float32, k int, keep func(id string) bool) ([]Scored, error)
	// Cosine returns the score of one id, as Query would; false without a vector.
	// vector has unit length.
	Cosine(vector []float32, id string) (float64, bool)
	// Len returns how many vectors there are.
	Len() int
}

// FlatAbove is the number of vectors from which [NewIndex] gives a flat index:
// there chromem-go's query, which passes each document through a lock and a
// channel, takes longer than an answer may (see BenchmarkIndex).
const FlatAbove = 1024

// NewIndex returns an empty index for about size vectors of dim numbers:
// chromem-go up to FlatAbove, flat above.
func NewIndex(dim, size int) Index {
	if size > FlatAbove {
		return NewFlatIndex(dim, size)
	}
	return NewChromemIndex(dim)
}

// byScore orders results by falling score, ties by id.
func byScore(a, b Scored) int {
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// best keeps the k best of the results pushed, those that compare puts first; the
// worst of them is at the root of a heap.
type best[T any] struct {
	k       int
	compare func(a, b T) int
	heap    []T
}

func (b *best[T]) push(s T) {
	switch {
	case len(b.heap) < b.k:
		b.heap = append(b.heap, s)
		for i := len(b.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if b.compare(b.heap[i], b.heap[parent]) <= 0 {
				return
			}
			b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
			i = parent
		}
	case b.k > 0 && b.compare(s, b.heap[0]) < 0:
		b.heap[0] = s
		for i := 0; ; {
			worst, left := i, 2*i+1
			for child := left; child <= left+1 && child < len(b.heap); child++ {
				if b.compare(b.heap[child], b.heap[worst]) > 0 {
					worst = child
				}
			}
			if worst == i {
				return
			}
			b.heap[i], b.heap[worst] = b.heap[worst], b.heap[i]
			i = worst
		}
	}
}

// full reports whether the next result must beat the worst one.
func (b *best[T]) full() bool { return len(b.heap) >= b.k }

func (b *best[T]) sorted() []T {
	slices.SortFunc(b.heap, b.compare)
	return b.heap
}

// highest is the k-th highest of the numbers, 1 <= k <= len(list), which it moves
// about. Source: Hoare, "Algorithm 65: Find", 1961.
func highest(list []float64, k int) float64 {
	for low, high := 0, len(list)-1; low < high; {
		pivot := list[low+(high-low)/2]
		i, j := low, high
		for i <= j {
			for list[i] > pivot {
				i++
			}
			for list[j] < pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			high = j
		case k-1 >= i:
			low = i
		default:
			return list[k-1]
		}
	}
	return list[k-1]
}
