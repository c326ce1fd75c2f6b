package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// editPolicy runs edits of policy.yaml with their plan.
// The version's note says what was done where no reason is given.
func (c *cli) editPolicy(cmd *cobra.Command, args []string, who []privacy.Party, note string, yes bool, edits ...privacy.Edit) error {
	if note == "" {
		note = asTyped(cmd, args)
	}
	return c.with(cmd.Context(), func(a *agent.Agent) error {
		return c.changePolicy(yes, func(agreed bool) (*agent.PolicyPlan, error) {
			return a.EditPolicy(cmd.Context(), who, note, agreed, edits...)
		})
	})
}

// asTyped is a command as a note, without the flags that say how and not what.
func asTyped(cmd *cobra.Command, args []string) string {
	note := strings.TrimPrefix(cmd.CommandPath(), "epagent policy ") + " " + strings.Join(args, " ")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == "yes" || cmd.InheritedFlags().Lookup(f.Name) != nil:
		case f.Value.Type() == "bool":
			note += " --" + f.Name
		default:
			note += " --" + f.Name + " " + strings.Trim(f.Value.String(), "[]")
		}
	})
	return note
}

func (c *cli) policyRule(verb, short string) *cobra.Command {
	var rule privacy.Rule
	var categories []string
	var mentions, event, until string
	var yes bool
	cmd := &cobra.Command{
		Use:   verb + " PERSON|group:ID… [FACT]",
		Short: short,
		Long: short + `.

It becomes a rule in policy.yaml, which holds for facts that come later too. A rule is
for facts that meet all conditions given: the id of a fact as last argument, or
--category, --about (its words are in the fact), --mentions, --event. A deny wins over
an allow.`,
		Example: "  epagent policy " + verb + ` Greta fq3k7d2ma
  epagent policy ` + verb + ` group:team --category projects
  epagent policy ` + verb + ` Tomas --about "summer house"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, id := range categories {
				rule.Categories = append(rule.Categories, privacy.CategoryID(id))
			}
			rule.Event, rule.Mentions = privacy.EventID(event), privacy.PersonID(mentions)
			conditions := len(categories) > 0 || rule.About != "" || event != "" || mentions != ""
			if !conditions {
				if len(args) < 2 {
					return usagef("which facts? give the id of a fact, or --category, --about, --mentions or --event")
				}
				rule.Fact = privacy.FactID(args[len(args)-1])
			}
			who := args
			if rule.Fact != "" {
				who = args[:len(args)-1]
			}
			if until != "" {
				if verb != "allow" {
					return usagef("--until is for grants: a deny has no end")
				}
				end, err := parseUntil(until)
				if err != nil {
					return usagef("--until %w", err)
				}
				if !end.After(time.Now()) {
					return usagef("--until %s is over already", until)
				}
				rule.Until = end
			}
			for _, name := range who {
				if verb == "allow" {
					rule.Allow = append(rule.Allow, privacy.Party(name))
				} else {
					rule.Deny = append(rule.Deny, privacy.Party(name))
				}
			}
			return c.editPolicy(cmd, args, rule.Parties(), rule.Note, yes, privacy.AddRule{Rule: rule})
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&categories, "category", nil, "facts of this category (repeatable)")
	f.StringVar(&rule.About, "about", "", "facts that say all of these words")
	f.StringVar(&mentions, "mentions", "", "facts that name this person")
	f.StringVar(&event, "event", "", "facts of this event")
	f.StringVar(&rule.Note, "note", "", "why, kept in the rule")
	f.BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	if verb == "allow" {
		f.StringVar(&until, "until", "", "the grant ends with this day, or at this time")
	}
	return cmd
}

// parseUntil reads the end of a grant: a day stands for its end.
func parseUntil(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t.AddDate(0, 0, 1), nil
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t, nil
	}
	return time.Time{}, errTime(s)
}

func (c *cli) policyUnrule() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove-rule ID",
		Short: "Take a rule out of the policy",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, nil, "", yes, privacy.RemoveRule{ID: privacy.RuleID(args[0])})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) policyPerson() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "person",
		Short: "Add, move, rename or remove people",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent policy person --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.personAdd(), c.personMove(), c.personAlias(), c.personRemove())
	return cmd
}

func (c *cli) personAdd() *cobra.Command {
	var person privacy.Person
	var groups []string
	var yes bool
	cmd := &cobra.Command{
		Use:     "add NAME",
		Short:   "Add a person",
		Example: `  epagent policy person add "Raj Menon" --alias Raj --group team --note "my colleague"`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			person.Name = args[0]
			for _, g := range groups {
				person.Groups = append(person.Groups, privacy.GroupID(g))
			}
			return c.editPolicy(cmd, args, nil, "", yes, privacy.AddPerson{Person: person})
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&person.Aliases, "alias", nil, "another name (repeatable)")
	f.StringArrayVar(&groups, "group", nil, "a group (repeatable)")
	f.StringVar(&person.Note, "note", "", `who that is to you, e.g. "my mother"`)
	f.BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) personMove() *cobra.Command {
	var groups []string
	var yes bool
	cmd := &cobra.Command{
		Use:   "move NAME",
		Short: "Put a person into other groups: those given, and no others",
		Example: `  epagent policy person move Raj --group colleagues
  epagent policy person move Raj               # out of every group`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edit := privacy.SetGroups{Person: args[0]}
			for _, g := range groups {
				edit.Groups = append(edit.Groups, privacy.GroupID(g))
			}
			return c.editPolicy(cmd, args, []privacy.Party{privacy.Party(args[0])}, "", yes, edit)
		},
	}
	cmd.Flags().StringArrayVar(&groups, "group", nil, "a group (repeatable)")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) personAlias() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "alias NAME ALIAS",
		Short:   "Give a person another name",
		Example: "  epagent policy person alias Greta Mum",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editPolicy(cmd, args, []privacy.Party{privacy.Party(args[0])}, "", yes, privacy.AddAlias{Person: args[0], Alias: args[1]})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) personRemove() *cobra.Command {
	var yes, rules bool
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a person; the names stay reserved",
		Long: `Remove a person; the names stay reserved, so that nobody gets in under them. While a
rule, a category or a circle names the person, it is refused with those places; with
--with-rules these go as well: of a rule, a list or a circle for several people the
others stay.`,
		Example: `  epagent policy person remove Raj
  epagent policy person remove Raj --with-rules`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edits := []privacy.Edit{privacy.RemovePerson{Person: args[0]}}
			if rules {
				err := c.with(cmd.Context(), func(a *agent.Agent) error {
					policy, err := a.Policy(cmd.Context())
					if err == nil {
						edits = policy.Removal(args[0])
					}
					return err
				})
				if err != nil {
					return err
				}
			}
			err := c.editPolicy(cmd, args, []privacy.Party{privacy.Party(args[0])}, "", yes, edits...)
			if errors.Is(err, privacy.ErrEdit) && !rules {
				return fmt.Errorf("%w\n`epagent policy person remove %q --with-rules` takes all of these along", err, args[0])
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&rules, "with-rules", false, "take the rules, lists and circles that name the person along")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) policyCategory() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "category",
		Short: "Set a category's level, domain, description, deny list",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent policy category --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.categorySet())
	return cmd
}

