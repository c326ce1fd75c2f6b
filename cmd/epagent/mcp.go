package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/tools"
)

func (c *cli) mcpCommand() *cobra.Command {
	var bound boundFlags
	cmd := &cobra.Command{
		Use:   "mcp [--to NAME…]",
		Short: "Serve over MCP on stdio, for you or for somebody you name",
		Long: `Serve an MCP-capable assistant over standard input and output, which carries the
protocol and nothing else.

Without --to the connection speaks as you, the owner: attach it only to an assistant
of your own. With --to it is bound to that person, or to all the readers of a group:
it has disclose, which tells them what all of them may know, and remember, which
takes down what they say. Nothing that is said over it changes whom it is bound to.`,
		Example: `  {"mcpServers": {"epagent": {"command": "epagent", "args": ["mcp"]}}}
  epagent mcp --to "Tomas Falk"
  epagent mcp --to Raj --to Karin --cap 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if c.json {
				return usagef("mcp speaks JSON-RPC on standard output; --json has no meaning here")
			}
			if err := bound.check(); err != nil {
				return err
			}
			c.serving = len(bound.to) == 0 && bound.cap == 0 // a recipient's model is theirs
			return c.withNew(cmd.Context(), func(a *agent.Agent) error {
				who, err := c.principal(cmd.Context(), a, bound)
				if err != nil {
					return err
				}
				server, err := tools.New(a, tools.Options{Version: version, Logger: c.logger(), Principal: who, Supplements: evolve.Approvals{Agent: a}})
				if err != nil {
					return err
				}
				ctx, stop := whileParentLives(cmd.Context())
				defer stop()
				err = server.ServeStdio(ctx, c.in, c.out)
				if errors.Is(err, context.Canceled) && cmd.Context().Err() == nil {
					return nil // whoever started it is gone, and so is its reader
				}
				return err
			})
		},
	}
	bound.add(cmd, "bind the connection to this person (repeat for a group that reads together)")
	cmd.AddCommand(c.mcpInstall(), c.mcpBundle())
	return cmd
}

// boundFlags say whom a connection is bound to, and how far.
type boundFlags struct {
	to   []string
	cap  int
	keep bool
}

func (b *boundFlags) add(cmd *cobra.Command, to string) {
	cmd.Flags().StringArrayVar(&b.to, "to", nil, to)
	cmd.Flags().IntVar(&b.cap, "cap", 0, "treat them as no closer than this tier, 1 to 4; whitelists don't count then")
	cmd.Flags().BoolVar(&b.keep, "keep-whitelist", false, "with --cap: whitelists count all the same")
}

func (b *boundFlags) check() error {
	for _, name := range b.to {
		if strings.TrimSpace(name) == "" {
			return usagef("--to: the name is blank")
		}
	}
	switch {
	case b.cap < 0 || b.cap > 4:
		return usagef("--cap %d: want a tier from 1 to 4", b.cap)
	case b.keep && b.cap == 0:
		return usagef("--keep-whitelist has a meaning with --cap alone: without a cap whitelists count")
	}
	return nil
}

// principal is who speaks over stdio. A policy that doesn't load is no reason not to
// start: until it does, nothing is told, and names stand for strangers.
func (c *cli) principal(ctx context.Context, a *agent.Agent, b boundFlags) (tools.Principal, error) {
	limit := privacy.Tier(b.cap)
	if len(b.to) == 0 {
		return tools.Bound(agent.Binding{Owner: true, Cap: limit, KeepWhitelist: b.keep}), nil
	}
	people, err := a.Bind(ctx, b.to, false)
	switch {
	case errors.Is(err, agent.ErrNoPolicy), errors.Is(err, agent.ErrPolicyBroken):
		c.say("the policy can't be read, so nothing is told over this connection: %v", err)
		people = nil
		for _, name := range b.to {
			people = append(people, agent.BoundPerson{Name: name})
		}
	case err != nil:
		return tools.Principal{}, err
	}
	for _, p := range people {
		if p.ID == "" {
			c.say("%q is not in the policy and is told what a stranger is told", p.Name)
		}
	}
	return tools.Bound(agent.Binding{People: people, Cap: limit, KeepWhitelist: b.keep}), nil
}

// whileParentLives ends its context when the process that started this one is gone:
// the end of its input says so as a rule, but another process may hold that open.
func whileParentLives(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	parent := os.Getppid()
	if parent <= 1 {
		return ctx, cancel // there is none to outlive
	}
	go func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if os.Getppid() != parent {
					cancel()
					return
				}
			}
		}
	}()
	return ctx, cancel
}
