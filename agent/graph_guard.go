package agent

import (
	"context"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// guard checks the answer against every denied fact that the question touched. On
// a leak the details that carry it are taken out and the answer is written once
// more; if it still leaks, the listener gets the deflection (PROJECTION 10).
func (a *Agent) guard(ctx context.Context, t *turn) error {
	var allowed, denied []privacy.Record
	told := map[privacy.FactID]bool{}
	for _, d := range t.context.Details {
		if fact, ok := t.world.fact(d.Fact); ok {
			allowed = append(allowed, fact.Record)
			told[d.Fact] = true
		}
	}
	for _, id := range t.deniedFacts() {
		if fact, ok := t.world.fact(id); ok && !told[id] {
			denied = append(denied, fact.Record)
		}
	}
	if t.owner {
		return nil // to the owner nothing is denied
	}
	owner := t.world.ownerNames()
	leaking := func(text string) ([]engine.Leak, error) {
		return a.stages.Guard.Check(ctx, engine.Outgoing{
			Question: t.asked, Answer: text, Owner: owner, Allowed: allowed, Denied: denied,
		})
	}
	leaks, err := leaking(t.answer.Text)
	if err != nil || len(leaks) == 0 {
		return err
	}
	a.noteLeaks(t, leaks)
	// Once more without the facts whose own words carry it.
	m := t.material
	m.Facts = nil
	for _, fact := range t.material.Facts {
		if leaks, err := leaking(fact.Text); err != nil {
			return err
		} else if len(leaks) == 0 {
			m.Facts = append(m.Facts, fact)
		}
	}
	if err := a.answerFrom(ctx, t, m); err != nil {
		return err
	}
	if leaks, err = leaking(t.answer.Text); err != nil || len(leaks) == 0 {
		return err
	}
	a.noteLeaks(t, leaks)
	return a.deflect(ctx, t, m)
}

// deflect puts the one fixed deflection in the place of the answer. It is the
// offline one whatever the stages are: a model could say something again.
func (a *Agent) deflect(ctx context.Context, t *turn, m engine.Material) error {
	m.Facts = nil
	off := engine.NewOffline()
	var err error
	if t.context, err = off.Project(ctx, m); err != nil {
		return err
	}
	t.answer, err = off.Respond(ctx, t.context)
	return err
}

// answerFrom projects and answers again from other material.
func (a *Agent) answerFrom(ctx context.Context, t *turn, m engine.Material) error {
	var err error
	if t.context, err = a.stages.Projector.Project(ctx, m); err != nil {
		return err
	}
	return a.respond(ctx, t)
}

func (a *Agent) noteLeaks(t *turn, leaks []engine.Leak) {
	for _, leak := range leaks {
		t.leaks = append(t.leaks, leak.Fact)
		a.log.Warn("the guard kept a denied fact from leaving", "fact", leak.Fact)
		a.log.Debug("the detail that the guard found", "fact", leak.Fact, "detail", leak.Detail)
	}
}

// deniedFacts are the facts that the question touched and the readers may not
// know, with the other facts of the same events.
func (t *turn) deniedFacts() []privacy.FactID {
	var out []privacy.FactID
	seen := map[privacy.FactID]bool{}
	add := func(id privacy.FactID) {
		if !seen[id] && !t.world.audience(id, t.to).Allow {
			out = append(out, id)
		}
		seen[id] = true
	}
	for _, j := range t.judged {
		if !j.verdict.Allow { // allowed alone, denied under the unit's ceiling
			seen[j.id] = true
			out = append(out, j.id)
		}
	}
	for _, hit := range t.considered {
		add(hit.Fact)
		if m, ok := t.world.mark(hit.Fact); ok {
			for _, id := range t.world.byEvent[m.Event] {
				add(id)
			}
		}
	}
	return out
}
