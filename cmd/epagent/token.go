package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

func (c *cli) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Let assistants in over HTTP, each as who you say",
		Long: `A token opens ` + "`epagent serve`" + ` to whoever bears it, as you or as the people that
you name. Who speaks comes from the token and from nothing else.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(c.tokenCreateCommand(), c.tokenListCommand(), c.tokenRevokeCommand())
	return cmd
}

func (c *cli) tokenCreateCommand() *cobra.Command {
	var bound boundFlags
	var owner bool
	var purpose, expires string
	cmd := &cobra.Command{
		Use:   "create --owner | --to NAME [--to NAME…]",
		Short: "Make a token; it is shown once",
		Long: `Make a token. Its text is printed on standard output, this once: only a hash of it is
kept. With several --to it stands for a group: only what all of them may know is told.

A capped token treats its people as no closer than a tier. With --owner and --cap the
bearer is no owner but a listener at that tier.`,
		Example: `  epagent token create --owner --purpose "my assistant" --expires 90d
  epagent token create --to "Tomas Falk"
  epagent token create --to Raj --to Karin --cap 3 --purpose "project chat" --expires 30d`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if owner == (len(bound.to) > 0) {
				return usagef("who bears the token? give --owner, or --to NAME")
			}
			if err := bound.check(); err != nil {
				return err
			}
			until, err := expiry(expires, time.Now())
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				text, token, err := a.CreateToken(cmd.Context(), agent.TokenRequest{
					Owner: owner, To: bound.to, Purpose: purpose, Cap: privacy.Tier(bound.cap), KeepWhitelist: bound.keep, Expires: until,
				})
				if err != nil {
					return err
				}
				if !c.json {
					c.say("token %s speaks for %s, %s; it is not shown again", token.ID, bearer(*token), endOf(token.Expires))
				}
				return c.emit(struct {
					Text string `json:"token"`
					*agent.Token
				}{text, token}, func(p *page) { p.line("%s", text) })
			})
		},
	}
	cmd.Flags().BoolVar(&owner, "owner", false, "it speaks for you")
	bound.add(cmd, "it speaks for this person of the policy (repeat for a group that reads together)")
	cmd.Flags().StringVar(&purpose, "purpose", "", "what it is for, for your list")
	cmd.Flags().StringVar(&expires, "expires", "", "how long it lives, as in 12h, 30d or 8w, or until which day; default: until it is revoked")
	return cmd
}

// expiry reads when a token is to end: after a while, or at a moment.
func expiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	until, ok := after(text, now)
	if !ok {
		until, ok = memory.ParseMoment(text, now.Location())
	}
	if !ok {
		return time.Time{}, usagef("--expires %q: want a while, as in 12h, 30d or 8w, or a day, as in 2027-01-31", text)
	}
	if !until.After(now) {
		return time.Time{}, usagef("--expires %q: that is past", text)
	}
	return until, nil
}

// after reads a while: a number and one of h, d, w.
func after(text string, now time.Time) (time.Time, bool) {
	if len(text) < 2 {
		return time.Time{}, false
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 16)
	if err != nil {
		return time.Time{}, false
	}
	switch text[len(text)-1] {
	case 'h':
		return now.Add(time.Duration(n) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, int(n)), true
	case 'w':
		return now.AddDate(0, 0, 7*int(n)), true
	}
	return time.Time{}, false
}

func (c *cli) tokenListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the tokens, without their texts",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				tokens, err := a.Tokens(cmd.Context())
				if err != nil {
					return err
				}
				result := struct {
					Tokens []agent.Token `json:"tokens"`
				}{append([]agent.Token{}, tokens...)}
				return c.emit(result, func(p *page) { tokensPage(p, tokens) })
			})
		},
	}
}

func tokensPage(p *page, tokens []agent.Token) {
	if len(tokens) == 0 {
		p.line("No tokens. `epagent token create` makes one.")
		return
	}
	var rows [][]string
	for _, t := range tokens {
		state := string(t.State)
		if len(t.Unknown) > 0 {
			state += ", a stranger now: " + strings.Join(t.Unknown, ", ")
		}
		used := "never used"
		if t.Used != nil {
			used = "used " + t.Used.Local().Format("2006-01-02 15:04")
		}
		rows = append(rows, []string{t.ID, clean(bearer(t)), state, endOf(t.Expires), used, clean(t.Purpose)})
	}
	p.table([]string{"token", "speaks for", "state", "ends", "last used", "purpose"}, rows)
}

func (c *cli) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "revoke ID…",
		Short: "End tokens for good",
		Long:  "End tokens for good, by id or by text. What is open by them ends within seconds.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				var revoked []agent.Token
				for _, id := range args {
					t, err := a.RevokeToken(cmd.Context(), id)
					if errors.Is(err, memory.ErrNotFound) {
						return fmt.Errorf("no token has that id; `epagent token list` lists them: %w", err)
					}
					if err != nil {
						return err
					}
					revoked = append(revoked, *t)
				}
				return c.emit(struct {
					Revoked []agent.Token `json:"revoked"`
				}{revoked}, func(p *page) {
					for _, t := range revoked {
						p.line("Token %s, which spoke for %s, is revoked.", t.ID, clean(bearer(t)))
					}
				})
			})
		},
	}
}

// bearer says whom a token speaks for.
func bearer(t agent.Token) string {
	who := strings.Join(t.To, ", ")
	switch {
	case t.Owner && t.Cap == 0:
		return "you, the owner"
	case t.Owner:
		who = "a listener"
	}
	if t.Cap != 0 {
		who += fmt.Sprintf(", capped at tier %d", t.Cap)
		if t.KeepWhitelist {
			who += " with whitelists"
		}
	}
	return who
}

// endOf says when a token ends.
func endOf(t *time.Time) string {
	if t == nil {
		return "until it is revoked"
	}
	return "until " + t.Local().Format("2006-01-02 15:04")
}
