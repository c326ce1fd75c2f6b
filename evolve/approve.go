package evolve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
)

// Errors of an approval.
var (
	// ErrNotProposed says that a supplement doesn't wait for the owner.
	ErrNotProposed = errors.New("only what waits for you (proposed), what you declined, and what went out of force can be approved")
	// ErrUnfit says that the check of what no supplement may hold refuses it here, now.
	ErrUnfit = errors.New("it can't be put in force")
)

// Approvable returns a supplement that may be put in force by the owner's word: it waits for
// that, was declined, or went out of force without another one in its place. It is held once more against what no supplement may hold, with the names and facts
// that the home has now, since what came in with a backup was never checked here. Else the
// error is ErrUnknown, ErrNotProposed or ErrUnfit, and says why.
func Approvable(ctx context.Context, a *agent.Agent, id string) (Supplement, error) {
	s, err := Find(ctx, a, id)
	if err != nil {
		return s, err
	}
	if !s.waits() && !s.wentOut() {
		return s, fmt.Errorf("%s is %s: %w", s.ID, s.Status, ErrNotProposed)
	}
	return s, recheck(ctx, a, s)
}

// waits reports whether a supplement waits for the owner.
func (s Supplement) waits() bool { return s.Status == Proposed || s.Outgrown }

// wentOut reports whether a supplement is out of force, or was never in it, by the owner's
// word or later feedback alone, so that their word may bring it back.
func (s Supplement) wentOut() bool {
	switch s.Status {
	case Refused:
		return s.Reason == declined
	case Retired:
		return !strings.HasPrefix(s.Reason, agent.MergedInto)
	}
	return s.Status == RolledBack
}

func recheck(ctx context.Context, a *agent.Agent, s Supplement) error {
	home, err := OpenHome(ctx, a)
	if err != nil {
		return err
	}
	forbidden, err := home.Forbidden(ctx)
	if err != nil {
		return err
	}
	if s.ID != s.Identify().ID {
		return fmt.Errorf("%s: %w: its id is not that of its content", s.ID, ErrUnfit)
	}
	if err := Check(s, forbidden); err != nil {
		return fmt.Errorf("%s: %w: %w; `epagent evolve revert %s` declines it", s.ID, ErrUnfit, err, s.ID)
	}
	return nil
}

// Approvals are the supplements that wait for the owner of a home, for whoever serves the
// owner by other ways than the command line.
type Approvals struct{ Agent *agent.Agent }

// Proposed lists what waits, the newest first.
func (x Approvals) Proposed(ctx context.Context) ([]Supplement, error) {
	list, err := List(ctx, x.Agent)
	if err != nil {
		return nil, err
	}
	var out []Supplement
	for _, s := range list {
		if s.Status == Proposed {
			out = append(out, s)
		}
	}
	return out, nil
}

// Approval is the change that puts a supplement in force, as somebody else than the owner asks
// for it; errors are those of [Approvable]. The change takes the owner's consent.
func (x Approvals) Approval(ctx context.Context, id string) (agent.Change, error) {
	s, err := Approvable(ctx, x.Agent, id)
	if err == nil && !s.waits() { // what the owner put aside nobody else asks for
		err = fmt.Errorf("%s is %s: %w", s.ID, s.Status, ErrNotProposed)
	}
	if err != nil {
		return agent.Change{}, err
	}
	return agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{
		Add: []string{s.ID}, Waits: true, Note: "approved " + s.ID,
	}}, nil
}
