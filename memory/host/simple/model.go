package simple

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// EntriesCall asks a model for the entries of a window.
type EntriesCall struct {
	Language string               `json:"language"`
	Before   []string             `json:"before,omitempty"` // entries of the window before
	Turns    []memory.ExtractTurn `json:"turns"`
}

// ModelEntry is an entry as a model gives it.
type ModelEntry struct {
	Text       string
	Evidence   []string // ids of messages of the call
	HappenedOn string   // "2006-01-02", "" where they don't say
	Keywords   []string
	Persons    []string
	Place      string
	Topic      string
}

// ModelWriter is a [Writer] on a chat model, in calls within a token budget. What comes
// back counts as far as the messages of the window bear it out: an entry with a number
// or name that they don't have, or without a word of theirs, is left out; so is a day,
// person, place, keyword or topic. What a message says that no entry rests on is kept
// by the host as an entry of its own.
type ModelWriter struct {
	// Call makes one call. An error holds no text of a prompt or a reply.
	Call func(ctx context.Context, in EntriesCall) ([]ModelEntry, error)
	// Failed decides what follows from a failed call: nil leaves its messages as they
	// are.
	Failed func(ctx context.Context, err error) error
	// Budget is about how many tokens of messages go into one call. Default:
	// memory.CallBudget.
	Budget int
}

var _ Writer = (*ModelWriter)(nil)

// Version returns "": entries of several models, and such as were written without one,
// stand beside each other in one store.
func (*ModelWriter) Version() string { return "" }

// Write implements [Writer].
func (m *ModelWriter) Write(ctx context.Context, w Window) ([]Written, error) {
	budget := m.Budget
	if budget <= 0 {
		budget = memory.CallBudget
	}
	spoken := memory.Spoken(w.Turns)
	var out []Written
	for _, turns := range memory.Batches(spoken, budget) {
		in := EntriesCall{Language: lexical.Language(turns[0].Text), Before: w.Before, Turns: memory.CallTurns(w.Session, turns)}
		entries, err := m.Call(ctx, in)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := m.Failed(ctx, err); err != nil {
				return nil, err
			}
			continue
		}
		for _, e := range entries {
			if written, ok := borneOut(w, turns, e); ok {
				out = append(out, written)
			}
		}
	}
	return out, nil
}

// maxEntryRunes bounds an entry: what is longer is no atomic one.
const maxEntryRunes = 400

// borneOut is what counts of an entry that a model gave for turns of a window.
func borneOut(w Window, turns []*memory.Turn, e ModelEntry) (Written, bool) {
	var rests []*memory.Turn
	for _, t := range turns {
		if slices.Contains(e.Evidence, t.ID) {
			rests = append(rests, t)
		}
	}
	text := strings.Join(strings.Fields(e.Text), " ")
	if text == "" || len([]rune(text)) > maxEntryRunes || len(rests) == 0 || len(rests) < len(e.Evidence) {
		return Written{}, false
	}
	said := memory.NewSaid(w.Session, rests, memory.Spoken(w.Turns), w.Before...)
	if !said.Supports(text) {
		return Written{}, false
	}
	out := Written{Text: text, Topic: said.Label(e.Topic)}
	for _, t := range rests {
		out.Turns = append(out.Turns, t.ID)
	}
	out.When, _ = said.Day(e.HappenedOn)
	for _, p := range e.Persons {
		if p = said.Label(p); said.Knows(p) && !slices.Contains(out.Persons, p) {
			out.Persons = append(out.Persons, p)
		}
	}
	if place := said.Label(e.Place); said.Knows(place) {
		out.Place = place
	}
	for _, k := range e.Keywords {
		if k = said.Keyword(k); k != "" && !slices.Contains(out.Keywords, k) && len(out.Keywords) < keywordsAtMost {
			out.Keywords = append(out.Keywords, k)
		}
	}
	return out, true
}
