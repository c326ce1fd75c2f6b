package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/agent/sim/finder"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy/engine"
)

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	check, fresh, html bool
	out, model, judge  string
	seed               int64
	engine             string
}

// simulateResults is the folder under which results go where none is named.
const simulateResults = "epagent-sim"

func (c *cli) simulateCommand() *cobra.Command {
	var f simulateFlags
	cmd := &cobra.Command{
		Use:   "simulate SCRIPT.yaml",
		Short: "Play a script of several people and their delegates",
		Long: `Play a script in which several people and their delegates live through days or months,
and find out who learned what, through which path, and whether they may (docs/simulate.md).

Every party's delegate is a real one with a home of its own; your home is not touched.
Offline the same script and seed give the same exchanges. The results folder (--out)
keeps transcript, ledger, leak matrix and a timeline as one HTML page; a simulation that
was stopped goes on from there.

The exit code is 1 if an assertion of the script fails, or with --check if the script
has a fault.`,
		Example: `  epagent simulate --check examples/simulations/surprise-party.yaml
  epagent simulate examples/simulations/surprise-party.yaml
  epagent simulate --seed 2 --html party.yaml > timeline.html`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.check {
				return c.simulateCheck(args[0])
			}
			return c.simulate(cmd.Context(), args[0], &f, cmd.Flags().Changed("seed"))
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.check, "check", false, "check the script and play nothing")
	flags.StringVar(&f.out, "out", "", "results folder (default: "+simulateResults+"/NAME)")
	flags.BoolVar(&f.fresh, "fresh", false, "begin anew where the results folder has a simulation")
	flags.Int64Var(&f.seed, "seed", 0, "seed in place of the script's")
	flags.StringVar(&f.model, "model", bench.Offline, "run the delegates' stages and personas on this model of the configured endpoint")
	flags.StringVar(&f.judge, "judge", bench.Offline, "have this model find what a text gives away")
	flags.StringVar(&f.engine, "engine", "on", "off: delegates tell everybody everything, to see that leaks planted in a script are found")
	flags.BoolVar(&f.html, "html", false, "print the timeline as one HTML page")
	return cmd
}

// simulateCheck checks a script.
func (c *cli) simulateCheck(path string) error {
	s, err := sim.Load(path)
	var broken *sim.ScriptError
	if err != nil && !errors.As(err, &broken) {
		return err
	}
	result := struct {
		Script string      `json:"script"`
		OK     bool        `json:"ok"`
		Faults []sim.Fault `json:"faults"`
	}{path, broken == nil, []sim.Fault{}}
	if broken != nil {
		result.Faults = broken.Faults
	}
	err = c.emit(result, func(p *page) {
		if broken == nil {
			p.line("%s: %s (%s, %s, %s)", clean(path), p.style(green, "holds"),
				plural(len(s.Parties), "party", "parties"), plural(len(s.Details), "detail", "details"), plural(len(s.Timeline), "event", "events"))
			return
		}
		p.line("%s: %s", clean(path), p.style(red, plural(len(broken.Faults), "fault", "faults")))
		for _, f := range broken.Faults {
			p.line("  %s", clean(f.String()))
		}
	})
	if err == nil && broken != nil {
		err = quiet{exitFailed}
	}
	return err
}

