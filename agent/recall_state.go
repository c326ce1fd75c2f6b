package agent

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// pastShare is what no longer holds keeps of its score: it still answers how it
// was, behind what holds.
const pastShare = 0.5

// recallBeside is how many facts are ranked beside those wanted, for what holds to
// come up from behind what doesn't.
const recallBeside = 32

// found are facts for a question, with which of them no longer holds.
type found struct {
	hits       []memory.Hit
	superseded map[privacy.FactID]privacy.FactID // by which
}

// factFinder is the event side, or the owner's view with the host.
type factFinder interface {
	Facts(ctx context.Context, q memory.Query) ([]memory.Hit, error)
}

// ask finds the facts for a question: what holds now before what has been. keep
// says what the asker may know, nil everything; what is current is so among that.
func (a *Agent) ask(ctx context.Context, in factFinder, w *world, q memory.Query) (found, error) {
	k := q.K
	if k > 0 {
		q.K += recallBeside
	}
	q.People = w.namedPeople()
	hits, err := in.Facts(ctx, q)
	if err != nil {
		return found{}, err
	}
	course := w.course(hits, q.Keep)
	out := found{superseded: course.Superseded}
	hits = inOrder(hits, course)
	slices.SortStableFunc(hits, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Fact, b.Fact))
	})
	if k > 0 && len(hits) > k {
		hits = hits[:k]
	}
	out.hits = hits
	return out, nil
}

// inOrder gives the hits the scores by which what holds stands before what doesn't.
// What superseded a hit and shares nothing with the question takes that one's place.
func inOrder(hits []memory.Hit, course engine.Course) []memory.Hit {
	scores := make(map[privacy.FactID]float64, len(hits))
	for _, h := range hits {
		scores[h.Fact] = h.Score
	}
	for _, h := range hits {
		by, past := course.Superseded[h.Fact]
		if _, there := scores[by]; past && !there {
			scores[by] = h.Score
			hits = append(hits, memory.Hit{Fact: by, Score: h.Score})
		}
	}
	var final func(id privacy.FactID) float64
	final = func(id privacy.FactID) float64 {
		score := scores[id]
		if by, past := course.Superseded[id]; past { // said later, so this comes to an end
			score = min(score*pastShare, math.Nextafter(final(by), 0))
		}
		// "I never moved" says less of where somebody lives than what holds again.
		for _, again := range course.Restored[id] {
			if than, ok := scores[again]; ok {
				score = min(score, math.Nextafter(than, 0))
			}
		}
		return score
	}
	for i := range hits {
		hits[i].Score = final(hits[i].Fact)
	}
	return hits
}

// course is how things went on in the hits and in what else of their events keep
// allows.
func (w *world) course(hits []memory.Hit, keep func(privacy.FactID) bool) engine.Course {
	seen := map[privacy.FactID]bool{}
	var records []privacy.Record
	add := func(id privacy.FactID) {
		if seen[id] || keep != nil && !keep(id) {
			return
		}
		seen[id] = true
		if f, ok := w.fact(id); ok {
			records = append(records, f.Record)
		}
	}
	for _, h := range hits {
		add(h.Fact)
		if m, ok := w.mark(h.Fact); ok && m.Event != "" {
			for _, id := range w.byEvent[m.Event] {
				add(id)
			}
		}
	}
	return engine.CourseOf(records, func(id privacy.FactID) privacy.EventID {
		m, _ := w.mark(id)
		return m.Event
	})
}

// current returns the facts of a list that still hold: what doesn't is not told as
// if it did.
func (w *world) current(list []engine.Ranked, keep func(privacy.FactID) bool) []engine.Ranked {
	hits := make([]memory.Hit, len(list))
	for i := range list {
		hits[i].Fact = list[i].Record.ID
	}
	past := w.course(hits, keep).Superseded
	return slices.DeleteFunc(list, func(r engine.Ranked) bool { _, gone := past[r.Record.ID]; return gone })
}

// namedPeople are the people of the policy and the owner, as a question may name
// them.
func (w *world) namedPeople() []lexical.Person {
	out := []lexical.Person{{Names: w.ownerNames()}}
	for _, p := range w.policy.People() {
		out = append(out, lexical.Person{Names: append([]string{p.Name}, p.Aliases...)})
	}
	return out
}

// saidBy returns keep without what was said after a moment; the day that it names
// counts to its end.
func (w *world) saidBy(at time.Time, keep func(privacy.FactID) bool) func(privacy.FactID) bool {
	limit := privacy.At(at)
	return func(id privacy.FactID) bool {
		f, ok := w.fact(id)
		return ok && !f.SaidAt.IsZero() && f.SaidAt.Compare(limit) <= 0 && (keep == nil || keep(id))
	}
}

// today is the day that a question is asked on.
func (a *Agent) today() string { return a.opts.Now().Format(time.DateOnly) }
