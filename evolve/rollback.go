package evolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// When a supplement in force is rolled back by later feedback.
const (
	// regressAtLeast pieces of feedback that it is to blame for (the fact would be right
	// without it, or has a wrong category by it), and more of them than of those that it is
	// right about, speak against a supplement that replays can judge.
	regressAtLeast = 2
	// regressNotes pieces of feedback of the kinds that it was made for, given while it was
	// in force, speak against a note whose effect no replay shows; and no fewer than it was
	// made from.
	regressNotes = 3
)

// RolledBackSupplement is one that later feedback spoke against.
type RolledBackSupplement struct {
	Supplement
	Against int `json:"against"` // pieces of feedback that speak against it
	Of      int `json:"of"`      // in whose making it took part
	// Waits: taking it out would let somebody know more, so that the owner decides.
	Waits bool `json:"waits"`
}

// rollBack takes out what later feedback speaks against, and what rests on nothing that
// the owner still says, where that lets nobody in. Else it stays in force, says so, and
// waits for the owner.
func (r *runner) rollBack(ctx context.Context) error {
	known, err := Known(ctx, r.a)
	if err != nil {
		return err
	}
	r.known = known
	versions, err := r.store.SupplementVersions(ctx)
	if err != nil {
		return err
	}
	for _, s := range r.active() {
		since := inForceSince(versions, s.ID)
		if at := slices.IndexFunc(versions, func(v memory.SupplementVersion) bool { return v.Seq == since }); at >= 0 && r.home.unsaid(s, versions[at].At) {
			if err := r.takeOut(ctx, s, 0, 0, ErrWithdrawn.Error()); err != nil {
				return err
			}
			continue
		}
		var later []memory.Feedback
		for _, f := range r.home.Feedback() {
			open := f.Status == memory.FeedbackNew || f.Status == memory.FeedbackUsed
			if since > 0 && f.Supplements >= since && !slices.Contains(s.Evidence, f.ID) && open {
				later = append(later, f)
			}
		}
		if len(later) == 0 {
			continue
		}
		against, of, err := r.regress(ctx, s, later)
		if err != nil {
			return err
		}
		if against == 0 {
			continue
		}
		if err := r.takeOut(ctx, s, against, of, fmt.Sprintf("later feedback speaks against it: %d of %d", against, of)); err != nil {
			return err
		}
	}
	return nil
}

// inForceSince is the version by which a supplement came into force last.
func inForceSince(versions []memory.SupplementVersion, id string) int64 {
	since := int64(0)
	for _, v := range versions {
		switch in := slices.Contains(v.Active, id); {
		case !in:
			since = 0
		case since == 0:
			since = v.Seq
		}
	}
	return since
}

// regress counts the later feedback that a supplement is to blame for, and that in whose
// making it took part; 0 against where that is not enough.
func (r *runner) regress(ctx context.Context, s Supplement, later []memory.Feedback) (against, of int, err error) {
	if s.Lesson == nil {
		kinds := map[string]bool{}
		for _, f := range r.home.Feedback() {
			if slices.Contains(s.Evidence, f.ID) {
				kinds[f.Kind] = true
			}
		}
		for _, f := range later {
			if kinds[f.Kind] {
				against++
			}
		}
		if against < max(regressNotes, len(s.Evidence)) {
			return 0, len(later), nil
		}
		return against, len(later), nil
	}
	var cases []Case
	for _, c := range r.home.Cases() {
		if slices.ContainsFunc(later, func(f memory.Feedback) bool { return f.ID == c.Feedback }) {
			cases = append(cases, c)
		}
	}
	enough := regressAtLeast
	if len(s.Evidence) > 0 && len(r.home.live(s)) == 0 {
		enough = 1 // the owner has taken back all that spoke for it
	}
	if len(cases) < enough {
		return 0, 0, nil
	}
	with := r.active()
	without := slices.DeleteFunc(slices.Clone(with), func(x Supplement) bool { return x.ID == s.ID })
	now, err := r.home.Replay(ctx, with, cases, 0)
	if err != nil {
		return 0, 0, ignoreBudget(err)
	}
	then, err := r.home.Replay(ctx, without, cases, 0)
	if err != nil {
		return 0, 0, ignoreBudget(err)
	}
	better := 0
	for i := range cases {
		switch was, is := then.Results[i], now.Results[i]; {
		case is.Right && !was.Right:
			better++
		case !is.Right && (was.Right || is.Open && !was.Open || misplaced(&cases[i], was, is)):
			against++
		}
	}
	if against < enough || against <= better {
		return 0, against + better, nil
	}
	return against, against + better, nil
}

// misplaced reports whether a fact got a category by the supplement that isn't right: it
// is to blame for that even where the fact would be wrong without it, too.
func misplaced(c *Case, was, is Result) bool {
	return c.Kind == CaseLabel && slices.ContainsFunc(is.Placed, func(id privacy.CategoryID) bool {
		return !slices.Contains(was.Placed, id) && !slices.Contains(c.Categories, id)
	})
}

// unsaid reports whether the owner has said otherwise, of all that a supplement rests on, or
// has taken it back, while it was in force: since a moment.
func (h *Home) unsaid(s Supplement, since time.Time) bool {
	if len(s.Evidence) == 0 || len(h.live(s)) > 0 {
		return false
	}
	if slices.ContainsFunc(s.Evidence, func(id int64) bool { return h.dropped[id].After(since) }) {
		return true
	}
	facts := map[privacy.FactID]bool{}
	for _, f := range h.given {
		if slices.Contains(s.Evidence, f.ID) && f.Fact != "" {
			facts[f.Fact] = true
		}
	}
	if slices.ContainsFunc(h.given, func(f memory.Feedback) bool {
		return facts[f.Fact] && !slices.Contains(s.Evidence, f.ID) && f.At.After(since)
	}) {
		return true
	}
	for id := range facts {
		if f := h.fact(id); f != nil && slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool { return m.By == privacy.ByHand && m.At.After(since) }) {
			return true
		}
	}
	return false
}

// ignoreBudget passes over what only a model could tell and may not be asked.
func ignoreBudget(err error) error {
	if errors.Is(err, ErrBudget) {
		return nil
	}
	return err
}

// takeOut takes a supplement out of force, or says why it should go where that would let
// somebody in.
func (r *runner) takeOut(ctx context.Context, s Supplement, against, of int, why string) error {
	p, err := r.a.Propose(ctx, agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{
		Drop: []string{s.ID}, Status: string(RolledBack), Author: ByRule, Note: why,
	}}, nil)
	out := RolledBackSupplement{Supplement: s, Against: against, Of: of}
	out.Reason = why
	switch {
	case errors.Is(err, agent.ErrConsent):
		out.Waits = true
		out.Reason = why + "; taking it out would let somebody know more: `epagent evolve revert " + s.ID + "` decides"
		if err := r.put(ctx, out.Supplement); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		out.Status = RolledBack
		r.known[s.ID] = out.Supplement
		r.report.Version = p.Learned.Version
		if r.home, err = OpenHome(ctx, r.a); err != nil { // its marks on stored facts are gone
			return err
		}
	}
	r.report.RolledBack = append(r.report.RolledBack, out)
	return nil
}
