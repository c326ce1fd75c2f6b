package main

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) rememberCommand() *cobra.Command {
	var req agent.RememberRequest
	var when string
	cmd := &cobra.Command{
		Use:   "remember TEXT",
		Short: "Remember one statement",
		Long: `Remember one statement. It is yours, unless --from says whose words they are: what
anybody else says is untrusted until you confirm it. What the statement itself says
about who may know ("don't tell Mum") counts. With - the text is read from standard
input.`,
		Example: `  epagent remember "I moved to Ghent. Only Tomas may know."
  epagent remember --from Raj "the offsite is in Malmö"
  epagent remember --to Greta --time 2026-03-01 "I told Greta about the loan"
  epagent remember --about Tomas "He starts his new job in May."`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			req.Text = strings.Join(args, " ")
			if req.Text == "-" {
				body, err := io.ReadAll(io.LimitReader(c.in, agent.MaxStatement+1))
				if err != nil {
					return err
				}
				req.Text = string(body)
			}
			if when != "" {
				var err error
				if req.Time, err = parseTime(when); err != nil {
					return usagef("--time %w", err)
				}
			}
			return c.withNew(cmd.Context(), func(a *agent.Agent) error {
				got, err := a.Remember(cmd.Context(), req)
				if err != nil {
					return err
				}
				c.sayDegraded(got.Degraded)
				return c.emit(got, func(p *page) { rememberPage(p, got) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.From, "from", "", "who said it (default: you)")
	f.StringArrayVar(&req.To, "to", nil, "who heard it (repeatable)")
	f.StringVar(&req.About, "about", "", "whom it is about, where the text doesn't say")
	f.StringVar(&when, "time", "", "when it was said: 2026-03-01, 2026-03-01T18:30 or RFC 3339 (default: now)")
	return cmd
}

func rememberPage(p *page, got *agent.Remembered) {
	if !got.New {
		p.line("This statement was there already.")
	}
	var rows [][]string
	for _, f := range got.Facts {
		note := ""
		if f.Review != "" {
			note = " (review: " + f.Review + ")"
		}
		rows = append(rows, []string{string(f.ID), f.Label.String(), clean(f.Text) + note})
	}
	p.table([]string{"fact", "label", "text"}, rows)
	if len(rows) == 0 {
		p.line("Nothing was stored: this was forgotten before.")
	}
}

// parseTime reads a day, a wall clock or an instant.
func parseTime(s string) (privacy.Stamp, error) {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return privacy.At(t), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if layout == "2006-01-02" {
			return privacy.Stamp{Local: s}, nil
		}
		return privacy.Stamp{Local: t.Format("2006-01-02T15:04:05")}, nil
	}
	return privacy.Stamp{}, errTime(s)
}

type errTime string

func (e errTime) Error() string {
	return `"` + string(e) + `": want 2026-03-01, 2026-03-01T18:30 or 2026-03-01T18:30:00+01:00`
}
