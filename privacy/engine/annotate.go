package engine

import (
	"context"
	"math"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Annotate implements [Annotator] by the words of the policy's categories, the
// built-in themes and the owner's earlier corrections. It never fails on what a
// draft says: what it can't place gets no category and a review.
func (o *Offline) Annotate(ctx context.Context, p *privacy.Policy, s Session, exemplars []Exemplar) ([][]privacy.Mark, error) {
	c := o.compile(p)
	t := newTalk(s)
	taught := newTaught(exemplars)
	askers := secrecyAskers(t)
	out := make([][]privacy.Mark, len(s.Drafts))
	for i := range s.Drafts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &s.Drafts[i]
		out[i] = c.classifier.categoryMarks(r.Text, func() surroundings { return t.around(c.classifier, i) }, taught)
		out[i] = append(out[i], truthMarks(c.audience, t, r)...)
		if teller, ok := askers[r.Speaker]; ok && !r.OwnerSaid {
			out[i] = append(out[i], privacy.Mark{Kind: privacy.MarkConfided, Value: partyName(p, r.Speaker), By: privacy.ByMachine, Rule: "MARKS 9", Turn: teller})
		}
	}
	return out, nil
}

// categoryMarks returns the category marks of one statement, or a review. An
// exemplar that says almost the same decides in place of the classifier; those that
// are only near join, which can but tighten (MARKS 12).
func (c *classifier) categoryMarks(text string, around func() surroundings, taught *taught) []privacy.Mark {
	near := taught.nearest(text)
	out := c.sameMarks(near)
	if len(out) == 1 && out[0].Kind == privacy.MarkReview {
		return out
	}
	if len(out) == 0 {
		var sure bool
		if out, sure = c.chosenMarks(text, around); !sure {
			return out
		}
	}
	for _, n := range near {
		if n.sim < nearFact || n.exemplar.NotFact {
			continue
		}
		id := n.exemplar.Category
		_, known := c.p.Category(id)
		if known && !slices.ContainsFunc(out, func(m privacy.Mark) bool { return m.Value == string(id) }) {
			out = append(out, privacy.Mark{Kind: privacy.MarkCategory, Value: string(id), By: privacy.ByExemplar, Rule: "MARKS 12, from " + string(n.exemplar.Fact), Score: round(n.sim)})
		}
	}
	return out
}

func review(why string) privacy.Mark {
	return privacy.Mark{Kind: privacy.MarkReview, Value: why, By: privacy.ByMachine, Rule: "MARKS 1"}
}

// chosenMarks returns what the classifier makes of a statement: its categories, or,
// where they are not sure or don't cover it, a review alone.
func (c *classifier) chosenMarks(text string, around func() surroundings) (out []privacy.Mark, sure bool) {
	chosen, base := c.choose(text, around)
	if len(chosen) == 0 {
		return []privacy.Mark{review("no category is sure")}, false
	}
	level, _ := c.labelOf(base)
	switch {
	case c.uncovered(text, base):
		if level > loosestUncovered {
			return []privacy.Mark{review("it speaks of something private that no category of it covers")}, false
		}
		out = append(out, review("it speaks of something private that its categories don't cover"))
	case level >= openLevel && !c.clausesCovered(text, base):
		return []privacy.Mark{review("its categories cover only part of it")}, false
	}
	for _, s := range chosen {
		out = append(out, privacy.Mark{Kind: privacy.MarkCategory, Value: string(s.id), By: privacy.ByMachine, Rule: "MARKS 1", Score: round(s.score)})
	}
	return out, true
}

