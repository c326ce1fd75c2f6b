package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/privacy"
)

// noun is a command that only groups others.
func (c *cli) noun(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `%s --help` lists them", args[0], cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

const yesHelp = "agree to what it opens without being asked"

func (c *cli) policyGroup() *cobra.Command {
	return c.noun("group", "Add, change or remove groups", c.groupAdd(), c.groupSet(), c.groupRemove())
}

func (c *cli) groupAdd() *cobra.Command {
	var tier int
	var domain, description string
	var yes bool
	cmd := &cobra.Command{
		Use:     "add ID --tier N --domain DOMAIN",
		Short:   "Add a group",
		Example: `  epagent policy group add choir --tier 3 --domain life --description "Tuesday's choir"`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if tier < 1 || tier > 4 {
				return usagef("--tier: want 1 (closest) to 4")
			}
			if domain == "" && tier < 4 {
				return usagef("--domain: in which part of your life? `any` for every one")
			}
			return c.editPolicy(cmd, args, nil, "", yes, privacy.AddGroup{Group: privacy.Group{
				ID: privacy.GroupID(args[0]), Tier: privacy.Tier(tier), Domain: privacy.Domain(domain), Description: description,
			}})
		},
	}
	f := cmd.Flags()
	f.IntVar(&tier, "tier", 0, "1 (closest) to 4")
	f.StringVar(&domain, "domain", "", "its domain; any for every one")
	f.StringVar(&description, "description", "", "who is in it")
	f.BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) groupSet() *cobra.Command {
	var tier int
	var domain, description string
	var yes bool
	cmd := &cobra.Command{
		Use:   "set ID",
		Short: "Change a group's tier, domain or description",
		Example: `  epagent policy group set team --tier 3
  epagent policy group set family --domain any`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edit, given := privacy.SetGroup{ID: privacy.GroupID(args[0])}, cmd.Flags().Changed
			if given("tier") {
				if tier < 1 || tier > 4 {
					return usagef("--tier %d: want 1 (closest) to 4", tier)
				}
				t := privacy.Tier(tier)
				edit.Tier = &t
			}
			if given("domain") {
				d := privacy.Domain(strings.TrimSpace(domain))
				edit.Domain = &d
			}
			if given("description") {
				edit.Description = &description
			}
			if edit.Tier == nil && edit.Domain == nil && edit.Description == nil {
				return usagef("what is to change? give --tier, --domain or --description")
			}
			return c.editPolicy(cmd, args, nil, "", yes, edit)
		},
	}
	f := cmd.Flags()
	f.IntVar(&tier, "tier", 0, "1 (closest) to 4")
	f.StringVar(&domain, "domain", "", "its domain; any for every one")
	f.StringVar(&description, "description", "", "who is in it")
	f.BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) groupRemove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove ID",
		Short: "Remove a group that nobody is in and nothing names",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, nil, "", yes, privacy.RemoveGroup{ID: privacy.GroupID(args[0])})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}

func (c *cli) policySet() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "set KEY VALUE",
		Short: "Change a setting",
		Long: `Change a setting: ` + strings.Join(privacy.SettingKeys(), ", ") + `.

docs/policy.md says what each of them does.`,
		Example: `  epagent policy set told_by_owner ask
  epagent policy set label_margin 0.2`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, nil, "", yes, privacy.SetSetting{Key: args[0], Value: args[1]})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, yesHelp)
	return cmd
}
