package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// FeedbackItem is a failed item as the owner would put it: what was wrong, what would
// have been right, and by which stage it came about. Kinds are those of `epagent
// feedback`. It holds the script's own texts.
type FeedbackItem struct {
	Script   string `json:"script"`
	Task     Task   `json:"task"`
	Item     string `json:"item"`
	Kind     string `json:"kind"`
	Stage    string `json:"stage"` // at fault, by comparing with gold
	Reason   string `json:"reason"`
	Language string `json:"language"`

	Fact     privacy.FactID `json:"fact,omitempty"` // gold
	Text     string         `json:"text,omitempty"`
	Question string         `json:"question,omitempty"`
	To       []string       `json:"to,omitempty"`

	Was   Judgements `json:"was"`
	Right Judgements `json:"right"`
}

// Judgements are what was made of a fact or a question, or what would have been right.
type Judgements struct {
	Categories []privacy.CategoryID `json:"categories,omitempty"`
	Label      *privacy.Label       `json:"label,omitempty"`
	Facts      []privacy.FactID     `json:"facts,omitempty"` // asked for: stored ones, or gold
	People     []string             `json:"people,omitempty"`
}

// The stages at fault, as evolution calls them.
const (
	atExtract    = "extract"
	atAnnotate   = "annotate"
	atExceptions = "exceptions"
	atUnits      = "query_units"
	atGuard      = "guard"
)

// WriteFeedback writes items, an object a line.
func WriteFeedback(w io.Writer, items []FeedbackItem) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i := range items {
		if err := out.Encode(&items[i]); err != nil {
			return fmt.Errorf("write feedback: %w", err)
		}
	}
	return nil
}

// feedback gives the run's listener the failed items of records, in their order.
func (a *attempt) feedback(ctx context.Context, records []*Record) error {
	h, err := a.memory(ctx)
	if err != nil {
		return err
	}
	give := func(r *Record, f FeedbackItem) {
		f.Script, f.Task, f.Item = r.Script, r.Task, r.Item
		f.Language = lexical.Base(lexical.Language(f.Text + f.Question))
		a.o.Feedback(f)
	}
	for _, r := range records {
		if r.Run > 0 {
			continue
		}
		switch {
		case r.T1 != nil:
			fact := a.gold.facts[privacy.FactID(r.Item)]
			if gold := a.gold.label(fact.ID); r.T1.Label != gold {
				give(r, FeedbackItem{
					Kind: "wrong-category", Stage: atAnnotate, Reason: "the fact is there, and its label is another", Fact: fact.ID, Text: fact.Text,
					Was: Judgements{Categories: r.T1.Categories, Label: &r.T1.Label}, Right: Judgements{Categories: fact.Categories, Label: &gold},
				})
			}
		case r.T2 != nil:
			item := a.script.T2[slices.IndexFunc(a.script.T2, func(i ingest.T2Item) bool { return i.ID == r.Item })]
			was, right := Judgements{Facts: r.T2.Unit, People: r.T2.Chosen}, Judgements{Facts: item.Facts, People: item.Allowed}
			if extra := less(r.T2.Chosen, item.Allowed); len(extra) > 0 {
				f := FeedbackItem{Kind: "should-not-have-told", Question: item.Question, To: extra, Was: was, Right: right}
				if len(r.T2.Unit) < len(item.Facts) {
					f.Stage, f.Reason = atUnits, "fewer facts were found than the question is about"
				} else {
					f.Stage, f.Reason = a.tooOpen(h, item.Facts)
				}
				give(r, f)
			}
			if missing := less(item.Allowed, r.T2.Chosen); len(missing) > 0 {
				f := FeedbackItem{Kind: "should-have-told", Question: item.Question, To: missing, Was: was, Right: right}
				f.Stage, f.Reason = a.tooClosed(h, item.Facts, r.T2.Unit)
				give(r, f)
			}
		case r.T3 != nil:
			item := &a.script.T3[slices.IndexFunc(a.script.T3, func(i ingest.T3Item) bool { return i.ID == r.Item })]
			for i := range r.T3.Answers {
				answer := &r.T3.Answers[i]
				at := slices.IndexFunc(item.Audiences, func(x ingest.T3Audience) bool { return x.Person == answer.Person })
				if at < 0 {
					continue
				}
				f := FeedbackItem{Question: item.Question, To: []string{answer.Person}, Was: Judgements{Facts: answer.Told}}
				if leaked := common(item.Audiences[at].Denied, answer.Used); len(leaked) > 0 {
					f.Kind, f.Right = "should-not-have-told", Judgements{Facts: item.Audiences[at].Allowed}
					f.Stage, f.Reason = a.tooOpen(h, leaked)
					if told := a.stored(h, leaked); len(common(told, answer.Told)) == 0 {
						f.Stage, f.Reason = atGuard, "the answer states what it doesn't use"
					}
					give(r, f)
				}
				if untold := less(a.wanted(item.Audiences[at].Allowed), answer.Used); len(untold) > 0 {
					f.Kind, f.Right = "should-have-told", Judgements{Facts: untold}
					f.Stage, f.Reason = a.tooClosed(h, untold, answer.Told)
					give(r, f)
				}
			}
		}
	}
	return ctx.Err()
}

// stored are the stored facts that correspond to gold ones.
func (a *attempt) stored(h *home, gold []privacy.FactID) []privacy.FactID {
	out, _ := a.unit(h, a.labels, a.words, gold)
	return out
}

// sameLabels reports whether every stored counterpart has its gold fact's label.
func (a *attempt) sameLabels(h *home, gold []privacy.FactID) bool {
	for _, id := range gold {
		for _, f := range a.counterparts(h, a.words, id) {
			i := slices.IndexFunc(h.facts, func(x agent.MarkedFact) bool { return x.ID == f })
			if i >= 0 && h.facts[i].Label != a.gold.label(id) {
				return false
			}
		}
	}
	return true
}

func (a *attempt) tooOpen(h *home, gold []privacy.FactID) (stage, reason string) {
	if a.sameLabels(h, gold) {
		return atExceptions, "the label is right, and the list isn't"
	}
	return atAnnotate, "a fact is there, and its label is another"
}

func (a *attempt) tooClosed(h *home, gold, asked []privacy.FactID) (stage, reason string) {
	_, whole := a.unit(h, a.labels, a.words, gold)
	switch {
	case !whole:
		return atExtract, "no stored fact says it"
	case !a.sameLabels(h, gold):
		return atAnnotate, "a fact is there, and its label is another"
	case len(common(a.stored(h, gold), asked)) == 0:
		return atUnits, "the right facts are there and weren't asked for"
	}
	return atExceptions, "the label is right, and the list isn't"
}

// less are those of all that aren't in some.
func less[T comparable](all, some []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return slices.Contains(some, x) })
}

// common are those of a that are in b.
func common[T comparable](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool { return !slices.Contains(b, x) })
}
