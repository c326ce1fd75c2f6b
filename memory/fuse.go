package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
)

// Weights are how much the host's score and the sidecar's count: α and β, not
// negative, with α + β = 1.
type Weights struct{ Alpha, Beta float64 }

// DefaultWeights are α = 0.3 and β = 0.7.
var DefaultWeights = Weights{Alpha: 0.3, Beta: 0.7}

// Check reports ErrInvalid unless w is as Weights says.
func (w Weights) Check() error {
	if !(w.Alpha >= 0 && w.Beta >= 0 && math.Abs(w.Alpha+w.Beta-1) < 1e-9) {
		return fmt.Errorf("weights α = %v, β = %v: want two numbers from 0 that add up to 1: %w", w.Alpha, w.Beta, ErrInvalid)
	}
	return nil
}

// Fuse is the fused score s = α·s_native + β·s_event, 0..1, of a native and an
// event score that are divided by the best ones of the question first. A best of
// 0 stands for a side that found nothing. It is the only place where the two meet.
// Source: EP-Mem, arXiv 2609.35233, §"Memory Retrieval".
func Fuse(w Weights, native, bestNative NativeScore, event, bestEvent EventScore) float64 {
	return w.Alpha*share(float64(native), float64(bestNative)) + w.Beta*share(float64(event), float64(bestEvent))
}

// share is x as a part of the best one, 0..1.
func share(x, best float64) float64 {
	if !(best > 0 && x > 0) {
		return 0
	}
	return min(x/best, 1)
}

// What nearness of the vectors, as a share of the best one, adds to the lexical
// score, where the best words count 1 ([lexical.Weights]): of an embedding model, and
// of vectors that rank only, because they mostly repeat the words.
const (
	vectorPart   = 0.5
	rankOnlyPart = 0.2
)

// rankOnly is an embedder whose vectors mostly rank what the words find. Unlike those
// of a model, they find nothing by themselves, but where a question asks for what is
// near too (Query.Near): then from a cosine of FindsFrom on. Above 1 is never.
type rankOnly interface{ FindsFrom() float64 }

// FindsFrom returns 2: without a shared word a cosine above 0 is a collision of
// hashes.
func (HashEmbedder) FindsFrom() float64 { return 2 }

// ranking says how to rank.
type ranking struct {
	k       int // <= 0: everything that has to do with the question
	set     *lexical.Set
	wide    bool // what only its session speaks for counts as found
	near    bool // so does what is near without a shared word
	weights Weights
	native  func(*view) func(ordinal int) NativeScore // nil: none
	best    NativeScore                               // the best native one
}

// ranked is a document found.
type ranked struct {
	doc    *viewed
	score  float64
	native NativeScore
	event  EventScore // 0..1
	words  float64    // BM25
	cosine float64    // 0 if below
}

// rank returns the documents of r.set by fused score, ties by id. The result is
// exact: a document is left out only if it can't reach the k-th.
func (v *view) rank(ctx context.Context, q question, r ranking) ([]ranked, error) {
	x, err := v.score(ctx, q, r)
	if err != nil {
		return nil, err
	}
	if len(x.near) == len(x.list) {
		return x.all(r), ctx.Err()
	}
	bestEvent := EventScore(0)
	if top := x.top(1, func(i int) float64 { return x.lexical(i) }, x.part); len(top) > 0 {
		bestEvent = EventScore(top[0].score)
	}
	eventUnit := 0.0
	if bestEvent > 0 {
		eventUnit = r.weights.Beta / float64(bestEvent)
	}
	native := func(i int) NativeScore {
		if r.native == nil {
			return 0
		}
		return x.native[i]
	}
	base := func(i int) float64 {
		return Fuse(Weights{Alpha: r.weights.Alpha}, native(i), r.best, 0, 0) + eventUnit*x.lexical(i)
	}
	found := x.top(r.k, base, eventUnit*x.part)
	out := make([]ranked, 0, len(found))
	for _, f := range found {
		i := f.ordinal
		event := x.event(i)
		score := Fuse(r.weights, native(i), r.best, event, bestEvent)
		if score <= 0 {
			continue
		}
		out = append(out, x.ranked(i, score, native(i), r.best, event, bestEvent))
	}
	sortRanked(out)
	return out, nil
}

