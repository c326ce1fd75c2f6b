package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// teach keeps a decision as exemplars (MARKS 12), each with the fact that it comes
// from and its time. What an earlier decision on the same fact taught goes. Labels
// and exceptions are of one fact and teach nothing.
func (a *Agent) teach(ctx context.Context, w *world, ids []privacy.FactID, d Decision) ([]int64, error) {
	taught := []int64{}
	if !d.NotFact && len(d.Categories) == 0 {
		return taught, nil
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return taught, err
	}
	// The annotator asks the latest of equals first: the strictest category is taught
	// last, so that it is the one that counts where only one does.
	categories := slices.Clone(d.Categories)
	slices.SortStableFunc(categories, func(x, y privacy.CategoryID) int {
		switch lx, ly := w.categoryLabel(x), w.categoryLabel(y); {
		case stricter(ly, lx):
			return -1
		case stricter(lx, ly):
			return 1
		}
		return 0
	})
	for _, id := range ids {
		fact, ok := w.fact(id)
		if !ok {
			continue
		}
		lessons := []memory.Exemplar{{Text: fact.Text, NotFact: true, Fact: id, At: a.opts.Now()}}
		if !d.NotFact {
			lessons = lessons[:0]
			for _, c := range categories {
				lessons = append(lessons, memory.Exemplar{Text: fact.Text, Category: c, Fact: id, At: a.opts.Now()})
			}
		}
		for _, e := range stored {
			if e.Fact != id {
				continue
			}
			if err := a.store.RemoveExemplar(ctx, e.ID); err != nil && !errors.Is(err, memory.ErrNotFound) {
				return taught, err
			}
		}
		for _, e := range lessons {
			key, err := a.store.AddExemplar(ctx, e)
			if err != nil {
				return taught, err
			}
			taught = append(taught, key)
		}
	}
	return taught, nil
}

// Taught is something that the annotator learned from the owner.
type Taught struct {
	memory.Exemplar
	// Facts are the stored facts that got their category by it alone.
	Facts []privacy.FactID `json:"facts"`
	// Unknown says that the policy no longer has the category: it teaches nothing.
	Unknown bool `json:"unknown,omitempty"`
}

// Taught lists what the owner's answers taught the annotator, the oldest first.
func (a *Agent) Taught(ctx context.Context) ([]Taught, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	out := []Taught{}
	for _, e := range stored {
		_, known := w.policy.Category(e.Category)
		out = append(out, Taught{Exemplar: e, Facts: nonNil(w.restingOn(e)), Unknown: !known && !e.NotFact})
	}
	return out, nil
}

// restingOn returns the facts whose category an exemplar gave alone.
func (w *world) restingOn(e memory.Exemplar) []privacy.FactID {
	var out []privacy.FactID
	for i := range w.facts {
		if slices.ContainsFunc(w.facts[i].Marks, func(m privacy.Mark) bool { return isAuto(m, e) }) {
			out = append(out, w.facts[i].ID)
		}
	}
	return out
}

// autoRule begins the rule of a category mark that an exemplar gave alone, in place
// of what the annotator would have said; what follows is the exemplar's fact.
const autoRule = ruleTaught + " auto, from "

// isAuto reports whether a mark is a category that the exemplar gave alone.
func isAuto(m privacy.Mark, e memory.Exemplar) bool {
	return m.Kind == privacy.MarkCategory && m.By == privacy.ByExemplar && e.Fact != "" &&
		m.Rule == autoRule+string(e.Fact) && m.Value == string(e.Category)
}

// AutoItem is a fact that got its category from something the owner taught, with
// nobody asked.
type AutoItem struct {
	ID        privacy.FactID     `json:"id"`
	Text      string             `json:"text"`
	Category  privacy.CategoryID `json:"category"`
	Label     privacy.Label      `json:"label"`
	From      privacy.FactID     `json:"from"`     // the fact whose review taught it
	Exemplar  int64              `json:"exemplar"` // 0: taken back since
	Score     float64            `json:"score"`    // how like the two are, 0..1
	Opens     []string           `json:"opens"`    // who knows it by that category
	Strangers bool               `json:"strangers,omitempty"`
}

