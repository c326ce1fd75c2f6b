package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// ErrUnknownAsk says that no such question waits.
var ErrUnknownAsk = errors.New("no such question waits")

// onceFor is how long a grant for once holds: long enough to ask again, short
// enough to be no habit.
const onceFor = 24 * time.Hour

// Asked is a question of somebody's that waits for the owner.
type Asked struct {
	ID       string      `json:"id"`
	To       []string    `json:"to"` // who asked
	Question string      `json:"question"`
	Why      string      `json:"why"`
	Times    int         `json:"times"`
	At       time.Time   `json:"at"`
	Facts    []AskedFact `json:"facts"`
}

// AskedFact is one fact that the question touched.
type AskedFact struct {
	ID    privacy.FactID `json:"id"`
	Text  string         `json:"text"`
	Label privacy.Label  `json:"label"`
}

// Asks lists the questions that wait for the owner, oldest first.
func (a *Agent) Asks(ctx context.Context) ([]Asked, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := a.store.Asks(ctx, true)
	if err != nil {
		return nil, err
	}
	out := []Asked{}
	for _, s := range stored {
		q := Asked{ID: s.ID, To: s.To, Question: s.Question, Why: s.Why, Times: s.Times, At: s.At, Facts: []AskedFact{}}
		for _, id := range s.Facts {
			if fact, ok := w.fact(id); ok {
				q.Facts = append(q.Facts, AskedFact{ID: id, Text: fact.Text, Label: w.label(id)})
			}
		}
		if len(q.Facts) > 0 { // else all of it was dropped since
			out = append(out, q)
		}
	}
	return out, nil
}

// AskAnswer is what the owner decides on a question that waits.
type AskAnswer struct {
	Kind  string          // AskOnce, AskPerson, AskGroup, AskNo or AskSkip
	Group privacy.GroupID // of AskGroup; one of those who asked must be in it
}

// AnswerAsk decides on a question that waits. All but AskSkip become lines of the
// policy, a rule for each fact with a note that says where it comes from, by the
// way of every change of the policy: what lets somebody learn more needs agreed,
// and without it the plan comes back with ErrWidens. Whoever asked gets nothing by
// itself; the next question is answered by the new rules.
func (a *Agent) AnswerAsk(ctx context.Context, id string, answer AskAnswer, agreed bool) (*PolicyPlan, error) {
	asks, err := a.Asks(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(asks, func(q Asked) bool { return q.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("%w: %q; `epagent review` lists them", ErrUnknownAsk, id)
	}
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	edits, who, err := w.rulesFor(&asks[i], answer, a.opts.Now())
	if err != nil {
		return nil, err
	}
	var plan *PolicyPlan
	if len(edits) == 0 {
		plan, err = a.plan(ctx, w, w.policy.Source()) // which changes nothing
	} else if opens := opened(edits); len(opens) > 0 && !agreed {
		// A fact that waited for the word alone is open by its label: no verdict turns,
		// and yet somebody learns it now.
		edited, editErr := w.policy.Edit(edits...)
		if editErr != nil {
			return nil, editErr
		}
		if plan, err = a.plan(ctx, w, edited.Source()); err == nil {
			plan.Opens = opens
			err = fmt.Errorf("%w: %s", ErrWidens, strings.Join(opens, "; "))
		}
	} else {
		plan, err = a.EditPolicy(ctx, who, fmt.Sprintf("review answer %s: %s", id, answer.Kind), agreed, edits...)
	}
	if err != nil {
		return plan, err
	}
	return plan, a.store.AnswerAsk(ctx, id, answer.Kind, a.opts.Now())
}

// opened says for each grant of an answer who gets what.
func opened(edits []privacy.Edit) []string {
	var out []string
	for _, e := range edits {
		if add, ok := e.(privacy.AddRule); ok && !add.Rule.Denies() {
			out = append(out, fmt.Sprintf("%s is told %s when they ask", quoted(add.Rule.Allow), add.Rule.Fact))
		}
	}
	return out
}

func quoted(list []privacy.Party) string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%q", string(p)))
	}
	return strings.Join(out, ", ")
}

// rulesFor turns an answer into rules of the policy, and says for whom they are.
// Those that are there already are not written twice.
func (w *world) rulesFor(q *Asked, answer AskAnswer, now time.Time) ([]privacy.Edit, []privacy.Party, error) {
	var who []privacy.Party
	var strangers []string
	for _, name := range q.To {
		if p, ok := w.policy.Person(name); ok {
			who = append(who, privacy.Party(p.ID))
		} else {
			strangers = append(strangers, name)
		}
	}
	rule := privacy.Rule{Note: fmt.Sprintf("asked by %s on %s, answered: %s", strings.Join(q.To, ", "), q.At.Format(time.DateOnly), answer.Kind)}
	switch answer.Kind {
	case AskSkip:
		return nil, nil, nil
	case AskNo:
		rule.Deny = who // a stranger is denied anyway, and isn't asked about again
	case AskOnce:
		rule.Allow, rule.Until = who, now.Add(onceFor).UTC().Truncate(time.Second)
	case AskPerson:
		rule.Allow = who
	case AskGroup:
		inside := slices.ContainsFunc(who, func(p privacy.Party) bool {
			return slices.Contains(w.policy.Members(answer.Group), privacy.PersonID(p))
		})
		if !inside {
			return nil, nil, fmt.Errorf("%w: %q is no group of %s", ErrUnknownPerson, answer.Group, strings.Join(q.To, ", "))
		}
		who = []privacy.Party{privacy.GroupParty(answer.Group)}
		rule.Allow = who
	default:
		return nil, nil, fmt.Errorf("%w: answer %q; one of %s", ErrDecision, answer.Kind, strings.Join([]string{AskOnce, AskPerson, AskGroup, AskNo, AskSkip}, ", "))
	}
	if len(strangers) > 0 && answer.Kind != AskNo && answer.Kind != AskGroup {
		return nil, nil, fmt.Errorf("%w: %q; add them to policy.yaml first (`epagent policy person add`)", ErrUnknownPerson, strangers[0])
	}
	if len(who) == 0 {
		return nil, nil, nil
	}
	var edits []privacy.Edit
	for _, f := range q.Facts {
		r := rule
		r.Fact = f.ID
		if !slices.ContainsFunc(w.policy.Rules(), func(have privacy.Rule) bool { return sameRule(have, r) }) {
			edits = append(edits, privacy.AddRule{Rule: r})
		}
	}
	return edits, who, nil
}

// sameRule reports whether two rules about one fact say the same.
func sameRule(a, b privacy.Rule) bool {
	return a.Fact == b.Fact && slices.Equal(a.Allow, b.Allow) && slices.Equal(a.Deny, b.Deny) && a.Until.Equal(b.Until) &&
		len(a.Categories) == 0 && a.About == "" && a.Mentions == "" && a.Event == ""
}
