package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
)

func TestMain(m *testing.M) {
	if child() {
		return
	}
	goleak.VerifyTestMain(m)
}

var indexes = map[string]func(dim int) memory.Index{
	"chromem": func(dim int) memory.Index { return memory.NewChromemIndex(dim) },
	"flat":    func(dim int) memory.Index { return memory.NewFlatIndex(dim, 0) },
}

// everyIndex runs a test on both indexes.
func everyIndex(t *testing.T, f func(t *testing.T, open func(dim int) memory.Index)) {
	for name, open := range indexes {
		t.Run(name, func(t *testing.T) { f(t, open) })
	}
}

func ids(list []memory.Scored) (out []string) {
	for _, s := range list {
		out = append(out, s.ID)
	}
	return out
}

func mustAdd(t interface{ Fatal(...any) }, x memory.Index, id string, v ...float32) {
	if err := x.Add(id, v); err != nil {
		t.Fatal(err)
	}
}

func TestIndexEdges(t *testing.T) {
	everyIndex(t, func(t *testing.T, open func(int) memory.Index) {
		ctx := t.Context()
		x := open(2)
		if got, err := x.Query(ctx, []float32{1, 0}, 5, nil); err != nil || len(got) != 0 {
			t.Errorf("empty: %v, %v", got, err)
		}
		x.Delete("nobody")
		x.Delete()
		mustAdd(t, x, "a", 3, 0)
		mustAdd(t, x, "b", 1, 1)
		if got, err := x.Query(ctx, []float32{1, 0}, 50, nil); err != nil || !slices.Equal(ids(got), []string{"a", "b"}) || got[0].Score != 1 {
			t.Errorf("k above the number of vectors: %v, %v", got, err)
		}
		for _, k := range []int{0, -1} {
			if got, err := x.Query(ctx, []float32{1, 0}, k, nil); err != nil || len(got) != 0 {
				t.Errorf("k = %d: %v, %v", k, got, err)
			}
		}
		mustAdd(t, x, "a", 0, -1)
		if got, err := x.Query(ctx, []float32{1, 0}, 5, nil); err != nil || !slices.Equal(ids(got), []string{"b", "a"}) || x.Len() != 2 {
			t.Errorf("a replaced vector: %v, %v", got, err)
		}
		x.Delete("b", "nobody")
		if got, err := x.Query(ctx, []float32{1, 0}, 5, nil); err != nil || !slices.Equal(ids(got), []string{"a"}) || x.Len() != 1 {
			t.Errorf("after deleting: %v, %v", got, err)
		}
		if _, ok := x.Cosine([]float32{1, 0}, "b"); ok {
			t.Error("a deleted vector has a cosine")
		}
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if got, err := x.Query(cancelled, []float32{1, 0}, 5, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v, %v", got, err)
		}
	})
}

func TestIndexRefusesUnfitVectors(t *testing.T) {
	everyIndex(t, func(t *testing.T, open func(int) memory.Index) {
		x := open(2)
		mustAdd(t, x, "good", 1, 0)
		for name, v := range map[string][]float32{
			"zero": {0, 0}, "nan": {1, float32(math.NaN())}, "infinite": {float32(math.Inf(1)), 0}, "short": {1}, "long": {1, 0, 0}, "none": nil,
		} {
			if err := x.Add("bad", v); !errors.Is(err, memory.ErrVector) {
				t.Errorf("add %s: %v", name, err)
			}
			if _, err := x.Query(t.Context(), v, 1, nil); !errors.Is(err, memory.ErrVector) {
				t.Errorf("query %s: %v", name, err)
			}
		}
		if got, err := x.Query(t.Context(), []float32{1, 0}, 5, nil); err != nil || !slices.Equal(ids(got), []string{"good"}) {
			t.Errorf("afterwards: %v, %v", got, err)
		}
	})
}

// The order of ties is that of the ids, wherever the cut at k falls, and whatever
// keep leaves out.
func TestIndexTies(t *testing.T) {
	everyIndex(t, func(t *testing.T, open func(int) memory.Index) {
		x := open(3)
		var all []string
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(100) {
			mustAdd(t, x, fmt.Sprintf("t%02d", i), 1, 0.5, 0)
		}
		for i := range 100 {
			all = append(all, fmt.Sprintf("t%02d", i))
		}
		mustAdd(t, x, "best", 1, 0, 0)
		mustAdd(t, x, "worst", 0, 0, 1)
		for range 20 {
			for _, k := range []int{1, 2, 17, 101} {
				got, err := x.Query(t.Context(), []float32{1, 0, 0}, k, nil)
				if diff := cmp.Diff(append([]string{"best"}, all[:k-1]...), ids(got)); err != nil || diff != "" {
					t.Fatalf("k = %d: %v (-want +got):\n%s", k, err, diff)
				}
			}
			got, err := x.Query(t.Context(), []float32{1, 0, 0}, 2, func(id string) bool { return id >= "t97" })
			if err != nil || !slices.Equal(ids(got), []string{"t97", "t98"}) {
				t.Fatalf("kept ones: %v, %v", got, err)
			}
		}
	})
}

