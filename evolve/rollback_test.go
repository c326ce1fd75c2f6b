package evolve_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy"
)

// nothingNew is a run that proposes nothing: what it does is to look at what is in force.
func nothingNew() evolve.RunOptions {
	return evolve.RunOptions{Proposers: []evolve.Proposer{proposer{}}}
}

// taught is a home in which "bodywork" speaks of health by the owner's word, though the
// facts would have no category without it, and are for nobody then.
func taught(t *testing.T) (h *home, id string) {
	t.Helper()
	h = newHome(t, agent.Options{}, slices.Concat(closedTexts, otherTexts)...)
	for _, text := range closedTexts {
		h.wrong(text, "health")
	}
	id = h.run(bodywork()).Tried[0].ID
	h.approve(id)
	return h, id
}

func (h *home) status(id string) evolve.Status {
	h.t.Helper()
	s, err := evolve.Find(h.t.Context(), h.Agent, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return s.Status
}

// A supplement is to blame for a category that isn't right also where the fact would have
// none without it, which is no more right.
func TestRollbackOfAWrongCategory(t *testing.T) {
	h, id := taught(t)
	for _, text := range []string{"The bodywork of the car shone.", "We polished the bodywork."} {
		h.remember(text)
		h.wrong(text, "hobby")
	}
	r := h.run(nothingNew())
	if len(r.RolledBack) != 1 || r.RolledBack[0].Waits || r.RolledBack[0].Against != 2 || h.status(id) != evolve.RolledBack {
		t.Fatalf("%+v; it is %s", r.RolledBack, h.status(id))
	}
	// What lost a supplement by later feedback comes back by the owner's word.
	if _, err := evolve.Approvable(t.Context(), h.Agent, id); err != nil {
		t.Error(err)
	}
	if _, err := (evolve.Approvals{Agent: h.Agent}).Approval(t.Context(), id); !errors.Is(err, evolve.ErrNotProposed) {
		t.Errorf("somebody else may ask for it: %v", err)
	}
}

// What rests on nothing that the owner still says goes, and gives way to what they say now.
func TestUnsaid(t *testing.T) {
	for name, say := range map[string]func(h *home){
		"feedback": func(h *home) {
			for _, text := range closedTexts {
				h.wrong(text, "hobby")
			}
		},
		"decisions": func(h *home) {
			for _, text := range closedTexts {
				if _, err := h.EditFact(h.t.Context(), h.facts[text], agent.Edit{Categories: []privacy.CategoryID{"hobby"}}, true); err != nil {
					h.t.Fatal(err)
				}
			}
		},
		"decisions of the same label": func(h *home) {
			for _, text := range closedTexts {
				if _, err := h.EditFact(h.t.Context(), h.facts[text], agent.Edit{Categories: []privacy.CategoryID{"stamps"}}, true); err != nil {
					h.t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, id := taught(t)
			if h.run(nothingNew()); h.status(id) != evolve.Active {
				t.Fatalf("it went by itself: %s", h.status(id))
			}
			say(h)
			h.run(nothingNew())
			if got := h.status(id); got != evolve.RolledBack {
				t.Fatalf("it is %s", got)
			}
			// By their word it comes back, and stays: nothing was said since.
			change := agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{Add: []string{id}}}
			p, err := h.Propose(t.Context(), change, nil)
			if errors.Is(err, agent.ErrConsent) {
				_, err = h.Agree(t.Context(), change, p.Key, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.run(nothingNew()); h.status(id) != evolve.Active {
				t.Errorf("it is %s", h.status(id))
			}
		})
	}
}

// What was declined comes back by the owner's word, and by that alone.
func TestDeclinedComesBack(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(closedTexts, otherTexts)...)
	for _, text := range closedTexts {
		h.wrong(text, "health")
	}
	s := h.run(bodywork()).Tried[0]
	if err := evolve.Decline(t.Context(), h.Agent, s); err != nil {
		t.Fatal(err)
	}
	more := func(text string) {
		h.remember(text)
		h.wrong(text, "health")
	}
	more("The bodywork did my back good.")
	if r := h.run(bodywork()); len(r.Tried) != 0 {
		t.Errorf("it is proposed again: %+v", r.Tried)
	}
	if _, err := evolve.Approvable(t.Context(), h.Agent, s.ID); err != nil {
		t.Error(err)
	}
	if _, err := (evolve.Approvals{Agent: h.Agent}).Approval(t.Context(), s.ID); !errors.Is(err, evolve.ErrNotProposed) {
		t.Errorf("somebody else may ask for it: %v", err)
	}
	// What a trial refused can't be put in force by anybody.
	more("My bodywork hour was calm.")
	r := h.run(evolve.RunOptions{Proposers: []evolve.Proposer{proposer{lesson("pottery", "health")}}})
	if len(r.Tried) != 1 || r.Tried[0].Status != evolve.Refused {
		t.Fatalf("%+v", r.Tried)
	}
	if _, err := evolve.Approvable(t.Context(), h.Agent, r.Tried[0].ID); !errors.Is(err, evolve.ErrNotProposed) {
		t.Errorf("what was refused may be approved: %v", err)
	}
}

// A run that goes on is the one that began.
func TestOtherRun(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(closedTexts, otherTexts)...)
	for _, text := range closedTexts {
		h.wrong(text, "health")
	}
	ctx, stop := context.WithCancel(t.Context())
	o := bodywork()
	o.Seed = 4
	o.Progress = func(int, int) { stop() }
	if _, err := evolve.Run(ctx, h.Agent, o); err == nil {
		t.Fatal("it wasn't stopped")
	}
	o.Progress, o.Seed = nil, 5
	if _, err := evolve.Run(t.Context(), h.Agent, o); !errors.Is(err, evolve.ErrOtherRun) || !strings.Contains(err.Error(), "seed 4") {
		t.Errorf("with another seed: %v", err)
	}
	o.Seed, o.Stages = 0, evolve.Stages()[:1]
	if _, err := evolve.Run(t.Context(), h.Agent, o); !errors.Is(err, evolve.ErrOtherRun) {
		t.Errorf("with other stages: %v", err)
	}
	o.Stages = nil
	if r := h.run(o); !r.Resumed || len(r.Tried) != 1 {
		t.Errorf("it doesn't go on: %+v", r)
	}
}
