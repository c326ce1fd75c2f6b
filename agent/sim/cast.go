package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// cast are the delegates of a run.
type cast struct {
	clock     atomic.Int64 // the simulated now, nanoseconds since 1970
	connect   Connector
	delegates map[string]*delegate // by the owner's name
	names     []string             // owners, in the script's order
}

// delegate is a real agent over a home of its own.
type delegate struct {
	owner string
	agent *agent.Agent

	endpoints map[string]Endpoint
	// before are answers that the home's ledger holds and the journal doesn't: a run
	// was stopped between the two. They aren't asked for again.
	before []memory.LedgerEntry
}

func (c *cast) now() time.Time { return time.Unix(0, c.clock.Load()).UTC() }

// open opens the homes of all delegates under a folder, and makes those that aren't
// there.
func open(ctx context.Context, s *Script, folder string, o *Options) (_ *cast, err error) {
	c := &cast{connect: o.Connect, delegates: map[string]*delegate{}}
	c.clock.Store(s.start.UnixNano())
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	for i := range s.Parties {
		p := &s.Parties[i]
		if p.Delegate == nil {
			continue
		}
		home := filepath.Join(folder, fmt.Sprintf("%02d", i+1))
		options := o.Agent
		options.Now, options.Relaxed = c.now, true
		policy := p.Delegate.source
		if o.EngineOff {
			if policy, err = engineOff(policy, &options); err != nil {
				return nil, err
			}
		}
		if _, err := os.Stat(filepath.Join(home, agent.PolicyFile)); errors.Is(err, os.ErrNotExist) {
			if _, err := agent.WritePolicy(home, policy); err != nil {
				return nil, err
			}
		}
		a, err := agent.Open(ctx, home, options)
		if err != nil {
			return nil, fmt.Errorf("the delegate of %s: %w", p.Name, err)
		}
		c.delegates[p.Name] = &delegate{owner: p.Name, agent: a, endpoints: map[string]Endpoint{}}
		c.names = append(c.names, p.Name)
	}
	return c, nil
}

func (c *cast) close() error {
	var err error
	for _, name := range c.names {
		err = errors.Join(err, c.delegates[name].agent.Close())
	}
	return err
}

// endpoint is the connection of readers, opened when first used.
func (c *cast) endpoint(ctx context.Context, d *delegate, readers []string) (Endpoint, error) {
	key := strings.Join(readers, "\x00")
	if e, ok := d.endpoints[key]; ok {
		return e, nil
	}
	e, err := c.connect(ctx, d.owner, d.agent, readers)
	if err == nil {
		d.endpoints[key] = e
	}
	return e, err
}

// ask has a delegate answer a question for readers.
func (c *cast) ask(ctx context.Context, d *delegate, question string, readers []string) (string, error) {
	if len(d.before) > 0 {
		entry := d.before[0]
		if entry.Question != question || !slices.Equal(entry.To, readers) {
			return "", fmt.Errorf("%w: the ledger of %s has another question where the journal goes on", ErrFolder, d.owner)
		}
		d.before = d.before[1:]
		return entry.Answer, nil
	}
	e, err := c.endpoint(ctx, d, readers)
	if err != nil {
		return "", err
	}
	return e.Ask(ctx, question)
}

// change makes an edit of a policy, unless it is in force already since a run was
// stopped behind it.
func (d *delegate) change(ctx context.Context, note string, ch *Change) error {
	history, err := d.agent.PolicyHistory(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(history, func(v memory.PolicyVersion) bool { return v.Note == note }) {
		return nil
	}
	var who []privacy.Party
	if ch.Move == "" {
		who = slices.Concat(ch.Allow, ch.Deny)
	}
	_, err = d.agent.EditPolicy(ctx, who, note, true, ch.edits()...)
	return err
}
