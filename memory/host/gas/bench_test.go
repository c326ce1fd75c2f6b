package gas_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/philippgille/chromem-go"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
)

func randomTalk(r *rand.Rand, i, turns int) memory.Session {
	lines := make([]string, turns)
	for j := range lines {
		words := make([]string, 10)
		for k := range words {
			n := int(5000 * r.Float64() * r.Float64())
			words[k] = fmt.Sprintf("%c%cword%d", 'a'+n%26, 'a'+n/26%26, n)
		}
		lines[j] = strings.Join(words, " ")
	}
	return talk(fmt.Sprintf("s%06d", i), lines...)
}

// BenchmarkAdd adds one session to stores of 100, 1,000 and 10,000: what tying it costs
// (by one process that has the host open, and the commit to disk included), that as a
// multiple of the smallest store's, and how much each session there adds. An inner
// product with each earlier node grows with the sessions; the rest doesn't.
func BenchmarkAdd(b *testing.B) {
	firstSize, first := 0, 0.0
	for _, n := range []int{100, 1000, 10_000} {
		if n > 1000 && testing.Short() {
			continue
		}
		r := rand.New(rand.NewPCG(1, 2))
		s := open(b, filepath.Join(b.TempDir(), memory.FileName))
		host, added := tiedStore(b, s, r, n), n
		add := func() time.Duration {
			apply(b, s, []memory.Session{randomTalk(r, added, 5)})
			added++
			begin := time.Now()
			if err := host.Settle(b.Context()); err != nil {
				b.Fatal(err)
			}
			return time.Since(begin)
		}
		add() // loads the vectors
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var tying time.Duration
			for b.Loop() {
				tying += add()
			}
			each := float64(tying.Microseconds()) / 1000 / float64(b.N)
			b.ReportMetric(each, "tie-ms")
			if first == 0 {
				firstSize, first = n, each
				return
			}
			b.ReportMetric(each/first, "x-smallest")
			b.ReportMetric(1000*(each-first)/float64(n-firstSize), "µs/session")
		})
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// tiedStore fills a store with n sessions and ties of the usual number, drawn at random:
// making them all would take the square of n, and what a further one costs doesn't
// depend on where they lead.
func tiedStore(b *testing.B, s *memory.Store, r *rand.Rand, n int) *gas.Host {
	var batch []memory.Session
	for i := range n {
		if batch = append(batch, randomTalk(r, i, 5)); len(batch) == 500 || i == n-1 {
			apply(b, s, batch)
			batch = nil
		}
	}
	list, at, err := s.SessionVectors(b.Context(), 0)
	if err != nil || len(list) != n {
		b.Fatal(len(list), err)
	}
	ties := make([]memory.Association, n)
	means := make([][]float32, n)
	for i, v := range list {
		var drawn [4][]int
		for g := range drawn {
			for range min(i, 10) {
				drawn[g] = append(drawn[g], 4*list[r.IntN(i)].Place+r.IntN(4))
			}
			slices.Sort(drawn[g])
		}
		ties[i], means[i] = memory.Association{Session: v.Session, Place: v.Place, Ties: gas.EncodeTies(drawn)}, v.Entries
	}
	if stored, err := s.Associate(b.Context(), at, ties, means); err != nil || stored != n {
		b.Fatal(stored, err)
	}
	host := gas.New(s, gas.Options{})
	if err := host.Settle(b.Context()); err != nil {
		b.Fatal(err)
	}
	return host
}

// BenchmarkRecall asks the owner's question with the host and the overlay, as a multiple
// of a plain chromem-go query over as many vectors of the same length in the same run:
// at most 2 at 100,000 is the aim.
func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		if n > 10_000 && testing.Short() {
			continue
		}
		r := rand.New(rand.NewPCG(1, 2))
		path := filepath.Join(b.TempDir(), memory.FileName)
		s := open(b, path)
		var batch []memory.Session
		var facts []memory.Fact
		question := ""
		for i := range n / 20 {
			session := randomTalk(r, i, 20)
			batch = append(batch, session)
			question = session.Turns[3].Text
			facts = append(facts, fact(fmt.Sprintf("f%06d", i), session.Turns[7].Text, session.ID, session.Turns[7].ID))
			if len(batch) == 100 || i == n/20-1 {
				apply(b, s, batch, facts...)
				batch, facts = nil, nil
			}
		}
		plain, err := chromem.NewDB().CreateCollection("plain", nil, func(context.Context, string) ([]float32, error) { return nil, nil })
		if err != nil {
			b.Fatal(err)
		}
		dim := s.Embedder().Dimensions()
		v := make([]float32, dim)
		for i := range n {
			for k := range v {
				v[k] = float32(r.NormFloat64())
			}
			if err := plain.AddDocument(b.Context(), chromem.Document{ID: fmt.Sprint(i), Embedding: append([]float32{}, v...)}); err != nil {
				b.Fatal(err)
			}
		}
		var chromemTime float64
		b.Run(fmt.Sprintf("%d/chromem", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := plain.QueryEmbedding(b.Context(), v, 10, nil, nil); err != nil {
					b.Fatal(err)
				}
			}
			chromemTime = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		})
		before := heap()
		host := gas.New(s, gas.Options{})
		recaller, err := memory.NewRecaller(s, memory.RecallOptions{Host: host})
		if err != nil {
			b.Fatal(err)
		}
		overlay, err := memory.NewOverlay(recaller, memory.Weights{Alpha: 0.7, Beta: 0.3})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := overlay.Entries(b.Context(), question, 10); err != nil {
			b.Fatal(err)
		}
		perEntry := float64(heap()-before) / float64(n) / 1024
		for _, step := range []struct {
			name string
			ask  func() error
		}{
			{"facts", func() error { _, err := recaller.Facts(b.Context(), memory.Query{Text: question, K: 10}); return err }},
			{"entries", func() error { _, err := overlay.Entries(b.Context(), question, 10); return err }},
			{"sessions", func() error { _, err := overlay.Sessions(b.Context(), question, 10); return err }},
		} {
			b.Run(fmt.Sprintf("%d/%s", n, step.name), func(b *testing.B) {
				for b.Loop() {
					if err := step.ask(); err != nil {
						b.Fatal(err)
					}
				}
				if chromemTime > 0 {
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chromemTime, "x-chromem")
				}
				b.ReportMetric(perEntry, "kB/entry")
			})
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// heap is how many bytes are in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
