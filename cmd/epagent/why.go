package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

const asOfHelp = "as it was: a time, a policy VERSION, or VERSION@REVISION of the store"

func (c *cli) whyCommand() *cobra.Command {
	var to, asOf string
	cmd := &cobra.Command{
		Use:     "why --to NAME FACT",
		Aliases: []string{"why-not"},
		Short:   "Explain a verdict step by step, and what would turn it",
		Long: `Explain why a person may or may not know a fact: the steps of the calculus with the one
that decided, where the person stands, how the label came about, whose whitelist counts,
where each mark comes from; and the single changes that would turn the verdict, the one
that opens least else first.`,
		Example: `  epagent why --to Karin fq3k7d2ma
  epagent why-not --to Greta fq3k7d2ma
  epagent why --to Karin --as-of 2026-03-01 fq3k7d2ma`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return usagef("for whom? give --to NAME")
			}
			at, err := agent.ParseAsOf(asOf)
			if err != nil {
				return usageError{err}
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				why, err := a.Why(cmd.Context(), privacy.FactID(args[0]), to, at)
				if err != nil {
					return err
				}
				result := struct {
					AsOf string `json:"as_of,omitempty"`
					*agent.Why
				}{at.String(), why}
				return c.emit(result, func(p *page) {
					asOfLine(p, at)
					whyPage(p, why)
				})
			})
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "for this person")
	cmd.Flags().StringVar(&asOf, "as-of", "", asOfHelp)
	return cmd
}

// asOfLine says which moment is shown, where it isn't now.
func asOfLine(p *page, at agent.AsOf) {
	if as := at.String(); as != "" {
		p.line("As of %s:", as)
	}
}

func whyPage(p *page, w *agent.Why) {
	verb := "may not know"
	if w.Verdict.Allow {
		verb = "may know"
	}
	p.line("%s %s %s: %s", clean(w.To), p.style(bold, verb), w.Fact, p.verdict(w.Verdict.Allow, w.Verdict.Reason.String()))
	p.line("  %s", clean(w.Text))
	if w.Waits != "" {
		p.line("  %s", clean(w.Waits))
	}
	p.line("")
	var rows [][]string
	for _, s := range w.Steps {
		mark := ""
		if s.Decided {
			mark = "←"
		}
		rows = append(rows, []string{s.Rule, mark, clean(s.Looked)})
	}
	p.table([]string{"step", "", "what it looked at"}, rows)
	p.line("")
	p.line("label %s", w.Label.Label)
	for _, x := range w.Label.Categories {
		p.line("  %s is %s; together so far %s", x.ID, x.Label, x.Meet)
	}
	for _, x := range w.Positions {
		domain := "every domain"
		if x.Domain != "" {
			domain = string(x.Domain)
		}
		p.line("%s is in %s: tier %d, %s", clean(w.To), x.Group, x.Tier, domain)
	}
	for _, x := range w.Whitelist {
		if x.Lent {
			p.line("whitelisted by %q of %s, the same event", x.Entry, x.Fact)
		}
	}
	for _, x := range w.Told {
		p.line("%s", toldLine(x))
	}
	rows = nil
	for _, m := range w.Marks {
		rows = append(rows, []string{string(m.Effect), clean(m.Value), origin(m)})
	}
	p.line("")
	p.table([]string{"mark", "value", "comes from"}, rows)
	if len(w.Changes) == 0 {
		return
	}
	p.line("")
	p.line("What would turn it:")
	rows = nil
	for _, change := range w.Changes {
		also := "nothing else"
		if n := len(change.Opens); n > 0 {
			also = plural(n, "other verdict opens", "other verdicts open")
		}
		if change.Loosens > 0 {
			also += ", " + plural(change.Loosens, "pair is", "pairs are") + " no longer held apart"
		}
		if n := len(change.Hides); n > 0 {
			also += ", " + plural(n, "closes", "close")
		}
		rows = append(rows, []string{also, clean(change.Describe)})
	}
	p.table([]string{"opens besides", "change"}, rows)
}

// toldLine says by which fact a part of a combination is known.
func toldLine(x agent.ToldPart) string {
	what := "a fact that was forgotten"
	if x.Fact != "" {
		what = string(x.Fact)
	}
	line := clean(x.To) + " was told " + what + ", which is " + x.Part + " of " + x.Combination
	if !x.At.IsZero() {
		line += ", on " + x.At.Local().Format(time.DateOnly)
	}
	return line
}

func (c *cli) whoCommand() *cobra.Command {
	var asOf string
	cmd := &cobra.Command{
		Use:   "who FACT|TOPIC",
		Short: "Show everyone who may learn a fact, or the facts about a topic",
		Example: `  epagent who fq3k7d2ma
  epagent who "the operation"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := agent.ParseAsOf(asOf)
			if err != nil {
				return usageError{err}
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				found, err := a.Who(cmd.Context(), strings.Join(args, " "), at)
				if err != nil {
					return err
				}
				result := struct {
					AsOf  string      `json:"as_of,omitempty"`
					Facts []agent.Who `json:"facts"`
				}{at.String(), found}
				return c.emit(result, func(p *page) {
					asOfLine(p, at)
					whoPage(p, found)
				})
			})
		},
	}
	cmd.Flags().StringVar(&asOf, "as-of", "", asOfHelp)
	return cmd
}

func whoPage(p *page, found []agent.Who) {
	if len(found) == 0 {
		p.line("No fact is about that.")
	}
	for i, w := range found {
		if i > 0 {
			p.line("")
		}
		p.line("%s  %s  %s", p.style(bold, string(w.Fact)), w.Label, clean(w.Text))
		if len(w.Who) == 0 {
			p.line("  nobody")
		}
		for _, x := range w.Who {
			p.line("  %s (%s)", orAnybody(x.Name), x.Verdict.Reason)
		}
	}
}

func (c *cli) knowsCommand() *cobra.Command {
	var asOf string
	var page1, limit int
	cmd := &cobra.Command{
		Use:   "knows NAME",
		Short: "Show everything that a person may learn, by category",
		Example: `  epagent knows Karin
  epagent knows Karin --page 2`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := agent.ParseAsOf(asOf)
			if err != nil {
				return usageError{err}
			}
			if strings.TrimSpace(args[0]) == "" || page1 < 1 || limit < 1 {
				return usagef("give a name, and a --page and --limit of at least 1")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				knows, err := a.Knows(cmd.Context(), args[0], page1, limit, at)
				if err != nil {
					return err
				}
				result := struct {
					AsOf string `json:"as_of,omitempty"`
					*agent.Knows
				}{at.String(), knows}
				return c.emit(result, func(p *page) {
					asOfLine(p, at)
					knowsPage(p, knows)
				})
			})
		},
	}
	cmd.Flags().IntVar(&page1, "page", 1, "which page")
	cmd.Flags().IntVar(&limit, "limit", 50, "facts a page")
	cmd.Flags().StringVar(&asOf, "as-of", "", asOfHelp)
	return cmd
}

func knowsPage(p *page, k *agent.Knows) {
	if k.Total == 0 {
		p.line("%s may learn nothing.", clean(k.Name))
		return
	}
	for _, group := range k.Categories {
		name := string(group.Category)
		if name == "" {
			name = "no category"
		}
		p.line("%s", p.style(bold, name))
		for _, f := range group.Facts {
			p.paragraphs(string(f.ID)+"  "+f.Label.String()+"  "+f.Text+" ("+f.Reason.String()+")", "  ")
		}
	}
	p.line("page %d of %d, %s in all", k.Page, k.Pages, plural(k.Total, "entry", "entries"))
}
