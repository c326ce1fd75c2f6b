package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

func (c *cli) evolveExport() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print what is in force, for another home",
		Long: `Print what is in force as JSON, for another home: what each supplement says and who made
it. Nothing of the feedback or the facts that it comes from is in it.`,
		Example: "  epagent evolve export > learned.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			states, err := statuses(only)
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				file, err := evolve.Export(cmd.Context(), a, states...)
				if err != nil {
					return err
				}
				return c.writeJSON(file)
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "status", nil, "those of this state (default: active; repeatable)")
	return cmd
}

func (c *cli) evolveImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Read what was learned elsewhere; each is tried here before it does anything",
		Long: `Read what was learned elsewhere. Whatever it was there, here it is a candidate: the next
"evolve run" tries it over your own cases and facts. What names somebody, gives orders,
has a key that this release doesn't know, or holds anything else that no supplement may
hold is refused with its reason. Where all of it is refused the exit code is 1.`,
		Example: `  epagent evolve import learned.json
  epagent evolve run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				list, err := evolve.Import(cmd.Context(), a, file)
				if err != nil {
					return err
				}
				result := struct {
					Supplements []evolve.Supplement `json:"supplements"`
				}{orEmpty(list)}
				err = c.emit(result, func(p *page) {
					supplementTable(p, list)
					takenLine(p, list)
				})
				if err == nil && allRefused(list) {
					return quiet{exitFailed}
				}
				return err
			})
		},
	}
}

// allRefused reports whether a file brought something and nothing of it was taken, then or
// before.
func allRefused(list []evolve.Supplement) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(s evolve.Supplement) bool { return s.Known || s.Status != evolve.Refused })
}

// takenLine says how much of what a file brought is new, and what comes next.
func takenLine(p *page, list []evolve.Supplement) {
	fresh, known, waits := 0, 0, 0
	for _, s := range list {
		switch {
		case s.Known:
			known++
		case s.Status == evolve.Candidate:
			fresh++
			if s.Idle != "" {
				waits++
			}
		}
	}
	refused := len(list) - fresh - known
	var rest []string
	if known > 0 {
		rest = append(rest, plural(known, "is known here already", "are known here already"))
	}
	if refused > 0 {
		rest = append(rest, plural(refused, "is refused", "are refused"))
	}
	line := plural(fresh, "candidate is", "candidates are") + " new to this home"
	if fresh == 0 {
		line = "Nothing in it is new to this home"
	}
	if len(rest) > 0 {
		line += "; " + strings.Join(rest, ", ")
	}
	switch {
	case waits > 0 && waits == fresh:
		line += ". What is new waits for a model"
	case waits > 0:
		line += fmt.Sprintf(". `epagent evolve run` tries what is new, but for %d that wait for a model", waits)
	case fresh > 0:
		line += ". `epagent evolve run` tries what is new"
	}
	p.line("%s.", line)
}
