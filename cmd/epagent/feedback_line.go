package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// wrongWord begins feedback in the owner's own view.
const wrongWord = "/wrong"

// wrongLine is what follows wrongWord in a line, and whether it is feedback at all.
func wrongLine(line string) (string, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), wrongWord)
	return rest, ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// wrong takes feedback from a line of the owner's own view.
func (c *cli) wrong(ctx context.Context, a *agent.Agent, line string) error {
	req, err := readFeedback(line, "", knownFact(ctx, a))
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

func knownFact(ctx context.Context, a *agent.Agent) func(string) bool {
	return func(word string) bool {
		_, err := a.Fact(ctx, privacy.FactID(word))
		return err == nil
	}
}

// readFeedback reads "KIND [FACT] [#ENTRY] [= WHAT IS RIGHT] [-- NOTE]". A kind that is about
// a fact has the fact's id behind it, whatever its form; one about an entry of the ledger has
// that one's number, with or without "#". Where something may be right, the rest is that, with
// or without "="; of other kinds it is the note. Fact is the one that is shown, "" for none;
// known tells facts from words that look like an id.
func readFeedback(line string, fact privacy.FactID, known func(string) bool) (agent.FeedbackRequest, error) {
	kind, rest := cutWord(line)
	req := agent.FeedbackRequest{Kind: agent.FeedbackKind(kind), Fact: fact}
	if kind == "" {
		return req, &agent.FeedbackError{Wants: "say which kind, and what is right, as in wrong-category FACT = health"}
	}
	form := req.Kind.Form()
	for {
		word, after := cutWord(rest)
		entry, isEntry, err := entryNumber(word, form)
		switch {
		case err != nil:
			return req, err
		case isEntry && req.Entry == 0:
			req.Entry = entry
		case word != "" && word == string(req.Fact):
		case req.Fact == "" && (form.Fact && word != "" || isFactID(word, known)):
			req.Fact = privacy.FactID(word)
		default:
			req.Expected, req.Note = readRight(rest, form)
			return req, nil
		}
		rest = after
	}
}

// readRight reads what is right and the note.
func readRight(rest string, form agent.FeedbackForm) (right, note string) {
	said, given := strings.CutPrefix(rest, "=")
	if !given && !form.Right {
		return "", strings.TrimSpace(strings.TrimPrefix(rest, "-- "))
	}
	right, note, _ = strings.Cut(" "+said+" ", " -- ")
	return strings.TrimSpace(right), strings.TrimSpace(note)
}

// cutWord cuts the first word off, which ends before a blank or "="; "" where what is right or
// the note begins.
func cutWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "-- ") {
		return "", text
	}
	at := strings.IndexAny(text, " \t=")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}

// entryNumber reads a word as the number of an entry of the ledger: "#2", and "2" where the
// kind is about one.
func entryNumber(word string, form agent.FeedbackForm) (n int64, is bool, err error) {
	digits, marked := strings.CutPrefix(word, "#")
	if digits == "" || !marked && !form.Entry || strings.Trim(digits, "0123456789") != "" {
		return 0, false, nil
	}
	n, err = strconv.ParseInt(digits, 10, 64)
	if err != nil || n == 0 {
		return 0, false, &agent.FeedbackError{Wants: "an entry of the ledger has a number from 1, as in #2 (the ledger lists them)"}
	}
	return n, true, nil
}

// isFactID reports whether a word has the form of a fact's id and isn't just a word.
func isFactID(word string, known func(string) bool) bool {
	if len(word) != 11 || word[0] != 'f' {
		return false
	}
	digit := false
	for _, r := range word {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
		digit = digit || r <= '9'
	}
	return digit || known(word)
}
