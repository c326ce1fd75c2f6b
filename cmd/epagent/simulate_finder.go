package main

import (
	"context"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
)

// detailFinder is the benchmark's judge of attributable detail as what finds leaks in a
// simulation: there is one notion of what a text gives away.
type detailFinder struct{ judge bench.Judge }

var _ sim.Finder = detailFinder{}

// Name implements [sim.Finder].
func (f detailFinder) Name() string { return f.judge.Name() }

// Find implements [sim.Finder].
func (f detailFinder) Find(ctx context.Context, h sim.Heard) ([]string, error) {
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
