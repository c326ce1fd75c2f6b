package memory

import (
	"context"
	"fmt"
)

// SessionView is the searchable copy of sessions at several grains: their entries,
// and each kind of text that the host made of whole sessions. It sees everything: it
// is a way for the owner, never for a recipient.
type SessionView struct {
	store   *Store
	entries view
	grains  []view
}

// NewSessionView returns the view of s's entries and of the given kinds of grains. It
// loads at the first question.
func NewSessionView(s *Store, kinds ...string) *SessionView {
	v := &SessionView{store: s, entries: view{store: s, table: "entries"}}
	v.grains = make([]view, len(kinds))
	for i, kind := range kinds {
		v.grains[i].store, v.grains[i].table, v.grains[i].kind = s, "grains", kind
	}
	return v
}

// Sighting is what a question finds at every grain.
type Sighting struct {
	// Entries are the entries that have anything to do with the question, in no order
	// that means anything. The best one scores 1.
	Entries []NativeHit
	// Best is the score of each session's best entry without what the session lends
	// it. Grains are the scores of the sessions by each kind of grain, in the order of
	// the kinds. Of each, the best session scores how much of the question a text of
	// that grain holds at most, 0..1: so they can be held against each other.
	Best   map[string]float64
	Grains []map[string]float64
}

// Look scores entries and sessions for a question.
func (v *SessionView) Look(ctx context.Context, text string) (Sighting, error) {
	out := Sighting{Best: map[string]float64{}}
	q, err := v.store.ask(ctx, text, "", nil)
	if err != nil {
		return out, fmt.Errorf("look at sessions: %w", err)
	}
	err = v.entries.read(ctx, func() error {
		x, err := v.entries.score(ctx, q, ranking{wide: true})
		if err != nil {
			return err
		}
		var top, topNear float64
		for i := range v.entries.docs {
			if !x.finds(i) {
				continue
			}
			doc, nearness := &v.entries.docs[i], x.part*share(x.cosine(i), x.bestNear)
			score, near := x.lexical(i)+nearness, x.text.Near(i)+nearness
			top, topNear = max(top, score), max(topNear, near)
			out.Entries = append(out.Entries, NativeHit{Entry: doc.id, Session: doc.session, Score: NativeScore(score)})
			out.Best[doc.session] = max(out.Best[doc.session], near)
		}
		for i := range out.Entries {
			out.Entries[i].Score = NativeScore(share(float64(out.Entries[i].Score), top))
		}
		x.spread(out.Best, topNear)
		return nil
	})
	for i := range v.grains {
		if err == nil {
			err = v.lookAt(ctx, &v.grains[i], q, &out)
		}
	}
	if err != nil {
		return Sighting{}, fmt.Errorf("look at sessions: %w", err)
	}
	return out, nil
}

func (v *SessionView) lookAt(ctx context.Context, grain *view, q question, out *Sighting) error {
	return grain.read(ctx, func() error {
		x, err := grain.score(ctx, q, ranking{})
		if err != nil {
			return err
		}
		scores, top := map[string]float64{}, 0.0
		for i := range grain.docs {
			if s := float64(x.event(i)); s > 0 && x.allows(i) {
				scores[grain.docs[i].session] = s
				top = max(top, s)
			}
		}
		x.spread(scores, top)
		out.Grains = append(out.Grains, scores)
		return nil
	})
}

// spread brings scores, whose best one is top, to how much of the question the view's
// best text holds: of its words by their rarity, or by its vector where that counts by
// itself.
func (x *scores) spread(scores map[string]float64, top float64) {
	words := float32(0)
	for _, w := range x.text.Words {
		words = max(words, w)
	}
	reach := share(float64(words), x.text.Most)
	if !x.needWord {
		reach = max(reach, min(x.bestNear, 1))
	}
	for key, s := range scores {
		scores[key] = reach * share(s, top)
	}
}
