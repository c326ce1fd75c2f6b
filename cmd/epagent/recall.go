package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
)

func (c *cli) recallCommand() *cobra.Command {
	var as []string
	var limit int
	var asOf string
	cmd := &cobra.Command{
		Use:   "recall QUESTION",
		Short: "Find facts in your memory",
		Long: `Find facts for a question, best first, with labels, sources and scores.

This is your own view: it shows everything. With --as NAME it shows only what NAME
may know, ranked as it would be for them.

A --as listing has all that NAME may know; a command that tells NAME something leaves
out what no longer holds, unless the question asks how it was ("no longer" marks it).

What no longer holds stands behind what holds. --as-of asks what was so at a moment:
what was said later is left out.`,
		Example: `  epagent recall "when is the operation"
  epagent recall --as Greta "holiday"
  epagent recall --as-of 2026-03-01 "where do I live"
  epagent recall --json --limit 3 Kitefield`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef("--limit %d: want 1 or more", limit)
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				req := agent.RecallRequest{Query: strings.Join(args, " "), Limit: limit}
				if asOf != "" {
					at, err := agent.ParseAsOf(asOf)
					if err != nil || at.At.IsZero() {
						return usagef("--as-of %q: want a day (2026-03-01) or a time", asOf)
					}
					req.AsOf = at.At
				}
				if len(as) > 0 {
					var err error
					if req.As, err = a.Readers(cmd.Context(), as); err != nil {
						return err
					}
				}
				found, err := a.Recall(cmd.Context(), req)
				if err != nil {
					return err
				}
				if found.Stale != nil {
					c.say("labels are not those of the policy in force: %v", found.Stale)
				}
				if found.HostFault != nil {
					c.say("ranked without the native host: %v", found.HostFault)
				}
				return c.emit(found, func(p *page) { recallPage(p, found) })
			})
		},
	}
	cmd.Flags().StringArrayVar(&as, "as", nil, "only what this person may know (repeat: all of them)")
	cmd.Flags().StringVar(&asOf, "as-of", "", "as it was at a day (2026-03-01) or a time")
	cmd.Flags().IntVar(&limit, "limit", 10, "at most so many facts")
	return cmd
}

func recallPage(p *page, found *agent.Recalled) {
	if len(found.Facts) == 0 {
		p.line("Nothing found.")
		return
	}
	var rows [][]string
	for _, f := range found.Facts {
		categories := "none"
		if len(f.Categories) > 0 {
			words := make([]string, len(f.Categories))
			for i, id := range f.Categories {
				words[i] = string(id)
			}
			categories = strings.Join(words, "+")
		}
		notes := ""
		if !f.Trusted {
			notes = " (untrusted, said by " + orUnknown(f.Speaker) + ")"
		}
		if f.SupersededBy != "" {
			notes += fmt.Sprintf(" (no longer: %s)", f.SupersededBy)
		}
		if f.Truth == "cover" {
			notes += " (cover story)"
		}
		rows = append(rows, []string{
			string(f.ID), fmt.Sprintf("%.2f", f.Score), f.Label.String(), categories, day(f.HappenedAt, f.SaidAt), clean(f.Text) + notes,
		})
	}
	p.table([]string{"fact", "score", "label", "category", "when", "text"}, rows)
	if found.More {
		p.line("There is more: raise --limit.")
	}
}

// day shows the date of the first time that is known.
func day(times ...*string) string {
	for _, t := range times {
		if t != nil && len(*t) >= len("2006-01-02") {
			return (*t)[:len("2006-01-02")]
		}
	}
	return "-"
}

func orUnknown(name string) string {
	if name == "" {
		return "somebody unknown"
	}
	return clean(name)
}
