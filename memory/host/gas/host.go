package gas

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/epagent/epagent/memory"
)

// Host is the gas host over one store. Its methods may be called at once.
type Host struct {
	view   *memory.SessionView
	graph  graph
	writer Writer
}

var (
	_ memory.Host          = (*Host)(nil)
	_ memory.SessionRanker = (*Host)(nil)
	_ memory.EventRanker   = (*Host)(nil)
	_ memory.Settler       = (*Host)(nil)
	_ memory.Offliner      = (*Host)(nil)
)

// Options are the settings of a Host. The zero value works.
type Options struct {
	Writer Writer // of summaries and keywords. Default: Offline
}

// New returns the host of s. It loads nothing before the first search.
func New(s *memory.Store, opts Options) *Host {
	if opts.Writer == nil {
		opts.Writer = Offline{}
	}
	return &Host{view: memory.NewSessionView(s, kinds[Whole], kinds[Gist], kinds[Keys]), graph: graph{store: s}, writer: opts.Writer}
}

// Name returns "gas-1", with the writer's version if it has one; the number goes up
// when the same session would give other layers.
func (h *Host) Name() string {
	if v := h.writer.Version(); v != "" {
		return "gas-1 " + v
	}
	return "gas-1"
}

// Offline implements [memory.Offliner]. It makes layers, and is not for searching.
func (h *Host) Offline() memory.Host { return New(h.graph.store, Options{}) }

// Settle ties the sessions that were added since.
func (h *Host) Settle(ctx context.Context) error {
	if _, err := h.graph.current(ctx); err != nil {
		return fmt.Errorf("tie sessions: %w", err)
	}
	return nil
}

// sessionPart is how much its session counts for an entry, beside the turn view.
const sessionPart = 0.3

// Search implements [memory.Host]. An entry's score is 0.7 of its own, by the turn
// view, and 0.3 of its session's, each as a share of the best one.
func (h *Host) Search(ctx context.Context, question string, k int) ([]memory.NativeHit, error) {
	sight, sessions, err := h.run(ctx, question)
	if err != nil {
		return nil, fmt.Errorf("search entries: %w", err)
	}
	hits, best := sight.Entries, memory.NativeScore(0)
	for i := range hits {
		hits[i].Score = (1-sessionPart)*hits[i].Score + sessionPart*memory.NativeScore(sessions[hits[i].Session])
		best = max(best, hits[i].Score)
	}
	for i := range hits {
		hits[i].Score /= best
	}
	return firstHits(hits, k), nil
}

// Sessions implements [memory.SessionRanker]: by what the four nodes of a session hold
// of the question's walk.
func (h *Host) Sessions(ctx context.Context, question string, k int) ([]memory.SessionHit, error) {
	_, sessions, err := h.run(ctx, question)
	if err != nil {
		return nil, fmt.Errorf("search sessions: %w", err)
	}
	out := ranked(sessions)
	if k > 0 && len(out) > k {
		out = out[:k]
	}
	return out, nil
}

// EventSessions implements [memory.EventRanker]: the walk over the graph with one more
// node for each session's facts, tied to its summary, that starts at these nodes alone.
func (h *Host) EventSessions(ctx context.Context, events map[string]memory.EventScore) ([]memory.SessionHit, error) {
	t, err := h.graph.current(ctx)
	if err != nil {
		return nil, fmt.Errorf("walk from facts: %w", err)
	}
	ties := slices.Clone(t.ties)
	start := make([]float64, len(ties), len(ties)+len(events))
	own := make(map[string]float64, len(events))
	var owners []string // of the further nodes
	for _, session := range slices.Sorted(maps.Keys(events)) {
		own[session] = float64(events[session])
		var tie []int32
		if i, ok := t.index[session]; ok {
			summary := int32(grains*i + int(eventAt))
			tie = []int32{summary}
			ties[summary] = append(slices.Clone(ties[summary]), int32(len(ties)))
		}
		ties, start, owners = append(ties, tie), append(start, float64(events[session])), append(owners, session)
	}
	return ranked(t.score(ties, start, owners, own)), ctx.Err()
}

// run is the native run: what the question finds, and the score of each session as a
// share of the best one.
func (h *Host) run(ctx context.Context, question string) (memory.Sighting, map[string]float64, error) {
	t, err := h.graph.current(ctx)
	if err != nil {
		return memory.Sighting{}, nil, err
	}
	sight, err := h.view.Look(ctx, question)
	if err != nil {
		return memory.Sighting{}, nil, err
	}
	scores := [grains]map[string]float64{Whole: sight.Grains[0], Turns: sight.Best, Gist: sight.Grains[1], Keys: sight.Grains[2]}
	weights := route(scores, len(t.sessions))
	start := make([]float64, len(t.ties))
	own := map[string]float64{}
	for g, list := range scores {
		for session, s := range list {
			own[session] += 0 // summed below, in the order of the grains
			if i, ok := t.index[session]; ok {
				start[grains*i+g] = weights[g] * s
			}
		}
	}
	for session := range own {
		for g := range scores {
			own[session] += weights[g] * scores[g][session]
		}
	}
	return sight, t.score(t.ties, start, nil, own), nil
}

// reserve is what a session's own score counts beside the walk's: it orders the
// sessions that the walk doesn't reach, below the others.
const reserve = 1e-6

// score walks from start and returns what each session's nodes hold, those of owners
// at the end included, as a share of the best one. own is the score of each session by
// itself; sessions that have none and that the walk doesn't reach are left out.
func (t *tied) score(ties [][]int32, start []float64, owners []string, own map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(own))
	if seeded(start) {
		mass := walk(ties, start)
		for i, session := range t.sessions {
			sum := 0.0
			for g := range grains {
				sum += mass[grains*i+g]
			}
			if sum > 0 {
				out[session] = sum
			}
		}
		for i, session := range owners {
			if m := mass[grains*len(t.sessions)+i]; m > 0 {
				out[session] += m
			}
		}
	}
	best := 0.0
	for session, s := range own {
		out[session] += reserve * s
	}
	for _, s := range out {
		best = max(best, s)
	}
	for session, s := range out {
		if s <= 0 {
			delete(out, session)
			continue
		}
		out[session] = s / best
	}
	return out
}

// ranked lists sessions by falling score, ties by id.
func ranked(scores map[string]float64) []memory.SessionHit {
	out := make([]memory.SessionHit, 0, len(scores))
	for session, s := range scores {
		out = append(out, memory.SessionHit{Session: session, Score: memory.NativeScore(s)})
	}
	slices.SortFunc(out, func(a, b memory.SessionHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Session, b.Session))
	})
	return out
}
