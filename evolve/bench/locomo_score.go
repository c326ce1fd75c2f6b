package bench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// Ks are the depths at which recall is measured.
var Ks = []int{1, 3, 5, 10}

// Recall is the share of the evidence among the first k, by k, averaged over
// questions: 0..1.
type Recall map[int]float64

// Row is one line of the result.
type Row struct {
	System   string `json:"system"`
	Part     string `json:"part"`     // "all", or the places of its conversations in the file: "1-5", "6-10"
	Level    string `json:"level"`    // "turn" or "session"
	Category string `json:"category"` // "1".."5", "no5" or "all"
	N        int    `json:"n"`        // questions with evidence
	Recall   Recall `json:"recall"`
}

// The levels of a row.
const (
	TurnLevel    = "turn"
	SessionLevel = "session"
)

// Ranker is a system filled with one conversation.
type Ranker interface {
	// Turns and Sessions return ids of the conversation, best first, at most k.
	// The order is fixed by question and conversation.
	Turns(ctx context.Context, question string, k int) ([]string, error)
	Sessions(ctx context.Context, question string, k int) ([]string, error)
	// Close frees what the ranker holds.
	Close() error
}

// System is a retriever to measure.
type System struct {
	Name string
	// Fill makes a ranker over c. It must not look at c's questions: they are
	// taken out before it is called.
	Fill func(ctx context.Context, c Conversation) (Ranker, error)
}

// parts are the conversations of a part by their places in the file, from 1: what
// is tuned on is reported apart from what is not.
var parts = []struct {
	name        string
	first, last int // last 0: all
}{{"all", 1, 0}, {"1-5", 1, 5}, {"6-10", 6, 10}}

// tally sums a measure.
type tally struct {
	n   int
	sum [4]float64
}

// Locomo measures systems on conversations and returns the rows of each system in
// turn: by part, level and category; what has no question has no row. progress may
// be nil.
func Locomo(ctx context.Context, conversations []Conversation, systems []System, progress func(system string, done, total int)) ([]Row, error) {
	var out []Row
	for _, system := range systems {
		rows := newRows(system.Name)
		for i := range conversations {
			if len(conversations[i].Sessions) == 0 {
				continue // nothing to be found in
			}
			if err := measure(ctx, system, &conversations[i], func(q *Question, level string, found []float64) { rows.add(i+1, q, level, found) }); err != nil {
				return nil, fmt.Errorf("system %q: conversation %q: %w", system.Name, conversations[i].ID, err)
			}
			if progress != nil {
				progress(system.Name, i+1, len(conversations))
			}
		}
		out = append(out, rows.list()...)
	}
	return out, nil
}

func measure(ctx context.Context, system System, c *Conversation, add func(q *Question, level string, found []float64)) (err error) {
	blind := *c
	blind.Questions = nil
	ranker, err := system.Fill(ctx, blind)
	if err != nil {
		return err
	}
	defer func() {
		if closing := ranker.Close(); err == nil {
			err = closing
		}
	}()
	deepest := slices.Max(Ks)
	for i := range c.Questions {
		q := &c.Questions[i]
		if len(q.Evidence) == 0 {
			continue // nothing to be found
		}
		turns, err := ranker.Turns(ctx, q.Text, deepest)
		if err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
		sessions, err := ranker.Sessions(ctx, q.Text, deepest)
		if err != nil {
			return fmt.Errorf("question %d: %w", i+1, err)
		}
		add(q, TurnLevel, shares(turns, q.Evidence))
		add(q, SessionLevel, shares(sessions, q.Sessions))
	}
	return nil
}

// shares returns for each of Ks which share of wanted is among the first k.
func shares(ranking, wanted []string) []float64 {
	out := make([]float64, len(Ks))
	for i, k := range Ks {
		found := 0
		for _, id := range wanted {
			if slices.Contains(ranking[:min(k, len(ranking))], id) {
				found++
			}
		}
		out[i] = float64(found) / float64(len(wanted))
	}
	return out
}

type rowKey struct {
	part, level, category string
}

type rows struct {
	system  string
	tallies map[rowKey]*tally
	highest int // category
}

func newRows(system string) *rows {
	return &rows{system: system, tallies: map[rowKey]*tally{}}
}

// add counts a question of the conversation at a place.
func (r *rows) add(place int, q *Question, level string, found []float64) {
	r.highest = max(r.highest, q.Category)
	categories := []string{strconv.Itoa(q.Category), "all"}
	if q.Category != 5 {
		categories = append(categories, "no5")
	}
	for _, part := range parts {
		if place < part.first || part.last > 0 && place > part.last {
			continue
		}
		for _, category := range categories {
			key := rowKey{part.name, level, category}
			t := r.tallies[key]
			if t == nil {
				t = &tally{}
				r.tallies[key] = t
			}
			t.n++
			for i := range found {
				t.sum[i] += found[i]
			}
		}
	}
}

func (r *rows) list() []Row {
	var categories []string
	for c := range r.highest + 1 {
		categories = append(categories, strconv.Itoa(c))
	}
	categories = append(categories, "no5", "all")
	var out []Row
	for _, part := range parts {
		for _, level := range []string{TurnLevel, SessionLevel} {
			for _, category := range categories {
				t := r.tallies[rowKey{part.name, level, category}]
				if t == nil {
					continue
				}
				row := Row{System: r.system, Part: part.name, Level: level, Category: category, N: t.n, Recall: Recall{}}
				for i, k := range Ks {
					row.Recall[k] = t.sum[i] / float64(t.n)
				}
				out = append(out, row)
			}
		}
	}
	return out
}
