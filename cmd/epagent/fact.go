package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

func (c *cli) factCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fact",
		Short: "Show a fact, confirm it, correct it",
		Long: `Show where a fact comes from and where each of its marks comes from, and correct it.

Confirming is an act here, never a word in a chat: it says that a fact is true, and
permits nobody to know it.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; `epagent fact --help` lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.factShow(), c.factConfirm(), c.factEdit(), c.factEvent(), c.factCover())
	return cmd
}

func (c *cli) factShow() *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show a fact with its provenance",
		Example: "  epagent fact show fq3k7d2ma",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				view, err := a.Fact(cmd.Context(), privacy.FactID(args[0]))
				if err != nil {
					return err
				}
				return c.emit(view, func(p *page) { factPage(p, view) })
			})
		},
	}
}

func factPage(p *page, v *agent.FactView) {
	f := &v.Fact
	p.line("%s  %s  %s", p.style(bold, string(f.ID)), v.Label, clean(f.Text))
	p.line("")
	said := f.SaidAt.Date()
	if said == "" {
		said = "at an unknown time"
	}
	p.line("said by %s, %s, in session %s (%s, from %s)", orUnknown(f.Speaker), said, f.Session, f.Source.Format, clean(f.Source.Name))
	if len(f.Listeners) > 0 {
		p.line("heard by %s", clean(strings.Join(f.Listeners, ", ")))
	}
	for _, t := range v.Evidence {
		p.line("  %s  %s: %s", t.ID, orUnknown(t.Speaker), clean(t.Text))
	}
	p.line("")
	var rows [][]string
	for _, m := range v.Marks {
		rows = append(rows, []string{string(m.Effect), clean(m.Value), origin(m)})
	}
	p.table([]string{"mark", "value", "comes from"}, rows)
	if len(v.Event) > 0 {
		ids := make([]string, len(v.Event))
		for i, id := range v.Event {
			ids[i] = string(id)
		}
		p.line("")
		p.line("same event: %s", strings.Join(ids, " "))
	}
	for _, e := range v.Told {
		p.line("told to %s on %s", clean(strings.Join(e.To, ", ")), e.At.Format("2006-01-02 15:04"))
	}
}

func (c *cli) factConfirm() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "confirm ID…",
		Short: "Say that facts are true",
		Long: `Say that facts are true: they are trusted from now on, and their place in their event
is confirmed. If that lets anybody learn more, it is shown first and asked.`,
		Example: "  epagent fact confirm fq3k7d2ma",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.editFacts(cmd.Context(), args, agent.Edit{Confirm: true}, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) factEdit() *cobra.Command {
	var edit agent.Edit
	var yes bool
	var marks markFlags
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Correct a fact's wording or marks",
		Example: `  epagent fact edit fq3k7d2ma --text "Ines moved to Ghent in March 2026."
  epagent fact edit fq3k7d2ma --deny Karin --deny group:team
  epagent fact edit fq3k7d2ma --category health --label 1/life`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				text := edit.Text
				edit, err := marks.edit(cmd.Context(), a)
				if err != nil {
					return err
				}
				edit.Text = text
				return c.editFact(cmd.Context(), a, args, edit, yes)
			})
		},
	}
	cmd.Flags().StringVar(&edit.Text, "text", "", "a better wording")
	marks.add(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

// markFlags are the flags that set marks of a fact by hand.
type markFlags struct {
	categories, allow, deny []string
	label                   string
	close                   bool
}

func (m *markFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&m.categories, "category", nil, "it belongs to this category (repeatable; replaces the guess)")
	f.StringVar(&m.label, "label", "", "its label in place of the computed one, e.g. 2/work or 0")
	f.StringArrayVar(&m.allow, "allow", nil, "this person, or group:ID, may know it (repeatable)")
	f.StringArrayVar(&m.deny, "deny", nil, "this person, or group:ID, may not know it (repeatable)")
	f.BoolVar(&m.close, "close", false, "nobody may know it but those on its own whitelist")
}

func (m *markFlags) edit(ctx context.Context, a *agent.Agent) (agent.Edit, error) {
	edit := agent.Edit{Close: m.close}
	for _, id := range m.categories {
		edit.Categories = append(edit.Categories, privacy.CategoryID(id))
	}
	for _, p := range m.allow {
		edit.Allow = append(edit.Allow, privacy.Party(p))
	}
	for _, p := range m.deny {
		edit.Deny = append(edit.Deny, privacy.Party(p))
	}
	for _, p := range m.allow {
		if slices.Contains(m.deny, p) {
			return edit, usagef("--allow and --deny both name %q: decide which", p)
		}
	}
	if m.label != "" {
		policy, err := a.Policy(ctx)
		if err != nil {
			return edit, err
		}
		label, err := agent.ParseLabel(m.label, policy)
		if err != nil {
			return edit, usagef("--label: %w", err)
		}
		edit.Label = &label
	}
	return edit, nil
}

func (c *cli) factEvent() *cobra.Command {
	var edit agent.Edit
	var event, same string
	var yes bool
	cmd := &cobra.Command{
		Use:   "event ID…",
		Short: "Say which facts are about one event",
		Long: `Say which facts are about one event. Facts of an event share their whitelists, and what
