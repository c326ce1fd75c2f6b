package main

import (
	"github.com/spf13/cobra"

	"github.com/epagent/epagent/privacy"
)

func (c *cli) policyCombination() *cobra.Command {
	return c.noun("combination", "Add or remove what is telling only together", c.combinationAdd(), c.combinationRemove())
}

func (c *cli) combinationAdd() *cobra.Command {
	edit := privacy.AddCombination{}
	var level int
	var domain string
	var yes bool
	cmd := &cobra.Command{
		Use:   "add PART PART… --level N",
		Short: "Keep things apart that are telling only together",
		Long: `Keep things apart that are telling only together: the parts are categories, or rules by id.
Once somebody, or those who talk to them, knows of all but one, the last is judged under
this level.`,
		Example: "  epagent policy combination add travel home --level 1 --domain life --id empty-flat",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("level") || level < 0 || level > 4 {
				return usagef("--level: how far may the whole travel? 0 (nobody) to 4")
			}
			edit.Of, edit.Ceiling = args, privacy.Label{Level: privacy.Level(level), Domain: privacy.Domain(domain)}
			return c.editPolicy(cmd, args, nil, "", yes, edit)
		},
	}
	f := cmd.Flags()
	f.IntVar(&level, "level", 0, "how far the whole may travel, 0 (nobody) to 4")
	f.StringVar(&domain, "domain", "", "in which part of your life")
	f.StringVar(&edit.ID, "id", "", "what explanations call it; made from its parts otherwise")
	f.BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) combinationRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove ID",
		Short: "Hold things apart no longer",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, nil, "", yes, privacy.RemoveCombination{ID: args[0]})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) policyCircle() *cobra.Command {
	return c.noun("circle", "Say who talk to each other", c.circleAdd(), c.circleRemove())
}

func (c *cli) circleAdd() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "add ID PERSON…",
		Short:   "Put people into a circle, a new one if it isn't there",
		Example: "  epagent policy circle add climbing Dario Bram",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, parties(args[1:]), "", yes, privacy.JoinCircle{Circle: args[0], People: args[1:]})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) circleRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove ID [PERSON…]",
		Short: "Take people out of a circle, or remove it: they no longer count as talking to each other",
		Example: `  epagent policy circle remove climbing Bram
  epagent policy circle remove climbing`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edits := []privacy.Edit{privacy.RemoveCircle{ID: args[0]}}
			if who := args[1:]; len(who) > 0 {
				edits = nil
				for _, name := range who {
					edits = append(edits, privacy.LeaveCircle{Circle: args[0], Person: name})
				}
			}
			return c.editPolicy(cmd, args, parties(args[1:]), "", yes, edits...)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

// parties is names as the owner typed them.
func parties(names []string) []privacy.Party {
	out := make([]privacy.Party, len(names))
	for i, name := range names {
		out[i] = privacy.Party(name)
	}
	return out
}
