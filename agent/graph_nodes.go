package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// identify fixes who reads the answer and the state to judge in. The recipients
// come from the request, which the channel made; the question is not looked at.
func (a *Agent) identify(ctx context.Context, t *turn) error {
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	switch {
	case w.stale != nil && (!t.request.Listener || t.request.Preview):
		return w.stale
	case strings.TrimSpace(t.request.Question) == "":
		return fmt.Errorf("question: %w", ErrEmpty)
	case len(t.request.To) == 0:
		return fmt.Errorf("readers: %w; nothing may be told to nobody", ErrEmpty)
	}
	if w.stale != nil {
		t.withheld, w = w.stale, w.silent()
	}
	if t.stages == nil {
		stages, err := a.stagesNow(ctx)
		switch {
		case err == nil:
		case errors.Is(err, ErrLearned) && t.request.Listener && !t.request.Preview:
			stages = withOffline(Stages{}, nil)
			t.withheld, w = err, w.silent()
		default:
			return err
		}
		t.stages = &stages
	}
	t.world = w
	t.language = lexical.Language(t.request.Question)
	t.to = recipients(t.request.To)
	for _, r := range t.request.To {
		t.names = append(t.names, r.Name)
	}
	t.asked = t.request.Question
	t.history, err = a.historyOf(ctx, t)
	return err
}

// recallPermitted ranks over what the readers may know, and nothing else: neither
// the candidates nor any statistic of the ranking depends on a denied fact.
func (a *Agent) recallPermitted(ctx context.Context, t *turn) error {
	if t.request.Facts != nil {
		return a.takeNamed(ctx, t)
	}
	// A question and a fact often share a matter and no word: "ill", "clinic".
	asked := engine.Expand(t.asked)
	keep, kept := t.world.keep(t.to), t.world.kept(t.to)
	if t.request.Sessions != nil {
		keep, kept = t.world.within(t.request.Sessions, keep), "" // not all that they may know
	}
	found, err := a.ask(ctx, a.eventSide, t.world, memory.Query{Text: asked, K: considerAtMost, Keep: keep, Kept: kept, Today: a.today()})
	if err != nil {
		return err
	}
	for _, hit := range found.hits {
		if fact, ok := t.world.fact(hit.Fact); ok {
			t.permitted = append(t.permitted, engine.Ranked{Record: fact.Record, Score: hit.Score})
		}
	}
	if engine.AsksForNews(t.asked, t.world.ownerNames()...) {
		t.permitted = t.world.newest(t.permitted, keep, considerAtMost)
	}
	if engine.AsksForMatter(t.asked) {
		t.permitted = t.world.beside(t.permitted, keep)
	}
	if !engine.AsksForPast(t.asked) {
		t.permitted = t.world.current(t.permitted, keep)
	}
	// All facts for the same question tell the guard what must not leave. The host isn't
	// asked: whether and how it answers a stranger's words would show.
	t.considered, err = a.eventSide.Facts(ctx, memory.Query{Text: asked, K: considerAtMost})
	return err
}

// takeNamed takes of the facts that the owner named those that the readers may know.
// The others are what the guard holds the answer against, with what the question
// touches.
func (a *Agent) takeNamed(ctx context.Context, t *turn) error {
	keep := t.world.keep(t.to)
	for _, id := range t.request.Facts {
		fact, ok := t.world.fact(id)
		if !ok {
			return fmt.Errorf("%w: %q; `epagent recall` lists ids", ErrUnknownFact, id)
		}
		t.considered = append(t.considered, memory.Hit{Fact: id})
		if keep(id) {
			t.permitted = append(t.permitted, engine.Ranked{Record: fact.Record, Score: 1})
		}
	}
	touched, err := a.eventSide.Facts(ctx, memory.Query{Text: engine.Expand(t.asked), K: considerAtMost})
	t.considered = append(t.considered, touched...)
	return err
}

// findUnits finds what the question asks for. Where it asks for nothing by itself
// and leans on what the same readers asked before, it is looked for with that.
func (a *Agent) findUnits(ctx context.Context, t *turn) error {
	if t.request.Facts != nil {
		for _, r := range t.permitted {
			if !slices.Contains(t.units.Facts, r.Record.ID) {
				t.units.Facts = append(t.units.Facts, r.Record.ID)
			}
		}
		return nil
	}
	if err := a.unitsOf(ctx, t); err != nil || len(t.units.Facts) > 0 {
		return err
	}
	whole := engine.Resolve(t.asked, t.earlier, t.world.ownerNames()...)
	if whole == t.asked {
		return nil
	}
	touched := t.considered
	t.asked, t.permitted = whole, nil
	if err := a.recallPermitted(ctx, t); err != nil {
		return err
	}
	t.considered = append(t.considered, touched...)
	return a.unitsOf(ctx, t)
}

