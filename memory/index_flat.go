package memory

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/blas/blas32"
)

// FlatIndex holds its vectors in one run of memory and looks at each of them for
// each query. It is the reference that the other index is tested against, and
// the faster one for many vectors.
type FlatIndex struct {
	dim    int
	stride int // dim, padded

	mu    sync.RWMutex
	rows  []float32 // stride numbers a vector
	ids   []string  // of each row
	place map[string]int
}

var _ Index = (*FlatIndex)(nil)

// NewFlatIndex returns an empty index with room for about size vectors.
func NewFlatIndex(dim, size int) *FlatIndex {
	size = max(size, 0)
	return &FlatIndex{dim: dim, stride: padded(dim), rows: make([]float32, 0, padded(dim)*size), ids: make([]string, 0, size), place: make(map[string]int, size)}
}

// dot is the one inner product of this package, so that equal vectors get equal
// scores whichever index holds them. b starts on 16 bytes, see padded.
func dot(a, b []float32) float32 {
	return blas32.Dot(blas32.Vector{N: len(a), Inc: 1, Data: a}, blas32.Vector{N: len(b), Inc: 1, Data: b})
}

// Dot is the cosine of two vectors of one length that the store gave out, which have
// unit length.
func Dot(a, b []float32) float64 { return float64(dot(a, b)) }

func (x *FlatIndex) row(i int) []float32 { return x.rows[i*x.stride : i*x.stride+x.dim] }

// Add implements [Index].
func (x *FlatIndex) Add(id string, vector []float32) error {
	if err := checkVector(vector, x.dim); err != nil {
		return err
	}
	v := unit(vector)
	x.mu.Lock()
	defer x.mu.Unlock()
	if at, ok := x.place[id]; ok {
		copy(x.row(at), v)
		return nil
	}
	x.place[id] = len(x.ids)
	x.ids = append(x.ids, id)
	x.rows = append(x.rows, v[:x.stride]...)
	return nil
}

// Delete implements [Index]. The last row moves into the gap.
func (x *FlatIndex) Delete(ids ...string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, id := range ids {
		at, ok := x.place[id]
		if !ok {
			continue
		}
		last := len(x.ids) - 1
		copy(x.row(at), x.row(last))
		x.ids[at] = x.ids[last]
		x.place[x.ids[at]] = at
		delete(x.place, id)
		clear(x.row(last))
		x.rows, x.ids[last] = x.rows[:last*x.stride], ""
		x.ids = x.ids[:last]
	}
}

// Query implements [Index].
func (x *FlatIndex) Query(ctx context.Context, vector []float32, k int, keep func(id string) bool) ([]Scored, error) {
	return x.from(ctx, vector, k, -2, keep) // below every cosine
}

// from is Query without what is farther than floor.
func (x *FlatIndex) from(ctx context.Context, vector []float32, k int, floor float32, keep func(id string) bool) ([]Scored, error) {
	if err := checkVector(vector, x.dim); err != nil {
		return nil, err
	}
	q := unit(vector)
	x.mu.RLock()
	defer x.mu.RUnlock()
	top := best[Scored]{k: min(k, len(x.ids)), compare: byScore}
	for i, id := range x.ids {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		score := dot(q, x.row(i))
		if score < floor || keep != nil && !keep(id) {
			continue
		}
		top.push(Scored{id, float64(score)})
		if k > 0 && top.full() && len(top.heap) > 0 {
			floor = float32(top.heap[0].Score)
		}
	}
	return top.sorted(), ctx.Err()
}

// Cosine implements [Index].
func (x *FlatIndex) Cosine(vector []float32, id string) (float64, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	at, ok := x.place[id]
	if !ok || len(vector) != x.dim {
		return 0, false
	}
	return float64(dot(vector, x.row(at))), true
}

// rowCosine is Cosine for the vector that was put in as number i; nothing may have
// been taken out.
func (x *FlatIndex) rowCosine(vector []float32, i int) float64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return float64(dot(vector, x.row(i)))
}

// Len implements [Index].
func (x *FlatIndex) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.ids)
}
