package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

func (c *cli) ledgerCommand() *cobra.Command {
	var filter memory.LedgerFilter
	var since string
	cmd := &cobra.Command{
		Use:   "ledger",
		Short: "Show what was told to whom",
		Long: `Show what was told to whom, when, and by which policy version. Of what was
forgotten since, the ledger keeps that something was told, without the words.`,
		Example: `  epagent ledger
  epagent ledger --to Greta --since 2026-01-01`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if since != "" {
				var err error
				if filter.Since, err = parseSince(since); err != nil {
					return usagef("--since %w", err)
				}
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				entries, err := a.Ledger(cmd.Context(), filter)
				if err != nil {
					return err
				}
				result := struct {
					Entries []memory.LedgerEntry `json:"entries"`
				}{append([]memory.LedgerEntry{}, entries...)}
				return c.emit(result, func(p *page) { ledgerPage(p, entries) })
			})
		},
	}
	cmd.Flags().StringVar(&filter.To, "to", "", "only what was told to this person")
	cmd.Flags().StringVar(&since, "since", "", "only from this time on: 2026-03-01 or RFC 3339")
	return cmd
}

func ledgerPage(p *page, entries []memory.LedgerEntry) {
	if len(entries) == 0 {
		p.line("Nothing was told to anybody.")
		return
	}
	var rows [][]string
	for _, e := range entries {
		ids := make([]string, len(e.Told))
		for i, id := range e.Told {
			ids[i] = string(id)
		}
		told := strings.Join(ids, " ")
		if told == "" {
			told = "-"
		}
		rows = append(rows, []string{
			fmt.Sprint(e.ID), e.At.Format("2006-01-02 15:04"), clean(strings.Join(e.To, ", ")), e.Action, told, clean(e.Question),
		})
	}
	p.table([]string{"n", "when", "to", "what", "facts", "question"}, rows)
}

func parseSince(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	// A day is one of the person at this machine: the ledger is written here.
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errTime(s)
}
