package evolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Feedback is everything that the owner said was wrong, oldest first, each with what has
// become of it by what is in force now. What only a model could tell is as it was last.
func Feedback(ctx context.Context, a *agent.Agent) ([]memory.Feedback, error) {
	h, err := OpenHome(ctx, a)
	if err != nil {
		return nil, err
	}
	known, err := Known(ctx, a)
	if err != nil {
		return nil, err
	}
	err = h.recheck(ctx, inForce(known))
	return h.given, err
}

func inForce(known map[string]Supplement) []Supplement {
	var out []Supplement
	for _, id := range sortedIDs(known) {
		if known[id].Status == Active {
			out = append(out, known[id])
		}
	}
	return out
}

// recheck says of each piece of feedback whether what is in force puts it right, by the
// figure of a trial: its case is right, and wouldn't be so anyway. What no case shows is
// answered by a note that rests on it. What isn't answered any more is new again.
func (h *Home) recheck(ctx context.Context, active []Supplement) error {
	rests, noted := map[int64]bool{}, map[int64]bool{}
	for _, s := range active {
		for _, id := range s.Evidence {
			rests[id] = true
			noted[id] = noted[id] || s.Lesson == nil
		}
	}
	right := map[int64]bool{}
	cases := slices.DeleteFunc(h.Cases(), func(c Case) bool { return c.Feedback == 0 })
	if len(active) > 0 && len(cases) > 0 {
		now, err := h.Replay(ctx, active, cases, 0)
		if errors.Is(err, ErrBudget) {
			return nil // a model would have to say
		}
		if err != nil {
			return err
		}
		never, err := h.Replay(ctx, nil, cases, 0)
		if err != nil {
			return err
		}
		for i, c := range cases {
			right[c.Feedback] = now.Results[i].Right && (rests[c.Feedback] || !never.Results[i].Right)
		}
	}
	of := map[privacy.FactID]int64{} // the piece that stands for all that say the same of a fact
	for _, c := range cases {
		if c.Kind == CaseLabel {
			of[c.Fact] = c.Feedback
		}
	}
	measured := map[int64]bool{}
	for _, c := range cases {
		measured[c.Feedback] = true
	}
	for i := range h.given {
		f := &h.given[i]
		if f.Status == memory.FeedbackSuperseded {
			continue
		}
		id := f.ID
		if same, ok := of[f.Fact]; ok && placing(f) {
			id = same
		}
		answered := right[id]
		if !measured[id] {
			answered = noted[f.ID]
		}
		switch {
		case answered:
			f.Status = memory.FeedbackAnswered
		case f.Status == memory.FeedbackAnswered:
			f.Status = memory.FeedbackNew
		}
	}
	return nil
}

// placing reports whether a piece of feedback says what a fact is about.
func placing(f *memory.Feedback) bool {
	kind := agent.FeedbackKind(f.Kind)
	return f.Fact != "" && (kind == "wrong-category" || kind == "invented")
}

// supersede marks what the owner has said otherwise since: on a fact, and on what it is
// wrong about, the last word counts, be it feedback or a decision.
func (h *Home) supersede() {
	h.supersedeTold()
	last := map[string]string{}
	for i := range h.given {
		if about, says := h.word(&h.given[i]); says != "" {
			last[about] = says
		}
	}
	for i := range h.given {
		f := &h.given[i]
		if telling(f) {
			continue
		}
		about, says := h.word(f)
		if says == "" {
			if f.Status == memory.FeedbackSuperseded {
				f.Status = memory.FeedbackNew
			}
			continue
		}
		switch otherwise := last[about] != says || h.decidedOtherwise(f); {
		case otherwise:
			f.Status = memory.FeedbackSuperseded
		case f.Status == memory.FeedbackSuperseded: // what spoke against it was forgotten
			f.Status = memory.FeedbackNew
		}
	}
}

// supersedeTold marks what was said otherwise since of telling a fact: to the same people,
// or where one of the two says it of everybody.
func (h *Home) supersedeTold() {
	for i := range h.given {
		f := &h.given[i]
		if !telling(f) {
			continue
		}
		last := f
		for j := i + 1; j < len(h.given); j++ {
			g := &h.given[j]
			if telling(g) && g.Fact == f.Fact && (h.told(g) == h.told(f) || h.told(g) == "" || h.told(f) == "") {
				last = g
			}
		}
		switch {
		case last.Kind != f.Kind:
			f.Status = memory.FeedbackSuperseded
		case f.Status == memory.FeedbackSuperseded: // what spoke against it was forgotten
			f.Status = memory.FeedbackNew
		}
	}
}

