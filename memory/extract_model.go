package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// ErrExtraction says that a model's facts can't be used. Its text holds nothing of
// them.
var ErrExtraction = errors.New("the model's facts can't be used")

// ExtractCall asks a model for the facts of a session.
type ExtractCall struct {
	Language string        `json:"language"`
	Owner    string        `json:"owner"` // how facts call the owner
	About    string        `json:"about,omitempty"`
	Start    string        `json:"start,omitempty"`
	Turns    []ExtractTurn `json:"turns"`
}

// ExtractTurn is one message in a call.
type ExtractTurn struct {
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	Owner   bool   `json:"owner"`
	When    string `json:"when,omitempty"`
	Text    string `json:"text"`
}

// ExtractedFact is one fact as a model gives it.
type ExtractedFact struct {
	Text       string
	Subject    string
	HappenedOn string // "2006-01-02", "" where it doesn't say
	Evidence   []string
}

// ModelExtractor extracts facts by a model, in calls within a token budget. What
// comes back is checked: each fact rests on turns of the call, shares words with
// them, and speaks of nobody as "I". Whose words a fact rests on is never the
// model's to say: it is trusted as the owner's only if all of its evidence is the
// owner's (MARKS 11).
type ModelExtractor struct {
	// Call makes one call. An error holds no text of a prompt or a reply.
	Call func(ctx context.Context, in ExtractCall) ([]ExtractedFact, error)
	// Failed decides what follows from a failed call or unusable facts: nil lets the
	// offline extractor take the model's place for those turns.
	Failed func(ctx context.Context, err error) error
	// Budget is about how many tokens of messages go into one call. Default: [CallBudget].
	Budget int
}

var _ Extractor = (*ModelExtractor)(nil)

const maxModelFactRunes = 400

// Extract implements [Extractor].
func (x *ModelExtractor) Extract(ctx context.Context, s *Session, o ExtractOptions) ([]privacy.Record, error) {
	var out []privacy.Record
	ordinal := map[string]int{} // facts so far that rest on the same first turn
	for _, batch := range x.batches(s) {
		in := ExtractCall{Owner: o.Owner, About: o.About, Start: s.Start.Date()}
		for _, t := range batch {
			in.Turns = append(in.Turns, ExtractTurn{ID: t.ID, Speaker: speakerName(t, o), Owner: t.Self, When: wallClock(t.When), Text: t.Text})
		}
		in.Language = lexical.Language(in.Turns[0].Text)
		facts, err := x.Call(ctx, in)
		var records []privacy.Record
		if err == nil {
			records, err = recordsOf(s, batch, facts, ordinal)
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err := x.Failed(ctx, err); err != nil {
				return nil, fmt.Errorf("extract: %w", err)
			}
			if records, err = offlineFacts(ctx, s, batch, o); err != nil {
				return nil, err
			}
		}
		out = append(out, records...)
	}
	return out, nil
}

// batches cuts the messages of a session into runs within the budget. A message
// above it goes alone.
func (x *ModelExtractor) batches(s *Session) [][]*Turn {
	budget := x.Budget
	if budget <= 0 {
		budget = CallBudget
	}
	return Batches(slices.DeleteFunc(Spoken(s.Turns), func(t *Turn) bool {
		return t.Kind != Message || t.Speaker == "" || strings.TrimSpace(t.Text) == ""
	}), budget)
}

// CallBudget is about how many tokens of messages go into one call, if nothing else is
// said.
const CallBudget = 3000

// recordsOf checks the facts of one call and makes records of them.
func recordsOf(s *Session, batch []*Turn, facts []ExtractedFact, ordinal map[string]int) ([]privacy.Record, error) {
	turns := map[string]*Turn{}
	for _, t := range batch {
		turns[t.ID] = t
	}
	var out []privacy.Record
	for _, f := range facts {
		text := collapse(f.Text)
		if text == "" || len([]rune(text)) > maxModelFactRunes || len(f.Evidence) == 0 {
			return nil, fmt.Errorf("%w: one is empty, too long, or rests on nothing", ErrExtraction)
		}
		if speaksAsI(text) {
			return nil, fmt.Errorf("%w: one speaks in the first person", ErrExtraction)
		}
		var rests []*Turn
		for _, id := range f.Evidence {
			t := turns[id]
			if t == nil {
				return nil, fmt.Errorf("%w: one rests on a message that was not in the call", ErrExtraction)
			}
			if !slices.Contains(rests, t) {
				rests = append(rests, t)
			}
		}
		if !sharesWords(text, rests) {
			continue // it says something else than its evidence
		}
		r := privacy.Record{Text: text, Language: lexical.Language(text), Subject: collapse(f.Subject), Session: s.ID, OwnerSaid: true}
		said := rests[0]
		for _, t := range rests {
			r.Evidence = append(r.Evidence, t.ID)
			if !t.Self && r.OwnerSaid {
				r.OwnerSaid, said = false, t // whose word it is that isn't the owner's
			}
		}
		r.Speaker, r.SaidAt, r.Listeners = said.Speaker, said.When, s.Listeners(said)
		if day, err := time.Parse(time.DateOnly, f.HappenedOn); err == nil {
			r.HappenedAt = stampOf(day)
		}
		r.ID = factID(rests[0].ID, ordinal[rests[0].ID])
		ordinal[rests[0].ID]++
		out = append(out, r)
	}
	return out, nil
}

// speaksAsI reports whether a fact speaks as its speaker does: it would be a
// quotation.
func speaksAsI(text string) bool {
	if strings.ContainsAny(text, "我咱俺") {
		return true
	}
	return slices.ContainsFunc(lexical.Words(text), func(w string) bool {
		w, _, _ = strings.Cut(w, "'")
		return slices.Contains([]string{"i", "my", "me", "myself", "ich", "mich", "mein", "meine"}, w)
	})
}

// sharesWords reports whether a fact says something that its evidence says. Between
// languages nothing can be compared but numbers, so everything passes there.
func sharesWords(text string, rests []*Turn) bool {
	said := map[string]bool{}
	for _, t := range rests {
		if lexical.Language(t.Text) != lexical.Language(text) {
			return true
		}
		for _, term := range lexical.Terms(t.Text) {
			said[term] = true
		}
	}
	return slices.ContainsFunc(lexical.Terms(text), func(term string) bool { return said[term] })
}

// offlineFacts extracts the messages of one call without the model.
func offlineFacts(ctx context.Context, s *Session, batch []*Turn, o ExtractOptions) ([]privacy.Record, error) {
	all, err := OfflineExtractor{}.Extract(ctx, s, o)
	if err != nil {
		return nil, err
	}
	in := map[string]bool{}
	for _, t := range batch {
		in[t.ID] = true
	}
	return slices.DeleteFunc(all, func(r privacy.Record) bool {
		return !slices.ContainsFunc(r.Evidence, func(id string) bool { return in[id] })
	}), nil
}

// speakerName is how a call names the speaker of a message.
func speakerName(t *Turn, o ExtractOptions) string {
	if t.Self && o.Owner != "" {
		return o.Owner
	}
	return t.Speaker
}

// wallClock is when a message was said, as a call shows it.
func wallClock(s privacy.Stamp) string {
	if s.Local != "" {
		return s.Local
	}
	return s.Date()
}
