package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
)

func (c *cli) exportCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write everything in an open form",
		Long: `Write everything that the home holds as JSON lines: sessions with their messages, facts
with their marks, rules, what the annotator was taught, the ledger, and the policy. The
file can be imported into an empty home (epagent import).

It holds everything in the clear: keep it as you would keep your diary.`,
		Example: `  epagent export -o backup.jsonl
  epagent --home restored import backup.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) (err error) {
				if output == "" {
					return a.Export(cmd.Context(), c.out)
				}
				// O_EXCL: an export never overwrites another one. 0600: it is private.
				f, err := os.OpenFile(output, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
				if err != nil {
					return fmt.Errorf("write the export: %w; choose another file by -o", err)
				}
				if err := a.Export(cmd.Context(), f); err != nil {
					f.Close()
					os.Remove(output)
					return err
				}
				if err := f.Sync(); err != nil {
					return fmt.Errorf("write the export: %w", err)
				}
				return f.Close()
			})
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this file (default: standard output)")
	return cmd
}
