package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
)

// benchDataFlags are the flags of the commands that measure on other data sets.
type benchDataFlags struct {
	model, judge string
	samples      int
	sampled      bool // the command has --samples
	md           bool
}

func (f *benchDataFlags) register(cmd *cobra.Command, judged bool) {
	cmd.Flags().StringVar(&f.model, "model", bench.Offline, "run the stages on this model of the configured endpoint")
	cmd.Flags().BoolVar(&f.md, "md", false, "print a Markdown table")
	f.judge = bench.Offline
	if judged {
		cmd.Flags().StringVar(&f.judge, "judge", bench.Offline, "have this model rate the answers")
	}
}

// options opens the models and shows progress on a terminal.
func (f *benchDataFlags) options(ctx context.Context, c *cli, what string) (bench.DatasetOptions, error) {
	if c.json && f.md {
		return bench.DatasetOptions{}, usagef("--json and --md are two forms of one output; give one")
	}
	if f.sampled && (f.samples < 1 || f.samples > bench.MaxRuns) {
		return bench.DatasetOptions{}, usagef("--samples %d: want a number from 1 to %d", f.samples, bench.MaxRuns)
	}
	var o bench.Options
	if err := c.benchModels(ctx, &benchRunFlags{model: f.model, judge: f.judge}, &o); err != nil {
		return bench.DatasetOptions{}, err
	}
	out := bench.DatasetOptions{Model: o.Model, Judge: o.Judge, Samples: f.samples}
	if terminal(c.err) && !c.json {
		out.Progress = func(done, total int) { fmt.Fprintf(c.err, "\r\x1b[K%s: %d of %d", what, done, total) }
	}
	return out, nil
}

// show prints a table, in the form that was asked for.
func (f *benchDataFlags) show(c *cli, value any, head []string, rows [][]string) error {
	if f.md {
		_, err := io.WriteString(c.out, bench.MarkdownTable(head, rows))
		return err
	}
	return c.emit(value, func(p *page) { p.table(head, rows) })
}

// shareText is a share for a table; null is a dash.
func shareText(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *x)
}

// openNamed opens files; closing closes all.
func openNamed(paths ...string) (_ []bench.Named, closing func(), err error) {
	var files []*os.File
	closing = func() {
		for _, f := range files {
			_ = f.Close() // they are only read
		}
	}
	var out []bench.Named
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			closing()
			return nil, nil, err
		}
		files = append(files, f)
		out = append(out, bench.Named{Name: path, Reader: f})
	}
	return out, closing, nil
}

func (c *cli) benchConfaideCommand() *cobra.Command {
	var f benchDataFlags
	cmd := &cobra.Command{
		Use:   "confaide FILE...",
		Short: "Measure on the tiers 1 and 2 of ConfAIde",
		Long: `Measure how far the product's own judgement of what is private goes with people's, on
the files tier_1.txt, tier_2a.txt and tier_2b.txt of ConfAIde. The ratings are read from
tier_1_labels.txt and tier_2_labels.txt beside them; tier_2b.txt needs tier_2a.txt
beside it as well, which names its actors.

Under the starter policy each kind of information gets its level, and each flow is
allowed or not (docs/bench.md). Offline, unless --model names a model.`,
		Example: `  epagent bench confaide confAIde/benchmark/tier_1.txt confAIde/benchmark/tier_2a.txt`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			o, err := f.options(cmd.Context(), c, "items")
			if err != nil {
				return err
			}
			scores := []*bench.ConfaideScore{}
			for _, path := range paths {
				score, err := benchConfaide(cmd.Context(), path, o)
				c.progressDone()
				if err != nil {
					return err
				}
				scores = append(scores, score)
			}
			var rows [][]string
			for _, s := range scores {
				rows = append(rows, []string{string(s.Tier), s.Model, fmt.Sprint(s.N), shareText(s.R), fmt.Sprintf("%.2f", s.Mean), fmt.Sprintf("%.2f", s.Human), fmt.Sprint(s.Unplaced), fmt.Sprint(s.Allowed)})
			}
			return f.show(c, struct {
				Tiers []*bench.ConfaideScore `json:"tiers"`
			}{scores}, []string{"tier", "model", "n", "r", "mean", "people", "unplaced", "allowed"}, rows)
		},
	}
	f.register(cmd, false)
	return cmd
}

func benchConfaide(ctx context.Context, path string, o bench.DatasetOptions) (*bench.ConfaideScore, error) {
	dir, base := filepath.Split(path)
	tier, ok := strings.CutPrefix(strings.TrimSuffix(base, ".txt"), "tier_")
	labels := map[string]string{"1": "tier_1_labels.txt", "2a": "tier_2_labels.txt", "2b": "tier_2_labels.txt"}[tier]
	if !ok || labels == "" {
		return nil, usagef("%s: want tier_1.txt, tier_2a.txt or tier_2b.txt", path)
	}
	need := []string{path, dir + labels}
	if tier == "2b" {
		need = append(need, dir+"tier_2a.txt")
	}
	files, closing, err := openNamed(need...)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; %s needs %s", err, base, strings.Join(need[1:], " and "))
	}
	if err != nil {
		return nil, err
	}
	defer closing()
	items, err := bench.ReadConfaide(bench.ConfaideTier(tier), files[0], files[1], append(files, bench.Named{})[2])
	if err != nil {
		return nil, err
	}
	return bench.Confaide(ctx, bench.ConfaideTier(tier), items, o)
}
