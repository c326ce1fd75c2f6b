package memory_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Feedback is kept with what it is about, goes with a forgotten fact, and comes
// through an export without the number of an entry that means nothing there.
func TestFeedback(t *testing.T) {
	s, _ := pregnancy(t)
	facts, _, err := s.Facts(t.Context())
	if err != nil || len(facts) == 0 {
		t.Fatal(err)
	}
	about := facts[0].ID
	if _, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "wrong-category", Fact: about, Origin: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "too-vague", Note: "quite something else", Origin: "test"}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]memory.Feedback{
		"no fact": {Kind: "missed", Fact: "nosuch"}, "no entry": {Kind: "missed", Entry: 99},
	} {
		if _, err := s.AddFeedback(t.Context(), f); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	if _, err := s.AddFeedback(t.Context(), memory.Feedback{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("no kind: %v, want ErrInvalid", err)
	}
	var export bytes.Buffer
	if err := s.ExportTo(t.Context(), &export); err != nil {
		t.Fatal(err)
	}
	other := open(t, filepath.Join(t.TempDir(), memory.FileName), options())
	for range 2 { // twice is once
		if _, err := other.ImportExport(t.Context(), bytes.NewReader(export.Bytes()), nil); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := other.Feedback(t.Context()); err != nil || len(got) != 2 || got[0].Fact != about || got[0].Kind != "wrong-category" {
		t.Errorf("imported: %+v, %v", got, err)
	}
	if _, err := s.Forget(t.Context(), memory.Forget{Facts: []privacy.FactID{about}}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Feedback(t.Context()); err != nil || len(got) != 1 || got[0].Kind != "too-vague" {
		t.Errorf("after forgetting: %+v, %v", got, err)
	}
}

// What was taken back keeps its number and nothing that it said, whoever looks at it since; an
// export brings no more words than may be said.
func TestDropFeedback(t *testing.T) {
	s, _ := pregnancy(t)
	const words = "quite something else"
	id, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "wrong-tone", Note: words, Expected: words, Was: &memory.FeedbackWas{Event: "e"}, Origin: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DropFeedback(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := s.SetFeedbackStatus(t.Context(), memory.FeedbackUsed, id); err != nil {
		t.Fatal(err)
	}
	got, err := s.Feedback(t.Context())
	if err != nil || len(got) != 1 || got[0].Status != memory.FeedbackDropped || got[0].Note+got[0].Expected != "" || got[0].Was != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, n := range []int64{id, id + 1} {
		if err := s.DropFeedback(t.Context(), n); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%d: %v, want ErrNotFound", n, err)
		}
	}
	if next, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "missed", Note: words, Origin: "test"}); err != nil || next == id {
		t.Errorf("the next is %d, %v", next, err)
	}
	var export bytes.Buffer
	if err := s.ExportTo(t.Context(), &export); err != nil {
		t.Fatal(err)
	}
	for name, long := range map[string][]byte{
		"long":    bytes.Replace(export.Bytes(), []byte(words), bytes.Repeat([]byte("日"), memory.MaxFeedback/3+1), 1),
		"status":  bytes.Replace(export.Bytes(), []byte(`"status":"new"`), []byte(`"status":"best"`), 1),
		"no kind": bytes.Replace(export.Bytes(), []byte(`"kind":"missed"`), []byte(`"kind":""`), 1),
	} {
		other := open(t, filepath.Join(t.TempDir(), memory.FileName), options())
		if _, err := other.ImportExport(t.Context(), bytes.NewReader(long), nil); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "record ") {
			t.Errorf("%s: %v, want ErrInvalid with the record", name, err)
		}
		if facts, _, err := other.Facts(t.Context()); err != nil || len(facts) != 0 {
			t.Errorf("%s: %d facts came in, %v", name, len(facts), err)
		}
	}
	if _, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "missed", Note: strings.Repeat("x", memory.MaxFeedback+1)}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("too long: %v, want ErrInvalid", err)
	}
}

// The same change waits once, only so many wait, and forgetting what one is about
// drops it.
func TestWaiting(t *testing.T) {
	s, _ := pregnancy(t)
	facts, _, err := s.Facts(t.Context())
	if err != nil || len(facts) == 0 {
		t.Fatal(err)
	}
	add := func(what string, about ...privacy.FactID) (int64, error) {
		return s.AddWaiting(t.Context(), memory.WaitingChange{Change: json.RawMessage(what), Facts: about, Origin: "test"})
	}
	first, err := add(`{"a":1}`, facts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := add(`{"a":1}`, facts[0].ID); err != nil || again != first {
		t.Errorf("again: %d, %v; want %d", again, err, first)
	}
	if _, err := add("no JSON"); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("not JSON: %v", err)
	}
	for i := 0; err == nil; i++ {
		if i > 1000 {
			t.Fatal("there is no end to what may wait")
		}
		_, err = add(fmt.Sprintf(`{"b":%d}`, i))
	}
	if !errors.Is(err, memory.ErrTooMany) {
		t.Errorf("the last: %v, want ErrTooMany", err)
	}
	if _, err := s.Forget(t.Context(), memory.Forget{Facts: []privacy.FactID{facts[0].ID}}); err != nil {
		t.Fatal(err)
	}
	waiting, err := s.Waiting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range waiting {
		if w.ID == first {
			t.Error("a change about a forgotten fact still waits")
		}
	}
	last := waiting[len(waiting)-1].ID
	if err := s.DropWaiting(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	if err := s.DropWaiting(t.Context(), last); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("dropped twice: %v, want ErrNotFound", err)
	}
}
