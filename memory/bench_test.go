package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/philippgille/chromem-go"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

// The figures are ratios within one run: go test -run '^$' -bench . ./memory

func randomVectors(n, dim int) [][]float32 {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	rows := make([]float32, n*dim)
	out := make([][]float32, n)
	for i := range out {
		v := rows[i*dim : (i+1)*dim]
		var sum float32
		for j := range v {
			v[j] = float32(r.NormFloat64())
			sum += v[j] * v[j]
		}
		norm := 1 / sqrt32(sum)
		for j := range v {
			v[j] *= norm
		}
		out[i] = v
	}
	return out
}

func sqrt32(x float32) float32 {
	y := x
	for range 20 {
		y = (y + x/y) / 2
	}
	return y
}

// BenchmarkIndex compares each index with the least that its work could take: the
// adapter with the library that it adapts, the flat one with bare dot products.
func BenchmarkIndex(b *testing.B) {
	for _, size := range []struct{ n, dim int }{{1000, 256}, {10_000, 256}, {100_000, 256}, {100_000, 768}} {
		vectors := randomVectors(size.n, size.dim)
		q := vectors[size.n/2]
		name := fmt.Sprintf("%dx%d", size.n, size.dim)
		db := chromem.NewDB()
		raw, err := db.CreateCollection("raw", nil, func(context.Context, string) ([]float32, error) { return nil, nil })
		if err != nil {
			b.Fatal(err)
		}
		adapter, flat := memory.NewChromemIndex(size.dim), memory.NewFlatIndex(size.dim, size.n)
		for i, v := range vectors {
			id := fmt.Sprint(i)
			if err := raw.AddDocument(context.Background(), chromem.Document{ID: id, Embedding: v}); err != nil {
				b.Fatal(err)
			}
			mustAdd(b, adapter, id, v...)
			mustAdd(b, flat, id, v...)
		}
		var sum float32
		for name, query := range inOrder(
			step{name + "/dot", func() error {
				for _, v := range vectors {
					sum += blas32.Dot(blas32.Vector{N: size.dim, Inc: 1, Data: q}, blas32.Vector{N: size.dim, Inc: 1, Data: v})
				}
				return nil
			}},
			step{name + "/flat", func() error { _, err := flat.Query(context.Background(), q, 10, nil); return err }},
			step{name + "/chromem-raw", func() error { _, err := raw.QueryEmbedding(context.Background(), q, 10, nil, nil); return err }},
			step{name + "/chromem", func() error { _, err := adapter.Query(context.Background(), q, 10, nil); return err }},
		) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := query(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		_ = sum
	}
}

type step struct {
	name string
	run  func() error
}

func inOrder(steps ...step) func(yield func(string, func() error) bool) {
	return func(yield func(string, func() error) bool) {
		for _, s := range steps {
			if !yield(s.name, s.run) {
				return
			}
		}
	}
}

// life is a batch of n messages and, if wanted, n facts, in sessions of 20.
func life(n int, withFacts bool) []memory.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 5000)
	for i := range words {
		words[i] = fmt.Sprintf("%c%cword%d", 'a'+r.IntN(26), 'a'+r.IntN(26), i)
	}
	sentence := func() string {
		out := "Mia"
		for range 9 {
			out += " " + words[int(float64(len(words))*r.Float64()*r.Float64())]
		}
		return out
	}
	var out []memory.Batch
	for i := 0; i < n; i += 20 {
		id := fmt.Sprintf("s%06d", i/20)
		lines := make([]string, min(20, n-i))
		for j := range lines {
			lines[j] = sentence()
		}
		b := withLayers(talk(id, "c"+id, lines...))
		if withFacts {
			for j := range lines {
				b.Facts = append(b.Facts, fact(privacy.FactID(fmt.Sprintf("f%06d", i+j)), sentence(), id, fmt.Sprintf("%s-%d", id, j)))
			}
		}
		out = append(out, b)
	}
	return out
}

