package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// How the offline coreferrer decides. It would rather leave two facts of one
// event apart than join two events: a link can lend a whitelist.
const (
	// linkThreshold is the least score at which a draft joins a known event, where
	// lessons don't move it.
	linkThreshold = 0.42
	// rareShare and rareCount bound how many facts may use a term that proposes
	// candidates: commoner ones say nothing about an event, and following them
	// would make an import quadratic.
	rareShare = 0.02
	rareCount = 24
	// maxPostings caps how many facts one term proposes.
	maxPostings = 64
)

// Events is an index over known facts by what identifies their events: rare
// terms, names, numbers and dates. It grows by [Events.Add] and is looked up by
// a [Coreferrer]. It is not safe for a writer beside readers.
type Events struct {
	facts  []indexed
	ids    map[string]int32 // term or day → number
	posted [][]int32        // number → facts that have it, ascending
	byText map[string]int32 // folded text of the owner → fact
	of     map[privacy.EventID][]int32
}

// features are what identifies an event in one statement.
type features struct {
	terms []string // sorted
	names []string
	dates []string
	when  calendar
	frame []string // terms in their order
	subj  string
}

// indexed is a known fact: its features, with terms by number.
type indexed struct {
	features
	event privacy.EventID
	ids   []int32 // ascending
}

// NewEvents returns an empty index.
func NewEvents() *Events {
	return &Events{ids: map[string]int32{}, byText: map[string]int32{}, of: map[privacy.EventID][]int32{}}
}

// Len returns how many facts the index holds.
func (e *Events) Len() int { return len(e.facts) }

// Add indexes r under the event that its marks name, the owner's hand before the
// machine's. A record without an event mark stands for the event of its own, as
// [Coreferrer] would name it.
func (e *Events) Add(r privacy.Record) {
	ev := privacy.EventID("")
	if m := lastMark(&r, privacy.MarkEvent); m != nil {
		ev = privacy.EventID(m.Value)
	}
	if ev == "" {
		ev = ownEvent(r.ID)
	}
	e.add(featuresOf(&r), ev, &r)
}

func (e *Events) add(x features, ev privacy.EventID, r *privacy.Record) {
	i := int32(len(e.facts))
	known := indexed{features: x, event: ev}
	known.terms = nil // by number from here on
	for _, t := range x.terms {
		known.ids = append(known.ids, e.post(t, i))
	}
	slices.Sort(known.ids)
	for _, k := range x.days() {
		e.post(k, i)
	}
	e.facts = append(e.facts, known)
	e.of[ev] = append(e.of[ev], i)
	if t := foldText(strings.TrimSpace(r.Text)); r.OwnerSaid && t != "" {
		if _, have := e.byText[t]; !have {
			e.byText[t] = i
		}
	}
}

// post notes that fact i has a term, and returns the term's number.
func (e *Events) post(term string, i int32) int32 {
	id, ok := e.ids[term]
	if !ok {
		id = int32(len(e.posted))
		e.ids[strings.Clone(term)] = id
		e.posted = append(e.posted, nil)
	}
	e.posted[id] = append(e.posted[id], i)
	return id
}

// ownEvent is the event of a fact that belongs to no known one.
func ownEvent(id privacy.FactID) privacy.EventID { return privacy.EventID("e" + string(id)) }

func featuresOf(r *privacy.Record) features {
	d := detailsOf(r.Text)
	x := features{names: d.names, dates: d.dates, when: calendarOf(r), frame: frameOf(r.Text), subj: foldText(r.Subject)}
	// A day is compared as a day; its parts are no terms of their own.
	x.terms = slices.DeleteFunc(d.terms, func(t string) bool { return isMonth(t) || isNumber(t) })
	for _, n := range d.numbers {
		if len(n) >= leastNumber {
			x.terms = append(x.terms, n)
		}
	}
	slices.Sort(x.terms)
	x.terms = slices.Compact(x.terms)
	return x
}

