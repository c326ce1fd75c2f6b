package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// Host reads a memory server. Its methods may be called at once.
type Host struct{ server server }

var (
	_ memory.Host    = (*Host)(nil)
	_ memory.Feeder  = (*Host)(nil)
	_ memory.Patient = (*Host)(nil)
)

// New returns the host that the command starts; it isn't started before the first
// search. ErrServer for an empty command.
func New(command []string) (*Host, error) {
	if len(command) == 0 || command[0] == "" {
		return nil, fmt.Errorf("%w: there is no command; set host_mcp in config.yaml", ErrServer)
	}
	return &Host{server{command: slices.Clone(command)}}, nil
}

// Name returns "mcp-1".
func (*Host) Name() string { return "mcp-1" }

// searchPatience is how long a question waits for the server, its start included:
// what is told without it is worth more than a long silence.
const searchPatience = 5 * time.Second

// Patience implements [memory.Patient].
func (*Host) Patience() time.Duration { return searchPatience }

// Check starts the server and asks it for something that nobody's memory is in.
func (h *Host) Check(ctx context.Context) error {
	_, err := h.server.call(ctx, "search_nodes", map[string]any{"query": "epagent doctor"})
	return err
}

// Close ends the server.
func (h *Host) Close() error { return h.server.Close() }

// Compose implements [memory.Host]. What the server holds are entries, one a statement.
// Sessions from elsewhere aren't in the server: they get a summary and no entry, and
// are found by their facts.
func (*Host) Compose(ctx context.Context, s *memory.Session) (memory.Layers, error) {
	out := memory.Layers{Session: s.ID, Summary: memory.Summarize(s)}
	for i := range s.Turns {
		if s.Source.Format != memory.FormatStatements {
			break
		}
		if entry, ok := memory.StatementOf(s, &s.Turns[i]); ok {
			out.Entries = append(out.Entries, entry)
		}
	}
	return out, ctx.Err()
}

// Feed implements [memory.Feeder]: a session for each entity, a turn for each of its
// observations and relations. Their ids depend on their words, so what is there already
// is known again.
func (h *Host) Feed(ctx context.Context) ([]memory.Session, error) {
	graph, err := h.server.call(ctx, "read_graph", map[string]any{})
	if err != nil {
		return nil, fmt.Errorf("read the memory: %w", err)
	}
	var out []memory.Session
	for _, e := range withRelations(graph) {
		s := memory.Session{
			ID: sessionID(e.Name), Conversation: sessionID(e.Name), Title: e.Name, Channel: "memory server",
			Source: memory.Source{Name: "memory server", Format: memory.FormatStatements},
		}
		for _, o := range e.Observations {
			s.Turns = append(s.Turns, memory.Turn{ID: turnID(e.Name, o), Kind: memory.Message, Text: statement(e.Name, o)})
		}
		if len(s.Turns) > 0 {
			out = append(out, s)
		}
	}
	return out, nil
}

// withRelations gives each entity its relations as observations: "works at Anthropic".
func withRelations(k knowledge) []entity {
	at := map[string]int{}
	var out []entity
	for _, e := range k.Entities {
		at[e.Name] = len(out)
		e.Observations = slices.Clone(e.Observations)
		out = append(out, e)
	}
	for _, r := range k.Relations {
		i, ok := at[r.From]
		if !ok {
			continue // the server cut it off from its entity
		}
		words := plain(r.Type) + " " + plain(r.To)
		if !slices.Contains(out[i].Observations, words) {
			out[i].Observations = append(out[i].Observations, words)
		}
	}
	return out
}

// statement is an observation with its entity's name, unless it says it.
func statement(name, observation string) string {
	name, observation = plain(name), strings.Join(strings.Fields(observation), " ")
	if strings.Contains(strings.ToLower(observation), strings.ToLower(name)) {
		return observation
	}
	return name + ": " + observation
}

// plain is a name as somebody writes it: servers' names have no blanks.
func plain(name string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(name, "_", " ")), " ")
}

func sessionID(name string) string        { return "m" + hash(name) }
func turnID(name, observed string) string { return "m" + hash(name, observed) }

func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:16])
}

// searchWords is how many words of a question the server is asked for.
const searchWords = 12

// Search implements [memory.Host]. The server finds what contains a text as it is and
// ranks nothing, so it is asked for each word of the question by itself. A statement's
// score is the share of the words in it; a word that only others of its entity have
// counts half. The best one scores 1.
func (h *Host) Search(ctx context.Context, question string, k int) ([]memory.NativeHit, error) {
	var words []string
	for _, w := range lexical.Words(question) {
		if !lexical.IsStopWord(w) && !slices.Contains(words, w) && len(words) < searchWords {
			words = append(words, w)
		}
	}
	type found struct {
		entity entity
		words  []string
	}
	entities := map[string]*found{}
	for _, w := range words {
		graph, err := h.server.call(ctx, "search_nodes", map[string]any{"query": w})
		if err != nil {
			return nil, fmt.Errorf("search the memory: %w", err)
		}
		for _, e := range withRelations(graph) {
			if entities[e.Name] == nil {
				entities[e.Name] = &found{entity: e}
			}
			known := entities[e.Name]
			known.words = append(known.words, w)
			for _, o := range e.Observations { // one search shows relations that another doesn't
				if !slices.Contains(known.entity.Observations, o) {
					known.entity.Observations = append(known.entity.Observations, o)
				}
			}
		}
	}
	var hits []memory.NativeHit
	best := memory.NativeScore(0)
	for name, f := range entities {
		for _, o := range f.entity.Observations {
			said := lexical.Words(statement(name, o))
			score := memory.NativeScore(0)
			for _, w := range f.words {
				if slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, w) }) {
					score++
				} else {
					score += 0.5
				}
			}
			best = max(best, score)
			session := sessionID(name)
			hits = append(hits, memory.NativeHit{Entry: session + "/" + turnID(name, o), Session: session, Score: score})
		}
	}
	for i := range hits {
		hits[i].Score /= best
	}
	slices.SortFunc(hits, func(a, b memory.NativeHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry))
	})
	if k > 0 && len(hits) > k {
		hits = hits[:k]
	}
	return hits, nil
}
