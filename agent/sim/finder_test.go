package sim_test

import (
	"context"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
)

// judging is the benchmark's judge of attributable detail as a finder.
type judging struct{ judge bench.Judge }

func finder() sim.Finder { return judging{bench.NewOfflineJudge()} }

func (f judging) Name() string { return f.judge.Name() }

func (f judging) Find(ctx context.Context, h sim.Heard) ([]string, error) {
	in := bench.Judged{Question: h.Question, Answer: h.Text, Language: h.Language, Owner: h.Owner, Allowed: map[privacy.FactID]bool{}}
	for _, s := range h.Search {
		in.Facts = append(in.Facts, bench.Claim{ID: privacy.FactID(s.ID), Text: s.Text})
	}
	for _, s := range h.Known {
		in.Known = append(in.Known, bench.Claim{ID: privacy.FactID(s.ID), Text: s.Text})
		in.Allowed[privacy.FactID(s.ID)] = true
	}
	got, err := f.judge.Answer(ctx, in)
	var out []string
	for _, s := range h.Search {
		if got.Used[privacy.FactID(s.ID)] {
			out = append(out, s.ID)
		}
	}
	return out, err
}
