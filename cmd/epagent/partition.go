package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) partitionCommand() *cobra.Command {
	var facts, people []string
	var limit int
	cmd := &cobra.Command{
		Use:   "partition TOPIC",
		Short: "Show who may be told what about a topic",
		Long: `Show people × facts: who may be told which fact, why, and who may be told all of
them together (the composite verdict: each fact judged under the ceiling of all).`,
		Example: `  epagent partition "the operation"
  epagent partition --fact f03 --fact f05
  epagent partition --person Greta --person Bo "summer plans"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			topic := strings.Join(args, " ")
			if topic == "" && len(facts) == 0 {
				return usagef("give a topic, or the ids of facts by --fact")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				req := agent.PartitionRequest{Topic: topic, People: people, Limit: limit}
				for _, id := range facts {
					req.Facts = append(req.Facts, privacy.FactID(id))
				}
				table, err := a.Partition(cmd.Context(), req)
				if err != nil {
					return err
				}
				return c.emit(table, func(p *page) { partitionPage(p, table) })
			})
		},
	}
	cmd.Flags().StringArrayVar(&facts, "fact", nil, "exactly this fact (repeatable)")
	cmd.Flags().StringArrayVar(&people, "person", nil, "only this person (repeatable; default: everybody)")
	cmd.Flags().IntVar(&limit, "limit", 12, "at most so many facts for a topic")
	return cmd
}

func partitionPage(p *page, t *agent.Partition) {
	if len(t.Facts) == 0 {
		p.line("No fact is about that.")
		return
	}
	var rows [][]string
	for i, f := range t.Facts {
		rows = append(rows, []string{"#" + strconv.Itoa(i+1), string(f.ID), f.Label.String(), clean(f.Text)})
	}
	p.table([]string{"", "fact", "label", "text"}, rows)
	p.line("")
	head := []string{"who"}
	for i := range t.Facts {
		head = append(head, "#"+strconv.Itoa(i+1))
	}
	head = append(head, "all together ("+t.Ceiling.String()+")")
	rows = nil
	for _, person := range t.People {
		row := []string{clean(person.Name)}
		for _, v := range person.Verdicts {
			row = append(row, p.verdict(v.Allow, v.Reason.String()))
		}
		rows = append(rows, append(row, p.verdict(person.All.Allow, person.All.Reason.String())))
	}
	p.table(head, rows)
}
