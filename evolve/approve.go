package evolve

import (
	"context"
	"errors"
	"fmt"

	"github.com/epagent/epagent/agent"
)

// Errors of an approval.
var (
	// ErrNotProposed says that a supplement doesn't wait for the owner.
	ErrNotProposed = errors.New("only what waits for you (proposed) can be approved")
	// ErrUnfit says that the check of what no supplement may hold refuses it here, now.
	ErrUnfit = errors.New("it can't be put in force")
)

// Approvable returns a supplement that waits for the owner and may be put in force by their
// word: it is held once more against what no supplement may hold, with the names and facts
// that the home has now, since what came in with a backup was never checked here. Else the
// error is ErrUnknown, ErrNotProposed or ErrUnfit, and says why.
func Approvable(ctx context.Context, a *agent.Agent, id string) (Supplement, error) {
	s, err := Find(ctx, a, id)
	if err != nil {
		return s, err
	}
	if s.Status != Proposed && !s.Outgrown {
		return s, fmt.Errorf("%s is %s: %w", s.ID, s.Status, ErrNotProposed)
	}
	return s, recheck(ctx, a, s)
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
	if err != nil {
		return agent.Change{}, err
	}
	return agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{
		Add: []string{s.ID}, Waits: true, Note: "approved " + s.ID,
	}}, nil
}
