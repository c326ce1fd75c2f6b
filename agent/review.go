package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// ReviewItem is a fact that waits for the owner.
type ReviewItem struct {
	ID       privacy.FactID       `json:"id"`
	Text     string               `json:"text"`
	Why      string               `json:"why"`
	Guess    []privacy.CategoryID `json:"guess"` // what the annotator took it for
	Label    privacy.Label        `json:"label"`
	Speaker  string               `json:"speaker,omitempty"`
	SaidAt   *string              `json:"said_at"`
	Session  string               `json:"session"`
	Evidence []string             `json:"evidence"`
}

// Review lists the facts that the annotator wasn't sure of: newest first.
func (a *Agent) Review(ctx context.Context) ([]ReviewItem, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	out := []ReviewItem{}
	var order []privacy.Stamp
	for i := range w.facts {
		f := &w.facts[i]
		why, waits := waitsForReview(&f.Record)
		if !waits {
			continue
		}
		mark, _ := w.mark(f.ID)
		out = append(out, ReviewItem{
			ID: f.ID, Text: f.Text, Why: why, Guess: append([]privacy.CategoryID{}, mark.Categories...),
			Label: w.label(f.ID), Speaker: f.Speaker, SaidAt: stampText(f.SaidAt), Session: f.Session,
			Evidence: append([]string{}, f.Evidence...),
		})
		order = append(order, f.SaidAt)
	}
	index := make([]int, len(out))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(i, j int) int { return order[j].Compare(order[i]) })
	sorted := make([]ReviewItem, len(out))
	for i, j := range index {
		sorted[i] = out[j]
	}
	return sorted, nil
}

// Decision is the owner's answer to a review.
type Decision struct {
	Edit
	NotFact bool // it is no fact: it goes, and the annotator skips its like
}

// Decide applies the owner's answer to one fact and teaches the annotator by it
// (MARKS 12). Like EditFact it refuses with ErrWidens what was not agreed to.
func (a *Agent) Decide(ctx context.Context, id privacy.FactID, d Decision, agreed bool) (*Edited, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	fact, ok := w.fact(id)
	if !ok {
		return nil, fmt.Errorf("%w: %q; `epagent review` lists what waits", ErrUnknownFact, id)
	}
	if d.NotFact {
		if _, err := a.store.AddExemplar(ctx, memory.Exemplar{Text: fact.Text, NotFact: true, At: a.opts.Now()}); err != nil {
			return nil, err
		}
		out := &Edited{Fact: id, Narrowed: []privacy.PairChange{}, Widened: []privacy.PairChange{}}
		err := a.store.DropFact(ctx, id)
		out.Applied = err == nil
		return out, err
	}
	out, err := a.EditFact(ctx, id, d.Edit, agreed)
	if err != nil {
		return out, err
	}
	for _, c := range d.Categories {
		if _, err := a.store.AddExemplar(ctx, memory.Exemplar{Text: fact.Text, Category: c, Fact: id, At: a.opts.Now()}); err != nil {
			return out, fmt.Errorf("the fact is changed, but the annotator could not be taught: %w", err)
		}
	}
	return out, nil
}

// ParseLabel reads "L2", "2", "2/work" or "L2/work".
func ParseLabel(text string, p *privacy.Policy) (privacy.Label, error) {
	level, domain, bound := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "L"), "/")
	if len(level) != 1 || level[0] < '0' || level[0] > '4' {
		return privacy.Label{}, fmt.Errorf("label %q: want a level 0 to 4, and a domain if any, as in 2/work", text)
	}
	l := privacy.Label{Level: privacy.Level(level[0] - '0')}
	if bound {
		if !slices.Contains(p.Domains(), privacy.Domain(domain)) {
			return privacy.Label{}, fmt.Errorf("label %q: the policy has no domain %q", text, domain)
		}
		l.Domain = privacy.Domain(domain)
	}
	return l, nil
}
