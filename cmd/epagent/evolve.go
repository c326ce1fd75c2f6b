package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/prompts"
)

func (c *cli) evolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "evolve",
		Short: "Learn from your feedback; what can only close is done, all else waits for your word",
		Long: `Learn from what you said was wrong ("epagent feedback"). A run finds the stage at fault,
makes general candidates for it, and tries each over the facts that you decided on, your
policy's own tests and every stored fact and person. What helps, makes nothing worse and
can only close is put in force. What would let anybody know more, or might when more is
said, waits for you.

The rules that judge, and the fixed part of every prompt, are never changed by it.
Whatever is in force is a numbered version; "evolve revert" brings any of them back.`,
		Example: `  epagent evolve run
  epagent evolve list
  epagent evolve diff s3f9c1d20a7e
  epagent evolve approve s3f9c1d20a7e
  epagent evolve revert --to 2`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent evolve --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.evolveRun(), c.evolveStatus(), c.evolveList(), c.evolveShow(), c.evolveDiff(), c.evolveApprove(), c.evolveRevert(), c.evolveExport(), c.evolveImport())
	return cmd
}

func (c *cli) evolveRun() *cobra.Command {
	var o evolve.RunOptions
	var stages []string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Learn from the feedback that nothing in force answers yet",
		Long: `Learn from the feedback that nothing in force answers yet. A run that was stopped goes on
where it was, with --again it begins anew. Offline it needs no model. With one, --calls N
lets it ask for diagnoses and try notes, at most N calls; what it spends stands in the
report. A run that goes on keeps the --seed and --stage that it began with; others are
refused. Equal homes, options and --seed give equal results.`,
		Example: `  epagent evolve run
  epagent evolve run --stage annotate --seed 7
  epagent evolve run --calls 60 --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Stages, err = stageNames(stages); err != nil {
				return err
			}
			if o.Calls < 0 || o.Candidates < 0 {
				return usagef("--calls and --candidates: want 0 or more")
			}
			if !(o.Tolerance >= 0 && o.Tolerance <= 1) { // nor what is no number
				return usagef("--tolerance %v: want a share, 0 to 1", o.Tolerance)
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				o.Diagnosers = []evolve.Diagnoser{evolve.NewRuleDiagnoser()}
				if c.diagnoser != nil && o.Calls > 0 {
					o.Diagnosers = append(o.Diagnosers, c.diagnoser)
				}
				if terminal(c.err) && !c.json {
					o.Progress = func(done, total int) { fmt.Fprintf(c.err, "\r%d of %d candidates tried", done, total) }
				}
				if a.ModelName() != "" && o.Calls == 0 {
					c.say("the stages run on a model: give --calls N to try what they learn, or --offline for what the offline stages learn")
				}
				report, err := evolve.Run(cmd.Context(), a, o)
				if o.Progress != nil {
					fmt.Fprintln(c.err)
				}
				if err != nil && report.Run == 0 {
					return err // before there was anything to report
				}
				if errors.Is(err, context.Canceled) {
					report.Stopped = "interrupted: the next run goes on from here"
				}
				return errors.Join(c.emit(report, func(p *page) { runPage(p, report) }), err)
			})
		},
	}
	f := cmd.Flags()
	f.Int64Var(&o.Seed, "seed", 0, "of what is chosen by chance")
	f.IntVar(&o.Calls, "calls", 0, "calls of the model, at most")
	f.StringArrayVar(&stages, "stage", nil, "only this stage learns (repeatable)")
	f.IntVar(&o.Candidates, "candidates", 0, "try at most so many (0: 24)")
	f.Float64Var(&o.Tolerance, "tolerance", 0, "share of the kept cases that may get too strict where as many get right")
	f.BoolVar(&o.Again, "again", false, "begin anew where a run was stopped")
	return cmd
}

// stageNames checks the names of stages that may learn.
func stageNames(words []string) ([]prompts.Name, error) {
	known := evolve.Stages()
	var out []prompts.Name
	for _, w := range words {
		if !slices.Contains(known, prompts.Name(w)) {
			var list []string
			for _, k := range known {
				list = append(list, string(k))
			}
			return nil, usagef("--stage %q: want one of %s", w, strings.Join(list, ", "))
		}
		out = append(out, prompts.Name(w))
	}
	return out, nil
}

// weight is the place of a status in a list: what is in force, what waits, the rest.
func weight(s evolve.Status) int {
	switch s {
	case evolve.Active:
		return 0
	case evolve.Proposed:
		return 1
	}
	return 2
}

func runPage(p *page, r *evolve.RunReport) {
	switch {
	case r.Run == 0 && len(r.RolledBack) == 0:
		p.line("There is nothing to learn from: give feedback by `epagent feedback`.")
		return
	case r.Resumed:
		p.line("Run %d goes on as it began.", r.Run)
	case r.Run != 0:
		p.line("Run %d looked at %s.", r.Run, plural(r.Feedback, "piece of feedback", "pieces of feedback"))
	}
	at := map[string]int{}
	for _, f := range r.Findings {
		if f.Reason == evolve.ReasonOthers {
			continue
		}
		if f.Stage != "" {
			at[string(f.Stage)]++
		} else {
			at["no stage"]++
		}
	}
	for _, f := range r.Findings {
		if f.Reason == evolve.ReasonOthers {
			p.line("  nothing is learned from feedback %d: %s", f.Feedback, f.Reason)
		}
	}
	names := make([]string, 0, len(at))
	for name := range at {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p.line("  %s at fault: %d", name, at[name])
	}
	tried := slices.Concat(r.TriedBefore, r.Tried)
	slices.SortStableFunc(tried, func(a, b evolve.Supplement) int { return cmp.Compare(weight(a.Status), weight(b.Status)) })
	supplementTable(p, tried)
	for _, s := range tried {
		if s.Status == evolve.Active && s.Gate != nil && s.Gate.Hidden > 0 {
			p.line("%s closes %s; `epagent evolve diff %s` lists them, `epagent evolve revert %s` takes it back.", s.ID, plural(s.Gate.Hidden, "pair of a fact and a person", "pairs of a fact and a person"), s.ID, s.ID)
		}
	}
	if n := count(tried, evolve.Refused); n > 0 {
		p.line("%d of %d are refused.", n, len(tried))
	}
	for _, x := range r.RolledBack {
		word := "is rolled back"
		if x.Waits {
			word = "should go, and waits for you"
		}
		p.line("%s %s: %s", x.ID, word, clean(x.Reason))
	}
	if len(r.Tried) == 0 && r.Run != 0 {
		p.line("Nothing general follows from it yet.")
	}
	if n := count(r.Tried, evolve.Proposed); n > 0 {
		p.line("%s for you: `epagent evolve diff ID` shows whom it opens to, `epagent evolve approve ID` puts it in force.", plural(n, "waits", "wait"))
	}
	if r.Stopped != "" {
		p.line("Stopped: %s; %s left for the next run.", clean(r.Stopped), plural(r.Left, "candidate is", "candidates are"))
	}
}

func count(list []evolve.Supplement, status evolve.Status) int {
	n := 0
	for _, s := range list {
		if s.Status == status {
			n++
		}
	}
	return n
}

func supplementTable(p *page, list []evolve.Supplement) {
	var rows [][]string
	for _, s := range list {
		words := clean(s.Says())
		if s.Reason != "" {
			words += " (" + clean(s.Reason) + ")"
		}
		if s.Idle != "" {
			words += " (does nothing now: " + strings.TrimRight(clean(s.Idle)+"; "+remedyOf(&s), "; ") + ")"
		}
		author := s.Author
		if strings.HasPrefix(author, evolve.ByScripts) {
			author = evolve.ByScripts // `show` names the items
		}
		rows = append(rows, []string{s.ID, string(s.Status), string(s.Stage), s.Language, clean(author), words})
	}
	p.table([]string{"id", "status", "stage", "for", "by", "says"}, rows)
}
