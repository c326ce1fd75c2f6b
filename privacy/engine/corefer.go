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
	// linkThreshold is the least score at which a draft joins a known event.
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
// a [Coreferrer]. The zero value is not usable; it is not safe for a writer
// beside readers.
type Events struct {
	facts    []indexed
	postings map[string][]int32
	byText   map[string]int32 // folded text of the owner → fact
}

type indexed struct {
	event privacy.EventID
	terms []string
	names []string
	dates []string
	day   string // when it happened, else when it was said
	subj  string
}

// NewEvents returns an empty index.
func NewEvents() *Events {
	return &Events{postings: map[string][]int32{}, byText: map[string]int32{}}
}

// Len returns how many facts the index holds.
func (e *Events) Len() int { return len(e.facts) }

// Add indexes r under the event that its marks name, the owner's hand before the
// machine's. A record without an event mark stands for the event of its own, as
// [Coreferrer] would name it.
func (e *Events) Add(r privacy.Record) {
	ev := privacy.EventID("")
	if m, ok := lastMark(&r, privacy.MarkEvent); ok {
		ev = privacy.EventID(m.Value)
	}
	if ev == "" {
		ev = ownEvent(r.ID)
	}
	e.add(indexRecord(&r, ev), &r)
}

func (e *Events) add(x indexed, r *privacy.Record) {
	i := int32(len(e.facts))
	e.facts = append(e.facts, x)
	for _, t := range x.keys() {
		e.postings[t] = append(e.postings[t], i)
	}
	if r.OwnerSaid {
		if t := foldText(strings.TrimSpace(r.Text)); t != "" {
			if _, known := e.byText[t]; !known {
				e.byText[t] = i
			}
		}
	}
}

// ownEvent is the event of a fact that belongs to no known one.
func ownEvent(id privacy.FactID) privacy.EventID { return privacy.EventID("e" + string(id)) }

func indexRecord(r *privacy.Record, ev privacy.EventID) indexed {
	d := detailsOf(r.Text)
	x := indexed{event: ev, terms: d.terms, names: d.names, subj: foldText(r.Subject)}
	x.dates = d.dates
	// A day is compared as a day; its parts are no terms of their own.
	x.terms = slices.DeleteFunc(x.terms, func(t string) bool { return isMonth(t) || isNumber(t) })
	for _, n := range d.numbers {
		if len(n) >= leastNumber {
			x.terms = append(x.terms, n)
		}
	}
	slices.Sort(x.terms)
	x.terms = slices.Compact(x.terms)
	x.day = r.HappenedAt.Date()
	if x.day == "" {
		x.day = r.SaidAt.Date()
	}
	return x
}

// keys are what x is found by: its terms, and its dates without the year.
func (x indexed) keys() []string {
	out := slices.Clone(x.terms)
	for _, d := range x.dates {
		if k := dayKey(d); k != "" {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func dayKey(date string) string {
	if len(date) == len("2006-01-02") {
		date = date[len("2006-"):]
	}
	if len(date) != len("01-02") {
		return ""
	}
	return "@" + date
}

// idf weighs a term by how few of n facts use it; a term that nobody uses yet
// weighs as the rarest.
func (e *Events) idf(term string) float64 {
	n, df := float64(len(e.facts)), float64(len(e.postings[term]))
	return math.Log(1 + (n+1)/(df+1))
}

// best returns the known fact whose event x most likely shares, and how likely.
func (e *Events) best(x indexed) (int, float64) {
	limit := max(rareCount, int(rareShare*float64(len(e.facts))))
	seen := map[int32]bool{}
	var candidates []int32
	for _, k := range x.keys() {
		post := e.postings[k]
		if len(post) > limit {
			continue
		}
		if len(post) > maxPostings {
			post = post[len(post)-maxPostings:]
		}
		for _, i := range post {
			if !seen[i] {
				seen[i] = true
				candidates = append(candidates, i)
			}
		}
	}
	slices.Sort(candidates)
	at, score := -1, 0.0
	for _, i := range candidates {
		if s := e.similarity(x, e.facts[i]); s > score {
			at, score = int(i), s
		}
	}
	return at, score
}

// similarity scores whether two facts are about one event, 0..1: the cosine of
// their weighted terms, raised by a shared name or day, lowered where both name
// days and none agrees or their subjects differ. Without a shared rare term it
// is 0, whatever the cosine.
func (e *Events) similarity(x, y indexed) float64 {
	dot, nx, ny := 0.0, 0.0, 0.0
	rare := 0
	i, j := 0, 0
	for i < len(x.terms) || j < len(y.terms) {
		switch {
		case j == len(y.terms) || i < len(x.terms) && x.terms[i] < y.terms[j]:
			nx += square(e.idf(x.terms[i]))
			i++
		case i == len(x.terms) || y.terms[j] < x.terms[i]:
			ny += square(e.idf(y.terms[j]))
			j++
		default:
			w := square(e.idf(x.terms[i]))
			dot, nx, ny = dot+w, nx+w, ny+w
			if len(e.postings[x.terms[i]]) <= max(3, len(e.facts)/20) {
				rare++
			}
			i++
			j++
		}
	}
	if rare == 0 || nx == 0 || ny == 0 {
		return 0
	}
	score := dot / math.Sqrt(nx*ny)
	if shared(x.names, y.names, func(a, b string) bool { return a == b }) {
		score += 0.08
	}
	switch {
	case shared(x.dates, y.dates, sameDay):
		score += 0.15
	case len(x.dates) > 0 && len(y.dates) > 0:
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
	out := make([]privacy.Mark, len(drafts))
	for i := range drafts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &drafts[i]
		x := indexRecord(r, "")
		ev, score := ownEvent(r.ID), 0.0
		if found, s, ok := match(r, x, known, batch); ok {
			ev, score = found, s
		}
		x.event = ev
		batch.add(x, r)
		out[i] = privacy.Mark{Kind: privacy.MarkEvent, Value: string(ev), By: privacy.ByMachine, Rule: "MARKS 6", Score: round(score)}
	}
	return out, nil
}

func match(r *privacy.Record, x indexed, indexes ...*Events) (privacy.EventID, float64, bool) {
	type hit struct {
		event privacy.EventID
		score float64
	}
	var hits []hit
	for _, e := range indexes {
		if r.OwnerSaid {
			if i, ok := e.byText[foldText(strings.TrimSpace(r.Text))]; ok {
				hits = append(hits, hit{e.facts[i].event, 1})
				continue
			}
		}
		// Weights of a small batch are those of the batch itself: too few facts to
		// tell rare from common, so its threshold is met by cosine alone.
		if i, s := e.best(x); i >= 0 && s >= linkThreshold {
			hits = append(hits, hit{e.facts[i].event, s})
		}
	}
	if len(hits) == 0 {
		return "", 0, false
	}
	best := slices.MaxFunc(hits, func(a, b hit) int { return cmp.Compare(a.score, b.score) })
	return best.event, best.score, true
}

// round keeps scores readable and stores them alike on every machine.
func round(f float64) float64 { return math.Round(f*1000) / 1000 }
