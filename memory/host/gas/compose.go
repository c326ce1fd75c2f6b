package gas

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/memory"
)

// Grain is one way to look at a session.
type Grain int

// The grains, in the order of a session's nodes.
const (
	Whole   Grain = iota // all that was said
	Turns                // what was said, one by one: its entries
	Gist                 // its summary
	Keys                 // its keywords
	grains  = 4
	eventAt = Gist // the node that a session's event facts are tied to: layer F3
)

// kinds are the grains that are texts of their own, as stored. Turns are the entries.
var kinds = [grains]string{Whole: "whole", Gist: "summary", Keys: "keywords"}

// keywordsAtMost is how many keywords a session has.
const keywordsAtMost = 12

// Writer writes the summary and the keywords of a session, on a chat model for instance
// ([ModelWriter]). A summary is one short paragraph.
type Writer interface {
	Write(ctx context.Context, s *memory.Session) (summary string, keywords []string, err error)
	// Version goes up when the same session would give other words: a store that was
	// written by another one is refused until it is reindexed. "" leaves that open.
	Version() string
}

// Offline is the Writer that needs no model: the statements of the session that tell
// most, and the words that stand out in it.
type Offline struct{}

// Write implements [Writer]; the error is the context's.
func (Offline) Write(ctx context.Context, s *memory.Session) (string, []string, error) {
	return memory.Summarize(s), memory.Keywords(s, keywordsAtMost), ctx.Err()
}

// Version returns "".
func (Offline) Version() string { return "" }

// Compose implements [memory.Host]: an entry for each message with words, the summary,
// and the texts of the other grains.
func (h *Host) Compose(ctx context.Context, s *memory.Session) (memory.Layers, error) {
	out := memory.Layers{Session: s.ID}
	var whole []string
	for i := range s.Turns {
		if entry, ok := memory.StatementOf(s, &s.Turns[i]); ok {
			out.Entries = append(out.Entries, entry)
			whole = append(whole, entry.Text)
		}
	}
	if len(out.Entries) == 0 {
		return out, ctx.Err()
	}
	summary, keywords, err := h.writer.Write(ctx, s)
	if err != nil {
		return out, fmt.Errorf("write the summary of session %q: %w", s.ID, err)
	}
	out.Summary = summary
	for _, g := range []struct {
		grain Grain
		text  string
	}{{Whole, strings.Join(whole, "\n")}, {Gist, summary}, {Keys, strings.Join(keywords, "; ")}} {
		if g.text != "" {
			out.Grains = append(out.Grains, memory.Grain{Kind: kinds[g.grain], Text: g.text, When: s.Start})
		}
	}
	return out, nil
}