func (c *cli) categorySet() *cobra.Command {
	var name, domain, description string
	var examples, deny []string
	var level int
	var yes bool
	cmd := &cobra.Command{
		Use:   "set ID",
		Short: "Change a category, or add it",
		Example: `  epagent policy category set travel --level 2
  epagent policy category set pets --name Pets --level 4 --description "my animals" --example "the cat is ill"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, given := privacy.CategoryID(args[0]), cmd.Flags().Changed
			if given("level") && (level < 0 || level > 4) {
				return usagef("--level %d: want 0 to 4", level)
			}
			parties := make([]privacy.Party, len(deny))
			for i, d := range deny {
				parties[i] = privacy.Party(d)
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				policy, err := a.Policy(cmd.Context())
				if err != nil {
					return err
				}
				var edit privacy.Edit
				if there, ok := policy.Category(id); ok {
					set := privacy.SetCategory{ID: id}
					if given("name") {
						set.Name = &name
					}
					if given("level") {
						l := privacy.Level(level)
						set.Level = &l
					}
					if given("domain") {
						d := privacy.Domain(strings.TrimSpace(domain))
						set.Domain = &d
					}
					if given("description") {
						set.Description = &description
					}
					if given("example") {
						set.Examples = &examples
					}
					if given("deny") {
						// It adds: dropping one that is there would let somebody in.
						all := there.Deny
						for _, p := range parties {
							if !slices.Contains(all, p) {
								all = append(all, p)
							}
						}
						set.Deny = &all
					}
					edit = set
				} else {
					if !given("name") || !given("level") {
						return usagef("the policy has no category %q; to add it, give --name and --level", id)
					}
					edit = privacy.AddCategory{Category: privacy.Category{
						ID: id, Name: name, Level: privacy.Level(level), Domain: privacy.Domain(domain),
						Description: description, Examples: examples, Deny: parties,
					}}
				}
				return c.changePolicy(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					return a.EditPolicy(cmd.Context(), nil, asTyped(cmd, args), agreed, edit)
				})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "its name")
	f.IntVar(&level, "level", 0, "0 (nobody) to 4")
	f.StringVar(&domain, "domain", "", `its domain; "" for none`)
	f.StringVar(&description, "description", "", "what belongs to it")
	f.StringArrayVar(&examples, "example", nil, "an example (repeatable)")
	f.StringArrayVar(&deny, "deny", nil, "never for this person, group:ID, or $subject, besides those there are (repeatable)")
	f.BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}
