package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// RecallRequest asks the memory for facts. It is the owner's, also with As: it
// then shows what that person may know.
type RecallRequest struct {
	Query string
	As    []Reader // nil: the owner's view, everything
	Limit int      // 0 means 10
	// AsOf leaves out what was said later and ranks by what held then; zero: now.
	AsOf time.Time
}

// Recalled is a ranked list of facts.
type Recalled struct {
	Query string         `json:"query"`
	As    *string        `json:"as"` // null: the owner
	Facts []RecalledFact `json:"facts"`
	More  bool           `json:"more,omitempty"` // there are more than Limit
	// Degraded is DegradedHost where the native host didn't answer and the facts are
	// ranked without it; HostFault says why.
	Degraded  []string `json:"degraded,omitempty"`
	HostFault error    `json:"-"`
	// Stale says why the labels are not those of the policy in force; nil as a rule.
	Stale error `json:"-"`
}

// DegradedHost stands in Degraded for the native host.
const DegradedHost = "host"

// RecalledFact is one fact with its label, source and scores.
type RecalledFact struct {
	ID         privacy.FactID       `json:"id"`
	Text       string               `json:"text"`
	Score      float64              `json:"score"`
	Native     memory.NativeScore   `json:"native"`
	Event      memory.EventScore    `json:"event_score"`
	Label      privacy.Label        `json:"label"`
	Categories []privacy.CategoryID `json:"categories"`
	Session    string               `json:"session"`
	HappenedAt *string              `json:"happened_at"`
	SaidAt     *string              `json:"said_at"`
	Speaker    string               `json:"speaker,omitempty"`
	Trusted    bool                 `json:"trusted"`
	Truth      string               `json:"truth"`
	Source     string               `json:"source,omitempty"`
	// SupersededBy is the later fact that says how it is now; "" while this one holds.
	SupersededBy privacy.FactID `json:"superseded_by,omitempty"`
}

// Recall ranks facts for a question. Without As it ranks over everything and also
// works while the policy file is broken; with As it ranks over what those readers
// may know, and what they may not know shapes nothing of it.
func (a *Agent) Recall(ctx context.Context, req RecallRequest) (*Recalled, error) {
	if strings.TrimSpace(req.Query) == "" {
		return nil, fmt.Errorf("question: %w", ErrEmpty)
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	out := &Recalled{Query: req.Query, Facts: []RecalledFact{}, Stale: w.stale}
	limit := req.Limit
	if limit <= 0 {
		limit = 10
	}
	query := memory.Query{Text: engine.Expand(req.Query), K: limit + 1, Near: true, Today: a.today()}
	if len(req.As) > 0 {
		if w.stale != nil {
			return nil, w.stale
		}
		var names []string
		for _, r := range req.As {
			names = append(names, r.Name)
		}
		as := strings.Join(names, ", ")
		out.As = &as
		if query.Keep, err = a.keepTold(ctx, w, req.As); err != nil {
			return nil, err
		}
	}
	if !req.AsOf.IsZero() {
		query.Keep, query.Today = w.saidBy(req.AsOf, query.Keep), req.AsOf.Format(time.DateOnly)
	}
	found, err := a.ask(ctx, a.recall, w, query)
	if errors.Is(err, memory.ErrHost) {
		out.HostFault = err
		out.Degraded = append(out.Degraded, DegradedHost)
		found, err = a.ask(ctx, a.eventSide, w, query)
	}
	if err != nil {
		return nil, err
	}
	hits := found.hits
	if len(hits) > limit {
		hits, out.More = hits[:limit], true
	}
	for _, hit := range hits {
		fact, ok := w.fact(hit.Fact)
		if !ok {
			continue // stored since w was read; the next request sees it
		}
		one := w.recalled(fact, hit)
		one.SupersededBy = found.superseded[fact.ID]
		out.Facts = append(out.Facts, one)
	}
	return out, nil
}

func (w *world) recalled(fact *memory.Fact, hit memory.Hit) RecalledFact {
	mark, _ := w.mark(fact.ID)
	return RecalledFact{
		ID: fact.ID, Text: fact.Text,
		Score: hit.Score, Native: hit.Native, Event: hit.Event,
		Label: w.label(fact.ID), Categories: append([]privacy.CategoryID{}, mark.Categories...),
		Session:    fact.Session,
		HappenedAt: stampText(fact.HappenedAt), SaidAt: stampText(fact.SaidAt),
		Speaker: fact.Speaker, Trusted: mark.Trusted, Truth: mark.Truth.String(),
		Source: fact.Source.Name,
	}
}

// stampText writes an instant as RFC 3339, a wall clock without a zone as it is,
// and nil where nothing is known.
func stampText(s privacy.Stamp) *string {
	var text string
	switch {
	case !s.Instant.IsZero():
		text = s.Instant.Format("2006-01-02T15:04:05Z07:00")
	case s.Local != "":
		text = s.Local
	default:
		return nil
	}
	return &text
}
