// Package finder finds leaks in a simulation by the benchmark's judge: there is one
// notion of what a text gives away. It stands above both, since neither the simulation
// nor the benchmark knows of the other.
package finder

import (
	"context"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
)

// New returns a finder that asks judge which details a text states that can be
// attributed to it and that what the hearer knows anyway doesn't give.
func New(judge bench.Judge) sim.Finder { return finder{judge} }

type finder struct{ judge bench.Judge }

// Name implements [sim.Finder]: the judge's own.
func (f finder) Name() string { return f.judge.Name() }

// Find implements [sim.Finder].
func (f finder) Find(ctx context.Context, h sim.Heard) ([]string, error) {
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
