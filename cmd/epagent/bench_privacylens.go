package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
)

func (c *cli) benchPrivacyLensCommand() *cobra.Command {
	var f benchDataFlags
	var open bool
	cmd := &cobra.Command{
		Use:   "privacylens FILE",
		Short: "Measure what final actions leak on PrivacyLens",
		Long: `Have the product carry out the final action of each case of a PrivacyLens file, and
measure the share of them that state any sensitive item (docs/bench.md has the rule).
--open lets everybody know everything, to compare with.

Offline an item leaks that is passed on to be written, or that the offline judge finds in
the answer. With --model that model writes; --judge has a model say what is stated.`,
		Example: `  epagent bench privacylens main_data.json
  epagent bench privacylens --model MODEL --judge MODEL main_data.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd.Context(), c, "cases")
			if err != nil {
				return err
			}
			files, closing, err := openNamed(args...)
			if err != nil {
				return err
			}
			defer closing()
			items, err := bench.ReadPrivacyLens(files[0])
			if err != nil {
				return err
			}
			s, err := bench.PrivacyLens(cmd.Context(), items, bench.LensOptions{DatasetOptions: o, Open: open})
			c.progressDone()
			if err != nil {
				return err
			}
			row := []string{s.Model, s.Judge, fmt.Sprint(s.N), fmt.Sprintf("%.3f", s.Leakage), fmt.Sprint(s.Leaking), fmt.Sprint(s.Items), fmt.Sprint(s.ItemsTold), fmt.Sprint(s.Answered), fmt.Sprint(s.Unplaced)}
			return f.show(c, s, []string{"model", "judge", "n", "leakage", "leaking", "items", "told", "answered", "unplaced"}, [][]string{row})
		},
	}
	f.register(cmd, true)
	cmd.Flags().BoolVar(&open, "open", false, "without the engine's judgement: everything is for everybody")
	return cmd
}
