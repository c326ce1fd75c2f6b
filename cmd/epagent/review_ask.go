package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// reviewed is the queue with the questions that wait.
type reviewed struct {
	*agent.ReviewQueue
	Asks []agent.Asked `json:"asks"`
}

// reviewAnswer is `review answer`: the owner's word on a question that waits.
func (c *cli) reviewAnswer() *cobra.Command {
	var once, always, never, skip, yes bool
	var group string
	cmd := &cobra.Command{
		Use:   "answer ID",
		Short: "Decide on a question that waits: once, always, for a group, or never",
		Long: `Decide on what somebody asked and only you can decide (setting "ask" of the policy).
Your answer becomes lines of policy.yaml, one a fact, with a note of where they come
from; what it opens is shown first. Nobody is told anything by it: the next question is
answered by the new lines. --once holds for a day, --skip decides nothing.`,
		Example: `  epagent review answer qx3k7d2mab --once
  epagent review answer qx3k7d2mab --group family
  epagent review answer qx3k7d2mab --never`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer := agent.AskAnswer{Group: privacy.GroupID(group)}
			n := 0
			for kind, given := range map[string]bool{
				agent.AskOnce: once, agent.AskPerson: always, agent.AskGroup: group != "", agent.AskNo: never, agent.AskSkip: skip,
			} {
				if given {
					answer.Kind = kind
					n++
				}
			}
			if n != 1 {
				return usagef("give one of --once, --always, --group ID, --never, --skip")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				if answer.Kind == agent.AskSkip || answer.Kind == agent.AskNo {
					return c.answered(a.AnswerAsk(cmd.Context(), args[0], answer, true))
				}
				return c.changePolicy(yes, func(agreed bool) (*agent.PolicyPlan, error) {
					return a.AnswerAsk(cmd.Context(), args[0], answer, agreed)
				})
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&once, "once", false, "they may know it, for a day")
	f.BoolVar(&always, "always", false, "they may know it from now on")
	f.StringVar(&group, "group", "", "everybody in this group of theirs may")
	f.BoolVar(&never, "never", false, "they may not, whatever the labels say")
	f.BoolVar(&skip, "skip", false, "decide nothing: the rules go on as they are")
	f.BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

// answered shows what an answer that opens nothing did.
func (c *cli) answered(plan *agent.PolicyPlan, err error) error {
	if err != nil {
		return err
	}
	return c.emit(plan, func(p *page) {
		p.line("Answered: %s.", plural(len(plan.Hidden), "verdict closes", "verdicts close"))
	})
}

// asksPage lists the questions that wait.
func asksPage(p *page, asks []agent.Asked) {
	if len(asks) == 0 {
		return
	}
	p.line("%s", p.style(bold, "Asked, and only you can decide"))
	for i := range asks {
		askLines(p, &asks[i])
	}
	p.line("Answer with `epagent review answer ID --once|--always|--group ID|--never|--skip`.")
	p.line("")
}

func askLines(p *page, q *agent.Asked) {
	p.line("%s  %s asked on %s (%s): %s", q.ID, clean(strings.Join(q.To, ", ")), q.At.Format("2006-01-02"), q.Why, clean(q.Question))
	for _, f := range q.Facts {
		p.line("    %s %s %s", f.ID, f.Label, clean(f.Text))
	}
}

// asks goes through the questions that wait.
func (w *walker) asks(ctx context.Context, asks []agent.Asked) error {
	for i := range asks {
		askLines(w.page, &asks[i])
		w.page.line("o: once · a: always · g GROUP: for a group · n: never · k: no decision · s: skip · q: quit")
		for {
			line, err := w.ask("> ")
			if err != nil {
				return err
			}
			if line == "s" {
				w.skipped++
				break
			}
			done, err := w.answer(ctx, asks[i].ID, line)
			if err != nil {
				return err
			}
			if done {
				w.decided++
				break
			}
		}
	}
	return nil
}

// answer makes one answer and reports whether it was one.
func (w *walker) answer(ctx context.Context, id, line string) (bool, error) {
	key, rest, _ := strings.Cut(line, " ")
	answer := agent.AskAnswer{Kind: map[string]string{"o": agent.AskOnce, "a": agent.AskPerson, "g": agent.AskGroup, "n": agent.AskNo, "k": agent.AskSkip}[key]}
	switch {
	case key == "q":
		return false, errQuit
	case answer.Kind == "":
		w.page.line("%q is no answer here", clean(line))
		return false, nil
	case answer.Kind == agent.AskGroup:
		answer.Group = privacy.GroupID(strings.TrimSpace(rest))
	}
	plan, err := w.agent.AnswerAsk(ctx, id, answer, false)
	if errors.Is(err, agent.ErrWidens) && plan != nil {
		w.page.line("This lets somebody learn more: %s", openedTo(plan.Shown))
		agreed, askErr := w.agree("Agree?")
		if askErr != nil || !agreed {
			return false, askErr
		}
		_, err = w.agent.AnswerAsk(ctx, id, answer, true)
	}
	if errors.Is(err, context.Canceled) {
		return false, err
	}
	if err != nil {
		w.page.line("%s", clean(err.Error()))
		return false, nil
	}
	w.page.line("Answered: %s.", answer.Kind)
	return true, nil
}
