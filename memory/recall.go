package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// RecallOptions are the settings of a Recaller. The zero value works.
type RecallOptions struct {
	// Host is the native memory. Default: none; the event side ranks alone.
	Host Host
	// Alpha and Beta are the weights of the host's and the event side, for the
	// owner's view. Default: DefaultWeights. Beta 0 with Alpha 1 is the host alone.
	Alpha, Beta float64
}

// hostDepth is how many entries of a host count for facts; a fact whose entries come
// later has no native score. Whoever asks for k gets the first k of all, so it doesn't
// depend on k.
const hostDepth = 1000

// Recaller finds facts for the owner's questions. Its methods may be called at once.
type Recaller struct {
	event   *EventSide
	host    Host
	weights Weights
}

// NewRecaller returns a Recaller on s. Nothing is loaded before the first
// question. ErrInvalid for weights that don't add up.
func NewRecaller(s *Store, opts RecallOptions) (*Recaller, error) {
	w := Weights{opts.Alpha, opts.Beta}
	switch {
	case opts.Host == nil:
		w = Weights{Beta: 1}
	case w == Weights{}:
		w = DefaultWeights
	}
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("recall: %w", err)
	}
	return &Recaller{event: &EventSide{store: s, facts: view{store: s, table: "facts"}}, host: opts.Host, weights: w}, nil
}

// EventSide returns what ranks facts without the host.
func (r *Recaller) EventSide() *EventSide { return r.event }

// Query is a question to recall.
type Query struct {
	Text string
	K    int // how many facts at most; <= 0: all that have anything to do with it
	// Keep says which facts the asker may know. Nil is the owner's view, over
	// everything. It is called for each fact and must be quick.
	Keep func(privacy.FactID) bool
	// Near asks also for what shares no word with the question and is near by its
	// vector, where the embedder's vectors can tell.
	Near bool
	// Today is the day on which it is asked, "2006-01-02": "last May" is the one
	// before it. "" leaves such times alone.
	Today string
	// People are those whom the question may name, each with every name that they
	// go by. Speakers and subjects of facts are known without.
	People []lexical.Person
	// Kept names what Keep allows: two questions of one name and one revision of
	// the record have the same set of facts, which is then not asked for again.
	// "" names nothing.
	Kept string
}

// Hit is a fact found.
type Hit struct {
	Fact   privacy.FactID
	Score  float64     // fused, 0..1 within the question; comparable within it only
	Native NativeScore // 0..1; 0 for a recipient
	Event  EventScore  // 0..1
	Words  float64     // BM25 of its own words, 0 without a shared one; tells a good question from a vain one
	Cosine float64     // of the vectors, 0..1
}

// Facts returns the facts for a question, best first, ties by id.
//
// In the owner's view a fact's score is α times the best native score of its
// entries (of its session, if it is linked to none) plus β times its event score.
// With Keep set it is [EventSide.Facts]. ErrHost where the host can't be searched:
// the event side goes on without it.
func (r *Recaller) Facts(ctx context.Context, q Query) ([]Hit, error) {
	if q.Keep != nil || r.host == nil || r.weights.Alpha == 0 {
		return r.event.Facts(ctx, q)
	}
	hits, err := searchHost(ctx, r.host, q.Text, hostDepth)
	if err != nil {
		return nil, fmt.Errorf("recall facts: %w", err)
	}
	native := collectNative(hits)
	return r.event.find(ctx, q, ranking{weights: r.weights, best: native.best, native: native.by})
}

func sortRanked(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(a.doc.id, b.doc.id)
	})
}

// nativeScores are a host's hits, with the best score of each session.
type nativeScores struct {
	best     NativeScore
	hits     []NativeHit
	sessions map[string]NativeScore
}

func collectNative(hits []NativeHit) nativeScores {
	n := nativeScores{hits: hits, sessions: map[string]NativeScore{}}
	for _, h := range hits {
		n.best = max(n.best, h.Score)
		n.sessions[h.Session] = max(n.sessions[h.Session], h.Score)
	}
	return n
}

