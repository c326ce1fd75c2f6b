package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
)

func (c *cli) initCommand() *cobra.Command {
	var yes bool
	var s agent.Starter
	var people []string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a starter policy",
		Long: `Write a commented starter policy.yaml into the home folder: groups over trust tiers and
domains, about twenty categories, and every setting with its default. On a terminal it
asks for your names, your language and the closest people; --yes takes the defaults and
what the flags say. It never overwrites a policy.`,
		Example: `  epagent init
  epagent init --yes --name "Ines Falk" --alias Ines --person "Tomas Falk=partner"`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			for _, p := range people {
				name, group, ok := strings.Cut(p, "=")
				if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(group) == "" {
					return usagef("--person %q: want NAME=GROUP, with one of the groups %s", p, strings.Join(agent.StarterGroups(), ", "))
				}
				s.People = append(s.People, agent.StarterPerson{Name: strings.TrimSpace(name), Group: strings.TrimSpace(group)})
			}
			if !yes {
				if !terminal(c.in) {
					return usagef("init asks questions, and this is no terminal: give --yes, with --name and --person as needed")
				}
				if err := c.askStarter(&s); err != nil {
					return err
				}
			}
			home, err := c.homeFolder()
			if err != nil {
				return err
			}
			source, err := s.Policy()
			if err != nil {
				return usageError{err}
			}
			path, err := agent.WritePolicy(home, source)
			if err != nil {
				return err
			}
			result := struct {
				Policy string `json:"policy"`
			}{path}
			return c.emit(result, func(p *page) {
				p.line("Wrote %s.", path)
				p.line("")
				p.line("Next:  edit it: who is in which group, which categories at which level")
				p.line("       epagent policy check")
				p.line("       epagent import FILE…")
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&yes, "yes", false, "ask nothing: take the defaults and the flags")
	f.StringVar(&s.Name, "name", "", "your name")
	f.StringArrayVar(&s.Aliases, "alias", nil, "another name of yours (repeatable)")
	f.StringVar(&s.Language, "language", "", "language to answer in where a question doesn't tell, e.g. en or zh")
	f.StringArrayVar(&people, "person", nil, "somebody close, as NAME=GROUP (repeatable)")
	return cmd
}

// askStarter asks for what the flags left open.
func (c *cli) askStarter(s *agent.Starter) error {
	var err error
	if s.Name == "" {
		if s.Name, err = c.prompt("Your name", "Me"); err != nil {
			return err
		}
		more, err := c.prompt("Other names you go by, separated by commas (empty: none)", "")
		if err != nil {
			return err
		}
		for name := range strings.SplitSeq(more, ",") {
			if name = strings.TrimSpace(name); name != "" {
				s.Aliases = append(s.Aliases, name)
			}
		}
	}
	if s.Language == "" {
		if s.Language, err = c.prompt("Your language", "en"); err != nil {
			return err
		}
	}
	c.say("The closest people, one a line, as NAME=GROUP; an empty line ends.")
	c.say("Groups: %s", strings.Join(agent.StarterGroups(), ", "))
	for {
		line, err := c.prompt("Person", "")
		if err != nil {
			return err
		}
		if line == "" {
			return nil
		}
		name, group, ok := strings.Cut(line, "=")
		if !ok {
			c.say("want NAME=GROUP")
			continue
		}
		s.People = append(s.People, agent.StarterPerson{Name: strings.TrimSpace(name), Group: strings.TrimSpace(group)})
	}
}