// simulate plays a script.
func (c *cli) simulate(ctx context.Context, path string, f *simulateFlags, seeded bool) error {
	if c.json && f.html {
		return usagef("--json and --html are two forms of one output; give one")
	}
	if f.engine != "on" && f.engine != "off" {
		return usagef("--engine %q: want on or off", f.engine)
	}
	s, err := sim.Load(path)
	if err != nil {
		return err
	}
	o := sim.Options{Folder: f.out, Progress: c.simulateProgress(), EngineOff: f.engine == "off"}
	if seeded {
		o.Seed = &f.seed
	}
	if o.Folder == "" {
		o.Folder = filepath.Join(simulateResults, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
		if o.EngineOff {
			o.Folder += "-engine-off"
		}
	}
	if err := c.simulateModels(ctx, s, f, &o); err != nil {
		return err
	}
	if o.Code, err = codeIdentity(); err != nil {
		return err
	}
	if f.fresh {
		if err := sim.Clear(o.Folder); err != nil {
			return fmt.Errorf("begin anew: %w", err)
		}
	}
	got, err := sim.Run(ctx, s, o)
	c.progressDone()
	switch {
	case errors.Is(err, sim.ErrOtherRun):
		return fmt.Errorf("%w; --fresh does so, --out names another", err)
	case err != nil:
		return err
	}
	if o.EngineOff {
		c.say("%s", sim.EngineOffWarning)
	}
	switch {
	case f.html:
		var page []byte
		if page, err = got.HTML(); err == nil {
			_, err = c.out.Write(page)
		}
	default:
		err = c.emit(got, func(p *page) { simulatePage(p, got, o.Folder) })
	}
	if err == nil && !got.Holds {
		err = quiet{exitFailed}
	}
	return err
}

// simulateModels opens the models that delegates, personas and the finder run on.
func (c *cli) simulateModels(ctx context.Context, s *sim.Script, f *simulateFlags, o *sim.Options) error {
	o.Finder = finder.New(bench.NewOfflineJudge())
	if f.model == bench.Offline && f.judge == bench.Offline {
		return nil
	}
	if c.offline {
		return usagef("--offline, and a model is named: leave one of them out")
	}
	if f.model != bench.Offline {
		runner, announce, err := c.benchRunner(ctx, f.model)
		if err != nil {
			return err
		}
		o.Model = f.model + " " + runner.Version()
		o.Persona = wordedPersona{runner, s.Language, announce}
		o.Agent.Model = agent.ModelOptions{Calls: agent.PromptCalls(runner, announce), Version: runner.Version(), OnError: engine.ErrorFail}
	}
	if f.judge != bench.Offline {
		runner, announce, err := c.benchRunner(ctx, f.judge)
		if err != nil {
			return err
		}
		o.Finder = finder.New(bench.NewModelJudge(runner, f.judge, announce))
	}
	return nil
}

// simulateProgress shows what is played on a terminal, and nothing elsewhere.
func (c *cli) simulateProgress() func(at time.Time, played, left int) {
	if !terminal(c.err) || c.json {
		return nil
	}
	return func(at time.Time, played, left int) {
		fmt.Fprintf(c.err, "\r\x1b[K%s: %d played, %d to come", at.Format(time.DateOnly), played, left)
	}
}

func simulatePage(p *page, r *sim.Result, folder string) {
	f := r.Figures
	if warning := r.Warning(); warning != "" {
		p.line("%s", p.style(red, warning))
	}
	p.line("%s: %s, %s, %s; seed %d", p.style(bold, clean(r.Simulation)), plural(f.Exchanges, "exchange", "exchanges"),
		plural(f.Messages, "message", "messages"), plural(f.Questions, "question", "questions"), r.Seed)
	leaks := p.style(green, "no leaks")
	if f.Leaks > 0 {
		leaks = p.style(red, plural(f.Leaks, "leak", "leaks"))
	}
	p.line("%s", leaks)
	if first := f.FirstLeak; first != nil {
		p.line("first leak: %s to %s, after %.1f days and %s", first.Detail, clean(first.Person), first.Days, plural(first.Questions, "question", "questions"))
	}
	if share := f.Refusal.Share; share != nil {
		p.line("over-refusal: %.0f %% (%d of %d)", 100**share, f.Refusal.Refused, f.Refusal.Probes)
	}
	if len(r.Matrix.Cells) > 0 {
		p.line("")
		rows := make([][]string, 0, len(r.Matrix.Cells))
		for i := range r.Matrix.Cells {
			cell := &r.Matrix.Cells[i]
			rows = append(rows, []string{cell.At.Format(time.DateOnly), cell.Detail, clean(cell.Person), p.verdict(!cell.Leak && cell.Allowed, string(cell.Origin)), clean(cell.Way())})
		}
		p.table([]string{"day", "detail", "learned by", "allowed", "path (exchange)"}, rows)
	}
	if len(r.Assertions) > 0 {
		p.line("")
	}
	for _, a := range r.Assertions {
		if a.Holds {
			p.line("%s %s", p.style(green, "holds"), clean(a.Assertion))
		} else {
			p.line("%s %s: %s", p.style(red, "fails"), clean(a.Assertion), clean(a.Detail))
		}
	}
	p.line("")
	p.line("results: %s", clean(filepath.Join(folder, sim.TimelineFile)))
}
