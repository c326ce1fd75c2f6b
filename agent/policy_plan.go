package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// PolicyPlan is what a new policy would change, before it is one.
type PolicyPlan struct {
	privacy.Difference
	Hash     string            `json:"hash"` // of the new policy
	Warnings []privacy.Problem `json:"warnings"`
	// Proposals are the stored facts that the annotator would put into a category
	// that is new. A new category changes no fact by itself: they go to review.
	Proposals []privacy.FactID `json:"proposals"`
	// Beaten says for whom a new grant does nothing, since a deny wins.
	Beaten []string `json:"beaten,omitempty"`
	// Opens says who is told what from now on, though no verdict turns: an answer to a
	// question that waited.
	Opens []string `json:"opens,omitempty"`
	// Loosens says what it lets out of facts that are yet to come.
	Loosens []string `json:"loosens,omitempty"`
	// Outgrown says which supplements of evolution would do nothing, since what they teach
	// would come to categories that the owner never approved them for.
	Outgrown []string `json:"outgrown,omitempty"`
	// Applied says that it is in force now by this; one that was already is not.
	Applied bool `json:"applied"`
	// Kept is where the text of a broken policy went that this one replaced.
	Kept string `json:"kept,omitempty"`
}

// PlanPolicy says what would change with a new policy: every pair of a fact and a
// person for whom the answer turns. Nothing is stored.
func (a *Agent) PlanPolicy(ctx context.Context, source []byte) (*PolicyPlan, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	return a.plan(ctx, w, source)
}