// by gives the native score of each fact of a view that is being read.
func (n *nativeScores) by(v *view) func(ordinal int) NativeScore {
	entries := make([]NativeScore, len(v.entries.names))
	for _, h := range n.hits {
		if at, ok := v.entries.number[h.Entry]; ok {
			entries[at] = max(entries[at], h.Score)
		}
	}
	return func(i int) NativeScore { return n.of(&v.docs[i], entries) }
}

// of is the native score of a fact: the best of its entries, of which the second counts
// half and the third a third, since the first states it best; of its session without
// entries.
func (n *nativeScores) of(doc *viewed, entries []NativeScore) NativeScore {
	if len(doc.links) == 0 {
		return n.sessions[doc.session]
	}
	var out NativeScore
	for link, entry := range doc.links {
		out = max(out, entries[entry]/NativeScore(1+link))
	}
	return out
}

// EntryHit is an entry of the host found with the overlay's help.
type EntryHit struct {
	Entry   string
	Session string
	Score   float64     // fused; with β = 0 the host's own
	Native  NativeScore // as the host gave it
	Event   EventScore  // of the best fact linked to it, 0..1: half to a fact's second entry, a third to its third
}

// Overlay ranks a host's own entries with the help of the facts linked to them,
// without touching the host. It is the owner's view.
type Overlay struct {
	recaller *Recaller
	weights  Weights
}

// NewOverlay returns the overlay on r's host with weights w; the zero Weights are
// r's own. ErrInvalid without a host or for weights that don't add up.
func NewOverlay(r *Recaller, w Weights) (*Overlay, error) {
	if r.host == nil {
		return nil, fmt.Errorf("overlay: the recaller has no host: %w", ErrInvalid)
	}
	if w == (Weights{}) {
		w = r.weights
	}
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("overlay: %w", err)
	}
	return &Overlay{recaller: r, weights: w}, nil
}

// Entries returns at most k entries (k <= 0: all) for a question by
// s = α·s_native + β·s_event, ties by id. With β = 0 it is the host's answer as it
// came: order, scores and all (TestOverlayBetaZero).
func (o *Overlay) Entries(ctx context.Context, text string, k int) ([]EntryHit, error) {
	host := o.recaller.host
	ask := k
	if o.weights.Beta > 0 && k > 0 {
		ask = max(k, hostDepth)
	}
	hits, err := searchHost(ctx, host, text, ask)
	if err != nil {
		return nil, fmt.Errorf("recall entries: %w", err)
	}
	out := make([]EntryHit, 0, len(hits))
	place := make(map[string]int, len(hits))
	var best NativeScore
	for _, h := range hits {
		place[h.Entry] = len(out)
		best = max(best, h.Score)
		out = append(out, EntryHit{Entry: h.Entry, Session: h.Session, Score: float64(h.Score), Native: h.Score})
	}
	if o.weights.Beta == 0 {
		return out, nil
	}
	asked, err := o.recaller.event.store.ask(ctx, text, "", nil)
	if err != nil {
		return nil, fmt.Errorf("recall entries: %w", err)
	}
	facts := &o.recaller.event.facts
	err = facts.read(ctx, func() error {
		found, err := facts.rank(ctx, asked, ranking{weights: Weights{Beta: 1}})
		for _, f := range found {
			for link, number := range f.doc.links {
				entry := facts.entries.names[number]
				at, ok := place[entry]
				if !ok { // the host missed it; the fact brings it in
					at = len(out)
					place[entry] = at
					out = append(out, EntryHit{Entry: entry, Session: f.doc.session})
				}
				out[at].Event = max(out[at].Event, f.event/EventScore(1+link))
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("recall entries: %w", err)
	}
	for i := range out {
		// Event scores are parts of the best one already.
		out[i].Score = Fuse(o.weights, out[i].Native, best, out[i].Event, 1)
	}
	slices.SortFunc(out, func(a, b EntryHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Entry, b.Entry)) })
	if k > 0 && len(out) > k {
		out = out[:k]
	}
	return out, nil
}
