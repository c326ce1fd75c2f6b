package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) reviewCommand() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "review",
		Short: "Show what the annotator wasn't sure of, and decide",
		Long: `Show the facts that the annotator wasn't sure of. Until you decide, a fact without a
category is for nobody. Each decision also teaches the annotator.`,
		Example: `  epagent review
  epagent review set fq3k7d2ma --category health
  epagent review set fq3k7d2ma --not-a-fact`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent review --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				items, err := a.Review(cmd.Context())
				if err != nil {
					return err
				}
				total := len(items)
				if limit > 0 && total > limit {
					items = items[:limit]
				}
				result := struct {
					Items []agent.ReviewItem `json:"items"`
					Total int                `json:"total"`
				}{items, total}
				return c.emit(result, func(p *page) { reviewPage(p, items, total) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "at most so many (0: all)")
	cmd.AddCommand(c.reviewSet())
	return cmd
}

func reviewPage(p *page, items []agent.ReviewItem, total int) {
	if total == 0 {
		p.line("Nothing waits for review.")
		return
	}
	var rows [][]string
	for _, item := range items {
		guess := make([]string, len(item.Guess))
		for i, id := range item.Guess {
			guess[i] = string(id)
		}
		if len(guess) == 0 {
			guess = []string{"-"}
		}
		rows = append(rows, []string{
			string(item.ID), day(item.SaidAt), clean(item.Why), strings.Join(guess, "+"), clean(item.Text),
		})
	}
	p.table([]string{"fact", "said", "why", "guess", "text"}, rows)
	p.line("%d of %d shown. Decide with `epagent review set ID --category …`.", len(items), total)
}

func (c *cli) reviewSet() *cobra.Command {
	var marks markFlags
	var notFact, confirm, yes bool
	cmd := &cobra.Command{
		Use:   "set ID…",
		Short: "Decide on facts: category, label, exceptions, or not a fact",
		Example: `  epagent review set fq3k7d2ma --category health
  epagent review set fq3k7d2ma --category job --allow Tomas
  epagent review set fq3k7d2ma f2b6x9kqe --not-a-fact`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				edit, err := marks.edit(cmd.Context(), a)
				if err != nil {
					return err
				}
				edit.Confirm = confirm
				return c.change(args, yes, func(id privacy.FactID, agreed bool) (*agent.Edited, error) {
					return a.Decide(cmd.Context(), id, agent.Decision{Edit: edit, NotFact: notFact}, agreed)
				})
			})
		},
	}
	marks.add(cmd)
	cmd.Flags().BoolVar(&confirm, "confirm", false, "it is true, whoever said it")
	cmd.Flags().BoolVar(&notFact, "not-a-fact", false, "it is no fact: remove it, and skip its like")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}