func (a *Agent) plan(ctx context.Context, w *world, source []byte) (*PolicyPlan, error) {
	policy, err := privacy.Parse(PolicyFile, source)
	if err != nil {
		return nil, err
	}
	after := newWorld(policy, w.facts, w.rules, a.opts.Now())
	difference, err := a.difference(ctx, w, after)
	if err != nil {
		return nil, err
	}
	out := &PolicyPlan{
		Difference: difference, Hash: policy.Hash(), Loosens: w.policy.Loosens(policy),
		Warnings: append([]privacy.Problem{}, policy.Warnings()...), Proposals: []privacy.FactID{},
	}
	out.Beaten = beatenGrants(w, after)
	if out.Outgrown, err = a.outgrown(ctx, w.policy, policy); err != nil {
		return nil, err
	}
	if len(out.NewCategories) > 0 {
		if out.Proposals, err = a.proposals(ctx, after, out.NewCategories); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// proposals asks the annotator which stored facts belong to new categories.
func (a *Agent) proposals(ctx context.Context, w *world, fresh []privacy.CategoryID) ([]privacy.FactID, error) {
	drafts := w.records()
	for i := range drafts {
		drafts[i].Marks = nil
	}
	stages, err := a.stagesNow(ctx)
	if err != nil {
		return nil, err
	}
	marks, err := stages.Annotator.Annotate(ctx, w.policy, engine.Session{ID: "plan", Drafts: drafts}, nil)
	if err != nil {
		return nil, fmt.Errorf("proposals for new categories: %w", err)
	}
	out := []privacy.FactID{}
	for i := range min(len(marks), len(drafts)) {
		for _, m := range marks[i] {
			if m.Kind == privacy.MarkCategory && slices.Contains(fresh, privacy.CategoryID(m.Value)) {
				out = append(out, drafts[i].ID)
				break
			}
		}
	}
	return out, nil
}

// ApplyPolicy makes a new policy the one in force, as a version with author, note
// and time. What lets somebody learn more is applied only with agreed set: without
// it the plan comes back with ErrWidens. The file is written whole or not at all.
func (a *Agent) ApplyPolicy(ctx context.Context, source []byte, note string, agreed bool) (*PolicyPlan, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	return a.apply(ctx, w, source, note, agreed, 0)
}

// apply plans and applies; restores is the number of the version that comes back by
// it, 0 for none.
func (a *Agent) apply(ctx context.Context, w *world, source []byte, note string, agreed bool, restores int64) (*PolicyPlan, error) {
	plan, err := a.plan(ctx, w, source)
	if err != nil {
		return nil, err
	}
	switch {
	case agreed:
	case plan.Widens():
		return plan, widens(plan.Difference)
	case len(plan.Loosens) > 0:
		return plan, fmt.Errorf("%w: later facts: %s", ErrWidens, strings.Join(plan.Loosens, "; "))
	}
	if w.stale == nil && bytes.Equal(source, w.policy.Source()) {
		return plan, nil // it is in force already, and no new version
	}
	version := memory.PolicyVersion{Hash: plan.Hash, Source: source, At: a.opts.Now(), Author: "owner", Note: note, Restores: restores}
	if plan.Kept, err = a.replacePolicy(ctx, w, version); err != nil {
		return plan, err
	}
	plan.Applied = true
	return plan, a.propose(ctx, plan)
}

// propose puts the facts that a new category may suit on the review list.
func (a *Agent) propose(ctx context.Context, plan *PolicyPlan) error {
	for _, id := range plan.Proposals {
		err := a.store.UpdateFact(ctx, id, func(f *memory.Fact) error {
			f.Marks = append(f.Marks, privacy.Mark{
				Kind: privacy.MarkReview, Value: fmt.Sprintf("may belong to a new category: %v", plan.NewCategories),
				By: privacy.ByMachine, Rule: "new category", At: a.opts.Now(),
			})
			return nil
		})
		if err != nil && !errors.Is(err, memory.ErrNotFound) {
			return fmt.Errorf("propose a new category for %s: %w", id, err)
		}
	}
	return nil
}

// EditPolicy makes edits to policy.yaml that keep every byte outside of them, and
// applies the result like ApplyPolicy. Who are the people and groups that the owner
// named: each must be in the policy, ErrUnknownPerson or the candidates otherwise.
func (a *Agent) EditPolicy(ctx context.Context, who []privacy.Party, note string, agreed bool, edits ...privacy.Edit) (*PolicyPlan, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	for _, party := range who {
		if _, err := w.party(party); err != nil {
			return nil, err
		}
	}
	for _, edit := range edits {
		if add, ok := edit.(privacy.AddRule); ok {
			if add.Rule.Mentions != "" {
				if _, err := w.known(string(add.Rule.Mentions)); err != nil {
					return nil, err
				}
			}
			if err := w.canMatch(add.Rule); err != nil {
				return nil, err
			}
		}
	}
	edited, err := w.policy.Edit(edits...)
	if err != nil {
		return nil, err
	}
	return a.apply(ctx, w, edited.Source(), note, agreed, 0)
}

// canMatch refuses a rule that names a fact or an event that isn't there, or words
// that no fact is known by: it would do nothing, and a deny that does nothing lets
// out what it was written for.
func (w *world) canMatch(r privacy.Rule) error {
	if r.Fact != "" {
		if _, _, err := w.need(r.Fact); err != nil {
			return err
		}
	}
	if r.Event != "" && len(w.byEvent[r.Event]) == 0 {
		return fmt.Errorf("no fact belongs to event %q; `epagent fact show` names the event of a fact", r.Event)
	}
	if r.About != "" && len(lexical.Terms(r.About)) == 0 {
		return fmt.Errorf("about %q: %w to look for; such words are in every fact", r.About, ErrEmpty)
	}
	return nil
}

// widens is the error for a change that was not agreed to.
func widens(d privacy.Difference) error {
	if len(d.Shown) == 0 {
		return fmt.Errorf("%w: for %d pairs a combination no longer holds a fact back", ErrWidens, len(d.Loosened))
	}
	return fmt.Errorf("%w: %d verdicts open", ErrWidens, len(d.Shown))
}

// PolicyHistory lists the versions of the policy, oldest first.
func (a *Agent) PolicyHistory(ctx context.Context) ([]memory.PolicyVersion, error) {
	if _, err := a.Policy(ctx); err != nil && !errors.Is(err, ErrNoPolicy) && !errors.Is(err, ErrPolicyBroken) {
		return nil, err // reading it takes in a version that was edited by hand
	}
	return a.store.PolicyVersions(ctx)
}

// PolicyAt returns the text of a version: by its number, the beginning of its hash,
// or a time; "" is the policy in force.
func (a *Agent) PolicyAt(ctx context.Context, ref string) ([]byte, error) {
	if ref == "" {
		policy, err := a.Policy(ctx)
		if err != nil {
			return nil, err
		}
		return policy.Source(), nil
	}
	version, err := a.findVersion(ctx, ref)
	return version.Source, err
}

// findVersion returns the version that its number, the beginning of its hash or a
// time up to now names.
func (a *Agent) findVersion(ctx context.Context, ref string) (memory.PolicyVersion, error) {
	if at, ok := memory.ParseMoment(strings.TrimSpace(ref), time.Local); ok {
		at, err := a.past(at)
		if err != nil {
			return memory.PolicyVersion{}, err
		}
		return a.store.PolicyVersionAt(ctx, at)
	}
	return a.store.FindPolicyVersion(ctx, ref)
}
