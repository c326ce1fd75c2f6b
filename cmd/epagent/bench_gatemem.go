package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/evolve/bench"
)

func (c *cli) benchGateMemCommand() *cobra.Command {
	var f benchDataFlags
	var predictions string
	cmd := &cobra.Command{
		Use:   "gatemem EPISODES CHECKPOINTS",
		Short: "Measure a shared memory on GateMem",
		Long: `Ask the checkpoints of GateMem episodes, and measure utility (u), access violation (a),
forgetting failure (f) and u·(1−a)·(1−f) (mgs) by the literal targets of the data
(docs/bench.md). --predictions writes the answers in the data set's own format, for its
own judge. Offline, unless --model names a model.`,
		Example: `  epagent bench gatemem --predictions predictions.jsonl episodes.jsonl checkpoints.jsonl`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o, err := f.options(cmd.Context(), c, "checkpoints")
			if err != nil {
				return err
			}
			files, closing, err := openNamed(args...)
			if err != nil {
				return err
			}
			defer closing()
			episodes, err := bench.ReadGateMem(files[0], files[1])
			if err != nil {
				return err
			}
			var w io.Writer
			if predictions != "" {
				file, err := os.OpenFile(predictions, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if errors.Is(err, os.ErrExist) {
					return fmt.Errorf("%w; name a file that isn't there yet", err)
				}
				if err != nil {
					return err
				}
				defer func() { err = errors.Join(err, file.Close()) }()
				w = file
			}
			s, err := bench.GateMem(cmd.Context(), episodes, w, o)
			c.progressDone()
			if err != nil {
				return err
			}
			row := []string{s.Model, fmt.Sprint(s.N), shareText(s.U), shareText(s.A), shareText(s.F), shareText(s.MGS), shareText(s.OverRefusal)}
			return f.show(c, s, []string{"model", "n", "u", "a", "f", "mgs", "over-refusal"}, [][]string{row})
		},
	}
	f.register(cmd, false)
	cmd.Flags().StringVar(&predictions, "predictions", "", "write the answers to this file")
	return cmd
}
