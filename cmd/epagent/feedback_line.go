package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// wrongWord begins feedback in the owner's own view.
const wrongWord = "/wrong"

// wrong takes feedback from a line of the owner's own view.
func (c *cli) wrong(ctx context.Context, a *agent.Agent, line string) error {
	req, err := readFeedback(line)
	if err != nil {
		return err
	}
	req.Origin = "chat"
	id, err := a.Feedback(ctx, req)
	if err != nil {
		return err
	}
	return c.emit(struct {
		ID int64 `json:"id"`
	}{id}, func(p *page) { p.line("Noted as %d. %s", id, a.SaysOf(ctx, req)) })
}

// readFeedback reads "KIND [FACT|#ENTRY] [= WHAT IS RIGHT] [NOTE]". What is right ends at
// the end of the line, or at " -- ", behind which the note comes; without "=" the rest is
// the note.
func readFeedback(line string) (agent.FeedbackRequest, error) {
	var req agent.FeedbackRequest
	kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if kind == "" {
		return req, fmt.Errorf("%w: say which kind, as in %s wrong-category FACT = health", agent.ErrFeedback, wrongWord)
	}
	req.Kind = agent.FeedbackKind(kind)
	rest = strings.TrimSpace(rest)
	about, after, _ := strings.Cut(rest, " ")
	switch number, entry := strings.CutPrefix(about, "#"); {
	case entry:
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n <= 0 {
			return req, fmt.Errorf("%w: %q is no entry of the ledger", agent.ErrFeedback, about)
		}
		req.Entry, rest = n, strings.TrimSpace(after)
	case isFactID(about):
		req.Fact, rest = privacy.FactID(about), strings.TrimSpace(after)
	}
	if right, ok := strings.CutPrefix(rest, "="); ok {
		req.Expected, req.Note, _ = strings.Cut(right, " -- ")
		req.Expected, req.Note = strings.TrimSpace(req.Expected), strings.TrimSpace(req.Note)
		return req, nil
	}
	req.Note = rest
	return req, nil
}

// isFactID reports whether a word has the form of a fact's id.
func isFactID(word string) bool {
	if len(word) != 11 || word[0] != 'f' {
		return false
	}
	for _, r := range word {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}
