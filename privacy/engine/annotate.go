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
		out[i] = c.classifier.categoryMarks(r.Text, taught)
		out[i] = append(out[i], truthMarks(c.audience, t, r)...)
		if teller, ok := askers[r.Speaker]; ok && !r.OwnerSaid {
			out[i] = append(out[i], privacy.Mark{Kind: privacy.MarkConfided, Value: partyName(p, r.Speaker), By: privacy.ByMachine, Rule: "MARKS 9", Turn: teller})
		}
	}
	return out, nil
}

// categoryMarks returns the category marks of one statement, or a review.
func (c *classifier) categoryMarks(text string, taught *taught) []privacy.Mark {
	near := taught.nearest(text)
	if len(near) > 0 && near[0].sim >= sameFact {
		e := near[0].exemplar
		if e.NotFact {
			return []privacy.Mark{{Kind: privacy.MarkReview, Value: "the owner said of its like: no fact", By: privacy.ByExemplar, Rule: "MARKS 12"}}
		}
		if _, ok := c.p.Category(e.Category); ok {
			return []privacy.Mark{{Kind: privacy.MarkCategory, Value: string(e.Category), By: privacy.ByExemplar, Rule: "MARKS 12 auto, from " + string(e.Fact), Score: round(near[0].sim)}}
		}
	}
	chosen := c.choose(text)
	if len(chosen) == 0 {
		return []privacy.Mark{{Kind: privacy.MarkReview, Value: "no category is sure", By: privacy.ByMachine, Rule: "MARKS 1"}}
	}
	var out []privacy.Mark
	for _, s := range chosen {
		out = append(out, privacy.Mark{Kind: privacy.MarkCategory, Value: string(s.id), By: privacy.ByMachine, Rule: "MARKS 1", Score: round(s.score)})
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

// taught holds the owner's corrections as bags of terms.
type taught struct {
	exemplars []Exemplar
	bags      []map[string]float64
}

type neighbour struct {
	exemplar Exemplar
	sim      float64
}

// maxNeighbours bounds how many exemplars may have a say about one fact.
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
	return out[:min(len(out), maxNeighbours)]
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