// days are the dates of x as they are found: without the year.
func (x features) days() []string {
	var out []string
	for _, d := range x.dates {
		if len(d) == len("2006-01-02") {
			d = d[len("2006-"):]
		}
		if len(d) == len("01-02") {
			out = append(out, "@"+d)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// weight is the squared weight of a term that df of the known facts have: the
// fewer, the more; one that nobody has yet weighs as the rarest.
func (e *Events) weight(df int) float64 {
	return square(math.Log(1 + float64(len(e.facts)+1)/float64(df+1)))
}

// best returns the known fact whose event x most likely shares, and how likely.
func (e *Events) best(x features) (int, float64) {
	limit := max(rareCount, int(rareShare*float64(len(e.facts))))
	q := query{features: x}
	var candidates []int32
	propose := func(key string) (int32, bool) {
		id, ok := e.ids[key]
		if !ok {
			return 0, false
		}
		if post := e.posted[id]; len(post) <= limit {
			candidates = append(candidates, post[max(0, len(post)-maxPostings):]...)
		}
		return id, true
	}
	for _, t := range x.terms {
		if id, ok := propose(t); ok {
			q.ids = append(q.ids, id)
			q.norm += e.weight(len(e.posted[id]))
		} else {
			q.norm += e.weight(0)
		}
	}
	for _, k := range x.days() {
		propose(k)
	}
	slices.Sort(q.ids)
	slices.Sort(candidates)
	at, score := -1, 0.0
	for _, i := range slices.Compact(candidates) {
		if s := e.similarity(&q, &e.facts[i]); s > score && !e.apart(&x.when, e.facts[i].event) {
			at, score = int(i), s
		}
	}
	return at, score
}

// query is a statement that is looked up.
type query struct {
	features
	ids  []int32 // of the terms that are known, ascending
	norm float64 // squared
}

// similarity scores whether two facts are about one event, 0..1: the cosine of
// their weighted terms, raised by a shared name or day, lowered where both name
// dates and none agrees or their subjects differ. Without a shared rare term, on
// different days or about different things it is 0, whatever the cosine.
func (e *Events) similarity(x *query, y *indexed) float64 {
	dot, norm := 0.0, 0.0
	rare, i := 0, 0
	for _, id := range y.ids {
		df := len(e.posted[id])
		wt := e.weight(df)
		norm += wt
		for i < len(x.ids) && x.ids[i] < id {
			i++
		}
		if i < len(x.ids) && x.ids[i] == id {
			dot += wt
			if df <= max(3, len(e.facts)/20) {
				rare++
			}
		}
	}
	if rare == 0 || x.norm == 0 || norm == 0 || x.when.apart(&y.when) || contrast(x.frame, y.frame) {
		return 0
	}
	score := dot / math.Sqrt(x.norm*norm)
	if shared(x.names, y.names, func(a, b string) bool { return a == b }) {
		score += 0.08
	}
	switch {
	case shared(x.dates, y.dates, sameDay):
		score += 0.15
	case len(x.dates) > 0 && len(y.dates) > 0 && !x.when.moved && !y.when.moved:
		score -= 0.08
	}
	if rare >= 3 {
		score += 0.08
	}
	if x.subj != "" && y.subj != "" && x.subj != y.subj {
		score -= 0.05
	}
	return min(max(score, 0), 1)
}

// corrected returns the event of the last fact about x's subject that shares a term
// with x beside the subject's own name.
func (e *Events) corrected(x features) (privacy.EventID, bool) {
	own := uniqueTerms(x.subj)
	var ids []int32
	for _, t := range x.terms {
		if id, ok := e.ids[t]; ok && !slices.Contains(own, t) {
			ids = append(ids, id)
		}
	}
	for _, known := range slices.Backward(e.facts) {
		if known.subj == x.subj && slices.ContainsFunc(known.ids, func(id int32) bool { return slices.Contains(ids, id) }) {
			return known.event, true
		}
	}
	return "", false
}

func square(f float64) float64 { return f * f }

func shared(a, b []string, same func(x, y string) bool) bool {
	for _, x := range a {
		for _, y := range b {
			if same(x, y) {
				return true
			}
		}
	}
	return false
}

// Corefer implements [Coreferrer]. A draft joins the event of the known fact, or
// of the earlier draft, that it resembles most when that is enough; else it
// begins an event of its own, named after its fact. What the owner repeats word
// for word is the same event.
func (o *Offline) Corefer(ctx context.Context, drafts []privacy.Record, known *Events) ([]privacy.Mark, error) {
	if known == nil {
		known = NewEvents()
	}
	batch := NewEvents()
	links := map[string]float64{} // by language
	out := make([]privacy.Mark, len(drafts))
	for i := range drafts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &drafts[i]
		x := featuresOf(r)
		ev, score := ownEvent(r.ID), 0.0
		language := scriptOf(r.Text)
		link, ok := links[language]
		if !ok {
			link = taughtBounds(language, o.lessons).link
			links[language] = link
		}
		if found, s, ok := match(r, x, link, known, batch); ok {
			ev, score = found, s
		}
		batch.add(x, ev, r)
		out[i] = privacy.Mark{Kind: privacy.MarkEvent, Value: string(ev), By: privacy.ByMachine, Rule: "MARKS 6", Score: round(score)}
	}
	return out, nil
}

// match finds the event of a draft; link is the least score that joins it.
func match(r *privacy.Record, x features, link float64, indexes ...*Events) (privacy.EventID, float64, bool) {
	type hit struct {
		event privacy.EventID
		score float64
	}
	var hits []hit
	if turnCues.in(foldText(r.Text)).has(retracting) {
		// A correction belongs to what it corrects, and keeps its marks.
		for _, e := range slices.Backward(indexes) {
			if event, ok := e.corrected(x); ok {
				return event, linkThreshold, true
			}
		}
	}
	for _, e := range indexes {
		if r.OwnerSaid {
			if i, ok := e.byText[foldText(strings.TrimSpace(r.Text))]; ok && !x.when.apart(&e.facts[i].when) {
				hits = append(hits, hit{e.facts[i].event, 1})
				continue
			}
		}
		// Weights of a small batch are those of the batch itself: too few facts to
		// tell rare from common, so its threshold is met by cosine alone.
		if i, s := e.best(x); i >= 0 && s >= link {
			hits = append(hits, hit{e.facts[i].event, s})
		}
	}
	hits = slices.DeleteFunc(hits, func(h hit) bool {
		return h.score < 1 && slices.ContainsFunc(indexes, func(e *Events) bool { return e.apart(&x.when, h.event) })
	})
	if len(hits) == 0 {
		return "", 0, false
	}
	best := slices.MaxFunc(hits, func(a, b hit) int { return cmp.Compare(a.score, b.score) })
	return best.event, best.score, true
}

// round keeps scores readable and stores them alike on every machine.
func round(f float64) float64 { return math.Round(f*1000) / 1000 }
