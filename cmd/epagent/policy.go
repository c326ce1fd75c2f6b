package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Check, test, plan and edit your policy",
		Long: `Check, test, plan and edit your policy.

Editing by command keeps your comments, your order and every byte outside the edit.
What a change would open or close is shown first; what opens something asks, or takes
--yes. Every change is a version that can be looked at and undone.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent policy --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		c.policyCheck(), c.policyTest(), c.policyPlan(), c.policyApply(), c.policyHistory(), c.policyUndo(), c.policyShow(),
		c.policyRule("allow", "Let somebody know: a fact, a category, or what is about something"),
		c.policyRule("deny", "Keep somebody from knowing: a fact, a category, or what is about something"),
		c.policyUnrule(), c.policyPerson(), c.policyCategory(),
		c.policyGroup(), c.policyCombination(), c.policyCircle(), c.policySet(),
	)
	return cmd
}

type checkResult struct {
	File      string            `json:"file"`
	Errors    []privacy.Problem `json:"errors"`
	Warnings  []privacy.Problem `json:"warnings"`
	Audiences []agent.Audience  `json:"audiences"` // who gets each category of level 2 or less
}

func (c *cli) policyCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say what is wrong or suspicious, with line and remedy",
		Long: `Say what is wrong or suspicious about policy.yaml of the home folder, over the facts that
are stored, or about the given file alone: with line and remedy. It also prints by name
who gets each category of level 2 or less.

The exit code is 1 on errors, 0 with warnings only.`,
		Example: `  epagent policy check
  epagent policy check new-policy.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			result, err := c.checkPolicy(cmd.Context(), args)
			if err != nil {
				return err
			}
			err = c.emit(result, func(p *page) { checkPage(p, result) })
			if err == nil && len(result.Errors) > 0 {
				err = quiet{exitFailed}
			}
			return err
		},
	}
}

func (c *cli) checkPolicy(ctx context.Context, args []string) (*checkResult, error) {
	home, err := c.homeFolder()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(home, agent.PolicyFile)
	if len(args) == 1 {
		path = args[0]
	}
	source, err := os.ReadFile(path)
	if err != nil {
		if len(args) == 0 && errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the policy: %w; `epagent init` writes one", err)
		}
		return nil, fmt.Errorf("read the policy: %w", err)
	}
	result := &checkResult{File: path, Errors: []privacy.Problem{}, Warnings: []privacy.Problem{}, Audiences: []agent.Audience{}}
	name := agent.PolicyFile
	if len(args) == 1 {
		name = path
	}
	policy, err := privacy.Parse(name, source)
	var broken *privacy.PolicyError
	if errors.As(err, &broken) {
		result.Errors = broken.Problems
		return result, nil
	}
	if err != nil {
		return nil, err
	}
	problems := policy.Lint(nil, time.Now())
	if len(args) == 0 {
		if err := c.with(ctx, func(a *agent.Agent) (err error) {
			if problems, err = a.CheckPolicy(ctx); err != nil {
				return err
			}
			learned, err := evolve.List(ctx, a)
			for _, s := range learned {
				if s.Status == evolve.Active && s.Idle != "" {
					remedy := "bring back what it is for, or `epagent evolve revert " + s.ID + "`"
					if s.Outgrown {
						remedy = agent.OutgrownRemedy(s.ID)
					}
					problems = append(problems, privacy.Problem{
						File: name, Message: fmt.Sprintf("the supplement %s does nothing: %s", s.ID, s.Idle),
						Remedy: remedy, Severity: privacy.SeverityWarning,
					})
				}
			}
			return err
		}); err != nil {
			return nil, err
		}
	}
	for _, problem := range problems {
		if problem.Severity == privacy.SeverityWarning {
			result.Warnings = append(result.Warnings, problem)
		} else {
			result.Errors = append(result.Errors, problem)
		}
	}
	result.Audiences = agent.AudiencesOf(policy)
	return result, nil
}

func checkPage(p *page, result *checkResult) {
	for _, problem := range result.Errors {
		p.line("%s %s", p.style(red, "error"), problem)
	}
	for _, problem := range result.Warnings {
		p.line("warning %s", problem)
	}
	p.line("%s: %s, %s", result.File, plural(len(result.Errors), "error", "errors"), plural(len(result.Warnings), "warning", "warnings"))
	if len(result.Audiences) == 0 {
		return
	}
	p.line("")
	p.line("Who gets what is private, by its category alone:")
	var rows [][]string
	for _, a := range result.Audiences {
		people := "nobody"
		if len(a.People) > 0 {
			people = strings.Join(a.People, ", ")
		}
		rows = append(rows, []string{string(a.Category), a.Label.String(), clean(people)})
	}
	p.table([]string{"category", "label", "people"}, rows)
}

