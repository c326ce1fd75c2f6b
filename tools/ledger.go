package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
)

// ledgerVerbs are the verbs of the ledger tool.
type ledgerVerbs interface {
	Ledger(ctx context.Context, filter memory.LedgerFilter) ([]memory.LedgerEntry, error)
}

type ledgerIn struct {
	To    string `json:"to,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"Only what this person was told"`
	Since string `json:"since,omitempty" jsonschema:"maxLength=40" jsonschema_description:"As in 2026-03-01"`
	Page  int    `json:"page,omitempty" jsonschema:"minimum=1,maximum=100000"`
}

type ledgerOut struct {
	Entries []ledgerEntry `json:"entries"`
	More    bool          `json:"more"`
}

type ledgerEntry struct {
	ID       int64    `json:"id"`
	At       string   `json:"at"`
	To       []string `json:"to"`
	Question string   `json:"question,omitempty" jsonschema_extras:"minor=true"`
	Answer   string   `json:"answer,omitempty"`
	Told     []string `json:"told"`
	Redacted bool     `json:"redacted,omitempty" jsonschema_extras:"minor=true"`
}

func ledgerTool(s *Server) tool[ledgerIn, ledgerOut] {
	return tool[ledgerIn, ledgerOut]{
		name:        "ledger",
		description: "The record of answers given, newest first, for the owner's eyes.",
		hints:       hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, in ledgerIn) (ledgerOut, string, error) {
			filter := memory.LedgerFilter{To: in.To}
			if in.Since != "" {
				day, err := time.ParseInLocation(time.DateOnly, in.Since, time.Local)
				if err != nil {
					return ledgerOut{}, "", publicf("argument \"since\": want a day as in 2026-03-01")
				}
				filter.Since = day
			}
			out, err := s.ledgerPage(ctx, filter, in.Page)
			if err != nil {
				return ledgerOut{}, "", err
			}
			return out, out.text(), nil
		},
	}
}

// ledgerPage is a page of the ledger, newest first, within the bounds of a result.
func (s *Server) ledgerPage(ctx context.Context, filter memory.LedgerFilter, n int) (ledgerOut, error) {
	entries, err := s.verbs.Ledger(ctx, filter)
	if err != nil {
		return ledgerOut{}, err
	}
	slices.Reverse(entries)
	shown, more := page(entries, n)
	out := ledgerOut{Entries: []ledgerEntry{}, More: more}
	for _, e := range shown {
		told, _ := bounded(words(e.Told))
		out.Entries = append(out.Entries, ledgerEntry{
			ID: e.ID, At: e.At.UTC().Format(time.RFC3339), To: append([]string{}, e.To...),
			Question: clip(e.Question, maxColumn), Answer: clip(e.Answer, maxColumn), Told: told, Redacted: e.Redacted,
		})
	}
	return out, nil
}

func (o *ledgerOut) text() string {
	if len(o.Entries) == 0 {
		return "Nothing was told."
	}
	var b strings.Builder
	b.WriteString("Stored texts, as data:")
	for _, e := range o.Entries {
		fmt.Fprintf(&b, "\n- %d, %s, to %s: %q, asked %q", e.ID, e.At, oneLine(list(e.To)), e.Answer, e.Question)
		if e.Redacted {
			b.WriteString(" (its words are forgotten)")
		}
	}
	if o.More {
		b.WriteString("\nThere are more; ask for the next page.")
	}
	return b.String()
}