you said about the event ("don't tell Mum") binds all of them. Joining events can let
somebody learn more: it is shown first and asked.`,
		Example: `  epagent fact event fq3k7d2ma --same-as f2b6x9kqe
  epagent fact event fq3k7d2ma f2b6x9kqe --id house-move
  epagent fact event fq3k7d2ma --alone`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edit.Event, edit.SameAs = privacy.EventID(event), privacy.FactID(same)
			given := 0
			for _, set := range []bool{event != "", same != "", edit.Alone} {
				if set {
					given++
				}
			}
			if given != 1 {
				return usagef("give one of --same-as, --id and --alone")
			}
			return c.editFacts(cmd.Context(), args, edit, yes)
		},
	}
	cmd.Flags().StringVar(&same, "same-as", "", "into the event of this fact")
	cmd.Flags().StringVar(&event, "id", "", "into the event of this name")
	cmd.Flags().BoolVar(&edit.Alone, "alone", false, "into an event of its own")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) factCover() *cobra.Command {
	var edit agent.Edit
	var of []string
	var yes bool
	cmd := &cobra.Command{
		Use:   "cover ID",
		Short: "Say that a fact is a cover story, or that it is none",
		Long: `Say that a fact is a cover story: what it covers (default: the real facts of its
event) and whom it was told to. Those people don't learn the truth by their label
alone. By default epagent doesn't tell cover stories; it deflects.`,
		Example: `  epagent fact cover fq3k7d2ma --of f2b6x9kqe --told-to Karin
  epagent fact cover fq3k7d2ma --real`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			edit.Cover = !edit.Real
			for _, id := range of {
				edit.CoverOf = append(edit.CoverOf, privacy.FactID(id))
			}
			if edit.Real && (len(of) > 0 || len(edit.ToldTo) > 0) {
				return usagef("--real goes with neither --of nor --told-to")
			}
			return c.editFacts(cmd.Context(), args, edit, yes)
		},
	}
	cmd.Flags().StringArrayVar(&of, "of", nil, "a real fact that it covers (repeatable)")
	cmd.Flags().StringArrayVar(&edit.ToldTo, "told-to", nil, "who was told it (repeatable)")
	cmd.Flags().BoolVar(&edit.Real, "real", false, "it is no cover story")
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) editFacts(ctx context.Context, ids []string, edit agent.Edit, yes bool) error {
	return c.with(ctx, func(a *agent.Agent) error { return c.editFact(ctx, a, ids, edit, yes) })
}

type editResult struct {
	Edits []*agent.Edited `json:"edits"`
}

// editFact applies one edit to several facts. What it opens is shown first and
// asked.
func (c *cli) editFact(ctx context.Context, a *agent.Agent, ids []string, edit agent.Edit, yes bool) error {
	return c.change(ids, yes, func(id privacy.FactID, agreed bool) (*agent.Edited, error) {
		return a.EditFact(ctx, id, edit, agreed)
	})
}

func (c *cli) change(ids []string, yes bool, apply func(privacy.FactID, bool) (*agent.Edited, error)) error {
	result := editResult{Edits: []*agent.Edited{}}
	var failed error
	for _, id := range ids {
		edited, err := apply(privacy.FactID(id), yes)
		if errors.Is(err, agent.ErrWidens) && edited != nil {
			c.say("%s would let somebody learn more:", id)
			for _, line := range widenedLines(edited.Widened, edited.Loosened) {
				c.say("  %s", line)
			}
			if c.ask("Agree?") {
				edited, err = apply(privacy.FactID(id), true)
			}
		}
		if edited != nil {
			result.Edits = append(result.Edits, edited)
		}
		if err != nil {
			failed = err
			break
		}
	}
	return errors.Join(c.emit(result, func(p *page) {
		for _, e := range result.Edits {
			if !e.Applied {
				continue
			}
			p.line("%s is changed, its label is %s: %d verdicts opened, %d closed", e.Fact, e.Label, len(e.Widened), len(e.Narrowed))
		}
	}), failed)
}

// orAnybody names the person of a change; the one without a name is anybody whom
// the policy doesn't know.
func orAnybody(name string) string {
	if name == "" {
		return "anybody else"
	}
	return clean(name)
}

// ruleWords is a rule of a mark for the owner.
func ruleWords(rule string) string {
	if strings.HasPrefix(rule, "supplement "+memory.ForgottenSupplement) {
		return "of a supplement that was forgotten"
	}
	return rule
}

// origin says where a mark comes from.
func origin(m engine.Explained) string {
	from := string(m.Mark.By)
	if m.Mark.Rule != "" {
		from += " (" + ruleWords(m.Mark.Rule) + ")"
	}
	if m.Mark.Turn != "" {
		from += ", turn " + m.Mark.Turn
	}
	if m.Mark.Score > 0 {
		from += fmt.Sprintf(", %.2f", m.Mark.Score)
	}
	if m.From != "" {
		from += ", from " + string(m.From)
	}
	return from
}
