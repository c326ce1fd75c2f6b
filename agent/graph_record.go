package agent

import (
	"context"
	"errors"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// record writes the ledger entry. An answer whose entry can't be written does not
// leave.
func (a *Agent) record(ctx context.Context, t *turn) error {
	if t.request.Preview {
		return nil
	}
	var permitted []privacy.FactID
	for _, d := range t.context.Details {
		permitted = append(permitted, d.Fact)
	}
	action := Answered
	if len(t.answer.Facts) == 0 {
		action = Deflected
	}
	policy := t.world.policy.Hash()
	if t.withheld != nil {
		policy = "" // none is in force
	}
	entry, err := a.store.RecordAsking(ctx, memory.LedgerEntry{
		At:        a.opts.Now(),
		To:        t.names,
		Question:  t.request.Question,
		Policy:    policy,
		Action:    string(action),
		Answer:    t.answer.Text,
		Permitted: permitted,
		Told:      t.answer.Facts,
		Degraded:  t.notes.degraded(),
		Finished:  t.talk == nil, // outside of a conversation it leaves whole, when Disclose returns
	}, t.ask)
	if err != nil {
		return errors.Join(ErrNotRecorded, err)
	}
	t.entry = entry
	return nil
}
