package halves

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// ground tries candidates on the scripts of the teaching half: the label of every gold
// fact, and who is chosen for every question of T2.
type ground struct {
	trials  []*bench.Trial
	labels  map[string]labelled          // by the lessons of the annotator
	choices map[string][][]bench.Outcome // by those of the unit finder
}

type labelled struct {
	outcomes [][]bench.Outcome
	judges   map[string]*privacy.Judge
}

var _ evolve.Ground = (*ground)(nil)

func newGround(trials []*bench.Trial) *ground {
	return &ground{trials: trials, labels: map[string]labelled{}, choices: map[string][][]bench.Outcome{}}
}

// cases are the kept cases of the ground, in the order of their results: of each script
// the gold facts, then the questions. Feedback numbers are looked up by script and item.
func (g *ground) cases(feedback map[string]int64) []evolve.Case {
	var out []evolve.Case
	for _, t := range g.trials {
		for _, f := range t.Facts() {
			id := t.Name() + "/" + string(f.ID)
			out = append(out, evolve.Case{ID: id, Kind: evolve.CaseLabel, Source: evolve.FromBench, Home: t.Name(), Fact: f.ID, Categories: f.Categories, Feedback: feedback[id]})
		}
		for _, item := range t.Items() {
			id := t.Name() + "/" + item
			out = append(out, evolve.Case{ID: id, Kind: evolve.CaseAnswer, Source: evolve.FromBench, Home: t.Name(), Feedback: feedback[id]})
		}
	}
	return out
}

// Replay implements [evolve.Ground]. Lessons alone have an effect; no model is called.
func (g *ground) Replay(ctx context.Context, set []evolve.Supplement, cases []evolve.Case, _ int) (*evolve.Replay, error) {
	byStage := map[prompts.Name][]engine.Lesson{}
	for _, s := range set {
		if s.Lesson != nil {
			byStage[s.Stage] = append(byStage[s.Stage], *s.Lesson)
		}
	}
	labels, err := g.labelled(ctx, byStage[prompts.StageAnnotate])
	if err != nil {
		return nil, err
	}
	choices, err := g.chosen(ctx, byStage[prompts.StageQueryUnits])
	if err != nil {
		return nil, err
	}
	out := &evolve.Replay{Judges: labels.judges}
	for i := range g.trials {
		for _, o := range slices.Concat(labels.outcomes[i], choices[i]) {
			out.Results = append(out.Results, evolve.Result{Case: cases[len(out.Results)].ID, Right: o.Right, Open: o.Open})
		}
	}
	return out, nil
}

func keyOf(lessons []engine.Lesson) string {
	slices.SortFunc(lessons, func(a, b engine.Lesson) int { return strings.Compare(a.Key(), b.Key()) })
	b, err := json.Marshal(lessons)
	if err != nil {
		return ""
	}
	return string(b)
}

func (g *ground) labelled(ctx context.Context, lessons []engine.Lesson) (labelled, error) {
	key := keyOf(lessons)
	if known, ok := g.labels[key]; ok {
		return known, nil
	}
	out := labelled{judges: map[string]*privacy.Judge{}}
	for _, t := range g.trials {
		outcomes, judge, err := t.Labels(ctx, lessons)
		if err != nil {
			return out, err
		}
		out.outcomes = append(out.outcomes, outcomes)
		out.judges[t.Name()] = judge
	}
	g.labels[key] = out
	return out, nil
}

func (g *ground) chosen(ctx context.Context, lessons []engine.Lesson) ([][]bench.Outcome, error) {
	key := keyOf(lessons)
	if known, ok := g.choices[key]; ok {
		return known, nil
	}
	var out [][]bench.Outcome
	for _, t := range g.trials {
		outcomes, err := t.Choices(ctx, lessons)
		if err != nil {
			return nil, err
		}
		out = append(out, outcomes)
	}
	g.choices[key] = out
	return out, nil
}
