package memory_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/epagent/epagent/memory"
)

// Entries that are recorded at once are all durable when their calls return, and one
// that can't be recorded takes none of the others with it.
func TestRecordAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), memory.FileName)
	s, err := memory.Open(t.Context(), path, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	reader, err := memory.Open(t.Context(), path, memory.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	const each, askers = 20, 12
	var wg sync.WaitGroup
	ids := make([][]int64, askers)
	for i := range askers {
		wg.Go(func() {
			for k := range each {
				entry := memory.LedgerEntry{To: []string{fmt.Sprintf("reader %d", i)}, Question: fmt.Sprint(k), Action: "answer"}
				ctx := t.Context()
				switch {
				case i == 0:
					entry.To = nil
				case i == 1:
					ctx = gone
				}
				id, err := s.Record(ctx, entry)
				switch {
				case i == 0 && !errors.Is(err, memory.ErrInvalid), i == 1 && !errors.Is(err, context.Canceled), i > 1 && err != nil:
					t.Errorf("reader %d: %v", i, err)
				case err == nil:
					ids[i] = append(ids[i], id)
					// Another connection sees it as soon as the call is back.
					if k == each-1 {
						seen, err := reader.Ledger(t.Context(), memory.LedgerFilter{To: entry.To[0]})
						if err != nil || len(seen) != len(ids[i]) {
							t.Errorf("reader %d: %d entries are seen of %d: %v", i, len(seen), len(ids[i]), err)
						}
					}
				}
			}
		})
	}
	wg.Wait()
	seen := map[int64]bool{}
	for i, list := range ids {
		if i > 1 && len(list) != each {
			t.Errorf("reader %d has %d entries, want %d", i, len(list), each)
		}
		for n, id := range list {
			if seen[id] || n > 0 && id <= list[n-1] {
				t.Errorf("reader %d: id %d comes twice or too early", i, id)
			}
			seen[id] = true
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRecord writes entries of the ledger durably, from one caller and from 16
// at once.
func BenchmarkRecord(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			s, err := memory.Open(b.Context(), filepath.Join(b.TempDir(), memory.FileName), memory.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			b.SetParallelism((callers + 1) / 2)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := s.Record(b.Context(), memory.LedgerEntry{To: []string{"Bo"}, Question: "q", Action: "answer"}); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}
