package agent

import (
	"context"

	"github.com/epagent/epagent/privacy"
)

// CheckPolicy says what is wrong or suspicious about the policy in force, over the
// facts that are stored.
func (a *Agent) CheckPolicy(ctx context.Context) ([]privacy.Problem, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	return w.policy.Lint(w.marks, a.opts.Now()), nil
}

// TestPolicy runs the assertions of a test file against the policy in force and
// the facts that are stored.
func (a *Agent) TestPolicy(ctx context.Context, tests *privacy.Tests) ([]privacy.TestResult, error) {
	w, err := a.current(ctx)
	if err != nil {
		return nil, err
	}
	if w.stale != nil {
		return nil, w.stale
	}
	return tests.Run(w.policy, w.marks, a.opts.Now()), nil
}

// Audience is who gets one category by its label alone.
type Audience struct {
	Category privacy.CategoryID `json:"category"`
	Label    privacy.Label      `json:"label"`
	People   []string           `json:"people"`
}

// AudiencesOf lists the audiences of a policy's categories of level 2 or less.
func AudiencesOf(policy *privacy.Policy) []Audience {
	out := []Audience{}
	for _, c := range policy.Categories() {
		if c.Level > privacy.L2 {
			continue
		}
		row := Audience{Category: c.ID, Label: c.Label(), People: []string{}}
		for _, p := range policy.Audience(c.ID) {
			row.People = append(row.People, p.Name)
		}
		out = append(out, row)
	}
	return out
}
