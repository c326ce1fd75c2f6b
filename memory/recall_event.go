package memory

import (
	"context"
	"fmt"
	"sync"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// EventSide ranks facts by themselves (β = 1). It has no host, so nothing that is
// made for somebody else can come to depend on one: neither on what the host holds
// nor on whether, how fast and with which error it answers their words. Its methods
// may be called at once.
type EventSide struct {
	store *Store
	facts view
	kept  kept
}

// Facts returns the facts for a question, best first, ties by id, over what Keep
// allows and nothing else: with a denied fact taken out of the store the hits are
// the same to the byte (TestRecallIgnoresDenied).
func (e *EventSide) Facts(ctx context.Context, q Query) ([]Hit, error) {
	return e.find(ctx, q, ranking{weights: Weights{Beta: 1}})
}

func (e *EventSide) find(ctx context.Context, q Query, how ranking) ([]Hit, error) {
	asked, err := e.store.ask(ctx, q.Text, q.Today, q.People)
	if err != nil {
		return nil, fmt.Errorf("recall facts: %w", err)
	}
	how.k, how.near = q.K, q.Near
	var out []Hit
	err = e.facts.read(ctx, func() error {
		if q.Keep != nil {
			how.set = e.keep(q)
		}
		found, err := e.facts.rank(ctx, asked, how)
		out = make([]Hit, 0, len(found))
		for _, f := range found {
			out = append(out, Hit{Fact: privacy.FactID(f.doc.id), Score: f.score, Native: f.native, Event: f.event, Words: f.words, Cosine: f.cosine})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recall facts: %w", err)
	}
	return out, nil
}

// keptMost is how many sets are kept.
const keptMost = 256

// kept are the sets of facts that were asked for by name, of one load of the view:
// a set is of ordinals, and one revision may have others when it is loaded anew.
type kept struct {
	mu    sync.Mutex
	loads int64
	sets  map[string]*lexical.Set
}

// keep returns the facts that a question may find. The view is being read.
func (e *EventSide) keep(q Query) *lexical.Set {
	fresh := func() *lexical.Set {
		return e.facts.words.Set(func(i int) bool { return q.Keep(privacy.FactID(e.facts.docs[i].id)) })
	}
	if q.Kept == "" {
		return fresh()
	}
	e.kept.mu.Lock()
	defer e.kept.mu.Unlock()
	if e.kept.loads != e.facts.loads || len(e.kept.sets) >= keptMost {
		e.kept.loads, e.kept.sets = e.facts.loads, map[string]*lexical.Set{}
	}
	set, ok := e.kept.sets[q.Kept]
	if !ok {
		set = fresh()
		e.kept.sets[q.Kept] = set
	}
	return set
}
