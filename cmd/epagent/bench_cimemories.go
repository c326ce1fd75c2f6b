package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
)

func (c *cli) benchCIMemoriesCommand() *cobra.Command {
	var f benchDataFlags
	var labels string
	var upstream bool
	cmd := &cobra.Command{
		Use:   "cimemories FILE",
		Short: "Measure messages to recipients on CIMemories",
		Long: `Have the product write each message of a file of CIMemories profiles, and measure
Violation@n and Completeness against labels (docs/bench.md has rule, format and measures).

Without --labels, what should be shared follows from the policy's own rule: the figures
then tell how well the engine keeps to that policy, not whether the policy is right.

Offline, what is passed on to be written counts as said, and one sample is all there is.
With --model, --samples messages are drawn; --judge says what they state in full.`,
		Example: `  epagent bench cimemories --labels labels.jsonl data.json
  epagent bench cimemories --model MODEL --judge MODEL --samples 5 --labels labels.jsonl data.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd.Context(), c, "messages")
			if err != nil {
				return err
			}
			paths := args
			if labels != "" {
				paths = append(paths, labels)
			}
			files, closing, err := openNamed(paths...)
			if err != nil {
				return err
			}
			defer closing()
			profiles, err := bench.ReadCIMemories(files[0])
			if err != nil {
				return err
			}
			in := bench.CIOptions{DatasetOptions: o, Upstream: upstream}
			if labels != "" {
				if in.Labels, err = bench.ReadCILabels(files[1], profiles); err != nil {
					return err
				}
			}
			score, err := bench.CIMemories(cmd.Context(), profiles, in)
			c.progressDone()
			if err != nil {
				return err
			}
			row := []string{score.Labels, score.Model, score.Judge, fmt.Sprint(score.Profiles), fmt.Sprint(score.Contexts), fmt.Sprint(score.Samples),
				spreadText(score.Violation), spreadText(score.Completeness), fmt.Sprint(score.Outside)}
			return f.show(c, score, []string{"labels", "model", "judge", "profiles", "contexts", "samples", "violation", "completeness", "outside"}, [][]string{row})
		},
	}
	f.register(cmd, true)
	f.sampled = true
	cmd.Flags().IntVar(&f.samples, "samples", 5, "messages for each context, with a model")
	cmd.Flags().StringVar(&labels, "labels", "", "file of labels")
	cmd.Flags().BoolVar(&upstream, "upstream", false, "leave out of the private attributes what the published scorer leaves out")
	return cmd
}

// spreadText is a mean with its deviation; null is a dash.
func spreadText(m *bench.MeanSpread) string {
	if m == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f ± %.3f", m.Mean, m.SD)
}
