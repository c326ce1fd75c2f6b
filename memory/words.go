package memory

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Set is a set of the documents of a [WordIndex], by their ordinals. It is made
// by [WordIndex.Set] and fits that index until a document is added.
type Set struct {
	bits   []uint64
	n      int     // how many documents
	length float64 // the sum of their lengths
}

// Has reports whether ordinal i is in the set.
func (s *Set) Has(i int) bool {
	return i>>6 < len(s.bits) && s.bits[i>>6]&(1<<(i&63)) != 0
}

// Len returns how many documents are in the set.
func (s *Set) Len() int { return s.n }

// WordIndex is the lexical view: BM25 over documents given as index terms. A
// query for a set of documents knows of no other: number, lengths and document
// frequencies are those of the set, so a ranking never depends on what its
// reader may not know. It is not safe for use while a document is added.
//
// Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009,
// with k1 = 0.9, b = 0.4.
type WordIndex struct {
	words   map[string]int // place in lists
	lists   [][]posting
	lengths []float32 // of each document, in terms
	length  float64   // their sum
}

type posting struct {
	doc   uint32
	count float32
}

const (
	bm25K1 = 0.9
	bm25B  = 0.4
	// dateWeight is what a word of a document's date counts beside a word of its
	// text: enough to choose among equals, too little to outdo a word that is said.
	dateWeight = 0.5
)

// NewWordIndex returns an empty index.
func NewWordIndex() *WordIndex { return &WordIndex{words: map[string]int{}} }

// Add puts in the next document and returns its ordinal, 0, 1, …; dates are the
// words of its date, which count less and add no length.
func (x *WordIndex) Add(terms, dates []string) int {
	doc := uint32(len(x.lengths))
	for _, term := range terms {
		x.count(term, doc, 1)
	}
	for _, term := range dates {
		x.count(term, doc, dateWeight)
	}
	x.lengths = append(x.lengths, float32(len(terms)))
	x.length += float64(len(terms))
	return int(doc)
}

func (x *WordIndex) count(term string, doc uint32, weight float32) {
	at, ok := x.words[term]
	if !ok {
		at = len(x.lists)
		x.words[term] = at
		x.lists = append(x.lists, nil)
	}
	list := x.lists[at]
	if n := len(list); n > 0 && list[n-1].doc == doc {
		list[n-1].count += weight
		return
	}
	x.lists[at] = append(list, posting{doc, weight})
}

// Len returns how many documents there are.
func (x *WordIndex) Len() int { return len(x.lengths) }

// Set returns the documents that keep allows.
func (x *WordIndex) Set(keep func(ordinal int) bool) *Set {
	s := &Set{bits: make([]uint64, (len(x.lengths)+63)/64)}
	for i, length := range x.lengths {
		if keep(i) {
			s.bits[i>>6] |= 1 << (i & 63)
			s.length += float64(length)
		}
	}
	for _, b := range s.bits {
		s.n += bits.OnesCount64(b)
	}
	return s
}

// WordHit is a document that has a word of the question.
type WordHit struct {
	Ordinal int
	Score   float64 // BM25, above 0
}

// Score returns the documents of the set (nil: all) that have a term of the
// question, by ordinal. Terms may repeat; each counts once.
func (x *WordIndex) Score(terms []string, set *Set) []WordHit {
	n, length := len(x.lengths), x.length
	if set != nil {
		n, length = set.n, set.length
	}
	if n == 0 {
		return nil
	}
	average := max(length/float64(n), 1)
	// In the order of the terms, so that sums round the same way whatever else
	// the index holds.
	question := slices.Compact(slices.Sorted(slices.Values(terms)))
	scores := make([]float32, len(x.lengths))
	var found []uint32
	for _, term := range question {
		at, ok := x.words[term]
		if !ok {
			continue
		}
		list := x.lists[at]
		df := len(list)
		if set != nil {
			df = 0
			for _, p := range list {
				if set.Has(int(p.doc)) {
					df++
				}
			}
		}
		idf := math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
		for _, p := range list {
			if set != nil && !set.Has(int(p.doc)) {
				continue
			}
			norm := bm25K1 * (1 - bm25B + bm25B*float64(x.lengths[p.doc])/average)
			if scores[p.doc] == 0 {
				found = append(found, p.doc)
			}
			scores[p.doc] += float32(idf * float64(p.count) * (bm25K1 + 1) / (float64(p.count) + norm))
		}
	}
	slices.Sort(found)
	out := make([]WordHit, 0, len(found))
	for _, doc := range found {
		out = append(out, WordHit{int(doc), float64(scores[doc])})
	}
	return out
}

// bestWordScore returns the highest score of hits, 0 without any.
func bestWordScore(hits []WordHit) float64 {
	if len(hits) == 0 {
		return 0
	}
	return slices.MaxFunc(hits, func(a, b WordHit) int { return cmp.Compare(a.Score, b.Score) }).Score
}
