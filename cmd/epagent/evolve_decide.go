package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy"
)

// outcomeChange is one outcome that turns: a stored fact, or later ones like it.
type outcomeChange struct {
	Fact   privacy.FactID  `json:"fact"`
	Text   string          `json:"text"`
	Person string          `json:"person"` // "" is anybody else
	Before privacy.Verdict `json:"before"`
	After  privacy.Verdict `json:"after"`
	Later  bool            `json:"later"` // of later facts like it, by the stages alone
}

// movedFact is a fact whose like would be of an event with others, had they come in then.
type movedFact struct {
	Fact privacy.FactID `json:"fact"`
	Text string         `json:"text"`
}

// evolutionDiff is the object of `evolve diff`, `approve` and `revert`.
type evolutionDiff struct {
	ID      string           `json:"id,omitempty"`
	Opens   []string         `json:"opens"`
	Closes  []string         `json:"closes"`
	Notes   []string         `json:"notes"`
	Changes []outcomeChange  `json:"changes"`
	Looser  []privacy.FactID `json:"looser"`
	Moved   []movedFact      `json:"moved,omitempty"`
	Active  []string         `json:"active"`
	Marks   int              `json:"marks"`          // stored facts that get other marks
	Version int64            `json:"in_force"`       // 0 before it is done
	Same    bool             `json:"same,omitempty"` // it was so already: no version was made
	Done    bool             `json:"done"`
}

func (c *cli) diffOf(ctx context.Context, a *agent.Agent, id string, p *agent.Proposal) evolutionDiff {
	out := evolutionDiff{ID: id, Opens: orEmpty(p.Opens), Closes: orEmpty(p.Closes), Notes: orEmpty(p.Notes), Changes: []outcomeChange{}, Looser: []privacy.FactID{}, Active: []string{}, Done: p.Done}
	if p.Learned == nil {
		return out
	}
	l := p.Learned
	out.Looser, out.Active, out.Marks, out.Version = orEmpty(l.Looser), orEmpty(l.Active), l.Marks, l.Version
	out.Same = p.Done && l.Version == l.From
	texts := map[privacy.FactID]string{}
	type pair struct {
		fact privacy.FactID
		who  string
		open bool
	}
	seen := map[pair]bool{} // what turns for a stored fact needn't be said of later ones like it
	add := func(list []privacy.PairChange, later bool) {
		for _, x := range list {
			key := pair{x.Fact, x.Name, x.After.Allow}
			if seen[key] {
				continue
			}
			seen[key] = true
			if _, ok := texts[x.Fact]; !ok {
				if view, err := a.Fact(ctx, x.Fact); err == nil {
					texts[x.Fact] = view.Fact.Text
				}
			}
			out.Changes = append(out.Changes, outcomeChange{x.Fact, texts[x.Fact], x.Name, x.Before, x.After, later})
		}
	}
	for _, id := range l.Moved {
		if view, err := a.Fact(ctx, id); err == nil {
			out.Moved = append(out.Moved, movedFact{id, view.Fact.Text})
		}
	}
	add(l.Now.Shown, false)
	add(l.Now.Hidden, false)
	add(l.Later.Shown, true)
	add(l.Later.Hidden, true)
	return out
}

func diffPage(p *page, d *evolutionDiff) {
	for _, later := range []bool{false, true} {
		var rows [][]string
		for _, x := range d.Changes {
			if x.Later == later {
				rows = append(rows, []string{string(x.Fact), orAnybody(x.Person), p.verdict(x.Before.Allow, x.Before.Reason.String()) + " → " + p.verdict(x.After.Allow, x.After.Reason.String()), clean(x.Text)})
			}
		}
		if len(rows) == 0 {
			continue
		}
		if later {
			p.line("Later facts like these, by the stages alone:")
		} else {
			p.line("Stored facts:")
		}
		p.table([]string{"fact", "person", "before → after", "text"}, rows)
	}
	if len(d.Moved) > 0 {
		var rows [][]string
		for _, x := range d.Moved {
			rows = append(rows, []string{string(x.Fact), clean(x.Text)})
		}
		p.line("Later facts like these would be of an event with others; these keep theirs:")
		p.table([]string{"fact", "text"}, rows)
	}
	for _, id := range d.Looser {
		p.line("+ the label of %s, or of later facts like it, becomes looser", id)
	}
	if len(d.Changes)+len(d.Looser) == 0 {
		p.line("No outcome turns by it today.")
	}
	for _, n := range d.Notes {
		p.line("note: %s", clean(n))
	}
}

