package agent

import (
	"context"
	"slices"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// guard checks the answer against every denied fact that the question touched. On
// a leak the details that carry it are taken out and the answer is written once
// more, told what kind of thing to leave out and not which; if it still leaks, the
// listener gets the deflection (PROJECTION 10).
func (a *Agent) guard(ctx context.Context, t *turn) error {
	if t.owner {
		return nil // to the owner nothing is denied
	}
	out := t.outgoing()
	leaks, err := t.leaksIn(ctx, out, t.answer.Text)
	if err != nil || len(leaks) == 0 {
		return err
	}
	a.noteLeaks(t, leaks)
	if unjudged(leaks) {
		return a.verbatim(ctx, t, out)
	}
	// Once more, without the facts whose own words carry it.
	m := t.material
	m.Facts = nil
	for _, fact := range t.material.Facts {
		if leaks, err := a.ownLeaks(ctx, out, fact.Text); err != nil {
			return err
		} else if len(leaks) == 0 {
			m.Facts = append(m.Facts, fact)
		}
	}
	if err := a.answerAgain(ctx, t, m, leakKinds(leaks)); err != nil {
		return err
	}
	if leaks, err = t.leaksIn(ctx, out, t.answer.Text); err != nil || len(leaks) == 0 {
		return err
	}
	a.noteLeaks(t, leaks)
	if unjudged(leaks) {
		return a.verbatim(ctx, t, out)
	}
	return a.deflect(ctx, t)
}

// outgoing is what an answer of this turn is held against.
func (t *turn) outgoing() engine.Outgoing {
	out := engine.Outgoing{Question: t.asked, Owner: t.world.ownerNames()}
	told := map[privacy.FactID]bool{}
	for _, d := range t.context.Details {
		if fact, ok := t.world.fact(d.Fact); ok {
			out.Allowed = append(out.Allowed, fact.Record)
			told[d.Fact] = true
		}
	}
	for _, id := range t.deniedFacts() {
		if fact, ok := t.world.fact(id); ok && !told[id] {
			out.Denied = append(out.Denied, fact.Record)
		}
	}
	return out
}

func (t *turn) leaksIn(ctx context.Context, out engine.Outgoing, text string) ([]engine.Leak, error) {
	out.Answer = text
	return t.stages.Guard.Check(ctx, out)
}

// ownLeaks checks a fact's own words. No model is asked for that: a call for each
// fact would tell nothing that the rules don't.
func (a *Agent) ownLeaks(ctx context.Context, out engine.Outgoing, text string) ([]engine.Leak, error) {
	out.Answer = text
	return engine.NewOffline().Check(ctx, out)
}

// unjudged reports whether an answer has no other fault than that its claims could
// not be judged.
func unjudged(leaks []engine.Leak) bool {
	return !slices.ContainsFunc(leaks, func(l engine.Leak) bool { return l.Kind != engine.LeakUnjudged })
}

// leakKinds are the kinds of leaks, sorted, each once. They name nothing.
func leakKinds(leaks []engine.Leak) []engine.LeakKind {
	var out []engine.LeakKind
	for _, l := range leaks {
		out = append(out, l.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// verbatim answers offline from the permitted facts as they are stored: words that
// need no judge of claims.
func (a *Agent) verbatim(ctx context.Context, t *turn, out engine.Outgoing) error {
	off := engine.NewOffline()
	var err error
	if t.context, err = off.Project(ctx, t.material); err != nil {
		return err
	}
	if t.answer, err = off.Respond(ctx, t.context); err != nil {
		return err
	}
	leaks, err := a.ownLeaks(ctx, out, t.answer.Text)
	if err != nil || len(leaks) == 0 {
		return err
	}
	a.noteLeaks(t, leaks)
	return a.deflect(ctx, t)
}

// answerAgain answers once more from less material, told what kinds of things the
// first wording had too much.
func (a *Agent) answerAgain(ctx context.Context, t *turn, m engine.Material, avoid []engine.LeakKind) error {
	if len(m.Facts) < len(t.material.Facts) {
		var err error
		if t.context, err = t.stages.Projector.Project(ctx, m); err != nil {
			return err
		}
	}
	t.context.Avoid = avoid
	return a.respond(ctx, t)
}

// deflect puts the one fixed deflection in the place of the answer. It is the
// offline one whatever the stages are: a model could say something again.
func (a *Agent) deflect(ctx context.Context, t *turn) error {
	off := engine.NewOffline()
	m := t.material
	m.Facts = nil
	var err error
	if t.context, err = off.Project(ctx, m); err != nil {
		return err
	}
	t.answer, err = off.Respond(ctx, t.context)
	return err
}

func (a *Agent) noteLeaks(t *turn, leaks []engine.Leak) {
	for _, leak := range leaks {
		if leak.Fact != "" {
			t.leaks = append(t.leaks, leak.Fact)
		}
		a.log.Warn("the guard kept something from leaving", "kind", string(leak.Kind), "fact", leak.Fact)
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
