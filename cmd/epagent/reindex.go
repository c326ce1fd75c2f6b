package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
)

func (c *cli) reindexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Make all vectors and index terms anew",
		Long: `Make all vectors and index terms anew, after a change of the embedding model or of the
rules that make terms. Vectors of two models are never mixed, so until then the store
is not opened with the other model.`,
		Example: "  epagent reindex",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := c.homeFolder()
			if err != nil {
				return err
			}
			options, closing, err := c.agentOptions(cmd.Context(), home)
			if err != nil {
				return err
			}
			defer func() { _ = closing() }()
			var done int
			err = agent.Reindex(cmd.Context(), home, options, func(n, total int) {
				done = n
				if terminal(c.err) && !c.json {
					fmt.Fprintf(c.err, "\r\x1b[K%d of %d", n, total)
				}
			})
			c.progressDone()
			if err != nil {
				return err
			}
			result := struct {
				Indexed int `json:"indexed"`
			}{done}
			return c.emit(result, func(p *page) { p.line("Indexed %d texts anew.", done) })
		},
	}
}