func TestIndexCopies(t *testing.T) {
	everyIndex(t, func(t *testing.T, open func(int) memory.Index) {
		x := open(2)
		v, q := []float32{1, 0}, []float32{2, 0}
		mustAdd(t, x, "a", v...)
		if err := x.Add("b", v); err != nil {
			t.Fatal(err)
		}
		v[0], v[1] = 0, 1
		if got, err := x.Query(t.Context(), q, 2, nil); err != nil || len(got) != 2 || got[1].Score != 1 {
			t.Errorf("the caller's later change reached the index: %v, %v", got, err)
		}
		if q[0] != 2 {
			t.Error("the question was changed")
		}
	})
}

func TestIndexRaces(t *testing.T) {
	everyIndex(t, func(t *testing.T, open func(int) memory.Index) {
		x := open(4)
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(w), 1))
				for i := range 200 {
					id := fmt.Sprint(r.IntN(50))
					v := []float32{1, r.Float32(), r.Float32(), r.Float32()}
					switch i % 4 {
					case 0, 1:
						if err := x.Add(id, v); err != nil {
							t.Error(err)
						}
					case 2:
						x.Delete(id)
					default:
						if _, err := x.Query(context.Background(), v, 3, nil); err != nil {
							t.Error(err)
						}
						x.Cosine(v, id)
					}
				}
			})
		}
		wg.Wait()
	})
}

// Both indexes answer as a sorted list of plain cosines would.
func TestIndexesAgree(t *testing.T) { rapid.Check(t, propIndexesAgree) }

func FuzzIndexesAgree(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propIndexesAgree)) }

func propIndexesAgree(t *rapid.T) {
	dim := rapid.IntRange(1, 8).Draw(t, "dim")
	coordinate := rapid.Custom(func(t *rapid.T) float32 { return float32(rapid.IntRange(-2, 2).Draw(t, "x")) })
	vector := rapid.SliceOfN(coordinate, dim, dim).Filter(func(v []float32) bool {
		return slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
	})
	flat, other := memory.Index(memory.NewFlatIndex(dim, 4)), memory.Index(memory.NewChromemIndex(dim))
	model := map[string][]float32{}
	for range rapid.IntRange(0, 40).Draw(t, "steps") {
		id := fmt.Sprint(rapid.IntRange(0, 15).Draw(t, "id"))
		if rapid.IntRange(0, 4).Draw(t, "what") == 0 {
			flat.Delete(id)
			other.Delete(id)
			delete(model, id)
			continue
		}
		v := vector.Draw(t, "vector")
		mustAdd(t, flat, id, v...)
		mustAdd(t, other, id, v...)
		model[id] = v
	}
	q, k := vector.Draw(t, "question"), rapid.IntRange(0, 20).Draw(t, "k")
	odd := rapid.Bool().Draw(t, "odd only")
	keep := func(id string) bool { return !odd || len(id) == 2 || (id[0]-'0')%2 == 1 }
	a, err := flat.Query(context.Background(), q, k, keep)
	if err != nil {
		t.Fatal(err)
	}
	b, err := other.Query(context.Background(), q, k, keep)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatalf("flat and chromem differ (-flat +chromem):\n%s", diff)
	}
	kept := 0
	for id := range model {
		if keep(id) {
			kept++
		}
	}
	if len(a) != min(k, kept) || flat.Len() != len(model) || other.Len() != len(model) {
		t.Fatalf("%d results of %d kept, %d and %d of %d vectors", len(a), kept, flat.Len(), other.Len(), len(model))
	}
	worst := 2.0
	for _, s := range a {
		if want := cosine(q, model[s.ID]); math.Abs(want-s.Score) > 1e-5 || s.Score > worst {
			t.Fatalf("%s scores %v after %v, its cosine is %v", s.ID, s.Score, worst, want)
		}
		worst = s.Score
	}
	for id, v := range model {
		if keep(id) && !slices.Contains(ids(a), id) && len(a) > 0 && cosine(q, v) > worst+1e-5 {
			t.Fatalf("%s is left out with %v, the worst in is %v", id, cosine(q, v), worst)
		}
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}
