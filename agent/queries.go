package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// Why is a verdict with the whole way to it, for the owner.
type Why struct {
	Fact privacy.FactID `json:"fact"`
	Text string         `json:"text"`
	To   string         `json:"to"`
	privacy.Explanation
	// Marks are what counts of the fact's marks, each with where it comes from:
	// the rule, the turn, the setting.
	Marks []engine.Explained `json:"marks"`
	// Told are the facts by which the person knows parts of a combination already.
	Told []ToldPart `json:"told,omitempty"`
	// Waits says why a person whom the verdict lets in gets the fact only after the
	// owner's word (setting ask); "" where they get it at once.
	Waits string `json:"waits,omitempty"`
	// Changes are the single changes that would turn the verdict, the one that
	// opens least else first.
	Changes []privacy.Change `json:"changes"`
}

// Why tells how the verdict on a fact for a person comes about, and what would
// turn it. The name must be in the policy.
func (a *Agent) Why(ctx context.Context, id privacy.FactID, name string, at AsOf) (*Why, error) {
	w, err := a.worldAt(ctx, at)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	fact, i, err := w.need(id)
	if err != nil {
		return nil, err
	}
	r, err := w.known(name)
	if err != nil {
		return nil, err
	}
	entries, err := a.ledgerFor(ctx, w.at, w)
	if err != nil {
		return nil, err
	}
	judge := w.informed(entries)
	e := judge.Explain(i, r)
	changes := w.byCommand(judge.Changes(id, r, !e.Verdict.Allow), id, r)
	waits := ""
	if e.Verdict.Allow {
		if waits, err = a.waitsFor(ctx, w, id, r); err != nil {
			return nil, err
		}
	}
	return &Why{
		Waits: waits,
		Fact:  id, Text: fact.Text, To: r.Name(), Explanation: e,
		Told:    w.toldParts(entries, e.Combinations, r.Name()),
		Marks:   append([]engine.Explained{}, w.origins(id)...),
		Changes: append([]privacy.Change{}, changes...),
	}, nil
}

// byCommand says of changes of a list which rules of the policy put the person on it:
// those are what a command removes.
func (w *world) byCommand(changes []privacy.Change, id privacy.FactID, r privacy.Recipient) []privacy.Change {
	mark, _ := w.mark(id)
	for i := range changes {
		c := &changes[i]
		denies := c.Kind == privacy.ChangeUndeny || c.Kind == privacy.ChangeRegrant
		if !denies && c.Kind != privacy.ChangeUngrant {
			continue
		}
		var commands []string
		for _, ruleID := range mark.Rules {
			rule, ok := w.policy.Rule(ruleID)
			if !ok || rule.Denies() != denies || rule.Ended(w.now) {
				continue
			}
			names := func(party privacy.Party) bool {
				people, _ := w.policy.Resolve(party)
				return slices.Contains(people, r.ID())
			}
			if slices.ContainsFunc(rule.Parties(), names) {
				commands = append(commands, "`epagent policy remove-rule "+string(ruleID)+"`")
			}
		}
		if len(commands) > 0 {
			c.Describe += "; by rule: " + strings.Join(commands, " and ")
		}
	}
	return changes
}

// ToldPart is a fact by which somebody knows a part of a combination.
type ToldPart struct {
	Combination string         `json:"combination"`
	Part        string         `json:"part"`
	Fact        privacy.FactID `json:"fact,omitempty"` // "" for one that was forgotten
	To          string         `json:"to"`             // the person, or another of their circle
	At          time.Time      `json:"at,omitzero"`
}

