package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// MarkedFact is a stored fact with its marks as the calculus judges them.
type MarkedFact struct {
	memory.Fact
	Judged privacy.Fact
	Label  privacy.Label
}

// Facts lists every stored fact, by id, for the owner.
func (a *Agent) Facts(ctx context.Context) ([]MarkedFact, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]MarkedFact, len(w.facts))
	for i := range w.facts {
		out[i] = MarkedFact{Fact: w.facts[i], Judged: w.marks[i], Label: w.label(w.facts[i].ID)}
	}
	return out, nil
}

// RankSessions ranks the stored sessions for a question, at most k, by host and event
// facts with the given weights; β = 0 is the host alone. It is the owner's.
func (a *Agent) RankSessions(ctx context.Context, question string, k int, weights memory.Weights) ([]memory.SessionHit, error) {
	if strings.TrimSpace(question) == "" {
		return nil, fmt.Errorf("question: %w", ErrEmpty)
	}
	overlay, err := memory.NewOverlay(a.recall, weights)
	if err != nil {
		return nil, err
	}
	return overlay.Sessions(ctx, question, k)
}

// Placed is which categories a statement would get, and the label that they make.
type Placed struct {
	Categories []privacy.CategoryID `json:"categories"` // none: not sure, so for nobody
	Label      privacy.Label        `json:"label"`
}

// Place tells which categories a statement would get if it were learned from the
// given stored sessions, and the label of those categories: what no list, setting or
// hand has changed yet. It stores nothing, and is the owner's.
func (a *Agent) Place(ctx context.Context, statement string, sessions []string) (*Placed, error) {
	if strings.TrimSpace(statement) == "" {
		return nil, fmt.Errorf("statement: %w", ErrEmpty)
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	l, err := a.newLearner(ctx)
	if err != nil {
		return nil, err
	}
	in := engine.Session{Drafts: []privacy.Record{{ID: "statement", Text: statement, Speaker: l.owner, OwnerSaid: true}}}
	for _, id := range sessions {
		s, err := a.store.Session(ctx, id)
		if err != nil {
			return nil, err
		}
		in.ID = s.ID
		in.Utterances = append(in.Utterances, utterances(s)...)
		in.Drafts[0].Session, in.Drafts[0].SaidAt = s.ID, s.Start
	}
	marks, err := l.stages.Annotator.Annotate(ctx, w.policy, in, l.exemplars)
	if err != nil {
		return nil, err
	}
	out := &Placed{Categories: []privacy.CategoryID{}}
	if len(marks) != 1 {
		return out, nil
	}
	in.Drafts[0].Marks = marks[0]
	judged := engine.Effective(w.policy, in.Drafts, nil)
	out.Categories = append(out.Categories, slices.Clone(judged[0].Categories)...)
	out.Label = privacy.NewJudge(w.policy, judged).CategoryLabel(0)
	return out, nil
}

// StoreSize returns how much the home holds.
func (a *Agent) StoreSize(ctx context.Context) (memory.Size, error) { return a.store.Size(ctx) }