// sameMarks returns what the exemplar that says almost the same gives: all
// categories of that decision, since only together they are what the owner chose; a
// review where it was no fact; none where nothing is the same.
func (c *classifier) sameMarks(near []neighbour) []privacy.Mark {
	if len(near) == 0 || near[0].sim < sameFact {
		return nil
	}
	best := near[0].exemplar
	if best.NotFact {
		return []privacy.Mark{{Kind: privacy.MarkReview, Value: "the owner said of its like: no fact", By: privacy.ByExemplar, Rule: "MARKS 12"}}
	}
	var out []privacy.Mark
	for _, n := range near {
		e := n.exemplar
		if e.NotFact || e.Fact != best.Fact || e.Text != best.Text {
			continue
		}
		if _, ok := c.p.Category(e.Category); !ok {
			return nil // part of the decision is gone: what is left may be looser
		}
		out = append(out, privacy.Mark{Kind: privacy.MarkCategory, Value: string(e.Category), By: privacy.ByExemplar, Rule: "MARKS 12 auto, from " + string(e.Fact), Score: round(n.sim)})
	}
	return out
}

// taught holds the owner's corrections as bags of terms.
type taught struct {
	exemplars []Exemplar
	bags      []map[string]float64
}

type neighbour struct {
	exemplar Exemplar
	sim      float64
}

// maxNeighbours bounds how many decisions may have a say about one fact; all
// exemplars of one decision count once.
const maxNeighbours = 3

func newTaught(exemplars []Exemplar) *taught {
	t := &taught{exemplars: exemplars}
	for _, e := range exemplars {
		t.bags = append(t.bags, bag(e.Text))
	}
	return t
}

func bag(text string) map[string]float64 {
	out := map[string]float64{}
	for _, t := range lexical.Terms(text) {
		out[t]++
	}
	return out
}

// nearest returns the exemplars most like text, best first; at equal similarity
// the later decision first.
func (t *taught) nearest(text string) []neighbour {
	if len(t.exemplars) == 0 {
		return nil
	}
	b := bag(text)
	var out []neighbour
	for i := len(t.bags) - 1; i >= 0; i-- {
		if s := cosine(b, t.bags[i]); s >= nearFact {
			out = append(out, neighbour{t.exemplars[i], s})
		}
	}
	slices.SortStableFunc(out, func(x, y neighbour) int {
		switch {
		case x.sim > y.sim:
			return -1
		case x.sim < y.sim:
			return 1
		}
		return 0
	})
	decisions := map[privacy.FactID]bool{}
	for i := range out {
		decisions[out[i].exemplar.Fact] = true
		if len(decisions) > maxNeighbours {
			return out[:i]
		}
	}
	return out
}

func cosine(a, b map[string]float64) float64 {
	dot, na, nb := 0.0, 0.0, 0.0
	for _, t := range sortedKeys(a) {
		na += square(a[t])
		dot += a[t] * b[t]
	}
	for _, t := range sortedKeys(b) {
		nb += square(b[t])
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

// secrecyAskers returns the speakers, the owner not included, who ask in this
// session that something be kept, each with the turn in which they first do.
func secrecyAskers(t *talk) map[string]string {
	out := map[string]string{}
	for i := range t.s.Utterances {
		u := &t.s.Utterances[i]
		if u.Owner || u.Speaker == "" {
			continue
		}
		if _, known := out[u.Speaker]; !known && asksSecrecy(t.clauses(i)) {
			out[u.Speaker] = u.ID
		}
	}
	return out
}

func asksSecrecy(clauses []clause) bool {
	for _, c := range clauses {
		zh := hasCJK(c.text)
		if !containsAny(c.text, englishCues) && !(zh && containsAny(c.text, chineseCues)) || c.question && questionLed.MatchString(c.text) {
			continue
		}
		if closedWords.matches(c.text) || betweenUsEnd(c.text) > 0 || nobodyKnows.matches(c.text) || onlyYouAnd.matches(c.text) || anyRule(denyAfter, c.text+" ") ||
			zh && (zhClosed.matches(c.text) || zhDenyTell.matches(c.text) || anyRule(zhDeny[:4], c.text)) {
			return true
		}
	}
	return false
}

// partyName returns the id of the person whom name stands for, else name.
func partyName(p *privacy.Policy, name string) string {
	if q, ok := p.Person(name); ok {
		return string(q.ID)
	}
	return name
}
