package prompts_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/epagent/epagent/prompts"
)

type mapCache struct {
	mu     sync.Mutex
	kept   map[string][]byte
	broken bool
}

func (c *mapCache) Get(_ context.Context, key string) ([]byte, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return nil, false, errors.New("disk")
	}
	reply, found := c.kept[key]
	return reply, found, nil
}

func (c *mapCache) Put(_ context.Context, key string, reply []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken {
		return errors.New("disk")
	}
	c.kept[key] = reply
	return nil
}

// TestCache: the same question is asked once; anything that a reply depends on makes
// it another one; what doesn't hold any more is asked again; a broken cache is none.
func TestCache(t *testing.T) {
	cache := &mapCache{kept: map[string][]byte{}}
	asked := 0
	model := &prompts.Scripted{Reply: func(prompts.Name, string) (string, error) {
		asked++
		return `{"facts":["f1"],"connect":false}`, nil
	}}
	var events []prompts.Event
	call := func(o prompts.Options, language, question string, check func(prompts.QueryUnitsOut) error) int {
		t.Helper()
		o.Cache, o.Observe = cache, func(e prompts.Event) { events = append(events, e) }
		before := asked
		out, err := prompts.Call(t.Context(), prompts.NewRunner(model, o), prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{
			Language: language, Check: check, Data: prompts.QueryUnitsIn{Question: question},
		})
		if check == nil && (err != nil || len(out.Facts) != 1) {
			t.Fatalf("%+v, %v", out, err)
		}
		return asked - before
	}
	base := prompts.Options{ID: "m"}
	if call(base, "en", "When?", nil) != 1 || call(base, "en", "When?", nil) != 0 {
		t.Error("the same question")
	}
	if e := events[1]; e.Usage.Cached != 1 || e.Usage.Calls != 0 || e.Attempts != 0 || e.Stage != prompts.StageQueryUnits {
		t.Errorf("%+v", e)
	}
	note := prompts.Options{ID: "m", Supplements: []prompts.Supplement{{ID: "a", Stage: prompts.StageQueryUnits, Text: "Be exact."}}}
	if call(base, "zh", "When?", nil) != 1 || call(base, "en", "Where?", nil) != 1 || call(prompts.Options{ID: "n"}, "en", "When?", nil) != 1 || call(note, "en", "When?", nil) != 1 {
		t.Error("another question, language, model or note is taken for the same")
	}
	gone := func(prompts.QueryUnitsOut) error { return errors.New("fact f1 is gone") }
	if call(base, "en", "When?", gone) == 0 {
		t.Error("a reply that doesn't hold any more is taken from the cache")
	}
	for key := range cache.kept {
		cache.kept[key] = []byte(`{"facts":"f1"}`)
	}
	if call(base, "en", "When?", nil) != 1 {
		t.Error("a reply that isn't one is taken from the cache")
	}
	cache.broken = true
	if call(base, "en", "When?", nil) != 1 {
		t.Error("a broken cache")
	}
}

// TestObserve: each call is told of once, with what it came to and without content.
func TestObserve(t *testing.T) {
	replies := []string{"CANARY", `{"facts":["CANARY"],"connect":false}`}
	model := &prompts.Scripted{Reply: func(prompts.Name, string) (string, error) {
		reply := replies[0]
		replies = replies[1:]
		return reply, nil
	}}
	var events []prompts.Event
	r := prompts.NewRunner(model, prompts.Options{Observe: func(e prompts.Event) { events = append(events, e) }})
	if _, err := units(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if len(events) != 1 {
		t.Fatalf("%+v", events)
	}
	e := events[0]
	if e.Attempts != 2 || e.Usage.Calls != 2 || e.Usage.Retries != 1 || e.Usage.Reported != 0 || e.Err != nil || e.Form != prompts.FormSchema || e.Usage != r.Usage()[prompts.StageQueryUnits] {
		t.Errorf("%+v", e)
	}
	if text := fmt.Sprintf("%+v", events); len(text) == 0 || containsAny(text, "CANARY", "When?") {
		t.Error(text)
	}
}
