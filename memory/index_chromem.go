package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/philippgille/chromem-go"
)

// ChromemIndex is a chromem-go collection, in memory only. What is odd about the
// library ends here: it refuses to be asked for more than it has, orders ties at
// random, answers a cancelled query with nothing and no error, takes vectors
// that spoil every later query, shares memory with its caller, races when
// deleting beside adding, and embeds over the network when given no function.
type ChromemIndex struct {
	dim int

	mu         sync.RWMutex
	collection *chromem.Collection
}

var _ Index = (*ChromemIndex)(nil)

var errNoEmbedding = errors.New("vectors are made outside the index")

// NewChromemIndex returns an empty index of vectors of dim numbers.
func NewChromemIndex(dim int) *ChromemIndex {
	never := func(context.Context, string) ([]float32, error) { return nil, errNoEmbedding }
	// The error is for an empty name alone.
	collection, err := chromem.NewDB().CreateCollection("vectors", nil, never)
	if err != nil {
		panic(fmt.Sprintf("memory: a named collection: %v", err))
	}
	return &ChromemIndex{dim: dim, collection: collection}
}

// Add implements [Index].
func (x *ChromemIndex) Add(id string, vector []float32) error {
	if err := checkVector(vector, x.dim); err != nil {
		return err
	}
	if id == "" {
		return fmt.Errorf("vector without an id: %w", ErrInvalid)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	// unit copies. The library takes a vector of unit length as it is, and copies
	// it here and there; padded with zeros, each copy starts on 16 bytes.
	err := x.collection.AddDocument(context.Background(), chromem.Document{ID: id, Embedding: unit(vector)[:padded(x.dim)]})
	if err != nil {
		return fmt.Errorf("add vector %q: %w", id, err)
	}
	return nil
}

// Delete implements [Index].
func (x *ChromemIndex) Delete(ids ...string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(ids) == 0 {
		return // without ids, deleting is an error there
	}
	// In memory, with ids and no filter, it has nothing to fail at.
	_ = x.collection.Delete(context.Background(), nil, nil, ids...)
}

// Query implements [Index]. It asks for more than k and doubles that until the
// k-th score is no longer tied with the last one seen: ties come in random order,
// and the wrong ones might have been cut off.
func (x *ChromemIndex) Query(ctx context.Context, vector []float32, k int, keep func(id string) bool) ([]Scored, error) {
	if err := checkVector(vector, x.dim); err != nil {
		return nil, err
	}
	const margin = 8
	q := unit(vector)
	x.mu.RLock()
	defer x.mu.RUnlock()
	count := x.collection.Count()
	if k <= 0 || count == 0 {
		return nil, ctx.Err()
	}
	for ask := min(k, count) + margin; ; ask *= 2 {
		ask = min(ask, count)
		results, err := x.collection.QueryEmbedding(ctx, q[:padded(x.dim)], ask, nil, nil)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		var out []Scored
		worst := 1.0
		for _, r := range results {
			// Its own product rounds otherwise than ours.
			score := float64(dot(q, r.Embedding[:x.dim]))
			worst = min(worst, score)
			if keep == nil || keep(r.ID) {
				out = append(out, Scored{r.ID, score})
			}
		}
		slices.SortFunc(out, byScore)
		if ask == count || len(out) >= k && out[k-1].Score > worst+rounding {
			return out[:min(k, len(out))], nil
		}
	}
}

// rounding is more than two ways of summing a product of unit vectors differ by.
const rounding = 1e-5

// Cosine implements [Index].
func (x *ChromemIndex) Cosine(vector []float32, id string) (float64, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if id == "" || len(vector) != x.dim {
		return 0, false
	}
	doc, err := x.collection.GetByID(context.Background(), id)
	if err != nil {
		return 0, false // the only error: not there
	}
	return float64(dot(vector, doc.Embedding[:x.dim])), true
}

// Len implements [Index].
func (x *ChromemIndex) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.collection.Count()
}
