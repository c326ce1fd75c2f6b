package gas

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// SummaryCall asks a model for the summary and the keywords of a session, or of what
// was said in it so far.
type SummaryCall struct {
	Language string               `json:"language"`
	Before   string               `json:"before,omitempty"` // the summary of what was said before these turns
	Turns    []memory.ExtractTurn `json:"turns"`
}

// SummaryReply is what it gives.
type SummaryReply struct {
	Summary  string
	Keywords []string
}

// ModelWriter is a [Writer] on a chat model. A session above the token budget goes in
// several calls, each with the summary so far. What comes back counts as far as the
// messages bear it out: a sentence with a number or name that they don't have, or
// without a word of theirs, is left out, and so is a keyword that isn't among their
// words. Where nothing is left, [Offline] writes.
type ModelWriter struct {
	// Call makes one call. An error holds no text of a prompt or a reply.
	Call func(ctx context.Context, in SummaryCall) (SummaryReply, error)
	// Failed decides what follows from a failed call: nil lets [Offline] write.
	Failed func(ctx context.Context, err error) error
	// Budget is about how many tokens of messages go into one call. Default:
	// memory.CallBudget.
	Budget int
}

var _ Writer = (*ModelWriter)(nil)

// Version returns "": summaries of several models, and such as were written without
// one, stand beside each other in one store.
func (*ModelWriter) Version() string { return "" }

// maxSummaryRunes bounds a summary: one short paragraph.
const maxSummaryRunes = 1000

// Write implements [Writer].
func (m *ModelWriter) Write(ctx context.Context, s *memory.Session) (string, []string, error) {
	offline, keywords, err := Offline{}.Write(ctx, s)
	spoken := memory.Spoken(s.Turns)
	if err != nil || len(spoken) < 2 { // one message is its own summary
		return offline, keywords, err
	}
	budget := m.Budget
	if budget <= 0 {
		budget = memory.CallBudget
	}
	said := memory.NewSaid(s, spoken, nil)
	summary := ""
	var found [][]string // keywords by call
	for _, turns := range memory.Batches(spoken, budget) {
		in := SummaryCall{Language: lexical.Language(turns[0].Text), Before: summary, Turns: memory.CallTurns(s, turns)}
		reply, err := m.Call(ctx, in)
		if err != nil {
			if ctx.Err() != nil {
				return "", nil, ctx.Err()
			}
			if err := m.Failed(ctx, err); err != nil {
				return "", nil, err
			}
			return offline, keywords, nil
		}
		if next := borneOut(said, reply.Summary); next != "" {
			summary = next
		}
		found = append(found, reply.Keywords)
	}
	if summary != "" {
		offline = memory.Heading(s) + "\n" + summary
	}
	if words := among(said, found); len(words) > 0 {
		keywords = words
	}
	return offline, keywords, nil
}

// borneOut is what counts of a summary, sentence by sentence.
func borneOut(said *memory.Said, summary string) string {
	var out []string
	runes := 0
	for _, sentence := range lexical.Sentences(summary) {
		sentence = strings.Join(strings.Fields(sentence), " ")
		if runes += len([]rune(sentence)) + 1; runes > maxSummaryRunes {
			break
		}
		if said.Supports(sentence) {
			out = append(out, sentence)
		}
	}
	return strings.Join(out, " ")
}

// among takes the keywords that count, the first of each call before the second ones.
func among(said *memory.Said, calls [][]string) []string {
	var out []string
	for i := 0; ; i++ {
		more := false
		for _, words := range calls {
			if i >= len(words) {
				continue
			}
			more = true
			word := said.Keyword(words[i])
			if word != "" && !slices.Contains(out, word) && len(out) < keywordsAtMost {
				out = append(out, word)
			}
		}
		if !more {
			return out
		}
	}
}
