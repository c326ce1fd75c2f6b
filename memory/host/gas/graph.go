package gas

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/epagent/epagent/memory"
)

// graph is the copy in memory of how sessions are tied. What is missing is made when
// it is first wanted, and stored; where it can't be stored it is made all the same. It
// is a function of the sessions and the order in which they were added
// (TestTiesAreAFunctionOfTheRecord).
type graph struct {
	store *memory.Store

	mu       sync.Mutex
	revision int64 // 0: not loaded
	known    []memory.Association
	vectors  nodes // of the first sessions; loaded when something is to be tied
	now      *tied // what known comes to
}

// tied is a graph at one moment. It isn't changed.
type tied struct {
	sessions []string // by index
	index    map[string]int
	ties     [][]int32 // of each node, grains·index + grain
}

// current brings the graph up to date and returns it.
func (g *graph) current(ctx context.Context) (*tied, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	revision, err := g.store.Revision(ctx)
	if err != nil {
		return nil, err
	}
	if g.now != nil && g.revision >= revision {
		return g.now, nil
	}
	if err := g.refresh(ctx); err != nil {
		g.known, g.vectors, g.revision, g.now = nil, nodes{}, 0, nil
		return nil, err
	}
	return g.now, nil
}

func (g *graph) refresh(ctx context.Context) error {
	list, revision, anew, err := g.store.Associations(ctx, g.revision)
	if err != nil {
		return err
	}
	if anew || g.revision == 0 {
		g.known, g.vectors, g.now = nil, nodes{}, nil
	}
	stays := len(g.known) // so many of the first ones are in now as they are
	if g.now == nil {
		stays = 0
	}
	changed := g.now == nil
	for _, a := range list {
		at, found := slices.BinarySearchFunc(g.known, a.Place, func(k memory.Association, place int) int { return k.Place - place })
		if !found {
			g.known = slices.Insert(g.known, at, a)
		} else {
			if g.known[at].Ties != nil && a.Ties != nil {
				continue // our own, stored
			}
			g.known[at] = a
		}
		changed, stays = true, min(stays, at)
	}
	g.revision = revision
	if first := slices.IndexFunc(g.known, func(a memory.Association) bool { return a.Ties == nil }); first >= 0 {
		changed, stays = true, min(stays, first)
		if err := g.tie(ctx); err != nil {
			return err
		}
	}
	if changed {
		g.now, err = g.now.join(g.known, stays)
	}
	return err
}

// chunk is how many sessions are tied between two writes.
const chunk = 256

// tie makes the ties that are missing, by rising place, and stores them.
func (g *graph) tie(ctx context.Context) error {
	from := 0
	if n := len(g.vectors.places); n > 0 {
		from = g.vectors.places[n-1] + 1
	}
	list, at, err := g.store.SessionVectors(ctx, from)
	if err != nil {
		return err
	}
	means := map[int][]float32{}
	for _, v := range list {
		g.vectors.add(v)
		means[v.Place] = v.Entries
	}
	var made []memory.Association
	var centres [][]float32
	storing := true
	flush := func() error {
		if storing && len(made) > 0 {
			stored, err := g.store.Associate(ctx, at, made, centres)
			switch {
			case errors.Is(err, memory.ErrReadOnly), errors.Is(err, memory.ErrBusy), errors.Is(err, memory.ErrFull):
				storing = false // they are made anew by whoever may write
			case err != nil:
				return err
			default:
				storing = stored == len(made)
			}
		}
		made, centres = made[:0], centres[:0]
		return nil
	}
	for i, place := range g.vectors.places {
		k, found := slices.BinarySearchFunc(g.known, place, func(a memory.Association, place int) int { return a.Place - place })
		if !found || g.known[k].Ties != nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		g.known[k].Ties = encode(g.vectors.ties(i))
		made, centres = append(made, g.known[k]), append(centres, means[place])
		if len(made) == chunk {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// join lays the ties of known out by node, both ways. Where all of t is the first stay of
// known it is gone on from, and else begun anew: one more session costs a copy of the
// outline and not of the ties.
func (t *tied) join(known []memory.Association, stay int) (*tied, error) {
	if t == nil || stay < len(t.sessions) {
		t, stay = &tied{}, 0
	}
	out := &tied{sessions: slices.Clone(t.sessions), index: make(map[string]int, len(known)), ties: slices.Clone(t.ties)}
	for i, a := range known {
		out.index[a.Session] = i
	}
	for _, a := range known[stay:] {
		out.sessions = append(out.sessions, a.Session)
	}
	out.ties = append(out.ties, make([][]int32, grains*len(known)-len(out.ties))...)
	own := make([]bool, len(out.ties)) // lists that t hasn't
	tie := func(one, other int32) {
		if !own[one] {
			out.ties[one], own[one] = slices.Clone(out.ties[one]), true
		}
		out.ties[one] = append(out.ties[one], other)
	}
	for i := stay; i < len(known); i++ {
		if known[i].Ties == nil {
			continue // its texts are being indexed; it stands alone until then
		}
		ties, err := decode(known[i].Ties)
		if err != nil {
			return nil, fmt.Errorf("session %q: %w", known[i].Session, err)
		}
		for grain, list := range ties {
			for _, n := range list {
				j, ok := slices.BinarySearchFunc(known, n/grains, func(a memory.Association, place int) int { return a.Place - place })
				if !ok {
					return nil, fmt.Errorf("session %q: %w", known[i].Session, errTies)
				}
				one, other := int32(grains*i+grain), int32(grains*j+n%grains)
				tie(one, other)
				tie(other, one)
			}
		}
	}
	return out, nil
}