// all ranks where each vector that counts has been looked at: the scores are known, and
// the k highest are taken.
func (x *scores) all(r ranking) []ranked {
	events := make([]EventScore, len(x.list))
	bestEvent := EventScore(0)
	for at, i := range x.list {
		events[at] = x.event(i)
		bestEvent = max(bestEvent, events[at])
	}
	native := func(i int) NativeScore {
		if x.native == nil {
			return 0
		}
		return x.native[i]
	}
	scored := make([]float64, len(x.list))
	for at, i := range x.list {
		scored[at] = Fuse(r.weights, native(i), r.best, events[at], bestEvent)
	}
	least := 0.0
	if r.k > 0 && r.k < len(scored) {
		least = highest(slices.Clone(scored), r.k)
	}
	var places []place // in x.list, not in the view
	take := func(keep func(score float64) bool) {
		from := len(places)
		for at, i := range x.list {
			if scored[at] > 0 && keep(scored[at]) {
				places = append(places, place{at, x.view.docs[i].id, scored[at]})
			}
		}
		slices.SortFunc(places[from:], byPlace)
	}
	take(func(score float64) bool { return score > least })
	if least > 0 { // of those that share the last place, the first by id
		take(func(score float64) bool { return score == least })
		places = places[:min(r.k, len(places))]
	}
	out := make([]ranked, len(places))
	for n, p := range places {
		i := x.list[p.ordinal]
		out[n] = x.ranked(i, p.score, native(i), r.best, events[p.ordinal], bestEvent)
	}
	return out
}

// ranked is document i as it is handed on.
func (x *scores) ranked(i int, score float64, native, bestNative NativeScore, event, bestEvent EventScore) ranked {
	return ranked{doc: &x.view.docs[i], score: score, native: NativeScore(share(float64(native), float64(bestNative))),
		event: EventScore(share(float64(event), float64(bestEvent))), words: float64(x.text.Words[i]), cosine: x.cosine(i)}
}

// scores are both sides of one question over one view.
type scores struct {
	view     *view
	set      *lexical.Set
	wide     bool
	text     *lexical.Scores
	native   []NativeScore // by ordinal; nil without a host
	list     []int         // the documents of set that may score above 0, by ordinal
	found    int           // documents that the text finds
	vector   []float32     // of the question, nil for none
	near     []int         // the documents whose vectors were looked at
	cosines  []float32     // by ordinal, 0..1; below: not looked at yet
	bestNear float64
	rest     float64 // no vector outside near is nearer than this
	needWord bool    // a vector counts only beside what the text finds
	close    []bool  // by ordinal: found by its vector alone; nil: none is
	part     float64 // vectorPart or wordVectorPart
}

// nearBeside is how many vectors are looked up beside the k asked for.
const nearBeside = 64

func (v *view) score(ctx context.Context, q question, r ranking) (*scores, error) {
	x := &scores{view: v, set: r.set, wide: r.wide, text: v.words.Score(q.words, r.set, lexical.DefaultWeights)}
	for i := range v.docs {
		if x.finds(i) {
			x.found++
		}
	}
	x.part = vectorPart
	ranks, ok := v.store.Embedder().(rankOnly)
	if ok {
		x.needWord, x.part = true, rankOnlyPart
	}
	if ok && r.near && q.vector != nil && ranks.FindsFrom() <= 1 {
		if err := x.findNear(ctx, q.vector, r.k, ranks.FindsFrom()); err != nil {
			return nil, err
		}
	}
	var native func(ordinal int) NativeScore
	if r.native != nil {
		native = r.native(v)
	}
	x.choose(native, x.needWord || q.vector == nil)
	if q.vector == nil || v.vectors.Len() == 0 || x.needWord && x.found == 0 {
		return x, ctx.Err()
	}
	x.vector = q.vector
	x.cosines = make([]float32, len(v.docs))
	for i := range x.cosines {
		x.cosines[i] = -1
	}
	if r.k <= 0 || x.needWord {
		// All are wanted, or what the text finds alone: look at those, unsorted. How
		// they are looked at doesn't hang on how many others there are.
		x.near = make([]int, 0, len(x.list))
		for _, i := range x.list {
			if x.allows(i) {
				x.near = append(x.near, i)
			}
		}
		v.cosines(x.vector, x.near, x.cosines)
		for _, i := range x.near {
			x.bestNear = max(x.bestNear, float64(x.cosines[i]))
		}
		return x, ctx.Err()
	}
	keep := func(id string) bool { return x.allows(v.ordinal[id]) }
	if r.set == nil {
		keep = nil
	}
	k := r.k + nearBeside
	near, err := v.vectors.Query(ctx, q.vector, k, keep)
	if err != nil {
		return nil, err
	}
	for _, n := range near {
		i := v.ordinal[n.ID]
		x.near = append(x.near, i)
		x.cosines[i] = float32(max(n.Score, 0))
	}
	if len(near) > 0 {
		x.bestNear = max(near[0].Score, 0)
	}
	if len(near) == k {
		x.rest = max(near[k-1].Score, 0)
	}
	return x, nil
}

