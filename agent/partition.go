package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// PartitionRequest asks who may be told what. It is the owner's.
type PartitionRequest struct {
	Topic string           // facts are found by it, unless Facts names them
	Facts []privacy.FactID // exactly these
	// People limits the table to these names; empty means everybody in the policy.
	// A name that is not in the policy gets what a stranger gets.
	People []string
	Limit  int // most facts that a topic may find; 0 means 12
	// Sessions narrows what a topic may find to facts that rest on one of them; nil:
	// everything.
	Sessions []string
}

// Partition is the table people × facts, with the composite verdict for all the
// facts together (CALCULUS, A query unit).
type Partition struct {
	Topic   string            `json:"topic"`
	Facts   []PartitionFact   `json:"facts"`
	Ceiling privacy.Label     `json:"ceiling"`
	People  []PartitionPerson `json:"people"`
}

// PartitionFact is a column of the table.
type PartitionFact struct {
	ID    privacy.FactID `json:"id"`
	Text  string         `json:"text"`
	Label privacy.Label  `json:"label"`
}

// PartitionPerson is a row of the table.
type PartitionPerson struct {
	Name     string        `json:"name"`
	Verdicts []FactVerdict `json:"verdicts"`
	All      UnitOutcome   `json:"all"`
}

// FactVerdict is one cell: a fact judged on its own.
type FactVerdict struct {
	Fact   privacy.FactID `json:"fact"`
	Allow  bool           `json:"allow"`
	Reason privacy.Reason `json:"reason"`
}

// UnitOutcome is the composite verdict; its reason is that of the first denial
// under the ceiling, else that of the weakest permission.
type UnitOutcome struct {
	Allow  bool           `json:"allow"`
	Reason privacy.Reason `json:"reason"`
}

// Partition tells who may be told which facts about a topic, and who may be told
// all of them together.
func (a *Agent) Partition(ctx context.Context, req PartitionRequest) (*Partition, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	ids := req.Facts
	if len(ids) == 0 {
		if ids, err = a.about(ctx, w, req.Topic, req.Limit, w.within(req.Sessions, nil)); err != nil {
			return nil, err
		}
	}
	out := &Partition{Topic: req.Topic, Facts: []PartitionFact{}, People: []PartitionPerson{}}
	for _, id := range ids {
		fact, ok := w.fact(id)
		if !ok {
			return nil, fmt.Errorf("%w: %q; `epagent recall` lists ids", ErrUnknownFact, id)
		}
		out.Facts = append(out.Facts, PartitionFact{ID: id, Text: fact.Text, Label: w.label(id)})
	}
	readers, err := w.readers(req.People)
	if err != nil {
		return nil, err
	}
	// The ceiling is a property of the facts; it is there even with no reader.
	out.Ceiling = w.judge.Unit(ids, privacy.Recipient{}).Ceiling
	entries, err := a.ledgerFor(ctx, w.at, w)
	if err != nil {
		return nil, err
	}
	told := w.toldBefore(entries)
	for _, r := range readers {
		row := PartitionPerson{Name: r.Name, Verdicts: []FactVerdict{}}
		for _, id := range ids {
			v := w.judge.Combine([]privacy.FactID{id}, privacy.Listener{Recipient: r.Recipient, Told: told.items(r.Name)})[0]
			row.Verdicts = append(row.Verdicts, FactVerdict{Fact: id, Allow: v.Allow, Reason: v.Reason})
		}
		unit := w.judge.Unit(ids, r.Recipient)
		row.All = UnitOutcome{Allow: unit.Allow, Reason: unit.Reason}
		// All of them told together may complete a combination that none does alone.
		for _, v := range w.judge.Combine(ids, privacy.Listener{Recipient: r.Recipient, Told: told.items(r.Name)}) {
			if row.All.Allow && !v.Allow {
				row.All = UnitOutcome{Allow: false, Reason: v.Reason}
			}
		}
		out.People = append(out.People, row)
	}
	return out, nil
}

// readers turns names into recipients; none means everybody in the policy, in the
// policy's order.
func (w *world) readers(names []string) ([]Reader, error) {
	if len(names) == 0 {
		for _, p := range w.policy.People() {
			names = append(names, p.Name)
		}
	}
	return readers(w.policy, names)
}

// about finds the facts that a topic asks for, in the owner's view, among those that
// keep holds for (nil: all).
func (a *Agent) about(ctx context.Context, w *world, topic string, limit int, keep func(privacy.FactID) bool) ([]privacy.FactID, error) {
	if strings.TrimSpace(topic) == "" {
		return nil, fmt.Errorf("topic: %w; give a topic or the ids of facts", ErrEmpty)
	}
	if limit <= 0 {
		limit = 12
	}
	found, err := a.ask(ctx, a.eventSide, w, memory.Query{Text: engine.Expand(topic), K: considerAtMost, Keep: keep, Today: a.today()})
	if err != nil {
		return nil, err
	}
	var ranked []engine.Ranked
	for _, hit := range found.hits {
		if fact, ok := w.fact(hit.Fact); ok {
			ranked = append(ranked, engine.Ranked{Record: fact.Record, Score: hit.Score})
		}
	}
	stages, err := a.stagesNow(ctx)
	if err != nil {
		return nil, err
	}
	units, err := stages.Units.Units(ctx, topic, ranked)
	if err != nil {
		return nil, err
	}
	if len(units.Facts) > limit {
		units.Facts = units.Facts[:limit]
	}
	return units.Facts, nil
}
