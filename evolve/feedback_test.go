package evolve_test

import (
	"errors"
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

// What was taken back is no evidence, no case and in no list: what waits on it alone goes, what
// is in force stays, and what it had superseded counts again.
func TestDropFeedback(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts, otherTexts)...)
	var given []int64
	for _, text := range openTexts {
		given = append(given, h.wrong(text, "health"))
	}
	id := h.run(bodywork()).Tried[0].ID
	drop := func(n int64) {
		t.Helper()
		if err := h.DropFeedback(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range given[1:] {
		if list, err := evolve.RestingOn(t.Context(), h.Agent, n); err != nil || len(list) != 0 {
			t.Errorf("resting on %d alone: %+v, %v", n, list, err)
		}
		drop(n)
	}
	if list, err := evolve.RestingOn(t.Context(), h.Agent, given[0]); err != nil || len(list) != 1 || list[0].ID != id {
		t.Errorf("resting on the last: %+v, %v", list, err)
	}
	h.run(evolve.RunOptions{Proposers: []evolve.Proposer{proposer{}}})
	if s, err := evolve.Find(t.Context(), h.Agent, id); err != nil || s.Status != evolve.Proposed {
		t.Errorf("with one piece left: %+v, %v", s, err)
	}
	drop(given[0])
	if got := h.statuses(); len(got) != 0 {
		t.Errorf("listed: %v", got)
	}
	home, err := evolve.OpenHome(t.Context(), h.Agent)
	if err != nil || len(home.Cases()) != 0 {
		t.Errorf("cases: %+v, %v", home.Cases(), err)
	}
	r := h.run(bodywork())
	if s, err := evolve.Find(t.Context(), h.Agent, id); err != nil || s.Status != evolve.Refused || s.Reason != evolve.ErrWithdrawn.Error() || r.Feedback != 0 {
		t.Errorf("with none: %+v, %v; %+v", s, err, r)
	}
	for _, n := range []int64{given[0], 99, 0} {
		if err := h.DropFeedback(t.Context(), n); !errors.Is(err, agent.ErrUnknownFeedback) {
			t.Errorf("%d again: %v", n, err)
		}
	}
	// The number isn't given again, and a word counts again when the one against it is gone.
	first := h.wrong(openTexts[0], "health")
	if slices.Contains(given, first) {
		t.Errorf("number %d is given twice", first)
	}
	last := h.wrong(openTexts[0], "hobby")
	drop(last)
	if got := h.statuses()[first]; got != memory.FeedbackNew {
		t.Errorf("what was superseded: %s", got)
	}
}

// What is in force and rests on nothing any more goes where that lets nobody in. Else it waits
// for the owner, also when something else is forgotten, and stays where they approved it since.
func TestDropUnderWhatIsInForce(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts, otherTexts)...)
	var given []int64
	for _, text := range openTexts {
		given = append(given, h.wrong(text, "health"))
	}
	id := h.run(bodywork()).Tried[0].ID
	h.approve(id)
	for _, n := range given {
		if err := h.DropFeedback(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	r := h.run(evolve.RunOptions{Proposers: []evolve.Proposer{proposer{}}})
	if len(r.RolledBack) != 1 || r.RolledBack[0].ID != id || !r.RolledBack[0].Waits {
		t.Errorf("%+v", r.RolledBack)
	}
	if _, err := h.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{h.facts[otherTexts[0]]}}); err != nil {
		t.Fatal(err)
	}
	if s, err := evolve.Find(t.Context(), h.Agent, id); err != nil || s.Status != evolve.Active {
		t.Errorf("%+v, %v", s, err)
	}
}