// telling reports whether a piece of feedback says whether a fact should have been told.
func telling(f *memory.Feedback) bool {
	kind := agent.FeedbackKind(f.Kind)
	return f.Fact != "" && (kind == "should-have-told" || kind == "should-not-have-told")
}

// told is to whom a piece of feedback speaks of telling; "" to anybody.
func (h *Home) told(f *memory.Feedback) string {
	entry := h.ledger[f.Entry]
	if entry == nil {
		return ""
	}
	return strings.Join(slices.Sorted(slices.Values(entry.To)), ", ")
}

// word is what a piece of feedback is about, and what it says of that; "" where it says
// nothing that another one could say otherwise.
func (h *Home) word(f *memory.Feedback) (about, says string) {
	switch {
	case f.Fact == "":
		return "", ""
	case placing(f):
		right := rightOf(h.Policy(), f)
		switch label, ok := right.label(h.Policy()); {
		case right.NotFact:
			says = "no fact"
		case ok:
			slices.Sort(right.Categories)
			says = fmt.Sprint(label, right.Categories)
		}
		return "place " + string(f.Fact), says
	}
	return f.Kind + " " + string(f.Fact), strings.ToLower(f.Expected)
}

// decidedOtherwise reports whether the owner has decided since that a fact is something
// else than a piece of feedback says.
func (h *Home) decidedOtherwise(f *memory.Feedback) bool {
	fact := h.fact(f.Fact)
	if fact != nil && agent.FeedbackKind(f.Kind) == "wrong-event" {
		return h.movedOtherwise(f, fact)
	}
	if fact == nil || !placing(f) {
		return false
	}
	by, decided := h.decided(fact)
	right := rightOf(h.Policy(), f)
	label, ok := right.label(h.Policy())
	if !decided || !ok || h.decidedBefore(fact, f.At) {
		return false
	}
	return by != label || h.decidedApart(fact, right.Categories)
}

// decidedApart reports whether the owner has put a fact into categories by hand of which
// none is among those: another theme, be its label the same.
func (h *Home) decidedApart(f *memory.Fact, right []privacy.CategoryID) bool {
	if len(right) == 0 || !slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool { return m.By == privacy.ByHand && m.Kind == privacy.MarkCategory }) {
		return false
	}
	_, counted := h.replay.Counted(f.ID)
	return len(counted) > 0 && !slices.ContainsFunc(counted, func(c privacy.CategoryID) bool { return slices.Contains(right, c) })
}

// decidedBefore reports whether the owner's decision on a fact is older than a moment.
func (h *Home) decidedBefore(f *memory.Fact, at time.Time) bool {
	return !slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool {
		return m.By == privacy.ByHand && (m.Kind == privacy.MarkCategory || m.Kind == privacy.MarkLabel) && !m.At.Before(at)
	})
}

// live is the evidence of a supplement that still holds: what the owner has neither said
// otherwise of since nor taken back.
func (h *Home) live(s Supplement) []int64 {
	holds := func(f memory.Feedback) bool { return f.Status != memory.FeedbackSuperseded }
	return slices.DeleteFunc(slices.Clone(s.Evidence), func(id int64) bool {
		return !slices.ContainsFunc(h.given, func(f memory.Feedback) bool { return f.ID == id && holds(f) })
	})
}

// RestingOn are the supplements in force, or that wait, whose evidence is a piece of feedback
// and nothing else that still holds, by id.
func RestingOn(ctx context.Context, a *agent.Agent, feedback int64) ([]Supplement, error) {
	h, err := OpenHome(ctx, a)
	if err != nil {
		return nil, err
	}
	known, err := Known(ctx, a)
	if err != nil {
		return nil, err
	}
	var out []Supplement
	for _, id := range sortedIDs(known) {
		s := known[id]
		waits := s.Status == Proposed || s.Status == Candidate
		if live := h.live(s); (waits || s.Status == Active) && len(live) == 1 && live[0] == feedback {
			out = append(out, s)
		}
	}
	return out, nil
}
