package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/memory/ingest"
)

func (c *cli) benchCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR...",
		Short: "Check benchmark script folders",
		Long: `Check that benchmark script folders keep to their format (docs/bench.md): files and
keys, ids, references, times; and that the gold levels, allowed and denied sets of the
tasks are those that follow from the gold facts and the policy.

Each fault names file, line and remedy. Notes are what is likely a mistake and breaks no
rule. The exit code is 1 if any folder has a fault.`,
		Example: `  epagent bench check examples/epbench/*
  epagent bench check --json myscript`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, dirs []string) error {
			result := struct {
				Scripts []*bench.Checked `json:"scripts"`
			}{[]*bench.Checked{}}
			valid := true
			for _, dir := range dirs {
				checked, err := bench.Check(dir)
				if err != nil {
					return err
				}
				valid = valid && checked.Valid()
				result.Scripts = append(result.Scripts, checked)
			}
			err := c.emit(result, func(p *page) {
				for _, s := range result.Scripts {
					checkedPage(p, s)
				}
			})
			if err == nil && !valid {
				err = quiet{exitFailed}
			}
			return err
		},
	}
}

func checkedPage(p *page, s *bench.Checked) {
	verdict := p.style(green, "holds")
	if !s.Valid() {
		verdict = p.style(red, plural(len(s.Faults), "fault", "faults"))
	}
	counts := []string{
		plural(s.Sessions, "session", "sessions"), plural(s.Turns, "turn", "turns"), plural(s.Facts, "fact", "facts"),
		plural(s.T1, "t1 item", "t1 items"), plural(s.T2, "t2 item", "t2 items"), plural(s.T3, "t3 item", "t3 items"),
	}
	p.line("%s: %s (%s)", clean(s.Script), verdict, strings.Join(counts, ", "))
	list := func(kind string, faults []*ingest.ScriptFault) {
		for _, f := range faults {
			p.line("  %s%s", kind, clean(f.Error()))
		}
	}
	list("", s.Faults)
	list("note: ", s.Notes)
}
