package tools_test

import (
	"context"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// fakeOwner has the verbs of the owner's further tools. Each fails the call; a test
// that needs one uses an agent.
type fakeOwner struct{}

func (fakeOwner) Propose(context.Context, agent.Change, func(int, int)) (*agent.Proposal, error) {
	return nil, errUnexpected
}

func (fakeOwner) Agree(context.Context, agent.Change, string, func(int, int)) (*agent.Proposal, error) {
	return nil, errUnexpected
}

func (fakeOwner) Preview(context.Context, agent.Change) (*agent.Proposal, error) {
	return nil, errUnexpected
}

func (fakeOwner) Await(context.Context, agent.Change, string, string) (int64, error) {
	return 0, errUnexpected
}

func (fakeOwner) Policy(context.Context) (*privacy.Policy, error) { return nil, errUnexpected }

func (fakeOwner) PolicyHistory(context.Context) ([]memory.PolicyVersion, error) {
	return nil, errUnexpected
}

func (fakeOwner) Why(context.Context, privacy.FactID, string, agent.AsOf) (*agent.Why, error) {
	return nil, errUnexpected
}

func (fakeOwner) Who(context.Context, string, agent.AsOf) ([]agent.Who, error) {
	return nil, errUnexpected
}

func (fakeOwner) Knows(context.Context, string, int, int, agent.AsOf) (*agent.Knows, error) {
	return nil, errUnexpected
}

func (fakeOwner) Review(context.Context, agent.ReviewQuery) (*agent.ReviewQueue, error) {
	return nil, errUnexpected
}

func (fakeOwner) Waiting(context.Context) ([]agent.WaitingChange, error) { return nil, errUnexpected }

func (fakeOwner) Feedback(context.Context, agent.FeedbackRequest) (int64, error) {
	return 0, errUnexpected
}

func (fakeOwner) SaysOf(context.Context, agent.FeedbackRequest) string { return "" }

func (fakeOwner) Ledger(context.Context, memory.LedgerFilter) ([]memory.LedgerEntry, error) {
	return nil, errUnexpected
}

func (fakeOwner) Reindex(context.Context, func(int, int)) error { return errUnexpected }

func (fakeOwner) Fact(context.Context, privacy.FactID) (*agent.FactView, error) {
	return nil, errUnexpected
}

func (fakeOwner) Session(context.Context, string) (*memory.Session, string, error) {
	return nil, "", errUnexpected
}

func (fakeOwner) Sessions(context.Context) ([]memory.SessionInfo, error) { return nil, errUnexpected }

func (fakeOwner) NewFacts(context.Context, time.Time) ([]agent.NewFact, error) {
	return nil, errUnexpected
}

// State is looked at as long as a client is connected.
func (fakeOwner) State(context.Context) (agent.State, error) { return agent.State{}, nil }
