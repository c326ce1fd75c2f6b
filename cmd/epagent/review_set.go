package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) reviewSet() *cobra.Command {
	var marks markFlags
	var notFact, confirm, alsoAlike, yes bool
	cmd := &cobra.Command{
		Use:   "set ID…",
		Short: "Decide on facts: category, label, exceptions, true, or not a fact",
		Long: `Decide on facts of the review. What the decision opens is shown first and asked. Then it
says how many waiting facts are of the same kind: they say nearly the same of the same
person. --also-alike decides the same on them; on a terminal it asks.

--confirm says that it is true, whoever said it. It permits nobody to know it who may not
know such things, and a confidence stays closed until you open it.`,
		Example: `  epagent review set fq3k7d2ma --category health --also-alike
  epagent review set fq3k7d2ma --category job --allow Tomas
  epagent review set fq3k7d2ma --confirm --label 2/life
  epagent review set fq3k7d2ma f2b6x9kqe --not-a-fact`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				edit, err := marks.edit(cmd.Context(), a)
				if err != nil {
					return err
				}
				edit.Confirm = confirm
				ids := make([]privacy.FactID, len(args))
				for i, arg := range args {
					ids[i] = privacy.FactID(arg)
				}
				d := agent.Decision{Edit: edit, NotFact: notFact, AlsoAlike: alsoAlike}
				decide := func(ids []privacy.FactID, d agent.Decision, agreed bool) (*agent.Decided, error) {
					return a.Decide(cmd.Context(), ids, d, agreed)
				}
				return c.decide(ids, d, yes, decide)
			})
		},
	}
	marks.add(cmd)
	cmd.Flags().BoolVar(&confirm, "confirm", false, "it is true, whoever said it")
	cmd.Flags().BoolVar(&notFact, "not-a-fact", false, "it is no fact: remove it, and skip its like")
	cmd.Flags().BoolVar(&alsoAlike, "also-alike", false, "decide the same on waiting facts of the same kind")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

// decideFunc is [agent.Agent.Decide] with its context bound.
type decideFunc func([]privacy.FactID, agent.Decision, bool) (*agent.Decided, error)

// decide makes one decision and prints what it did.
func (c *cli) decide(ids []privacy.FactID, d agent.Decision, yes bool, decide decideFunc) error {
	done, err := decide(ids, d, yes)
	if errors.Is(err, agent.ErrWidens) && done != nil {
		c.say("this would let somebody learn more:")
		for _, line := range widenedLines(done.Widened, done.Loosened) {
			c.say("  %s", line)
		}
		if c.ask("Agree?") {
			done, err = decide(ids, d, true)
		}
	}
	if err == nil && len(done.Alike) > 0 {
		c.say("%s of the same kind, which the same decision would open to: %s",
			plural(len(done.Alike), "waiting fact is", "waiting facts are"), openedTo(done.AlikeWidened))
		if c.ask("Decide the same on them?") {
			var more *agent.Decided
			if more, err = decide(done.Alike, d, true); more != nil {
				done = joined(done, more)
			}
		} else {
			c.say("--also-alike decides the same on them")
		}
	}
	if done == nil {
		return err
	}
	return errors.Join(c.emit(done, func(p *page) { decidedPage(p, done, d) }), err)
}

// joined is what two decisions did, one after the other.
func joined(first, then *agent.Decided) *agent.Decided {
	return &agent.Decided{
		Edits:    slices.Concat(first.Edits, then.Edits),
		Widened:  slices.Concat(first.Widened, then.Widened),
		Narrowed: slices.Concat(first.Narrowed, then.Narrowed),
		Loosened: slices.Concat(first.Loosened, then.Loosened),
		Alike:    then.Alike, AlikeWidened: then.AlikeWidened,
		Taught: slices.Concat(first.Taught, then.Taught),
	}
}

func decidedPage(p *page, done *agent.Decided, d agent.Decision) {
	for _, e := range done.Edits {
		switch {
		case !e.Applied:
		case d.NotFact:
			p.line("%s is gone: it is no fact", e.Fact)
		default:
			p.line("%s is decided, its label is %s: %s opened, %d closed", e.Fact, e.Label, plural(len(e.Widened), "verdict", "verdicts"), len(e.Narrowed))
		}
	}
	if n := len(done.Taught); n > 0 {
		p.line("The annotator learned from it; `epagent review taught` lists what.")
	}
}

// widenedLines says whom a change lets in, a line a person and reason, and for whom
// a combination would no longer hold a fact back.
func widenedLines(widened []privacy.PairChange, loosened []privacy.Apart) []string {
	var lines []string
	for _, o := range widened {
		lines = append(lines, orAnybody(o.Name)+" may know "+string(o.Fact)+" ("+o.After.Reason.String()+")")
	}
	for _, o := range loosened {
		lines = append(lines, "the combination "+o.Combination+" no longer holds "+string(o.Fact)+" back from "+orAnybody(o.Name))
	}
	return lines
}

// openedTo names those whom verdicts open to.
func openedTo(widened []privacy.PairChange) string {
	var names []string
	strangers := false
	for _, o := range widened {
		switch {
		case o.Name == "":
			strangers = true
		case !slices.Contains(names, o.Name):
			names = append(names, o.Name)
		}
	}
	return nameWords(names, strangers)
}
