package evolve_test

import (
	"slices"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// statuses are what has become of feedback, by its number.
func (h *home) statuses() map[int64]memory.FeedbackStatus {
	h.t.Helper()
	given, err := evolve.Feedback(h.t.Context(), h.Agent)
	if err != nil {
		h.t.Fatal(err)
	}
	out := map[int64]memory.FeedbackStatus{}
	for _, f := range given {
		out[f.ID] = f.Status
	}
	return out
}

// Only what is right with what is in force is answered; after going back it is new, and the
// next run looks at it again.
func TestAnswered(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts, otherTexts)...)
	var right []int64
	for _, text := range openTexts {
		right = append(right, h.wrong(text, "health"))
	}
	wrong := h.wrong(otherTexts[0], "health") // nothing that is learned here mends it
	id := h.run(bodywork()).Tried[0].ID
	h.approve(id)
	got := h.statuses()
	for _, n := range right {
		if got[n] != memory.FeedbackAnswered {
			t.Errorf("feedback %d is %s", n, got[n])
		}
	}
	if got[wrong] == memory.FeedbackAnswered {
		t.Error("what is as wrong as before is answered")
	}
	h.change(agent.LearnedChange{Drop: []string{id}})
	got = h.statuses()
	for _, n := range right {
		if got[n] != memory.FeedbackNew {
			t.Errorf("feedback %d is %s after going back", n, got[n])
		}
	}
	// What was taken out isn't tried again for the same reasons, but for more.
	if r := h.run(bodywork()); r.Feedback != 4 || len(r.Tried) != 0 {
		t.Errorf("after going back: %+v", r)
	}
	more := "I left the choir for bodywork."
	h.remember(more)
	h.wrong(more, "health")
	if r := h.run(bodywork()); len(r.Tried) != 1 || r.Tried[0].Status != evolve.Proposed {
		t.Errorf("with more feedback: %+v", r.Tried)
	}
}

// What can but close comes back by the owner's word alone once it was taken out.
func TestTakenOutStaysOut(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(paidTexts, otherTexts)...)
	for _, text := range paidTexts {
		h.wrong(text, "health")
	}
	id := h.run(amounts()).Tried[0].ID
	h.change(agent.LearnedChange{Drop: []string{id}})
	more := "I paid 80 euros at the choir."
	h.remember(more)
	h.wrong(more, "health")
	if r := h.run(amounts()); len(r.Tried) != 1 || r.Tried[0].Status != evolve.Proposed {
		t.Errorf("with more feedback: %+v", r.Tried)
	}
}

// The last word on a fact counts: what was said before is no evidence any more, and what
// rests on it alone goes.
func TestLastWordCounts(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts, otherTexts)...)
	var first []int64
	for _, text := range openTexts {
		first = append(first, h.wrong(text, "health"))
	}
	id := h.run(bodywork()).Tried[0].ID
	for _, text := range openTexts {
		h.wrong(text, "hobby")
	}
	got := h.statuses()
	for _, n := range first {
		if got[n] != memory.FeedbackSuperseded {
			t.Errorf("feedback %d is %s", n, got[n])
		}
	}
	h.run(evolve.RunOptions{Proposers: []evolve.Proposer{proposer{}}})
	if s, err := evolve.Find(t.Context(), h.Agent, id); err != nil || s.Status != evolve.Refused || s.Reason != evolve.ErrWithdrawn.Error() {
		t.Errorf("what waited: %+v, %v", s, err)
	}
}

// Of a supplement in force, too; what would open by it waits.
func TestLastWordSpeaksAgainst(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts, otherTexts)...)
	for _, text := range openTexts {
		h.wrong(text, "health")
	}
	id := h.run(bodywork()).Tried[0].ID
	h.approve(id)
	for _, text := range openTexts {
		h.wrong(text, "hobby")
	}
	r := h.run(evolve.RunOptions{Proposers: []evolve.Proposer{proposer{}}})
	if len(r.RolledBack) != 1 || r.RolledBack[0].ID != id || !r.RolledBack[0].Waits {
		t.Errorf("%+v", r.RolledBack)
	}
}

// A decision is a word as well, and feedback after it another one.
func TestDecisionSupersedes(t *testing.T) {
	h := newHome(t, agent.Options{}, openTexts...)
	first := h.wrong(openTexts[0], "health")
	if _, err := h.EditFact(t.Context(), h.facts[openTexts[0]], agent.Edit{Categories: []privacy.CategoryID{"hobby"}}, true); err != nil {
		t.Fatal(err)
	}
	if got := h.statuses()[first]; got != memory.FeedbackSuperseded {
		t.Errorf("before the decision: %s", got)
	}
	last := h.wrong(openTexts[0], "health")
	if got := h.statuses()[last]; got != memory.FeedbackNew {
		t.Errorf("after it: %s", got)
	}
}