func (c *cli) policyTest() *cobra.Command {
	return &cobra.Command{
		Use:   "test FILE…",
		Short: "Run assertions about who may know what",
		Long: `Run assertions about your policy from YAML files, for example in a CI of your own:

  tests:
    - {name: the boss hears nothing of health, fact: {categories: [health]}, to: Karin, expect: deny}
    - {id: fq3k7d2ma, to: [Tomas, Greta], expect: allow, reason: default}
    - {facts: [{categories: [pay]}, {categories: [home]}], together: true, to: Tomas, expect: deny}

Several names after "to" are one message that all of them read; "together" judges the
facts as one unit. The exit code is 1 if a test fails or a file can't be used; the tests
of the other files are run.`,
		Example: "  epagent policy test policy-tests.yaml",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				result := struct {
					Results []privacy.TestResult `json:"results"`
					Failed  int                  `json:"failed"`
					Errors  []privacy.Problem    `json:"errors"`
				}{Results: []privacy.TestResult{}, Errors: []privacy.Problem{}}
				for _, file := range args {
					source, err := os.ReadFile(file)
					if err != nil {
						return err
					}
					tests, err := privacy.ParseTests(file, source)
					var broken *privacy.PolicyError
					if errors.As(err, &broken) { // the tests of the other files are run
						result.Errors = append(result.Errors, broken.Problems...)
						continue
					}
					if err != nil {
						return err
					}
					results, err := a.TestPolicy(cmd.Context(), tests)
					if err != nil {
						return err
					}
					result.Results = append(result.Results, results...)
				}
				for _, r := range result.Results {
					if !r.Pass {
						result.Failed++
					}
				}
				err := c.emit(result, func(p *page) {
					for _, r := range result.Results {
						p.line("%s", r)
					}
					for _, problem := range result.Errors {
						p.line("%s %s", p.style(red, "error"), problem)
					}
					p.line("%d of %d hold", len(result.Results)-result.Failed, len(result.Results))
				})
				if err == nil && result.Failed+len(result.Errors) > 0 {
					err = quiet{exitFailed}
				}
				return err
			})
		},
	}
}

func (c *cli) policyPlan() *cobra.Command {
	return &cobra.Command{
		Use:   "plan NEW.yaml",
		Short: "Show what a new policy would open and close",
		Long: `Show the difference in outcomes between the policy in force and a new one: which facts
become visible or hidden for whom, the most sensitive first, with counts by person. A
new category changes nothing by itself; the plan counts the facts that would go to
review for it. Nothing is changed.`,
		Example: "  epagent policy plan new-policy.yaml",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				plan, err := a.PlanPolicy(cmd.Context(), source)
				if err != nil {
					return inFile(args[0], err)
				}
				plan.Warnings = ofFile(args[0], plan.Warnings)
				return c.emit(plan, func(p *page) { planPage(p, plan) })
			})
		},
	}
}

// inFile makes the problems of a policy name the file that was given.
func inFile(path string, err error) error {
	var broken *privacy.PolicyError
	if errors.As(err, &broken) {
		return &privacy.PolicyError{Problems: ofFile(path, broken.Problems)}
	}
	return err
}

func ofFile(path string, problems []privacy.Problem) []privacy.Problem {
	out := slices.Clone(problems)
	for i := range out {
		out[i].File = path
	}
	return out
}

// showPairs is how many changed verdicts a page lists; --json has all of them.
const showPairs = 20

func planPage(p *page, plan *agent.PolicyPlan) {
	pairs := func(title string, list []privacy.PairChange) {
		if len(list) == 0 {
			return
		}
		p.line("%s:", title)
		var rows [][]string
		for i, x := range list {
			if i == showPairs {
				break
			}
			rows = append(rows, []string{
				orAnybody(x.Name), string(x.Fact), x.Label.String(), x.Before.Reason.String() + " → " + x.After.Reason.String(),
			})
		}
		p.table([]string{"who", "fact", "label", "reason"}, rows)
		if len(list) > showPairs {
			p.line("… and %d more (--json lists all)", len(list)-showPairs)
		}
	}
	pairs("Newly visible", plan.Shown)
	pairs("Newly hidden", plan.Hidden)
	if len(plan.Shown)+len(plan.Hidden) == 0 {
		p.line("No answer changes for anybody now.")
	}
	var rows [][]string
	for i, x := range plan.Loosened {
		if i == showPairs {
			break
		}
		rows = append(rows, []string{orAnybody(x.Name), string(x.Fact), x.Combination})
	}
	if len(plan.Loosened) > 0 {
		p.line("No longer held back once the rest of a combination is told:")
		p.table([]string{"who", "fact", "combination"}, rows)
		if len(plan.Loosened) > showPairs {
			p.line("… and %d more (--json lists all)", len(plan.Loosened)-showPairs)
		}
	}
	for i, what := range plan.Beaten {
		if i == showPairs {
			p.line("… and %d more (--json lists all)", len(plan.Beaten)-showPairs)
			break
		}
		p.line("%s", clean(what))
	}
	for _, what := range plan.Outgrown {
		p.line("note: %s", clean(what))
	}
	for _, what := range plan.Opens {
		p.line("%s", clean(what))
	}
	for _, what := range plan.Loosens {
		p.line("For later facts: %s", clean(what))
	}
	rows = nil
	for _, count := range plan.Counts {
		rows = append(rows, []string{orAnybody(count.Name), fmt.Sprint(count.Shown), fmt.Sprint(count.Hidden)})
	}
	p.table([]string{"who", "sees more", "sees less"}, rows)
	if len(plan.NewCategories) > 0 {
		p.line("New categories: %v; %d stored facts would go to review for them", plan.NewCategories, len(plan.Proposals))
	}
	for _, w := range plan.Warnings {
		p.line("warning %s", w)
	}
}

