package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudwego/eino/compose"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// The nodes of the disclosing graph, in their order.
const (
	nodeIdentify = "identify" // who is asking, and the world to judge in
	nodeRecall   = "recall"   // rank what they may know
	nodeUnits    = "units"    // which of it the question asks for
	nodeCorefer  = "corefer"  // facts of one event: real or cover, and its states
	nodeJudge    = "judge"    // the verdict on each, and on their connection
	nodeProject  = "project"  // the audience-safe context
	nodeRespond  = "respond"  // the answer from that context alone
	nodeGuard    = "guard"    // nothing denied leaves
	nodeRecord   = "record"   // the ledger entry
)

// turn is one question on its way through the graph.
type turn struct {
	request DiscloseRequest

	to         []privacy.Recipient // identify
	names      []string            // identify
	language   string              // identify
	world      *world              // identify
	permitted  []engine.Ranked     // recall: best first, permitted facts only
	considered []memory.Hit        // recall: the owner's view, for guard and explain
	units      engine.Units        // units, corefer
	judged     []judgedFact        // judge
	material   engine.Material     // project
	context    engine.Context      // project
	answer     engine.Answer       // respond, guard
	leaks      []privacy.FactID    // guard
	entry      int64               // record
}

// discloseGraph builds the one way to disclose. Every question passes all nodes,
// whatever it may be told: a deflection takes the same stages as an answer.
func (a *Agent) discloseGraph(ctx context.Context) (compose.Runnable[*turn, *turn], error) {
	nodes := []struct {
		key string
		run func(context.Context, *turn) error
	}{
		{nodeIdentify, a.identify},
		{nodeRecall, a.recallPermitted},
		{nodeUnits, a.findUnits},
		{nodeCorefer, a.coreferUnits},
		{nodeJudge, a.judgeUnits},
		{nodeProject, a.project},
		{nodeRespond, a.respond},
		{nodeGuard, a.guard},
		{nodeRecord, a.record},
	}
	graph := compose.NewGraph[*turn, *turn]()
	previous := compose.START
	for _, n := range nodes {
		run := n.run
		lambda := compose.InvokableLambda(func(ctx context.Context, t *turn) (*turn, error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return t, run(ctx, t)
		})
		if err := graph.AddLambdaNode(n.key, lambda); err != nil {
			return nil, fmt.Errorf("disclosing graph: %w", err)
		}
		if err := graph.AddEdge(previous, n.key); err != nil {
			return nil, fmt.Errorf("disclosing graph: %w", err)
		}
		previous = n.key
	}
	if err := graph.AddEdge(previous, compose.END); err != nil {
		return nil, fmt.Errorf("disclosing graph: %w", err)
	}
	runnable, err := graph.Compile(ctx, compose.WithGraphName("disclose"))
	if err != nil {
		return nil, fmt.Errorf("disclosing graph: %w", err)
	}
	return runnable, nil
}

// identify fixes who reads the answer and the state to judge in. The recipients
// come from the request, which the channel made; the question is not looked at.
func (a *Agent) identify(ctx context.Context, t *turn) error {
	w, err := a.current(ctx)
	if err != nil {
		return err
	}
	switch {
	case w.stale != nil:
		return w.stale
	case strings.TrimSpace(t.request.Question) == "":
		return fmt.Errorf("question: %w", ErrEmpty)
	case len(t.request.To) == 0:
		return fmt.Errorf("readers: %w; nothing may be told to nobody", ErrEmpty)
	}
	t.world = w
	t.language = lexical.Language(t.request.Question)
	t.to = recipients(t.request.To)
	for _, r := range t.request.To {
		t.names = append(t.names, r.Name)
	}
	return nil
}

// recallPermitted ranks over what the readers may know, and nothing else: neither
// the candidates nor any statistic of the ranking depends on a denied fact.
func (a *Agent) recallPermitted(ctx context.Context, t *turn) error {
	// A question and a fact often share a matter and no word: "ill", "clinic".
	asked := engine.Expand(t.request.Question)
	hits, err := a.recall.Facts(ctx, memory.Query{Text: asked, K: considerAtMost, Keep: t.world.keep(t.to)})
	if err != nil {
		return err
	}
	for _, hit := range hits {
		if fact, ok := t.world.fact(hit.Fact); ok {
			t.permitted = append(t.permitted, engine.Ranked{Record: fact.Record, Score: hit.Score})
		}
	}
	owner := t.world.policy.Owner()
	if engine.AsksForNews(t.request.Question, append([]string{owner.Name}, owner.Aliases...)...) {
		t.permitted = t.world.newest(t.permitted, t.world.keep(t.to), considerAtMost)
	}
	// The owner's view of the same question tells the guard what must not leave.
	t.considered, err = a.recall.Facts(ctx, memory.Query{Text: asked, K: considerAtMost})
	return err
}

func (a *Agent) findUnits(ctx context.Context, t *turn) error {
	units, err := a.stages.Units.Units(ctx, t.request.Question, t.permitted)
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
	return a.judgeCombinations(ctx, t)
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

func (a *Agent) project(ctx context.Context, t *turn) error {
	t.material = engine.Material{
		Question: t.request.Question,
		Language: t.language,
		Owner:    ownerName(t.world.policy),
		Truth:    map[privacy.FactID]privacy.Truth{},
		Covers:   string(t.world.policy.Settings().CoverStories),
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
		t.material.Facts = append(t.material.Facts, fact.Record)
		t.material.Truth[j.id] = mark.Truth
	}
	var err error
	t.context, err = a.stages.Projector.Project(ctx, t.material)
	return err
}

func (a *Agent) respond(ctx context.Context, t *turn) error {
	answer, err := a.stages.Responder.Respond(ctx, t.context)
	if err != nil {
		return err
	}
	t.answer = onlyOf(answer, t.context)
	return nil
}

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
	names := t.world.policy.Owner()
	owner := append([]string{names.Name}, names.Aliases...)
	leaking := func(text string) ([]engine.Leak, error) {
		return a.stages.Guard.Check(ctx, engine.Outgoing{
			Question: t.request.Question, Answer: text, Owner: owner, Allowed: allowed, Denied: denied,
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
	m.Facts = nil
	return a.answerFrom(ctx, t, m)
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

// record writes the ledger entry. An answer whose entry can't be written does not
// leave.
func (a *Agent) record(ctx context.Context, t *turn) error {
	if t.request.Preview {
		return nil
	}
	var permitted []privacy.FactID
	for _, d := range t.context.Details {
		permitted = append(permitted, d.Fact)
	}
	action := Answered
	if len(t.answer.Facts) == 0 {
		action = Deflected
	}
	entry, err := a.store.Record(ctx, memory.LedgerEntry{
		At:        a.opts.Now(),
		To:        t.names,
		Question:  t.request.Question,
		Policy:    t.world.policy.Hash(),
		Action:    string(action),
		Answer:    t.answer.Text,
		Permitted: permitted,
		Told:      t.answer.Facts,
		Finished:  true, // it leaves whole, when Disclose returns
	})
	if err != nil {
		return errors.Join(ErrNotRecorded, err)
	}
	t.entry = entry
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