func (c *cli) evolveDiff() *cobra.Command {
	return &cobra.Command{
		Use:   "diff ID",
		Short: "Show the outcomes that a supplement would turn: fact, person, before and after",
		Long: `Show the outcomes that a supplement would turn, or, of one that is in force, that taking
it out would turn: fact, person, before and after; of one that does nothing since its
theme has come to other categories, that approving it again would. Nothing is changed.`,
		Example: "  epagent evolve diff s3f9c1d20a7e",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				s, err := evolve.Find(cmd.Context(), a, args[0])
				if err != nil {
					return err
				}
				change := &agent.LearnedChange{Add: []string{s.ID}}
				taking := s.Status == evolve.Active && !s.Outgrown
				if taking {
					change = &agent.LearnedChange{Drop: []string{s.ID}}
				}
				p, err := a.Preview(cmd.Context(), agent.Change{Kind: agent.ChangeLearned, Learned: change})
				if err != nil {
					return err
				}
				d := c.diffOf(cmd.Context(), a, s.ID, p)
				return c.emit(d, func(p *page) {
					switch {
					case taking:
						p.line("Taking %s out:", s.ID)
					case s.Outgrown:
						p.line("%s does nothing now: %s. Approving it again:", s.ID, clean(s.Idle))
					}
					diffPage(p, &d)
				})
			})
		},
	}
}

func (c *cli) evolveApprove() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "approve ID",
		Short: "Put a supplement in force that waits for you",
		Long: `Put a supplement in force, after showing the outcomes that it turns. What opens is asked
about on a terminal; elsewhere --yes says that you have seen it ("evolve diff"). What holds
a name, an amount, words of a fact or an order is refused, wherever it came from.`,
		Example: `  epagent evolve diff s3f9c1d20a7e
  epagent evolve approve s3f9c1d20a7e`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				s, err := evolve.Approvable(cmd.Context(), a, args[0])
				if err != nil {
					return err
				}
				return c.changeLearned(cmd.Context(), a, s.ID, agent.LearnedChange{Add: []string{s.ID}, Note: "approved " + s.ID}, yes)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	return cmd
}

func (c *cli) evolveRevert() *cobra.Command {
	var yes bool
	var to int64
	cmd := &cobra.Command{
		Use:   "revert [ID]",
		Short: "Take a supplement out, or bring an earlier version of all of them back",
		Long: `Take a supplement out of force with all that it did to stored facts, decline one that waits
for you, or bring an earlier version back with --to N ("evolve status" lists them; 0 is
before anything was learned). What opens by it is shown and asked about, since what was
learned may have kept something closed.`,
		Example: `  epagent evolve revert s3f9c1d20a7e
  epagent evolve revert --to 2`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("to") == (len(args) == 1) {
				return usagef("give the id of a supplement, or --to N")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				if len(args) == 0 {
					return c.changeLearned(cmd.Context(), a, "", agent.LearnedChange{To: &to}, yes)
				}
				s, err := evolve.Find(cmd.Context(), a, args[0])
				switch {
				case err != nil:
					return err
				case s.Status == evolve.Active:
					return c.changeLearned(cmd.Context(), a, s.ID, agent.LearnedChange{Drop: []string{s.ID}, Note: "taken out by the owner"}, yes)
				case s.Status == evolve.Proposed || s.Status == evolve.Candidate:
					if err := evolve.Decline(cmd.Context(), a, s); err != nil {
						return err
					}
					return c.emit(evolutionDiff{ID: s.ID, Opens: []string{}, Closes: []string{}, Notes: []string{}, Changes: []outcomeChange{}, Looser: []privacy.FactID{}, Active: []string{}, Done: true},
						func(p *page) { p.line("%s is declined, and not proposed again.", s.ID) })
				}
				return fmt.Errorf("%s is %s already", s.ID, s.Status)
			})
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "agree to what it opens without being asked")
	cmd.Flags().Int64Var(&to, "to", 0, "bring this version back")
	return cmd
}

// changeLearned changes what is in force, once the owner has seen and agreed to what
// opens by it.
func (c *cli) changeLearned(ctx context.Context, a *agent.Agent, id string, change agent.LearnedChange, yes bool) error {
	whole := agent.Change{Kind: agent.ChangeLearned, Learned: &change}
	p, err := a.Propose(ctx, whole, nil)
	if errors.Is(err, agent.ErrConsent) {
		d := c.diffOf(ctx, a, id, p)
		if !yes {
			shown := &page{colour: colour(c.err), width: width(c.err)}
			diffPage(shown, &d)
			fmt.Fprint(c.err, shown.String())
			if !c.ask("This lets somebody learn more. Agree?") {
				if c.json {
					return errors.Join(c.writeJSON(d), fmt.Errorf("%w; nothing was changed: give --yes to agree to it", err))
				}
				return fmt.Errorf("%w; nothing was changed: give --yes to agree to it", err)
			}
		}
		p, err = a.Agree(ctx, whole, p.Key, nil)
	}
	if err != nil {
		return err
	}
	d := c.diffOf(ctx, a, id, p)
	return c.emit(d, func(p *page) {
		if d.Same {
			p.line("There is nothing to do: that is in force already (version %d).", d.Version)
			return
		}
		diffPage(p, &d)
		p.line("Version %d is in force, with %s.", d.Version, plural(len(d.Active), "supplement", "supplements"))
	})
}
