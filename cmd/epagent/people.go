package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

func (c *cli) peopleCommand() *cobra.Command {
	var unknown bool
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Who speaks in your chats, and who is one person",
		Long: `List who speaks in what was imported and who is in your address books, with how much,
and whether your policy knows them. Names that are certainly one person's are together:
the same name, telephone number, address or account. Likely ones are only proposed.

A merge writes the names as aliases into policy.yaml, so that what the policy says of
the person binds them under each name; its plan is shown, and you are asked. A split
takes it back.`,
		Example: `  epagent people
  epagent people propose
  epagent people merge "Greta Falk" "+49 151 0000001"
  epagent people split "Greta Falk" "+49 151 0000001"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent people --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				list, _, err := a.People(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					People []agent.SeenPerson `json:"people"`
				}{[]agent.SeenPerson{}}
				for _, p := range list {
					if !unknown || !p.Known {
						result.People = append(result.People, p)
					}
				}
				return c.emit(result, func(p *page) { peoplePage(p, result.People) })
			})
		},
	}
	cmd.Flags().BoolVar(&unknown, "unknown", false, "only those whom the policy doesn't know")
	cmd.AddCommand(c.peoplePropose(), c.peopleMerge(), c.peopleSplit(), c.peopleMe())
	return cmd
}

func peoplePage(p *page, list []agent.SeenPerson) {
	if len(list) == 0 {
		p.line("Nobody yet: `epagent import` reads chats and address books.")
		return
	}
	var rows [][]string
	missing := false
	for _, x := range list {
		known := "unknown"
		switch {
		case x.Owner:
			known = "you"
		case len(x.Missing) > 0:
			known, missing = "names missing", true
		case x.Known:
			known = "known"
		}
		var others []string
		shown := map[string]bool{strings.ToLower(x.Name): true} // an address may be a name and a handle
		for _, name := range append(append([]string{}, x.Names...), x.Handles...) {
			if key := strings.ToLower(name); !shown[key] {
				shown[key] = true
				others = append(others, clean(name))
			}
		}
		rows = append(rows, []string{clean(x.Name), known, strconv.Itoa(x.Messages), x.Last, strings.Join(others, ", ")})
	}
	p.table([]string{"who", "policy", "messages", "last", "also"}, rows)
	if missing {
		p.line("")
		p.line("Names missing: the policy doesn't bind them under these; `epagent people merge NAME OTHER` adds them.")
	}
}

func (c *cli) peoplePropose() *cobra.Command {
	return &cobra.Command{
		Use:   "propose",
		Short: "List names that are likely one person's",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				proposals, err := proposed(cmd.Context(), a)
				if err != nil {
					return err
				}
				result := struct {
					Proposals []agent.PeopleProposal `json:"proposals"`
				}{proposals}
				return c.emit(result, func(p *page) {
					if len(result.Proposals) == 0 {
						p.line("Nothing to propose.")
						return
					}
					for _, x := range result.Proposals {
						p.line("epagent people merge %s %s", quoteArg(x.One), quoteArg(x.Other))
						p.line("  %s", clean(x.Why))
					}
				})
			})
		},
	}
}

// proposed are the names that a merge would join: those that certainly are somebody's whom
// the policy knows, then the likely ones.
func proposed(ctx context.Context, a *agent.Agent) ([]agent.PeopleProposal, error) {
	list, likely, err := a.People(ctx)
	if err != nil {
		return nil, err
	}
	out := []agent.PeopleProposal{}
	for _, p := range list {
		for _, name := range p.Missing {
			out = append(out, agent.PeopleProposal{One: p.Name, Other: name, Why: "the same number, address or account"})
		}
	}
	for _, x := range likely {
		if !slices.ContainsFunc(out, func(y agent.PeopleProposal) bool { return x.One == y.One && x.Other == y.Other }) {
			out = append(out, x)
		}
	}
	return out, nil
}

// quoteArg writes a name as an argument of a shell.
func quoteArg(s string) string { return strconv.Quote(clean(s)) }

func (c *cli) peopleMerge() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "merge NAME OTHER",
		Short:   "Two names are one person's: write it into the policy",
		Example: `  epagent people merge "Greta Falk" "+49 151 0000001"`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				return c.changePeople(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					return a.MergePeople(cmd.Context(), args[0], args[1], agreed)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to the plan without being asked")
	return cmd
}

func (c *cli) peopleSplit() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "split NAME OTHER",
		Short: "Two names are two people's: take an alias out of the policy",
		Long: `Take an alias out of the policy again, and don't propose the two as one any more. Who
bears the name gets what a stranger gets from then on.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				return c.changePeople(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					return a.SplitPeople(cmd.Context(), args[0], args[1], agreed)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to the plan without being asked")
	return cmd
}

// changePeople shows the plan of a merge or split, asks, and makes it.
func (c *cli) changePeople(yes bool, apply func(agreed bool) (*agent.PolicyPlan, error)) error {
	plan, err := apply(false)
	if errors.Is(err, agent.ErrWidens) && plan != nil {
		p := &page{colour: colour(c.err), width: width(c.err)}
		planPage(p, plan)
		fmt.Fprint(c.err, p.String())
		if yes || c.ask("Agree?") {
			plan, err = apply(true)
		}
	}
	if err != nil {
		return err
	}
	if plan == nil {
		return c.emit(struct{}{}, func(p *page) { p.line("They won't be proposed as one person again.") })
	}
	return c.emit(plan, func(p *page) { p.line("The policy is changed (%s…).", plan.Hash[:12]) })
}

func (c *cli) peopleMe() *cobra.Command {
	var remove string
	cmd := &cobra.Command{
		Use:   "me",
		Short: "Under which names you speak, as you said by --me",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				if remove != "" {
					known, err := a.ForgetOwnerName(cmd.Context(), remove)
					if err == nil && !known {
						err = fmt.Errorf("%q is no name that you gave by --me; `epagent people me` lists them", remove)
					}
					if err != nil {
						return err
					}
				}
				names, err := a.OwnerNames(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					Names []memory.OwnerName `json:"names"`
				}{append([]memory.OwnerName{}, names...)}
				return c.emit(result, func(p *page) {
					if len(names) == 0 {
						p.line("None; `epagent import --me NAME` says who you are, once for each app.")
					}
					for _, n := range names {
						p.line("%s: %s %s", n.Format, clean(n.Name), clean(n.ID))
					}
				})
			})
		},
	}
	cmd.Flags().StringVar(&remove, "remove", "", "take one back; what was imported stays as it is")
	return cmd
}
