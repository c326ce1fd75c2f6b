package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

func (c *cli) evolveExport() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print what is in force, for another home",
		Long: `Print what is in force as JSON, for another home: what each supplement says and who made
it. Nothing of the feedback or the facts that it comes from is in it.`,
		Example: "  epagent evolve export > learned.json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			states, err := statuses(only)
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				file, err := evolve.Export(cmd.Context(), a, states...)
				if err != nil {
					return err
				}
				return c.writeJSON(file)
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "status", nil, "those of this state (default: active; repeatable)")
	return cmd
}

func (c *cli) evolveImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Read what was learned elsewhere; each is tried here before it does anything",
		Long: `Read what was learned elsewhere. Whatever it was there, here it is a candidate: the next
"evolve run" tries it over your own cases and facts. What names somebody, gives orders or
holds anything else that no supplement may hold is refused with its reason.`,
		Example: `  epagent evolve import learned.json
  epagent evolve run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				list, err := evolve.Import(cmd.Context(), a, file)
				if err != nil {
					return err
				}
				result := struct {
					Supplements []evolve.Supplement `json:"supplements"`
				}{orEmpty(list)}
				return c.emit(result, func(p *page) {
					supplementTable(p, list)
					p.line("%s new to this home; `epagent evolve run` tries them.", strings.TrimSpace(plural(count(list, evolve.Candidate), "candidate is", "candidates are")))
				})
			})
		},
	}
}
