package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/memory/thesaurus"
)

func (c *cli) licensesCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "licenses",
		Short:   "Print the notices of data inside the program",
		Long:    "Print the notices and licences of the data that is built into the program.",
		Example: "  epagent licenses",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			result := struct {
				Notices []string `json:"notices"`
			}{[]string{thesaurus.Notice()}}
			return c.emit(result, func(p *page) {
				for line := range strings.SplitSeq(strings.TrimRight(thesaurus.Notice(), "\n"), "\n") {
					p.line("%s", line)
				}
			})
		},
	}
}
