package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

func (c *cli) reviewTaught() *cobra.Command {
	return &cobra.Command{
		Use:   "taught",
		Short: "List what your decisions taught the annotator",
		Example: `  epagent review taught
  epagent review untaught 3`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				taught, err := a.Taught(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					Taught []agent.Taught `json:"taught"`
				}{taught}
				return c.emit(result, func(p *page) { taughtPage(p, taught) })
			})
		},
	}
}

func taughtPage(p *page, taught []agent.Taught) {
	if len(taught) == 0 {
		p.line("You have taught nothing yet: decide on something in `epagent review`.")
		return
	}
	var rows [][]string
	for _, t := range taught {
		rows = append(rows, []string{
			strconv.FormatInt(t.ID, 10), t.At.Format(time.DateOnly), lesson(t.Exemplar), string(t.Fact), plural(len(t.Facts), "fact", "facts"), clean(t.Text),
		})
	}
	p.table([]string{"id", "when", "it is", "from", "decided by it", "text"}, rows)
}

// lesson says what an exemplar teaches.
func lesson(e memory.Exemplar) string {
	if e.NotFact {
		return "no fact"
	}
	return string(e.Category)
}

func (c *cli) reviewUntaught() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "untaught ID",
		Short: "Take back something that was taught",
		Long: `Take back something that was taught. The facts that got their category by it alone lose
that and wait in the review again. The fact that you decided on keeps your decision: one
that was no fact stays gone, and "remember" takes the statement in anew.`,
		Example: `  epagent review untaught 3`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("%q is no id of something taught; `epagent review taught` lists them", args[0])
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				done, err := a.Untaught(cmd.Context(), id, yes)
				if errors.Is(err, agent.ErrWidens) && done != nil {
					c.say("this would let somebody learn more:")
					for _, line := range widenedLines(done.Widened, done.Loosened) {
						c.say("  %s", line)
					}
					if c.ask("Agree?") {
						done, err = a.Untaught(cmd.Context(), id, true)
					}
				}
				if done == nil {
					return err
				}
				return errors.Join(c.emit(done, func(p *page) {
					if done.Done {
						p.line("%d is taken back (%s); %s in the review again", id, lesson(done.Exemplar), plural(len(done.Facts), "fact waits", "facts wait"))
						if done.Exemplar.NotFact {
							p.line("What you called no fact stays gone; `epagent remember` takes such statements in again.")
						}
					}
				}), err)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) reviewAuto() *cobra.Command {
	return &cobra.Command{
		Use:   "auto",
		Short: "List the facts that were decided by what you taught",
		Long: `List the facts that got their category from your earlier decisions alone, because they say
almost the same, and who may know them by that. Decide on one with "review set", or take
back what was taught with "review untaught".`,
		Example: `  epagent review auto`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				items, err := a.Auto(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					Items []agent.AutoItem `json:"items"`
				}{items}
				return c.emit(result, func(p *page) { autoPage(p, items) })
			})
		},
	}
}

func autoPage(p *page, items []agent.AutoItem) {
	if len(items) == 0 {
		p.line("Nothing was decided by what you taught.")
		return
	}
	var rows [][]string
	for _, item := range items {
		taught := "taken back"
		if item.Exemplar != 0 {
			taught = strconv.FormatInt(item.Exemplar, 10)
		}
		rows = append(rows, []string{
			string(item.ID), string(item.Category), item.Label.String(), taught, fmt.Sprintf("%.2f", item.Score),
			nameWords(item.Opens, item.Strangers), clean(item.Text),
		})
	}
	p.table([]string{"fact", "category", "label", "taught by", "like", "open to", "text"}, rows)
}