func (c *cli) policyApply() *cobra.Command {
	var note string
	var yes bool
	cmd := &cobra.Command{
		Use:     "apply NEW.yaml",
		Short:   "Make a new policy the one in force, after showing its plan",
		Example: `  epagent policy apply new-policy.yaml --note "Karin is my boss now"`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				return c.changePolicy(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					plan, err := a.ApplyPolicy(cmd.Context(), source, note, agreed)
					if plan != nil {
						plan.Warnings = ofFile(args[0], plan.Warnings)
					}
					return plan, inFile(args[0], err)
				})
			})
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "why, for the history")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

// changePolicy runs a change of the policy: what it opens is shown first and asked.
func (c *cli) changePolicy(yes bool, apply func(agreed bool) (*agent.PolicyPlan, error)) error {
	plan, err := apply(yes)
	if errors.Is(err, agent.ErrWidens) && plan != nil {
		p := &page{colour: colour(c.err), width: width(c.err)}
		planPage(p, plan)
		fmt.Fprint(c.err, p.String())
		if c.ask("Agree?") {
			plan, err = apply(true)
		}
	}
	if err != nil {
		return err
	}
	return c.emit(plan, func(p *page) {
		planPage(p, plan)
		if !plan.Applied {
			p.line("The policy is so already (%s…): nothing is changed.", plan.Hash[:12])
			return
		}
		p.line("The policy is changed (%s…).", plan.Hash[:12])
		if plan.Kept != "" {
			p.line("What stood in it, broken, is kept as %s.", plan.Kept)
		}
	})
}

func (c *cli) policyHistory() *cobra.Command {
	return &cobra.Command{
		Use:   "history",
		Short: "List the versions of the policy",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				versions, err := a.PolicyHistory(cmd.Context())
				if err != nil {
					return err
				}
				type version struct {
					Seq    int64     `json:"seq"`
					Hash   string    `json:"hash"`
					At     time.Time `json:"at"`
					Author string    `json:"author"`
					Note   string    `json:"note"`

					Restores int64 `json:"restores,omitempty"`
				}
				result := struct {
					Versions []version `json:"versions"`
				}{[]version{}}
				for _, v := range versions {
					result.Versions = append(result.Versions, version{v.Seq, v.Hash, v.At, v.Author, v.Note, v.Restores})
				}
				return c.emit(result, func(p *page) {
					var rows [][]string
					for _, v := range result.Versions {
						rows = append(rows, []string{fmt.Sprint(v.Seq), v.Hash[:12], v.At.Local().Format("2006-01-02 15:04"), v.Author, clean(v.Note)})
					}
					p.table([]string{"version", "hash", "when", "by", "note"}, rows)
				})
			})
		},
	}
}

func (c *cli) policyUndo() *cobra.Command {
	var yes bool
	var to string
	cmd := &cobra.Command{
		Use:   "undo",
		Short: "Bring an earlier version of the policy back",
		Long: `Bring the version before the newest back, or the one that --to names. Undoing again goes
on to the one before that. It becomes a new version, so nothing is lost: undo --to brings
back what an undo took away. What opens by it asks.`,
		Example: `  epagent policy undo
  epagent policy undo --to 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				return c.changePolicy(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					return a.UndoPolicy(cmd.Context(), to, agreed)
				})
			})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the version: its number, the beginning of its hash, or a time")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) policyShow() *cobra.Command {
	var at string
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the policy in force, or an earlier version",
		Example: `  epagent policy show
  epagent policy show --at 3
  epagent policy show --at 2026-03-01`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				source, err := a.PolicyAt(cmd.Context(), at)
				if err != nil {
					return err
				}
				result := struct {
					Source string `json:"source"`
				}{string(source)}
				return c.emit(result, func(p *page) {
					p.Write(bytes.TrimRight(source, "\n"))
					p.line("")
				})
			})
		},
	}
	cmd.Flags().StringVar(&at, "at", "", "number of a version, beginning of its hash, or a time")
	return cmd
}
