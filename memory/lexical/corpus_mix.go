package lexical

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
)

// bound is a corpus as a set shows it: who stands beside whom, and how long all is.
type bound struct {
	corpus *Corpus
	size   int // of the corpus, outside of the set too
	set    *Set
	w      Weights

	n              int     // documents
	before, behind []int32 // the neighbours of each document in the set; -1 none
	mixed          []int32 // the length of each document with its neighbours, in hundredths
	ownMean        float64
	mixedMean      float64 // in hundredths

	sessions    int
	whole       []int32 // the length of each session
	sessionMean float64

	// Weights in hundredths: sums of whole numbers are the same in any order.
	fromBefore, fromAsking, fromBehind, fromFar, fromDate int32
}

// seenMost is how many sets a corpus is remembered for: each takes a dozen bytes a
// document.
const seenMost = 8

// seen keeps how a corpus was last seen through some sets: the next question through
// one of them sees it so, too.
type seen struct {
	mu   sync.Mutex
	last []*bound // the latest last
}

// bound returns the corpus as set shows it.
func (c *Corpus) bound(set *Set, w Weights) *bound {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	list := c.seen.last
	at := slices.IndexFunc(list, func(b *bound) bool { return b.set == set && b.size == len(c.docs) && b.w == w })
	if at >= 0 {
		b := list[at]
		c.seen.last = append(slices.Delete(list, at, at+1), b)
		return b
	}
	if len(list) >= seenMost {
		list = slices.Delete(list, 0, 1)
	}
	b := c.bind(set, w)
	c.seen.last = append(list, b)
	return b
}

func hundredths(w float64) int32 { return int32(math.Round(100 * w)) }

func (c *Corpus) bind(set *Set, w Weights) *bound {
	n := len(c.docs)
	b := &bound{
		corpus: c, size: n, set: set, w: w, before: make([]int32, n), behind: make([]int32, n), mixed: make([]int32, n), whole: make([]int32, len(c.sessions)),
		fromBefore: hundredths(w.Before), fromAsking: hundredths(w.Answers), fromBehind: hundredths(w.Behind), fromFar: hundredths(w.Far), fromDate: hundredths(w.Date),
	}
	last := int32(-1)
	seen := make([]bool, len(c.sessions))
	var own, whole, mixed int64
	for _, o := range c.order {
		i := int32(o)
		if !set.Has(int(i)) {
			continue
		}
		d := &c.docs[i]
		b.n++
		own += int64(d.length)
		b.before[i], b.behind[i] = -1, -1
		if d.session >= 0 {
			if last >= 0 && c.docs[last].session == d.session && c.docs[last].place >= 0 {
				b.before[i], b.behind[last] = last, i
			}
			if !seen[d.session] {
				seen[d.session] = true
				b.sessions++
			}
			b.whole[d.session] += int32(d.length)
			whole += int64(d.length)
		}
		last = i
	}
	for _, o := range c.order {
		if i := int32(o); set.Has(int(i)) {
			length := int32(c.docs[i].length)
			b.spread(i, func(to, weight int32) { b.mixed[to] += weight * length })
		}
	}
	for _, length := range b.mixed {
		mixed += int64(length)
	}
	b.ownMean, b.mixedMean, b.sessionMean = mean(own, b.n), mean(mixed, b.n), mean(whole, b.sessions)
	return b
}

// mean is at least 1: a corpus of empty documents has no lengths to compare.
func mean(sum int64, n int) float64 { return max(float64(sum)/float64(max(n, 1)), 1) }

// spread tells how much of document i counts as whose: all of it as its own, parts
// as its neighbours'.
func (b *bound) spread(i int32, give func(to, hundredths int32)) {
	give(i, 100)
	if x := b.before[i]; x >= 0 {
		give(x, b.fromBehind)
		if x = b.before[x]; x >= 0 {
			give(x, b.fromFar)
		}
	}
	if x := b.behind[i]; x >= 0 {
		if b.corpus.docs[i].cues&Asks != 0 {
			give(x, b.fromAsking) // what is asked is what the next one answers
		} else {
			give(x, b.fromBefore)
		}
		if x = b.behind[x]; x >= 0 {
			give(x, b.fromFar)
		}
	}
}

// count adds up the words of a question: in each document, in each with its
// neighbours, in each session. Words of the names of those whom it names count by
// their own weight, all their names alike.
func (b *bound) count(terms []string, names map[string]bool, out *Scores) {
	docs := b.corpus.docs
	mixed, whole, dated := make([]int32, len(docs)), make([]int32, len(b.whole)), make([]bool, len(b.whole))
	var touched, sessions []int32
	// In the order of the terms: sums of fractions round the same way then.
	question := slices.AppendSeq(slices.Clone(terms), maps.Keys(names))
	slices.Sort(question)
	for _, term := range slices.Compact(question) {
		weight := 1.0
		if names[term] {
			weight = b.w.Name
		}
		at, ok := b.corpus.words[term]
		if !ok {
			if !strings.Contains(term, ":") { // not the stem of a language that isn't here
				out.Most += weight * rarity(b.n, 0) * (b.w.K1 + 1)
			}
			continue
		}
		touched, sessions = touched[:0], sessions[:0]
		df := 0
		for _, p := range b.corpus.lists[at] {
			i := int32(p.doc)
			if !b.set.Has(int(i)) {
				continue
			}
			df++
			give := func(to, hundredths int32) {
				if mixed[to] == 0 {
					touched = append(touched, to)
				}
				mixed[to] += hundredths
			}
			if p.dated && b.fromDate > 0 {
				give(i, b.fromDate)
			}
			if count := int32(p.count); count > 0 {
				b.spread(i, func(to, hundredths int32) {
					if hundredths > 0 {
						give(to, hundredths*count)
					}
				})
			}
			if s := docs[i].session; s >= 0 {
				if whole[s] == 0 && !dated[s] {
					sessions = append(sessions, s)
				}
				whole[s] += int32(p.count)
				dated[s] = dated[s] || p.dated
			}
		}
		idf := weight * rarity(b.n, df)
		out.Most += idf * (b.w.K1 + 1)
		for _, p := range b.corpus.lists[at] {
			if count := float64(p.count) + boolean(p.dated)*b.w.Date; b.set.Has(int(p.doc)) && count > 0 {
				out.Words[p.doc] += float32(idf * saturate(count, float64(docs[p.doc].length)/b.ownMean, b.w.K1, b.w.B))
			}
		}
		for _, i := range touched {
			out.Mixed[i] += float32(idf * saturate(float64(mixed[i])/100, float64(b.mixed[i])/b.mixedMean, b.w.K1, b.w.B))
			mixed[i] = 0
		}
		idf = weight * rarity(b.sessions, len(sessions))
		for _, s := range sessions {
			count := float64(whole[s]) + boolean(dated[s])*b.w.Date // the date of a session counts once
			out.whole[s] += float32(idf * saturate(count, float64(b.whole[s])/b.sessionMean, b.w.SessionK1, b.w.SessionB))
			whole[s], dated[s] = 0, false
		}
	}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
