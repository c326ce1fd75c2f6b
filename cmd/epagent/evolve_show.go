package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
)

// evolutionStatus is the object of `evolve status`.
type evolutionStatus struct {
	Version  int64                      `json:"in_force"` // number of the version; "version" is the object's own
	Active   int                        `json:"active"`
	Proposed int                        `json:"proposed"`
	Untried  int                        `json:"candidates"`
	Feedback map[string]int             `json:"feedback"` // by what became of it
	Versions []memory.SupplementVersion `json:"versions"`
	Runs     []memory.EvolutionRun      `json:"runs"`
	Idle     []idleSupplement           `json:"idle,omitempty"` // in force, and without effect today
	Model    string                     `json:"model,omitempty"`
}

// idleSupplement is a supplement that does nothing today, with the reason.
type idleSupplement struct {
	ID     string `json:"id"`
	Why    string `json:"why"`
	Remedy string `json:"remedy,omitempty"`
}

func (c *cli) evolveStatus() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what is in force, its versions, and what waits",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				ctx := cmd.Context()
				out := evolutionStatus{Feedback: map[string]int{"new": 0, "used": 0, "answered": 0, "superseded": 0}, Model: a.ModelName()}
				list, err := evolve.List(ctx, a)
				if err != nil {
					return err
				}
				out.Active, out.Proposed, out.Untried = count(list, evolve.Active), count(list, evolve.Proposed), count(list, evolve.Candidate)
				for _, s := range list {
					if s.Status == evolve.Active && s.Idle != "" {
						out.Idle = append(out.Idle, idleSupplement{s.ID, s.Idle, remedyOf(&s)})
					}
				}
				if out.Versions, err = a.Evolution().SupplementVersions(ctx); err != nil {
					return err
				}
				if out.Runs, err = a.Evolution().EvolutionRuns(ctx); err != nil {
					return err
				}
				given, err := feedbackNow(ctx, a)
				if err != nil {
					return err
				}
				for _, f := range given {
					out.Feedback[string(f.Status)]++
				}
				out.Versions, out.Runs = orEmpty(out.Versions), orEmpty(out.Runs)
				if n := len(out.Versions); n > 0 {
					out.Version = out.Versions[n-1].Seq
				}
				return c.emit(out, func(p *page) { statusPage(p, &out) })
			})
		},
	}
}

// remedyOf is what the owner can do where a supplement does nothing for want of an approval.
func remedyOf(s *evolve.Supplement) string {
	if !s.Outgrown {
		return ""
	}
	return agent.OutgrownRemedy(s.ID)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func statusPage(p *page, s *evolutionStatus) {
	p.line("%s in force, %d for you to decide on, %d to be tried.", plural(s.Active, "supplement is", "supplements are"), s.Proposed, s.Untried)
	p.line("Feedback: %d new, %d used, %d answered, %d superseded.", s.Feedback["new"], s.Feedback["used"], s.Feedback["answered"], s.Feedback["superseded"])
	for _, x := range s.Idle {
		p.line("%s.", strings.TrimRight(x.ID+" does nothing now: "+clean(x.Why)+"; "+x.Remedy, "; "))
	}
	var rows [][]string
	for _, v := range s.Versions {
		note := v.Note
		if again := fmt.Sprintf("version %d again", v.Restores); v.Restores != 0 && !strings.HasPrefix(note, again) {
			note = again + strings.TrimRight("; "+note, "; ")
		}
		rows = append(rows, []string{fmt.Sprint(v.Seq), v.At.Local().Format("2006-01-02 15:04"), plural(len(v.Active), "supplement", "supplements"), clean(v.Author), clean(note)})
	}
	p.table([]string{"version", "when", "in force", "by", "note"}, rows)
	if n := len(s.Runs); n > 0 && s.Runs[n-1].Ended.IsZero() {
		r := s.Runs[n-1]
		p.line("Run %d was stopped at %d of %d candidates; `epagent evolve run` goes on.", r.ID, r.Position, len(r.Candidates))
	}
}

func (c *cli) evolveList() *cobra.Command {
	var only []string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what was learned: in force, waiting for you, refused with the reason",
		Example: `  epagent evolve list
  epagent evolve list --status proposed --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			states, err := statuses(only)
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				list, err := evolve.List(cmd.Context(), a)
				if err != nil {
					return err
				}
				if len(states) > 0 {
					list = slices.DeleteFunc(list, func(s evolve.Supplement) bool { return !slices.Contains(states, s.Status) })
				}
				result := struct {
					Supplements []evolve.Supplement `json:"supplements"`
				}{orEmpty(list)}
				return c.emit(result, func(p *page) {
					supplementTable(p, list)
					if len(list) == 0 {
						p.line("Nothing was learned.")
					}
				})
			})
		},
	}
	cmd.Flags().StringArrayVar(&only, "status", nil, "only these: candidate, proposed, active, refused, retired, rolled-back (repeatable)")
	return cmd
}

func statuses(words []string) ([]evolve.Status, error) {
	var out []evolve.Status
	for _, w := range words {
		s := evolve.Status(strings.ReplaceAll(w, "-", " "))
		if !slices.Contains(evolve.Statuses(), s) {
			return nil, usagef("--status %q: want candidate, proposed, active, refused, retired or rolled-back", w)
		}
		out = append(out, s)
	}
	return out, nil
}

func (c *cli) evolveShow() *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show one supplement with its evidence and the figures of its trial",
		Example: "  epagent evolve show s3f9c1d20a7e",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				s, err := evolve.Find(cmd.Context(), a, args[0])
				if err != nil {
					return err
				}
				return c.emit(s, func(p *page) { supplementPage(p, &s) })
			})
		},
	}
}

func supplementPage(p *page, s *evolve.Supplement) {
	p.line("%s  %s", p.style(bold, s.ID), s.Status)
	p.paragraphs(s.Says(), "  ")
	p.line("  for %s, texts in %s; by %s on %s", s.Stage, s.Language, clean(s.Author), s.At.Local().Format(time.DateOnly))
	if s.Reason != "" {
		p.line("  %s", clean(s.Reason))
	}
	if s.Idle != "" {
		p.line("  does nothing now: %s", strings.TrimRight(clean(s.Idle)+"; "+remedyOf(s), "; "))
	}
	if s.Scope != nil {
		p.line("  approved for: %s", cmp.Or(categoryWords(s.Scope), "no category"))
	}
	if len(s.Parents) > 0 {
		p.line("  in the place of %s", strings.Join(s.Parents, ", "))
	}
	if len(s.Evidence) > 0 {
		p.line("  from feedback %s", strings.Trim(fmt.Sprint(s.Evidence), "[]"))
	}
	if g := s.Gate; g != nil {
		p.line("  trial over %s: right %d → %d, of its own feedback %d → %d of %d, too open %d → %d, broken %d",
			plural(g.Cases, "kept case", "kept cases"), g.RightWas, g.RightNow, g.TargetWas, g.TargetNow, g.Target, g.OpenWas, g.OpenNow, g.Broken)
		if g.Moved > 0 {
			p.line("  events: %s like the stored ones would be of one with others", plural(g.Moved, "fact", "facts"))
		}
		p.line("  audiences over %s: %d open, %d close", plural(g.Decisions, "pair of a fact and a person", "pairs of a fact and a person"), g.Shown, g.Hidden)
	}
}
