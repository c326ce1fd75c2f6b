package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) forgetCommand() *cobra.Command {
	var req agent.ForgetRequest
	var yes bool
	cmd := &cobra.Command{
		Use:   "forget {ID… | --session ID | --person NAME}",
		Short: "Remove facts, a session, or all about a person",
		Long: `Remove facts, a session, or all that a person said and all that is about them, from
every layer: the words, entries, summaries, vectors, links, what the annotator learned
from them, and their wording in the ledger. The ledger keeps that something was told.

It shows first what would go, and asks; --yes agrees, --dry-run only shows.
Importing the same file again doesn't bring it back without a word.`,
		Example: `  epagent forget fq3k7d2ma
  epagent forget --session s12 --dry-run
  epagent forget --person Raj --yes`,
		RunE: func(cmd *cobra.Command, args []string) error {
			kinds := 0
			for _, given := range []bool{len(args) > 0, req.Session != "", req.Person != ""} {
				if given {
					kinds++
				}
			}
			if kinds != 1 {
				return usagef("give ids of facts, or --session, or --person: one of them")
			}
			for _, id := range args {
				req.Facts = append(req.Facts, privacy.FactID(id))
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				return c.forget(cmd, a, req, yes)
			})
		},
	}
	cmd.Flags().StringVar(&req.Session, "session", "", "everything of this session")
	cmd.Flags().StringVar(&req.Person, "person", "", "everything said by or about this person")
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "only show what would go")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree without being asked")
	return cmd
}

type forgetResult struct {
	Facts    []privacy.FactID `json:"facts"`
	Kept     []privacy.FactID `json:"kept"` // rest on another source too
	Sessions int              `json:"sessions"`
	Turns    int              `json:"turns"`
	Ledger   int              `json:"ledger_entries"` // lost their wording
	// Supplements are what was learned from feedback on it alone, Relabelled the facts that
	// lose what those gave them.
	Supplements []string         `json:"supplements"`
	Relabelled  []privacy.FactID `json:"relabelled"`
	Done        bool             `json:"done"`
}

func (c *cli) forget(cmd *cobra.Command, a *agent.Agent, req agent.ForgetRequest, yes bool) error {
	dry := req
	dry.DryRun = true
	would, err := a.Forget(cmd.Context(), dry)
	if err != nil {
		return err
	}
	result := forgetResult{
		Facts: append([]privacy.FactID{}, would.Facts...), Kept: append([]privacy.FactID{}, would.Kept...),
		Sessions: would.Sessions, Turns: would.Turns, Ledger: would.LedgerEntries,
		Supplements: append([]string{}, would.Supplements...), Relabelled: append([]privacy.FactID{}, would.Relabelled...),
	}
	show := func(p *page) {
		verb := "would go"
		if result.Done {
			verb = "are gone"
		}
		p.line("%d facts and %d messages in %d sessions %s; %d ledger entries lose their wording.",
			len(result.Facts), result.Turns, result.Sessions, verb, result.Ledger)
		for _, id := range result.Facts {
			p.line("  %s", id)
		}
		for _, id := range result.Kept {
			p.line("  %s stays: it rests on another source too", id)
		}
		for _, id := range result.Supplements {
			p.line("  the supplement %s goes too: it rests on feedback about this alone", id)
		}
		for _, id := range result.Relabelled {
			p.line("  %s stays, and loses what that gave it", id)
		}
	}
	if len(result.Facts)+len(result.Kept)+result.Turns+result.Sessions == 0 {
		return fmt.Errorf("nothing is stored that was said by %q or is about them; give the name as the chats have it", req.Person)
	}
	if req.DryRun {
		return c.emit(result, show)
	}
	if !yes {
		if !terminal(c.in) {
			return usagef("forget asks first, and this is no terminal: give --yes, or --dry-run to see what would go")
		}
		p := &page{colour: colour(c.err), width: width(c.err)}
		show(p)
		c.say("\n%s", p.String())
		if !c.ask("Forget this?") {
			c.say("nothing was forgotten")
			return quiet{exitFailed}
		}
	}
	done, err := a.Forget(cmd.Context(), req)
	if err != nil {
		return err
	}
	result.Supplements, result.Relabelled = append([]string{}, done.Supplements...), append([]privacy.FactID{}, done.Relabelled...)
	result.Done = true
	return c.emit(result, show)
}
