package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
)

// droppedFeedback is the object of `feedback drop`.
type droppedFeedback struct {
	ID          int64    `json:"id"`
	Supplements []string `json:"supplements"` // that rest on nothing else
	Done        bool     `json:"done"`
}

func (c *cli) feedbackDrop() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "drop N",
		Short: "Take a piece of feedback back",
		Long: `Take a piece of feedback back: its words go, and nothing is learned from it any more. It
is shown first, and asked; --yes agrees. Of what rests on nothing else the next "evolve run"
refuses what waits for you, and takes out what is in force, if that lets nobody in.`,
		Example: `  epagent feedback list
  epagent feedback drop 3`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id <= 0 {
				return usagef("%q is no number of feedback; `epagent feedback list` lists them", args[0])
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error { return c.dropFeedback(cmd.Context(), a, id, yes) })
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree without being asked")
	return cmd
}

func (c *cli) dropFeedback(ctx context.Context, a *agent.Agent, id int64, yes bool) error {
	given, err := a.FeedbackGiven(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(given, func(f memory.Feedback) bool { return f.ID == id })
	if at < 0 {
		return fmt.Errorf("%w: %d", agent.ErrUnknownFeedback, id)
	}
	resting, err := evolve.RestingOn(ctx, a, id)
	if err != nil && ctx.Err() != nil {
		return err // else, as where the policy can't be read, it is taken back all the same
	}
	result := droppedFeedback{ID: id, Supplements: []string{}}
	for _, s := range resting {
		result.Supplements = append(result.Supplements, s.ID)
	}
	if !yes {
		if !terminal(c.in) {
			return usagef("feedback drop asks first, and this is no terminal: give --yes")
		}
		p := &page{colour: colour(c.err), width: width(c.err)}
		f := given[at]
		p.line("%d, %s: %s", f.ID, f.At.Local().Format("2006-01-02 15:04"), clean(strings.Join(strings.Fields(f.Kind+" "+aboutOf(&f)+" "+f.Expected+" "+f.Note), " ")))
		restingLines(p, resting)
		c.say("%s", p.String())
		if !c.ask("Take this back?") {
			c.say("nothing was taken back")
			return quiet{exitFailed}
		}
	}
	if err := a.DropFeedback(ctx, id); err != nil {
		return err
	}
	result.Done = true
	return c.emit(result, func(p *page) {
		p.line("%d is taken back.", id)
		restingLines(p, resting)
	})
}

// restingLines says what becomes of what rests on nothing else.
func restingLines(p *page, resting []evolve.Supplement) {
	for _, s := range resting {
		if s.Status == evolve.Active {
			p.line("  %s rests on it alone; the next `epagent evolve run` takes it out if that lets nobody in, `epagent evolve revert %s` whenever you like", s.ID, s.ID)
			continue
		}
		p.line("  %s rests on it alone; the next `epagent evolve run` refuses it", s.ID)
	}
}

// aboutOf is what a piece of feedback is about: a fact, an entry of the ledger, or both.
func aboutOf(f *memory.Feedback) string {
	about := string(f.Fact)
	if f.Entry != 0 {
		about = strings.TrimSpace(about + fmt.Sprintf(" entry %d", f.Entry))
	}
	return about
}
