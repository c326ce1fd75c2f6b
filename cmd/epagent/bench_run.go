package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/evolve/bench/halves"
)

// benchRunFlags are the flags of bench run.
type benchRunFlags struct {
	systems                 []string
	model, judge            string
	labels, units, evidence string
	noise, runs             int
	seed                    int64
	out                     string
	feedbackOut             string
	evolveScripts           []string
	evolveStages            []string
	html, md                bool
}

// benchResults is the results folder where none is named.
const benchResults = "epagent-bench"

func (c *cli) benchRunCommand() *cobra.Command {
	var f benchRunFlags
	cmd := &cobra.Command{
		Use:   "run DIR...",
		Short: "Measure disclosure on benchmark scripts",
		Long: `Run the systems on benchmark script folders and measure what each gives away and
tells: T1 the level of a fact, T2 who may be told, T3 answers to several audiences, and
recall of the evidence (docs/bench.md).

Everything runs offline unless --model names a model at the configured endpoint; --judge
has a model rate the answers, and reports how far the offline judge agrees. Homes that
this needs are temporary; yours is not touched.

EP-Mem+Evo is run where it is named: the failed items of each half of the scripts teach
the other half, in two forms (docs/evolution.md), and both halves are reported.

What was done is kept in a results folder (--out), item by item: a run that was stopped
goes on from there. Give --out "" to keep nothing.`,
		Example: `  epagent bench run examples/epbench/*
  epagent bench run --labels gold --units gold --system EP-Mem myscript
  epagent bench run --system EP-Mem --system EP-Mem+Evo examples/epbench/*
  epagent bench run --html examples/epbench/* > report.html`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if cmd.Flags().Changed("runs") && f.runs < 1 {
				return usagef("--runs %d: want a number from 1 to %d", f.runs, bench.MaxRuns)
			}
			return c.benchRun(cmd.Context(), dirs, &f, cmd.Flags().Changed("out"))
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.systems, "system", nil, "run this system alone (repeat: several)")
	flags.StringVar(&f.model, "model", bench.Offline, "run the stages on this model of the configured endpoint")
	flags.StringVar(&f.judge, "judge", bench.Offline, "have this model rate the answers")
	flags.StringVar(&f.labels, "labels", string(bench.FromEngine), "where facts and their marks come from: engine or gold")
	flags.StringVar(&f.units, "units", string(bench.FromEngine), "where the facts that a question asks for come from: engine or gold")
	flags.StringVar(&f.evidence, "evidence", string(bench.EvidenceGold), "which sessions are looked at: gold, retrieved or full")
	flags.IntVar(&f.noise, "noise", 0, "add so many unrelated sessions to each T2 item")
	flags.IntVar(&f.runs, "runs", 0, "take the mean of so many runs (default: 1, with noise and a model 5)")
	flags.Int64Var(&f.seed, "seed", 0, "seed of the noise and of the intervals")
	flags.StringVar(&f.out, "out", benchResults, "results folder")
	flags.StringVar(&f.feedbackOut, "feedback-out", "", "write the failed items of EP-Mem as feedback into this file, an object a line")
	flags.StringArrayVar(&f.evolveScripts, "evolve-script", nil, "run evolution for this script alone; others count as EP-Mem (repeat: several)")
	flags.StringArrayVar(&f.evolveStages, "evolve-stage", nil, "let this stage alone learn: "+strings.Join(halves.Stages(), ", ")+" (repeat: several)")
	flags.BoolVar(&f.html, "html", false, "print the report as one HTML page")
	flags.BoolVar(&f.md, "md", false, "print the report as Markdown")
	cmd.MarkFlagsMutuallyExclusive("html", "md")
	return cmd
}

