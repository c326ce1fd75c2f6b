package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
)

// sessions ranks the sessions of the documents of set: by their own words, and by
// the best document in each ([lexical.Scores.SessionScore]). The best scores 1.
func (v *view) sessions(ctx context.Context, q question, set *lexical.Set) ([]SessionHit, error) {
	x, err := v.score(ctx, q, ranking{set: set, weights: Weights{Beta: 1}, wide: true})
	if err != nil {
		return nil, err
	}
	type found struct {
		doc   int
		score float64
	}
	bests := map[string]found{}
	for i := range v.docs {
		session := v.docs[i].session
		if session == "" || !x.finds(i) {
			continue
		}
		score := x.text.Near(i) + x.part*share(x.cosine(i), x.bestNear)
		if b, ok := bests[session]; !ok || score > b.score {
			bests[session] = found{i, score}
		}
	}
	out := make([]SessionHit, 0, len(bests))
	top := 0.0
	for session, b := range bests {
		score := x.text.SessionScore(b.doc, b.score)
		top = max(top, score)
		out = append(out, SessionHit{session, NativeScore(score)})
	}
	for i := range out {
		out[i].Score = NativeScore(share(float64(out[i].Score), top))
	}
	sortSessions(out)
	return out, nil
}

func sortSessions(list []SessionHit) {
	slices.SortFunc(list, func(a, b SessionHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Session, b.Session))
	})
}

// HostSessions returns the host's own ranking of sessions: at most k of them, all
// for k <= 0. ErrInvalid without a host.
func (r *Recaller) HostSessions(ctx context.Context, text string, k int) ([]SessionHit, error) {
	if r.host == nil {
		return nil, fmt.Errorf("recall sessions: the recaller has no host: %w", ErrInvalid)
	}
	var out []SessionHit
	if ranker, ok := r.host.(SessionRanker); ok {
		var err error
		if out, err = ranker.Sessions(ctx, text, k); err != nil {
			return nil, fmt.Errorf("recall sessions: host %q: %w", r.host.Name(), err)
		}
		return out, nil
	}
	hits, err := searchHost(ctx, r.host, text, 0)
	if err != nil {
		return nil, fmt.Errorf("recall sessions: %w", err)
	}
	seen := map[string]bool{} // the host's order is that of each session's best entry
	for _, h := range hits {
		if !seen[h.Session] && (k <= 0 || len(out) < k) {
			seen[h.Session] = true
			out = append(out, SessionHit{h.Session, h.Score})
		}
	}
	return out, nil
}

// Sessions returns at most k sessions (k <= 0: all) for a question by
// s = α·s_native + β·s_event, ties by id, where a session's event score is that of
// its facts. With β = 0 it is the host's answer as it came.
func (o *Overlay) Sessions(ctx context.Context, text string, k int) ([]SessionHit, error) {
	if o.weights.Beta == 0 {
		return o.recaller.HostSessions(ctx, text, k)
	}
	native, err := o.recaller.HostSessions(ctx, text, 0)
	if err != nil {
		return nil, err
	}
	asked, err := o.recaller.event.store.ask(ctx, text, "", nil)
	if err != nil {
		return nil, fmt.Errorf("recall sessions: %w", err)
	}
	facts := &o.recaller.event.facts
	var event []SessionHit
	err = facts.read(ctx, func() error {
		event, err = facts.sessions(ctx, asked, nil)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recall sessions: %w", err)
	}
	var best NativeScore
	nativeOf, eventOf := map[string]NativeScore{}, map[string]EventScore{}
	for _, h := range native {
		best = max(best, h.Score)
		nativeOf[h.Session] = max(nativeOf[h.Session], h.Score)
	}
	var bestEvent EventScore
	for _, h := range event {
		bestEvent = max(bestEvent, EventScore(h.Score))
		eventOf[h.Session] = EventScore(h.Score)
	}
	if ranker, ok := o.recaller.host.(EventRanker); ok && len(event) > 0 {
		if event, err = ranker.EventSessions(ctx, eventOf); err != nil {
			return nil, fmt.Errorf("recall sessions: host %q: %w", o.recaller.host.Name(), err)
		}
		bestEvent = 0
		clear(eventOf)
		for _, h := range event {
			bestEvent = max(bestEvent, EventScore(h.Score))
			eventOf[h.Session] = EventScore(h.Score)
		}
	}
	for session := range eventOf {
		nativeOf[session] += 0 // the host may have missed it
	}
	out := make([]SessionHit, 0, len(nativeOf))
	for session, score := range nativeOf {
		out = append(out, SessionHit{session, NativeScore(Fuse(o.weights, score, best, eventOf[session], bestEvent))})
	}
	sortSessions(out)
	if k > 0 && len(out) > k {
		out = out[:k]
	}
	return out, nil
}