// choose lists the documents that may score above 0: those that the text finds, where
// nothing else can speak for a document, and those that the host knows.
func (x *scores) choose(native func(ordinal int) NativeScore, foundOnly bool) {
	x.list = make([]int, 0, x.found)
	if native != nil {
		x.native = make([]NativeScore, len(x.view.docs))
	}
	for i := range x.view.docs {
		if !x.set.Has(i) {
			continue
		}
		if native != nil {
			x.native[i] = native(i)
		}
		if !foundOnly || x.finds(i) || native != nil && x.native[i] > 0 {
			x.list = append(x.list, i)
		}
	}
}

// findNear finds the documents whose vectors are as near as from, the nearest of them.
func (x *scores) findNear(ctx context.Context, vector []float32, k int, from float64) error {
	k += nearBeside
	if k <= nearBeside {
		k = x.view.vectors.Len()
	}
	var keep func(id string) bool
	if x.set != nil {
		keep = func(id string) bool { return x.set.Has(x.view.ordinal[id]) }
	}
	var near []Scored
	var err error
	if flat, ok := x.view.vectors.(*FlatIndex); ok {
		near, err = flat.from(ctx, vector, k, float32(from), keep)
	} else {
		near, err = x.view.vectors.Query(ctx, vector, k, keep)
	}
	for _, n := range near {
		i := x.view.ordinal[n.ID]
		if n.Score >= from && !x.finds(i) {
			if x.close == nil {
				x.close = make([]bool, len(x.view.docs))
			}
			x.close[i] = true
			x.found++
		}
	}
	return err
}

// finds reports whether the text side finds document i: by a word of its own or its
// time. Neighbours and session only rank it, unless the search is wide: a fact
// stands for itself, and one that merely stood beside what was asked for is no
// answer.
func (x *scores) finds(i int) bool {
	return x.text.Words[i] > 0 || x.text.Dated[i] || x.close != nil && x.close[i] || x.wide && (x.text.Mixed[i] > 0 || x.text.Session[i] > 0)
}

// lexical is what the text side gives document i; nothing to one that it doesn't
// find: cues alone are no reason.
func (x *scores) lexical(i int) float64 {
	if !x.finds(i) {
		return 0
	}
	return x.text.Of(i)
}

// allows reports whether the vector of document i may count.
func (x *scores) allows(i int) bool {
	return x.set.Has(i) && (!x.needWord || x.finds(i))
}

func (x *scores) cosine(i int) float64 {
	if x.vector == nil || !x.allows(i) {
		return 0
	}
	if x.cosines[i] < 0 {
		c := x.view.cosine(x.vector, i)
		x.cosines[i] = float32(max(c, 0)) // it was one: nothing is lost
	}
	return float64(x.cosines[i])
}

// event is the event score of document i, before it is divided by the best one.
func (x *scores) event(i int) EventScore {
	return EventScore(x.lexical(i) + x.part*share(x.cosine(i), x.bestNear))
}

// top returns the k documents of the set with the highest base(i) + weight·nearness,
// for k <= 0 all above 0. A document is compared exactly if its base and the
// farthest nearness that it can still have may take it into the k (Fagin's
// threshold algorithm with one list sorted and one at hand).
func (x *scores) top(k int, base func(ordinal int) float64, weight float64) []place {
	docs := x.view.docs
	everything := k <= 0
	if everything {
		k = len(x.list)
	}
	exact := func(i int) place {
		return place{i, docs[i].id, base(i) + weight*share(x.cosine(i), x.bestNear)}
	}
	out := best[place]{k: k, compare: byPlace}
	done := make([]bool, len(docs))
	for _, i := range x.near {
		done[i] = true
		if s := exact(i); s.score > 0 {
			out.push(s)
		}
	}
	if len(x.near) == len(x.list) {
		return out.sorted()
	}
	most := weight * share(x.rest, x.bestNear)
	var bases []float64 // by place in x.list
	if !everything {
		// The best bases first: they raise the bar for the others.
		bases = make([]float64, len(x.list))
		lead := best[place]{k: k, compare: byPlace}
		for at, i := range x.list {
			bases[at] = base(i)
			if bases[at] > 0 && !done[i] {
				lead.push(place{i, docs[i].id, bases[at]})
			}
		}
		for _, l := range lead.heap {
			done[l.ordinal] = true
			out.push(exact(l.ordinal))
		}
	}
	for at, i := range x.list {
		if done[i] {
			continue
		}
		if !everything && (bases[at] <= 0 || out.full() && bases[at]+most < out.heap[0].score-1e-12) {
			continue
		}
		if s := exact(i); s.score > 0 {
			out.push(s)
		}
	}
	return out.sorted()
}

// place is a document with its score, where the one with the highest comes first,
// ties by id.
type place struct {
	ordinal int
	id      string
	score   float64
}

func byPlace(a, b place) int {
	// Ids are looked at for ties alone: a list may have thousands.
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}