func (c *cli) benchRun(ctx context.Context, dirs []string, f *benchRunFlags, named bool) (err error) {
	o := bench.Options{
		Labels: bench.Origin(f.labels), Units: bench.Origin(f.units), Evidence: bench.Evidence(f.evidence),
		Noise: f.noise, Runs: f.runs, Seed: f.seed, Progress: c.benchProgress(),
	}
	if c.json && (f.html || f.md) {
		return usagef("--json, --html and --md are three forms of one output; give one")
	}
	if o.Systems, err = bench.Find(f.systems); err != nil {
		return err
	}
	finish, err := c.benchFeedback(f, &o)
	if err != nil {
		return err
	}
	if err := c.benchEvolve(ctx, dirs, f, &o); err != nil {
		return err
	}
	if err := o.Check(); err != nil {
		return err
	}
	if err := c.benchModels(ctx, f, &o); err != nil {
		return err
	}
	if o.Code, err = codeIdentity(); err != nil {
		return err
	}
	if f.out != "" {
		o.Results, err = bench.OpenResults(f.out)
		switch {
		case err != nil && named:
			return fmt.Errorf("results folder: %w; choose another by --out", err)
		case err != nil && errors.Is(err, bench.ErrFormat):
			return fmt.Errorf("results folder: %w", err)
		case err != nil:
			c.say("nothing is kept: %v; --out names a folder that can be written", err)
		default:
			defer func() { err = errors.Join(err, o.Results.Close()) }()
		}
	}
	scores, err := bench.Run(ctx, dirs, o)
	c.progressDone()
	if err != nil {
		return err
	}
	if o.Results != nil && o.Results.Aside() != "" {
		c.say("another run is kept in %s", o.Results.Aside())
	}
	if err := finish(); err != nil {
		return err
	}
	switch {
	case f.html:
		var page []byte
		if page, err = bench.HTML(scores); err == nil {
			_, err = c.out.Write(page)
		}
	case f.md:
		_, err = io.WriteString(c.out, bench.Markdown(scores))
	default:
		err = c.emit(scores, func(p *page) { benchPage(p, scores) })
	}
	if err == nil && o.Results != nil && terminal(c.err) {
		c.say("kept in %s", o.Results.Folder())
	}
	return err
}

// benchProgress shows what is done on a terminal, and nothing elsewhere.
func (c *cli) benchProgress() func(script, system string, done, total int) {
	if !terminal(c.err) || c.json {
		return nil
	}
	return func(script, system string, done, total int) {
		fmt.Fprintf(c.err, "\r\x1b[K%s: %s: %d of %d", clean(script), system, done, total)
	}
}

// codeIdentity is a digest of the running program: results of another build may
// differ, so they aren't used.
func codeIdentity() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the program: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	defer f.Close() //nolint:errcheck // it is only read
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	return version + " " + hex.EncodeToString(h.Sum(nil))[:16], nil
}

func benchPage(p *page, s *bench.Scores) {
	for i, t := range bench.Tables(s) {
		if i > 0 {
			p.line("")
		}
		p.line("%s", p.style(bold, t.Title))
		p.table(t.Head, t.Rows)
	}
}

// benchEvolve has the halves of the scripts teach each other, where EP-Mem+Evo is run.
func (c *cli) benchEvolve(ctx context.Context, dirs []string, f *benchRunFlags, o *bench.Options) error {
	if !slices.ContainsFunc(o.Systems, func(s bench.Contestant) bool { return s.Evolved != "" }) {
		if len(f.evolveScripts)+len(f.evolveStages) > 0 {
			return usagef("--evolve-script and --evolve-stage are for --system %s", bench.EPMemEvo)
		}
		return nil
	}
	taught, err := halves.Learn(ctx, dirs, halves.Options{
		Seed: f.seed, Scripts: f.evolveScripts, Stages: f.evolveStages, Progress: c.benchLearning(),
	})
	if err != nil {
		return err
	}
	o.Evolution, o.Halves = taught.Evolution, taught.Halves
	o.EvolveScripts, o.EvolveStages = f.evolveScripts, f.evolveStages
	return nil
}

func (c *cli) benchLearning() func(half string, done, total int) {
	if progress := c.benchProgress(); progress != nil {
		return func(half string, done, total int) { progress("half "+half, "candidates", done, total) }
	}
	return nil
}

// benchFeedback collects failed items where a file is named; finish writes it, whole or
// not at all.
func (c *cli) benchFeedback(f *benchRunFlags, o *bench.Options) (finish func() error, err error) {
	if f.feedbackOut == "" {
		return func() error { return nil }, nil
	}
	if o.Labels == bench.FromGold || len(o.Systems) > 0 && !slices.ContainsFunc(o.Systems, func(s bench.Contestant) bool { return s.Name == bench.EPMem }) {
		return nil, usagef("--feedback-out is for %s with labels of the engine", bench.EPMem)
	}
	items := []bench.FeedbackItem{}
	o.Feedback = func(item bench.FeedbackItem) { items = append(items, item) }
	return func() error {
		var b bytes.Buffer
		if err := bench.WriteFeedback(&b, items); err != nil {
			return err
		}
		if err := os.WriteFile(f.feedbackOut, b.Bytes(), 0o600); err != nil {
			return fmt.Errorf("--feedback-out: %w", err)
		}
		return nil
	}, nil
}
