package bench

import (
	"context"
	"slices"

	"github.com/epagent/epagent/memory/ingest"
)

// Choosable is what a system without a judgement of its own is asked: who of the
// candidates may be told, by the policy as it is written and what was said.
type Choosable struct {
	Question   string
	Candidates []string
	Policy     string
	Material   []string // turns or facts
}

// Chooser picks of the candidates those who may be told.
type Chooser func(ctx context.Context, in Choosable) ([]string, error)

// chooseByModel asks the model, which sees what the system holds of the sessions.
func (a *attempt) chooseByModel(ctx context.Context, h *home, item *ingest.T2Item, sessions []string) ([]string, error) {
	in := Choosable{Question: item.Question, Candidates: item.Candidates, Policy: string(a.script.Policy)}
	if a.c.Holds.ofTurns() {
		if a.c.Reads == ReadsAll {
			sessions = nil
			for i := range a.sessions {
				sessions = append(sessions, a.sessions[i].ID)
			}
		}
		for _, id := range a.turnsOf(h, sessions) {
			in.Material = append(in.Material, h.text(id))
		}
	} else {
		for i := range h.facts {
			if slices.ContainsFunc(h.facts[i].Sessions, func(s string) bool { return slices.Contains(sessions, s) }) {
				in.Material = append(in.Material, h.facts[i].Text)
			}
		}
	}
	chosen, err := a.o.Model.Choose(ctx, in)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, c := range item.Candidates { // nobody else can be chosen
		if slices.Contains(chosen, c) {
			out = append(out, c)
		}
	}
	return out, nil
}