// Auto lists the facts that got their category from the owner's earlier answers
// alone, the latest first (MARKS 12). A fact that the owner has decided on since is
// not among them.
func (a *Agent) Auto(ctx context.Context) ([]AutoItem, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	out := []AutoItem{}
	var said []privacy.Stamp
	for i := range w.facts {
		f := &w.facts[i]
		for _, m := range f.Marks {
			from, auto := strings.CutPrefix(m.Rule, autoRule)
			if !auto || m.Kind != privacy.MarkCategory || m.By != privacy.ByExemplar || decidedByHand(&f.Record) {
				continue
			}
			item := AutoItem{
				ID: f.ID, Text: f.Text, Category: privacy.CategoryID(m.Value), Label: w.label(f.ID),
				From: privacy.FactID(from), Score: m.Score, Opens: []string{},
			}
			for _, e := range stored {
				if isAuto(m, e) {
					item.Exemplar = e.ID
				}
			}
			for _, who := range w.judge.Who(i) {
				switch {
				case who.Verdict.Reason != privacy.ReasonDefault:
				case who.Person == "":
					item.Strangers = true
				default:
					item.Opens = append(item.Opens, who.Name)
				}
			}
			out, said = append(out, item), append(said, f.SaidAt)
		}
	}
	at := make([]int, len(out))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return said[j].Compare(said[i]) })
	sorted := make([]AutoItem, len(out))
	for k, i := range at {
		sorted[k] = out[i]
	}
	return sorted, nil
}

// decidedByHand reports whether the owner has said by hand what a fact is about or
// how far it may travel.
func decidedByHand(r *privacy.Record) bool {
	return slices.ContainsFunc(r.Marks, func(m privacy.Mark) bool {
		return m.By == privacy.ByHand && (m.Kind == privacy.MarkCategory || m.Kind == privacy.MarkLabel || m.Kind == privacy.MarkClosed)
	})
}

// Untaught is what taking an exemplar back did, or would do.
type Untaught struct {
	Exemplar memory.Exemplar `json:"exemplar"`
	// Facts are those that lost the category it gave them, and wait for the owner.
	Facts    []privacy.FactID     `json:"facts"`
	Widened  []privacy.PairChange `json:"widened"`
	Narrowed []privacy.PairChange `json:"narrowed"`
	Loosened []privacy.Apart      `json:"loosened,omitempty"` // held back by a combination until now
	Done     bool                 `json:"done"`
}

// Untaught takes an exemplar back: the annotator no longer knows it, and the facts
// that got their category by it alone lose that and go to the review. Categories
// that it only added stay, since they can only tighten. Like EditFact it refuses
// with ErrWidens what was not agreed to.
func (a *Agent) Untaught(ctx context.Context, exemplar int64, agreed bool) (*Untaught, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	stored, err := a.store.Exemplars(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(stored, func(e memory.Exemplar) bool { return e.ID == exemplar })
	if at < 0 {
		return nil, fmt.Errorf("exemplar %d: %w; `epagent review taught` lists them", exemplar, ErrUnknownExemplar)
	}
	e := stored[at]
	out := &Untaught{Exemplar: e, Facts: nonNil(w.restingOn(e))}
	now := a.opts.Now()
	takeBack := func(f *memory.Fact) {
		f.Marks = slices.DeleteFunc(slices.Clone(f.Marks), func(m privacy.Mark) bool { return isAuto(m, e) })
		f.Marks = append(f.Marks, privacy.Mark{
			Kind: privacy.MarkReview, Value: "what gave it its category was taken back", By: privacy.ByMachine, Rule: ruleCategory, At: now,
		})
	}
	facts := slices.Clone(w.facts)
	for _, id := range out.Facts {
		takeBack(&facts[w.byID[id]])
	}
	plan, err := a.difference(ctx, w, newWorld(w.policy, facts, w.rules, now))
	if err != nil {
		return nil, err
	}
	out.Widened, out.Narrowed, out.Loosened = nonNil(plan.Shown), nonNil(plan.Hidden), plan.Loosened
	if plan.Widens() && !agreed {
		return out, widens(plan)
	}
	for _, id := range out.Facts {
		err := a.store.UpdateFact(ctx, id, func(f *memory.Fact) error {
			takeBack(f)
			return nil
		})
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return out, fmt.Errorf("take back the category of %s: %w", id, err)
		}
	}
	// Last, so that what fails on the way can be done again.
	if err := a.store.RemoveExemplar(ctx, exemplar); err != nil {
		return out, err
	}
	out.Done = true
	return out, nil
}

// ErrUnknownExemplar says that nothing that was taught has this id.
var ErrUnknownExemplar = errors.New("nothing was taught under this id")
