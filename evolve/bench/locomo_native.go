package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/thesaurus"
)

// Hosted is a system that a native host makes: a store in a temporary folder is
// filled as an import fills one, and asked.
type Hosted struct {
	Name     string
	Open     func(*memory.Store) memory.Host
	Embedder memory.Embedder // nil: the embedded one
	// Overlay adds the event facts by these weights. The zero value leaves the host
	// alone.
	Overlay memory.Weights
}

// System returns h as a system to measure.
func (h Hosted) System() System {
	return System{Name: h.Name, Fill: func(ctx context.Context, c Conversation) (Ranker, error) { return h.fill(ctx, c) }}
}

type hostedRanker struct {
	host     memory.Host
	recaller *memory.Recaller
	overlay  *memory.Overlay // nil: the host alone
	store    *memory.Store
	dir      string
	turns    map[string][]string // of each entry
	sessions map[string]string   // ours by the store's
}

func (h Hosted) fill(ctx context.Context, c Conversation) (_ Ranker, err error) {
	r := &hostedRanker{turns: map[string][]string{}, sessions: map[string]string{}}
	if r.dir, err = os.MkdirTemp("", "epagent-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	embedder := h.Embedder
	if embedder == nil {
		embedder = thesaurus.Embedder{}
	}
	if r.store, err = memory.Open(ctx, filepath.Join(r.dir, memory.FileName), memory.Options{Embedder: embedder}); err != nil {
		return nil, err
	}
	r.host = h.Open(r.store)
	var batch memory.Batch
	for _, s := range c.Sessions {
		session := storedSession(&c, &s)
		layers, err := r.host.Compose(ctx, &session)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", s.ID, err)
		}
		for _, e := range layers.Entries {
			r.turns[e.ID] = append(r.turns[e.ID], e.Turns...)
		}
		r.sessions[session.ID] = s.ID
		batch.Sessions = append(batch.Sessions, session)
		batch.Layers = append(batch.Layers, layers)
		if h.Overlay == (memory.Weights{}) {
			continue
		}
		records, err := memory.OfflineExtractor{}.Extract(ctx, &session, memory.ExtractOptions{})
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", s.ID, err)
		}
		for _, record := range records {
			batch.Facts = append(batch.Facts, memory.Fact{Record: record, Sessions: []string{session.ID}, Source: session.Source, ImportedAt: time.Unix(0, 0).UTC()})
		}
	}
	if _, err := r.store.Apply(ctx, batch); err != nil {
		return nil, err
	}
	if r.recaller, err = memory.NewRecaller(r.store, memory.RecallOptions{Host: r.host}); err != nil {
		return nil, err
	}
	if h.Overlay != (memory.Weights{}) {
		if r.overlay, err = memory.NewOverlay(r.recaller, h.Overlay); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// storedSession is a session as an import of the file makes it.
func storedSession(c *Conversation, s *Session) memory.Session {
	out := memory.Session{ID: s.ID, Conversation: c.ID, Start: s.When, Source: memory.Source{Name: "locomo", Format: "locomo"}}
	for _, t := range s.Turns {
		if t.Speaker != "" && !slices.Contains(out.Participants, t.Speaker) {
			out.Participants = append(out.Participants, t.Speaker)
		}
		kind := memory.Message
		if t.Text == "" {
			kind = memory.Media
		}
		out.Turns = append(out.Turns, memory.Turn{ID: t.ID, Speaker: t.Speaker, Kind: kind, Text: t.Text, Caption: t.Caption, When: s.When})
	}
	out.Group = len(out.Participants) > 2
	return out
}

// Turns ranks the turns of the entries found: an entry's turns in their order.
func (r *hostedRanker) Turns(ctx context.Context, question string, k int) ([]string, error) {
	var entries []string
	if r.overlay != nil {
		hits, err := r.overlay.Entries(ctx, question, 0)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			entries = append(entries, h.Entry)
		}
	} else {
		hits, err := r.host.Search(ctx, question, 0)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			entries = append(entries, h.Entry)
		}
	}
	var out []string
	for _, entry := range entries {
		for _, turn := range r.turns[entry] {
			if len(out) < k && !slices.Contains(out, turn) {
				out = append(out, turn)
			}
		}
	}
	return out, nil
}

// Sessions ranks the sessions.
func (r *hostedRanker) Sessions(ctx context.Context, question string, k int) ([]string, error) {
	var hits []memory.SessionHit
	var err error
	if r.overlay != nil {
		hits, err = r.overlay.Sessions(ctx, question, k)
	} else {
		hits, err = r.recaller.HostSessions(ctx, question, k)
	}
	var out []string
	for _, h := range hits {
		out = append(out, r.sessions[h.Session])
	}
	return out, err
}

func (r *hostedRanker) Close() error {
	var err error
	if r.store != nil {
		err = r.store.Close()
	}
	return errors.Join(err, os.RemoveAll(r.dir))
}
