package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// TestJudgedCatchesUp: reading what has changed since an earlier result gives the
// same as reading everything, whatever was stored, edited or forgotten meanwhile.
func TestJudgedCatchesUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "judged-")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s, err := memory.Open(t.Context(), filepath.Join(dir, memory.FileName), memory.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer s.Close()
		var kept memory.Judged
		for step := range rapid.IntRange(1, 8).Draw(rt, "steps") {
			id := privacy.FactID(fmt.Sprintf("f%d", rapid.IntRange(0, 4).Draw(rt, "fact")))
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0, 1:
				_, err = s.Apply(t.Context(), memory.Batch{
					Sessions: []memory.Session{{ID: "s", Conversation: "c", Turns: []memory.Turn{{ID: fmt.Sprint("t", step), Speaker: "A", Kind: memory.Message, Text: fmt.Sprint("lamp ", step)}}}},
					Facts:    []memory.Fact{{Record: privacy.Record{ID: id, Text: "lamp of " + string(id), Session: "s", Evidence: []string{fmt.Sprint("t", step)}}}},
				})
			case 2:
				err = s.UpdateFact(t.Context(), id, func(f *memory.Fact) error {
					f.Text += "!"
					f.Marks = append(f.Marks, privacy.Mark{Kind: privacy.MarkClosed, Value: "true", By: privacy.ByHand})
					return nil
				})
				if errors.Is(err, memory.ErrNotFound) {
					err = nil
				}
			case 3:
				_, err = s.Forget(t.Context(), memory.Forget{Facts: []privacy.FactID{id}})
			case 4:
				err = s.AddEventRule(t.Context(), privacy.EventRule{ID: fmt.Sprint("r", step), Event: "e", Kind: privacy.MarkClosed, Value: "true"})
			}
			if err != nil {
				rt.Fatal(err)
			}
			if rapid.Bool().Draw(rt, "read") {
				if kept, err = s.Judged(t.Context(), kept); err != nil {
					rt.Fatal(err)
				}
			}
		}
		if kept, err = s.Judged(t.Context(), kept); err != nil {
			rt.Fatal(err)
		}
		whole, err := s.Judged(t.Context(), memory.Judged{})
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(whole, kept); diff != "" {
			rt.Fatalf("catching up differs (-whole +caught up)\n%s", diff)
		}
	})
}