func (a *Agent) unitsOf(ctx context.Context, t *turn) error {
	units, err := t.stages.Units.Units(ctx, t.asked, t.permitted)
	if err != nil {
		return err
	}
	// A stage may name only what it was given.
	given := map[privacy.FactID]bool{}
	for _, r := range t.permitted {
		given[r.Record.ID] = true
	}
	seen := map[privacy.FactID]bool{}
	units.Facts = slices.DeleteFunc(slices.Clone(units.Facts), func(id privacy.FactID) bool {
		drop := !given[id] || seen[id]
		seen[id] = true
		return drop
	})
	t.units = units
	return nil
}

// coreferUnits settles what facts of one event mean beside each other: real or
// cover is chosen once for the message (CALCULUS, Several recipients). Where a
// real fact of the event is told, its cover stories are not.
func (a *Agent) coreferUnits(_ context.Context, t *turn) error {
	real := map[privacy.EventID]bool{}
	for _, id := range t.units.Facts {
		if m, ok := t.world.mark(id); ok && m.Truth == privacy.Real && m.Event != "" {
			real[m.Event] = true
		}
	}
	t.units.Facts = slices.DeleteFunc(t.units.Facts, func(id privacy.FactID) bool {
		m, ok := t.world.mark(id)
		return !ok || m.Truth == privacy.Cover && m.Event != "" && real[m.Event]
	})
	return nil
}

// judgeUnits gives the verdict on each fact; where the question asks for a
// connection, on the unit: under its ceiling, by every reader; and where the
// policy names combinations, on what the message would add to what was told.
func (a *Agent) judgeUnits(ctx context.Context, t *turn) error {
	for _, id := range t.units.Facts {
		t.judged = append(t.judged, judgedFact{id: id, verdict: t.world.audience(id, t.to)})
	}
	if t.units.Connect && len(t.units.Facts) > 1 {
		for _, r := range t.to {
			for i, v := range t.world.judge.Unit(t.units.Facts, r).Verdicts {
				if t.judged[i].verdict.Allow && !v.Allow {
					t.judged[i].why = "the question asks for their connection: judged under the ceiling of all of them"
				}
				t.judged[i].tighten(v)
			}
		}
	}
	if err := a.judgeCombinations(ctx, t); err != nil {
		return err
	}
	return a.park(ctx, t)
}

type judgedFact struct {
	id      privacy.FactID
	verdict privacy.Verdict
	why     string // where it was not the fact's own marks that decided
}

// tighten takes a stricter verdict; nothing opens what was denied.
func (j *judgedFact) tighten(v privacy.Verdict) {
	if j.verdict.Allow && !v.Allow {
		j.verdict = v
	}
}

// coverMark stands before a cover story in the owner's own view.
const coverMark = "[cover story] "

// project lays out what the readers get, from allowed facts alone.
func (a *Agent) project(ctx context.Context, t *turn) error {
	t.material = engine.Material{
		Question: t.asked,
		Language: t.language,
		Owner:    ownerName(t.world.policy),
		Truth:    map[privacy.FactID]privacy.Truth{},
		Covers:   string(t.world.policy.Settings().CoverStories),
		Told:     t.history.told,
		History:  t.history.exchanges,
	}
	if t.owner {
		t.material.Covers = string(privacy.CoversKeep) // and marked as such
	}
	for _, j := range t.judged {
		if !j.verdict.Allow {
			continue
		}
		fact, ok := t.world.fact(j.id)
		if !ok {
			continue
		}
		mark, _ := t.world.mark(j.id)
		record := fact.Record
		if t.owner && mark.Truth == privacy.Cover {
			record.Text = coverMark + record.Text
		}
		t.material.Facts = append(t.material.Facts, record)
		t.material.Truth[j.id] = mark.Truth
	}
	var err error
	t.context, err = t.stages.Projector.Project(ctx, t.material)
	return err
}

func (a *Agent) respond(ctx context.Context, t *turn) error {
	answer, err := t.stages.Responder.Respond(ctx, t.context)
	if err != nil {
		return err
	}
	t.answer = onlyOf(answer, t.context)
	return nil
}

// onlyOf drops facts from an answer's list that its context did not hold: a
// responder can't have used what it never saw.
func onlyOf(answer engine.Answer, c engine.Context) engine.Answer {
	answer.Facts = slices.DeleteFunc(slices.Clone(answer.Facts), func(id privacy.FactID) bool {
		return !slices.ContainsFunc(c.Details, func(d engine.Detail) bool { return d.Fact == id })
	})
	return answer
}
