package agent

import (
	"context"
	"fmt"
	"strconv"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// messageChannel is the channel of what people write to the delegate.
const messageChannel = "delegate"

// delegateFormat is the source format of such messages.
const delegateFormat = "delegate"

// rememberMessage keeps what somebody wrote to the delegate, as that person's
// untrusted words. It always runs offline: whoever writes to the delegate shall
// neither cost the owner a model's calls nor reach a model that makes facts.
//
// Facts of such messages begin events of their own. Were they matched with the
// stored ones, what becomes of a message would depend on facts that its writer may
// not know.
func (a *Agent) rememberMessage(ctx context.Context, c *Conversation, message string, n int) error {
	return again(func() error { return a.keepMessage(ctx, c, message, n) })
}

func (a *Agent) keepMessage(ctx context.Context, c *Conversation, message string, n int) error {
	l, err := a.newLearner(ctx)
	if err != nil {
		return fmt.Errorf("remember the message: %w", err)
	}
	l.stages, l.host = offlineApart(l.taught.learned), memory.OfflineHost(a.host)
	if l.taught.chain, err = chainOf(l.taught.active, offlineApart); err != nil {
		return fmt.Errorf("remember the message: %w", err)
	}
	when := privacy.At(a.opts.Now())
	s := &memory.Session{
		ID: "d" + c.id + "-" + strconv.Itoa(n), Conversation: "delegate " + c.id, Channel: messageChannel,
		Group: len(c.to) > 1, Start: when, Source: memory.Source{Name: "chat", Format: delegateFormat},
		Turns: []memory.Turn{{ID: "d" + shortHash("message", c.id, strconv.Itoa(n), message), Speaker: c.speaker, Kind: memory.Message, Text: message, When: when}},
	}
	for _, r := range c.to {
		s.Participants = append(s.Participants, r.Name)
	}
	s.Participants = append(s.Participants, l.policy.Owner().Name)
	got, err := l.session(ctx, s, nil, nil)
	if err != nil {
		return fmt.Errorf("remember the message: %w", err)
	}
	_, err = a.store.Apply(ctx, memory.Batch{
		Sessions: []memory.Session{*s}, Layers: []memory.Layers{got.layers}, Facts: got.facts, EventRules: got.rules,
		InForce: l.taught.version,
	})
	if err != nil {
		return fmt.Errorf("remember the message: %w", err)
	}
	return nil
}

// offlineApart are the stages of such a message, with what was learned.
func offlineApart(l Learned) Stages { return withOffline(Stages{Coreferrer: apart{}}, l.Lessons) }