// joined puts several batches into one.
func joined(batches []memory.Batch) memory.Batch {
	var out memory.Batch
	for _, b := range batches {
		out.Sessions = append(out.Sessions, b.Sessions...)
		out.Layers = append(out.Layers, b.Layers...)
		out.Facts = append(out.Facts, b.Facts...)
	}
	return out
}

// BenchmarkApply stores 2,000 messages durably, in batches of one and of ten
// sessions of 20 messages.
func BenchmarkApply(b *testing.B) {
	const messages = 2000
	for _, facts := range []bool{false, true} {
		batches := life(messages, facts)
		for _, size := range []int{1, 10} {
			b.Run(fmt.Sprintf("facts=%v/sessions=%d", facts, size), func(b *testing.B) {
				for n := 0; b.Loop(); n++ {
					b.StopTimer()
					s := openNew(b)
					b.StartTimer()
					for i := 0; i < len(batches); i += size {
						apply(b, s, joined(batches[i:i+size]))
					}
				}
				b.ReportMetric(float64(messages*b.N)/b.Elapsed().Seconds(), "messages/s")
			})
		}
	}
}

// BenchmarkRecall asks a recipient's and the owner's question of stores of
// several sizes. The ratio is to a plain chromem-go query over as many vectors of
// the same length, asked in the same run: at most 2 at 100,000 is the aim. kB/entry
// is what the views of facts and entries take, for each of both.
func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		if n > 10_000 && testing.Short() {
			continue
		}
		path := filepath.Join(b.TempDir(), memory.FileName)
		s := open(b, path, options())
		batches := life(n, true)
		for i := 0; i < len(batches); i += 100 {
			apply(b, s, joined(batches[i:min(i+100, len(batches))]))
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		begin := time.Now()
		s = open(b, path, options())
		opened := time.Since(begin)
		r := newRecaller(b, s, memory.RecallOptions{Host: simple.New(s)})
		question := batches[len(batches)/2].Facts[3].Text
		even := func(id privacy.FactID) bool { return id[len(id)-1]%2 == 0 }
		before := heap()
		begin = time.Now()
		if hits, err := r.Facts(b.Context(), memory.Query{Text: question, K: 10, Keep: even}); err != nil || len(hits) == 0 {
			b.Fatal(hits, err)
		}
		first := time.Since(begin)
		if _, err := r.Facts(b.Context(), memory.Query{Text: question, K: 10}); err != nil { // loads the host's entries
			b.Fatal(err)
		}
		perEntry := float64(heap()-before) / float64(2*n) / 1024
		plain, q := chromemOf(b, n, 256)
		var chromemTime float64 // nanoseconds a query
		b.Run(fmt.Sprintf("%d/chromem", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := plain.QueryEmbedding(b.Context(), q, 10, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
			chromemTime = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(perEntry, "kB/entry")
			b.ReportMetric(float64(opened.Microseconds())/1000, "open-ms")
			b.ReportMetric(float64(first.Microseconds())/1000, "first-answer-ms")
		})
		for name, keep := range map[string]func(privacy.FactID) bool{"recipient": even, "owner": nil} {
			b.Run(fmt.Sprintf("%d/%s", n, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := r.Facts(b.Context(), memory.Query{Text: question, K: 10, Keep: keep}); err != nil {
						b.Fatal(err)
					}
				}
				if chromemTime > 0 {
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chromemTime, "x-chromem")
				}
			})
		}
	}
}

// chromemOf is a plain collection of n vectors, and a question for it.
func chromemOf(b *testing.B, n, dim int) (*chromem.Collection, []float32) {
	out, err := chromem.NewDB().CreateCollection("plain", nil, func(context.Context, string) ([]float32, error) { return nil, nil })
	if err != nil {
		b.Fatal(err)
	}
	vectors := randomVectors(n, dim)
	for i, v := range vectors {
		if err := out.AddDocument(b.Context(), chromem.Document{ID: fmt.Sprint(i), Embedding: v}); err != nil {
			b.Fatal(err)
		}
	}
	return out, vectors[n/2]
}

// heap is how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
