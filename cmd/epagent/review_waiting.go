package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

func (c *cli) reviewWaiting() *cobra.Command {
	return &cobra.Command{
		Use:   "waiting",
		Short: "Show the changes that an assistant asked for and that wait for you",
		Long: `Show the changes that an assistant asked for and that would let somebody learn more.
Nothing of them is done until you agree: the assistant may have asked because of a text
that somebody else wrote.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				waiting, err := a.Waiting(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					Changes []agent.WaitingChange `json:"changes"`
				}{waiting}
				if err := c.emit(result, func(p *page) { waitingPage(p, waiting) }); err != nil {
					return err
				}
				return a.Shown(cmd.Context(), waiting...)
			})
		},
	}
}

func waitingPage(p *page, waiting []agent.WaitingChange) {
	if len(waiting) == 0 {
		p.line("No change waits.")
		return
	}
	for _, w := range waiting {
		changeLines(p, &w)
		p.line("")
	}
	p.line("Decide with `epagent review agree N` or `epagent review decline N`.")
}

// changeLines shows one change that waits, with all that it opens.
func changeLines(p *page, w *agent.WaitingChange) {
	p.line("%s  %s, asked for by %s on %s", p.style(bold, strconv.FormatInt(w.ID, 10)), w.Kind, clean(w.Origin), w.At.Local().Format("2006-01-02 15:04"))
	if w.Fault != "" {
		p.line("  it can't be done any more: %s", clean(w.Fault))
	}
	if w.Changed {
		p.line("  note: what it would do has changed since it was last shown")
	}
	for _, line := range w.Opens {
		p.line("  + %s", clean(line))
	}
	for _, line := range w.Closes {
		p.line("  - %s", clean(line))
	}
	for _, line := range w.Notes {
		p.line("  note: %s", clean(line))
	}
}

func (c *cli) reviewSettle(verb, short string, agreed bool) *cobra.Command {
	return &cobra.Command{
		Use:     verb + " N…",
		Short:   short,
		Example: "  epagent review " + verb + " 1",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var ids []int64
			for _, arg := range args {
				id, err := strconv.ParseInt(arg, 10, 64)
				if err != nil {
					return usagef("%q: want the number of a change; `epagent review waiting` lists them", arg)
				}
				ids = append(ids, id)
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				result := struct {
					Done []int64 `json:"done"`
				}{[]int64{}}
				var failed error
				for _, id := range ids {
					if failed = c.settle(cmd.Context(), a, id, agreed); failed != nil {
						break
					}
					result.Done = append(result.Done, id)
				}
				return errors.Join(c.emit(result, func(p *page) {
					for _, id := range result.Done {
						word := "declined: nothing was changed"
						if agreed {
							word = "done"
						}
						p.line("%d is %s.", id, word)
					}
				}), failed)
			})
		},
	}
}

// settle decides on one change. What it does is shown before it is done; where that is
// no longer what the owner was shown before, it is asked for again on a terminal, and
// elsewhere refused once.
func (c *cli) settle(ctx context.Context, a *agent.Agent, id int64, agreed bool) error {
	waiting, err := a.Waiting(ctx)
	if err != nil {
		return err
	}
	for i := range waiting {
		w := &waiting[i]
		if w.ID != id {
			continue
		}
		if agreed && w.Fault != "" {
			return fmt.Errorf("change %d can't be done any more: %s; decline it", id, w.Fault)
		}
		p := &page{colour: colour(c.err), width: width(c.err)}
		changeLines(p, w)
		fmt.Fprint(c.err, p.String())
		if agreed && w.Changed {
			if err := c.agreeAgain(ctx, a, w); err != nil {
				return err
			}
		}
		return settleShown(ctx, a, w, agreed)
	}
	return fmt.Errorf("%w: %d; `epagent review waiting` lists them", agent.ErrUnknownChange, id)
}

// settleShown decides on a change as it was shown. What it puts in force of evolution's
// is checked as by `evolve approve`: names and facts may have come since it was asked for.
func settleShown(ctx context.Context, a *agent.Agent, w *agent.WaitingChange, agreed bool) error {
	if agreed {
		for _, id := range w.Supplements {
			if _, err := evolve.Approvable(ctx, a, id); err != nil {
				return fmt.Errorf("change %d can't be done: %w", w.ID, err)
			}
		}
	}
	_, err := a.Settle(ctx, w.ID, agreed, w.Key, nil)
	return err
}

// agreeAgain has the owner agree to what a change would do by now.
func (c *cli) agreeAgain(ctx context.Context, a *agent.Agent, w *agent.WaitingChange) error {
	if err := a.Shown(ctx, *w); err != nil {
		return err
	}
	if !terminal(c.in) {
		return fmt.Errorf("change %d: %w, as shown above, and then agree again", w.ID, agent.ErrChanged)
	}
	answer, err := c.prompt("Agree to this?", "no")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(strings.ToLower(answer), "y") {
		return refusal{fmt.Errorf("change %d still waits: nothing was done", w.ID)}
	}
	return nil
}

// walkWaiting asks about each change that waits, on a terminal.
func (c *cli) walkWaiting(ctx context.Context, a *agent.Agent) error {
	waiting, err := a.Waiting(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	c.say("your assistant asked for %s that would let somebody learn more:", plural(len(waiting), "change", "changes"))
	for i := range waiting {
		w := &waiting[i]
		p := &page{colour: colour(c.out), width: width(c.out)}
		changeLines(p, w)
		fmt.Fprint(c.out, p.String())
		answer, err := c.prompt("[a]gree, [d]ecline, [enter] later", "")
		if err != nil {
			return nil // the end of the input: later
		}
		switch answer {
		case "a":
			if err := settleShown(ctx, a, w, true); err != nil {
				c.say("%v", err)
			}
		case "d":
			if err := settleShown(ctx, a, w, false); err != nil {
				c.say("%v", err)
			}
		}
	}
	return nil
}
