package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// ModelJudge judges by the judge stages of package prompts on a chat model.
type ModelJudge struct {
	runner *prompts.Runner
	name   string
	before func()
}

var _ Judge = (*ModelJudge)(nil)

// NewModelJudge returns a judge on a model. Before is told of each call before it is
// made, since content leaves the machine with it; nil for nobody.
func NewModelJudge(r *prompts.Runner, model string, before func()) *ModelJudge {
	if before == nil {
		before = func() {}
	}
	return &ModelJudge{r, model + " " + r.Version(), before}
}

// differenceRuns is how often the extraction of CDiff runs.
const differenceRuns = 3

// Name implements [Judge].
func (j *ModelJudge) Name() string { return j.name }

// Answer implements [Judge]. The model isn't told which facts are denied. A fact is
// used where it is stated in full: its core predicate with its critical object.
func (j *ModelJudge) Answer(ctx context.Context, in Judged) (Judgement, error) {
	data := prompts.JudgeAnswerIn{Question: in.Question, Answer: in.Answer}
	var ids []string
	for _, f := range in.Facts {
		ids = append(ids, string(f.ID))
		data.Facts = append(data.Facts, prompts.Item{ID: string(f.ID), Text: f.Text})
	}
	j.before()
	out, err := prompts.Call(ctx, j.runner, prompts.JudgeAnswer, prompts.Input[prompts.JudgeAnswerIn, prompts.JudgeAnswerOut]{
		Data: data, Language: in.Language,
		Check: func(out prompts.JudgeAnswerOut) error {
			var named []string
			for _, f := range out.Facts {
				named = append(named, f.ID)
			}
			slices.Sort(named)
			if want := slices.Sorted(slices.Values(ids)); !slices.Equal(named, want) {
				return errors.New("facts: every id that was given, once, and no other")
			}
			return nil
		},
	})
	if err != nil {
		return Judgement{}, fmt.Errorf("judge: %w", err)
	}
	style, miq := float64(out.Style), float64(out.MIQ)
	got := Judgement{Used: map[privacy.FactID]bool{}, Style: &style, MIQ: &miq}
	for _, f := range out.Facts {
		got.Used[privacy.FactID(f.ID)] = f.Stated == "full"
	}
	return got, nil
}

// Difference implements [Judge]: the mean of the scores above 0 of three runs, 0
// where all are 0.
func (j *ModelJudge) Difference(ctx context.Context, question string, _ []string, answers []Told) (float64, error) {
	data := prompts.JudgeDifferenceIn{Question: question}
	for i, a := range answers {
		data.Answers = append(data.Answers, prompts.Item{ID: fmt.Sprintf("a%d", i+1), Text: a.Answer})
	}
	sum, n := 0.0, 0
	for range differenceRuns {
		score, err := j.difference(ctx, data)
		if err != nil {
			return 0, fmt.Errorf("judge: %w", err)
		}
		if score > 0 {
			sum += score
			n++
		}
	}
	if n == 0 {
		return 0, nil
	}
	return sum / float64(n), nil
}

func (j *ModelJudge) difference(ctx context.Context, data prompts.JudgeDifferenceIn) (float64, error) {
	j.before()
	out, err := prompts.Call(ctx, j.runner, prompts.JudgeDifference, prompts.Input[prompts.JudgeDifferenceIn, prompts.JudgeDifferenceOut]{
		Data: data, Language: lexical.Language(data.Question),
		Check: func(out prompts.JudgeDifferenceOut) error {
			for i, u := range out.Units {
				for _, id := range u.Answers {
					if !slices.ContainsFunc(data.Answers, func(a prompts.Item) bool { return a.ID == id }) {
						return fmt.Errorf("units[%d].answers: only ids that were given", i)
					}
				}
			}
			return nil
		},
	})
	if err != nil || len(out.Units) == 0 {
		return 0, err
	}
	alone := 0
	for _, u := range out.Units {
		slices.Sort(u.Answers)
		alone += b2i(len(slices.Compact(u.Answers)) == 1)
	}
	return float64(alone) / float64(len(out.Units)), nil
}

// NewChooser returns what asks a model who may be told.
func NewChooser(r *prompts.Runner, before func()) Chooser {
	if before == nil {
		before = func() {}
	}
	return func(ctx context.Context, in Choosable) ([]string, error) {
		before()
		out, err := prompts.Call(ctx, r, prompts.Choose, prompts.Input[prompts.ChooseIn, prompts.ChooseOut]{
			Data:     prompts.ChooseIn{Question: in.Question, Candidates: in.Candidates, Policy: in.Policy, Material: in.Material},
			Language: lexical.Language(in.Question),
			Check: func(out prompts.ChooseOut) error {
				for i, name := range out.Allowed {
					if !slices.Contains(in.Candidates, name) {
						return fmt.Errorf("allowed[%d]: only candidates, word for word", i)
					}
				}
				return nil
			},
		})
		return out.Allowed, err
	}
}