// toldParts tells by which facts the known parts of combinations are known.
func (w *world) toldParts(entries []memory.LedgerEntry, combinations []privacy.CombinationTrace, name string) []ToldPart {
	var out []ToldPart
	for _, c := range combinations {
		for _, f := range w.toldBefore(entries).facts(name) {
			for _, part := range c.Known {
				p := ToldPart{Combination: c.ID, Part: part, Fact: f.fact, To: f.to, At: f.at}
				if slices.Contains(f.item.Categories, privacy.CategoryID(part)) || slices.Contains(f.item.Rules, privacy.RuleID(part)) {
					if same := func(q ToldPart) bool {
						return q.Part == part && q.Combination == c.ID && q.Fact == f.fact && q.To == f.to
					}; !slices.ContainsFunc(out, same) {
						out = append(out, p)
					}
				}
			}
		}
	}
	return out
}

// Who is everybody who may learn one fact.
type Who struct {
	Fact  privacy.FactID   `json:"fact"`
	Text  string           `json:"text"`
	Label privacy.Label    `json:"label"`
	Who   []privacy.Access `json:"who"`
}

// Who tells for a fact, or for the facts about a topic, who may learn it and why.
func (a *Agent) Who(ctx context.Context, subject string, at AsOf) ([]Who, error) {
	w, err := a.worldAt(ctx, at)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	ids := []privacy.FactID{privacy.FactID(subject)}
	if _, ok := w.fact(ids[0]); !ok {
		if ids, err = a.about(ctx, w, subject, 0, nil); err != nil {
			return nil, err
		}
	}
	entries, err := a.ledgerFor(ctx, w.at, w)
	if err != nil {
		return nil, err
	}
	judge := w.informed(entries)
	out := []Who{}
	for _, id := range ids {
		fact, i, err := w.need(id)
		if err != nil {
			return nil, err
		}
		out = append(out, Who{Fact: id, Text: fact.Text, Label: w.label(id), Who: append([]privacy.Access{}, judge.Who(i)...)})
	}
	return out, nil
}

// Knows is everything that one person may learn.
type Knows struct {
	Name       string          `json:"name"`
	Total      int             `json:"total"` // pairs of a category and a fact
	Page       int             `json:"page"`
	Pages      int             `json:"pages"`
	Categories []KnownCategory `json:"categories"`
}

// KnownCategory is what somebody may know of one category.
type KnownCategory struct {
	Category privacy.CategoryID `json:"category"` // "" for facts without one
	Facts    []KnownFact        `json:"facts"`
}

// KnownFact is one of them.
type KnownFact struct {
	ID     privacy.FactID `json:"id"`
	Text   string         `json:"text"`
	Label  privacy.Label  `json:"label"`
	Reason privacy.Reason `json:"reason"`
}

// Knows lists everything that a person may learn, by category in the order of the
// policy. Pages count from 1; size is how many facts a page holds, 0 means 50.
func (a *Agent) Knows(ctx context.Context, name string, page, size int, at AsOf) (*Knows, error) {
	w, err := a.worldAt(ctx, at)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	reader := privacy.Recipient{} // what anybody may know
	if strings.TrimSpace(name) != "" {
		if reader, err = w.known(name); err != nil {
			return nil, err
		}
	}
	if size <= 0 {
		size = 50
	}
	page = max(page, 1)
	out := &Knows{Name: reader.Name(), Page: page, Categories: []KnownCategory{}}
	entries, err := a.ledgerFor(ctx, w.at, w)
	if err != nil {
		return nil, err
	}
	judge := w.informed(entries)
	for _, k := range judge.KnowsByCategory(reader) {
		group := KnownCategory{Category: k.Category}
		for _, id := range k.Facts {
			if out.Total/size+1 == page {
				fact, i, err := w.need(id)
				if err != nil {
					return nil, err
				}
				group.Facts = append(group.Facts, KnownFact{ID: id, Text: fact.Text, Label: judge.Label(i), Reason: judge.Decide(i, reader).Reason})
			}
			out.Total++
		}
		if len(group.Facts) > 0 {
			out.Categories = append(out.Categories, group)
		}
	}
	out.Pages = (out.Total + size - 1) / size
	if page > 1 && page > out.Pages {
		return nil, fmt.Errorf("page %d: %w: the last page is %d", page, ErrPage, max(out.Pages, 1))
	}
	return out, nil
}
