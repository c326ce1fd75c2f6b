package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy/engine"
)

func (c *cli) discloseCommand() *cobra.Command {
	var to []string
	var preview, explain, showContext bool
	cmd := &cobra.Command{
		Use:   "disclose --to NAME [--to NAME…] QUESTION",
		Short: "Answer somebody's question with what they may know",
		Long: `Answer a question for the person who asks. The answer is made from what your
policy lets that person know, and nothing else. With several --to it is one message
that all of them read: only what all may know is told.

The answer counts as told and is recorded (epagent ledger). --preview, --explain and
--context are for you: they record nothing.

While the policy is missing or broken, or the ledger can't be written, the answer is
the one for everything that may not be told; stderr and the exit code 1 say why.

Anyone may be named. A name that your policy doesn't know gets what a stranger gets.`,
		Example: `  epagent disclose --to Greta "how was the weekend?"
  epagent disclose --to Raj --to Karin --preview "who is coming to the offsite?"
  epagent disclose --to Karin --explain "why was she away in February?"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(to) == 0 {
				return usagef("who is asking? give --to NAME")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				mine := preview || explain || showContext
				find := a.Listeners
				if mine {
					find = a.Readers
				}
				readers, err := find(cmd.Context(), to)
				if err != nil {
					return err
				}
				d, err := a.Disclose(cmd.Context(), agent.DiscloseRequest{
					Question: strings.Join(args, " "), To: readers,
					Preview: mine, Explain: explain, Listener: !mine,
				})
				if err != nil {
					return err
				}
				c.sayDegraded(d.Degraded)
				var shown any = d
				if showContext {
					shown = struct {
						*agent.Disclosure
						Context *engine.Context `json:"context"`
					}{d, d.Context}
				}
				if err := c.emit(shown, func(p *page) { disclosePage(p, d, explain, showContext) }); err != nil {
					return err
				}
				return c.withheld(d)
			})
		},
	}
	cmd.Flags().StringArrayVar(&to, "to", nil, "who asks (repeat for a message that several people read)")
	cmd.Flags().BoolVar(&preview, "preview", false, "show the answer, record nothing")
	cmd.Flags().BoolVar(&explain, "explain", false, "show each fact considered, with verdict and reason; record nothing")
	cmd.Flags().BoolVar(&showContext, "context", false, "show the context that a responder gets; record nothing")
	return cmd
}

// withheld tells the owner on stderr why nothing could be told whatever the question:
// on stdout it looks like any deflection.
func (c *cli) withheld(d *agent.Disclosure) error {
	if d == nil || d.Withheld == nil {
		return nil
	}
	c.say("nothing was told: %v", d.Withheld)
	return quiet{exitFailed}
}

func disclosePage(p *page, d *agent.Disclosure, explain, showContext bool) {
	p.paragraphs(d.Answer, "")
	if explain {
		var rows [][]string
		for _, f := range d.Considered {
			rows = append(rows, []string{
				string(f.ID), p.verdict(f.Allow, f.Reason.String()), f.Label.String(), clean(f.Text),
			})
		}
		p.line("")
		if len(rows) == 0 {
			p.line("No fact was considered.")
		}
		p.table([]string{"fact", "verdict", "label", "text"}, rows)
		for _, f := range d.Considered {
			if f.Rule != "" {
				p.line("%s: %s", f.ID, f.Rule)
			}
		}
	}
	if showContext {
		body, _ := json.MarshalIndent(d.Context, "", "  ") // plain strings: it encodes
		p.line("")
		p.line("%s", body)
	}
}
