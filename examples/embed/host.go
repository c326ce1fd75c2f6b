package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
)

// notebook is a memory host of its own kind: a page a session, found by shared
// words. A host decides how a conversation is laid down and searched; it never
// decides who may know anything.
type notebook struct{ store *memory.Store }

var _ memory.Host = (*notebook)(nil)

func newNotebook(s *memory.Store) *notebook { return &notebook{s} }

// Name goes into the store beside what Compose makes: change it when that changes.
func (*notebook) Name() string { return "notebook-1" }

// Compose makes one page of a session. It stores nothing; the agent does.
func (*notebook) Compose(_ context.Context, s *memory.Session) (memory.Layers, error) {
	page := memory.Entry{ID: s.ID + "/page", Session: s.ID, When: s.Start}
	var lines []string
	for _, t := range s.Turns {
		if t.Kind != memory.Message {
			continue
		}
		lines = append(lines, t.Speaker+": "+t.Text)
		page.Turns = append(page.Turns, t.ID)
	}
	if len(lines) == 0 {
		return memory.Layers{Session: s.ID}, nil
	}
	page.Text = strings.Join(lines, "\n")
	return memory.Layers{Session: s.ID, Summary: lines[0], Entries: []memory.Entry{page}}, nil
}

// Search ranks the pages by how many of the question's words they share.
func (n *notebook) Search(ctx context.Context, question string, k int) ([]memory.NativeHit, error) {
	asked := lexical.Terms(question)
	sessions, err := n.store.Sessions(ctx)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	var hits []memory.NativeHit
	for _, info := range sessions {
		s, err := n.store.Session(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		layers, err := n.Compose(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, page := range layers.Entries {
			words := lexical.Terms(page.Text)
			shared := 0
			for _, term := range asked {
				if slices.Contains(words, term) {
					shared++
				}
			}
			if shared > 0 {
				hits = append(hits, memory.NativeHit{Entry: page.ID, Session: s.ID, Score: memory.NativeScore(float64(shared) / float64(len(asked)))})
			}
		}
	}
	slices.SortFunc(hits, func(a, b memory.NativeHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry))
	})
	if k > 0 && len(hits) > k {
		hits = hits[:k]
	}
	return hits, nil
}
