package agent

import (
	"context"
	"slices"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// history is what the readers of a message were told before (PROJECTION 9).
type history struct {
	told      map[privacy.FactID]bool // and may still know
	exchanges []engine.Exchange       // oldest first
}

// exchangesAtMost bounds how much of what was said before goes with a question.
const exchangesAtMost = 6

// historyOf gathers what all readers of a message were told before. It is asked
// for in a conversation only: a single question stands alone.
//
// An answer counts only while everything that went into it may still be told to
// these readers: what was denied since is not repeated, not even to a model that
// words the next answer. People whom the policy knows have one history, whatever
// way they ask; of others a name says nothing, so they have this conversation's.
func (a *Agent) historyOf(ctx context.Context, t *turn) (history, error) {
	if t.talk == nil || t.owner {
		return history{}, nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return history{}, err
	}
	talk, err := a.store.Talk(ctx, t.talk.id)
	if err != nil {
		return history{}, err
	}
	known := !slices.ContainsFunc(t.to, func(r privacy.Recipient) bool { return !r.Known() })
	h := history{told: map[privacy.FactID]bool{}}
	for _, e := range entries {
		if !slices.Contains(talk.Entries, e.ID) && !(known && toldAll(e, t.names)) {
			continue
		}
		if e.Redacted || !e.Finished || e.Answer == "" || !t.world.mayAllKnow(e.Permitted, t.to) {
			continue
		}
		for _, id := range e.Told {
			h.told[id] = true
		}
		h.exchanges = append(h.exchanges, engine.Exchange{Question: e.Question, Answer: e.Answer})
	}
	if n := len(h.exchanges); n > exchangesAtMost {
		h.exchanges = h.exchanges[n-exchangesAtMost:]
	}
	return h, nil
}

// toldAll reports whether all of the readers were told an entry.
func toldAll(e memory.LedgerEntry, names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.ContainsFunc(e.To, func(to string) bool { return privacy.NormalizeName(to) == privacy.NormalizeName(name) })
	})
}

// mayAllKnow reports whether every fact of a list may be told to all of to now.
func (w *world) mayAllKnow(ids []privacy.FactID, to []privacy.Recipient) bool {
	return !slices.ContainsFunc(ids, func(id privacy.FactID) bool { return !w.audience(id, to).Allow })
}
