package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

func (c *cli) feedbackImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Learn from the failed items of benchmark scripts",
		Long: `Learn from the failed items of benchmark scripts, as "bench run --feedback-out" writes them.
They become candidates, which the next "evolve run" tries over your own cases and facts.
Nothing of the scripts' texts is kept, and none of it is a fact of yours. A line of any
other form refuses the whole file, and a file with nothing in it is an error. Where all
that it teaches is refused the exit code is 1.`,
		Example: `  epagent bench run --system EP-Mem --feedback-out failed.jsonl scripts/*
  epagent feedback import failed.jsonl
  epagent evolve run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				r, err := evolve.ImportScripts(cmd.Context(), a, file)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				err = c.emit(r, func(p *page) {
					if len(r.Supplements) > 0 {
						supplementTable(p, r.Supplements)
					}
					p.line("%s of %s read, %d of use here.", plural(r.Items, "item", "items"), plural(len(r.Scripts), "script", "scripts"), r.Used)
					if r.Foreign > 0 {
						p.line("%s about categories that your policy doesn't have, or has with another label.", plural(r.Foreign, "item is", "items are"))
					}
					if r.Idle > 0 {
						p.line("%s of stages that learn nothing from it offline.", plural(r.Idle, "item is", "items are"))
					}
					if len(r.Supplements) == 0 {
						p.line("No candidate follows from them.")
						return
					}
					takenLine(p, r.Supplements)
				})
				if err == nil && allRefused(r.Supplements) {
					return quiet{exitFailed}
				}
				return err
			})
		},
	}
}
