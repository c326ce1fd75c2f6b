package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) feedbackCommand() *cobra.Command {
	var req agent.FeedbackRequest
	var fact string
	var kinds []string
	for _, k := range agent.FeedbackKinds() {
		kinds = append(kinds, string(k))
	}
	cmd := &cobra.Command{
		Use:   "feedback KIND",
		Short: "Say what was wrong about a fact or an answer",
		Long: `Note what was wrong: ` + strings.Join(kinds, ", ") + `.

wrong-category, wrong-event, wrong-person and wrong-time are about a fact (--fact);
should-have-told about a fact and an answer; should-not-have-told, too-vague, wrong-tone
and cover-broken about an answer (--entry: its number, as "epagent ledger" shows it);
missed and invented about either, or in words.

It changes nothing by itself; what "epagent evolve run" can make of it is said. --expected says what would
have been right: for wrong-category the ids or names of categories, a label such as
L1/life, or "no fact"; for wrong-event a fact that it shares its event with, the event's
id, or "its own". "feedback drop" takes one back.`,
		Example: `  epagent feedback wrong-category --fact fq3k7d2ma --expected health
  epagent feedback wrong-event --fact fq3k7d2ma --expected f2b6x9kqe
  epagent feedback too-vague --entry 12 --note "she may know the day"
  epagent feedback should-have-told --fact fq3k7d2ma --entry 12
  epagent feedback list`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: kinds,
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Kind, req.Fact, req.Origin = agent.FeedbackKind(args[0]), privacy.FactID(fact), "command"
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				id, err := a.Feedback(cmd.Context(), req)
				if err != nil {
					return err
				}
				return c.emit(struct {
					ID int64 `json:"id"`
				}{id}, func(p *page) {
					p.line("Noted as %d. %s", id, a.SaysOf(cmd.Context(), req))
				})
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&fact, "fact", "", "about this fact")
	f.Int64Var(&req.Entry, "entry", 0, "about this entry of the ledger")
	f.StringVar(&req.Expected, "expected", "", "what would have been right")
	f.StringVar(&req.Note, "note", "", "in your words")
	cmd.AddCommand(c.feedbackImport(), c.feedbackDrop(), &cobra.Command{
		Use:   "list",
		Short: "List what was noted",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				given, err := feedbackNow(cmd.Context(), a)
				if err != nil {
					return err
				}
				result := struct {
					Feedback []memory.Feedback `json:"feedback"`
				}{append([]memory.Feedback{}, given...)}
				return c.emit(result, func(p *page) {
					var rows [][]string
					for _, x := range given {
						rows = append(rows, []string{fmt.Sprint(x.ID), x.At.Local().Format("2006-01-02 15:04"), x.Kind, aboutOf(&x), string(x.Status), x.Origin, clean(strings.TrimSpace(x.Expected + " " + x.Note))})
					}
					p.table([]string{"n", "when", "kind", "about", "status", "by", "what"}, rows)
					if len(given) == 0 {
						p.line("Nothing was noted.")
					}
				})
			})
		},
	})
	return cmd
}

// feedbackNow lists feedback with what has become of it by now; where that can't be found
// out, as when the policy can't be read, with what is noted of it.
func feedbackNow(ctx context.Context, a *agent.Agent) ([]memory.Feedback, error) {
	if given, err := evolve.Feedback(ctx, a); err == nil || ctx.Err() != nil {
		return given, err
	}
	return a.FeedbackGiven(ctx)
}
