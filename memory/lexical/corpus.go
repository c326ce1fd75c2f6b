package lexical

import (
	"cmp"
	"slices"
)

// Document is one text of a [Corpus]: a message, or a fact.
type Document struct {
	Key     string   // its name; it settles what nothing else does
	Terms   []string // as [IndexTerms] gives them
	Dates   []string // terms of the day that it is about or was said on
	Session string   // the sitting that it belongs to; "" none
	Place   int      // its place there; below 0 unknown: it stands beside nothing
	By      string   // who said it; "" unknown
	About   string   // whom it is about, if not By; "" unknown
	Cues    Cue
	Days    Days // when it was, or was said; zero: unknown
}

// Corpus ranks documents for questions by their words and by where they stand:
// BM25 over each document mixed with its neighbours in the session, over whole
// sessions, and what the question asks for ([Weights]).
//
// A question is asked of a set of documents and knows of no other: numbers,
// lengths and frequencies, neighbours, sessions, people and maxima are those of
// the set. So no ranking depends on what its reader may not know: with a document
// outside the set gone the scores are the same to the bit (TestCorpusKnowsNoOther).
// What is summed over documents is summed in whole numbers, so that the order in
// which they came leaves no trace either.
//
// It is not safe for use while a document is added.
type Corpus struct {
	words    map[string]int32 // place in lists
	lists    [][]posting
	docs     []document
	keys     []string
	sessions map[string]int32
	people   map[string]int32 // place in names, by folded name
	names    []personName
	order    []uint32 // the documents by session and place, as far as settled
	seen     seen
}

// document is what a corpus keeps of a Document beside its words.
type document struct {
	length    uint32
	session   int32 // -1 none
	place     int32
	by, about int32 // -1 nobody
	days      Days
	cues      Cue
}

type posting struct {
	doc   uint32
	count uint16 // in the text
	dated bool   // in the date
}

// NewCorpus returns an empty corpus.
func NewCorpus() *Corpus {
	return &Corpus{words: map[string]int32{}, sessions: map[string]int32{}, people: map[string]int32{}}
}

// Len returns how many documents there are.
func (c *Corpus) Len() int { return len(c.docs) }

// Add puts in the next document and returns its ordinal, 0, 1, …
func (c *Corpus) Add(d Document) int {
	at := len(c.docs)
	doc := document{
		length: uint32(len(d.Terms)), session: -1, place: int32(d.Place),
		by: c.person(d.By), about: c.person(d.About), days: d.Days, cues: d.Cues,
	}
	for _, term := range d.Terms {
		if p := c.posting(term, at); p.count < ^uint16(0) {
			p.count++
		}
	}
	for _, term := range d.Dates {
		c.posting(term, at).dated = true
	}
	if d.Session != "" {
		n, ok := c.sessions[d.Session]
		if !ok {
			n = int32(len(c.sessions))
			c.sessions[d.Session] = n
		}
		doc.session = n
	}
	c.docs = append(c.docs, doc)
	c.keys = append(c.keys, d.Key)
	return at
}

func (c *Corpus) posting(term string, doc int) *posting {
	at, ok := c.words[term]
	if !ok {
		at = int32(len(c.lists))
		c.words[term] = at
		c.lists = append(c.lists, nil)
	}
	if n := len(c.lists[at]); n == 0 || c.lists[at][n-1].doc != uint32(doc) {
		c.lists[at] = append(c.lists[at], posting{doc: uint32(doc)})
	}
	return &c.lists[at][len(c.lists[at])-1]
}

func (c *Corpus) person(name string) int32 {
	n := newPersonName(name)
	if n.folded == "" {
		return -1
	}
	at, ok := c.people[n.folded]
	if !ok {
		at = int32(len(c.names))
		c.people[n.folded] = at
		c.names = append(c.names, n)
	}
	return at
}

// Settle finds the neighbours of documents that were added. It is to be called
// before the next question.
func (c *Corpus) Settle() {
	if len(c.order) == len(c.docs) {
		return
	}
	for i := len(c.order); i < len(c.docs); i++ {
		c.order = append(c.order, uint32(i))
	}
	slices.SortFunc(c.order, func(a, b uint32) int {
		x, y := &c.docs[a], &c.docs[b]
		return cmp.Or(cmp.Compare(x.session, y.session), cmp.Compare(x.place, y.place), cmp.Compare(c.keys[a], c.keys[b]))
	})
}

// Set is a set of the documents of a [Corpus], by their ordinals. It fits that
// corpus until a document is added. A nil set holds everything.
type Set struct{ bits []uint64 }

// Set returns the documents that keep allows.
func (c *Corpus) Set(keep func(ordinal int) bool) *Set {
	s := &Set{bits: make([]uint64, (len(c.docs)+63)/64)}
	for i := range c.docs {
		if keep(i) {
			s.bits[i>>6] |= 1 << (i & 63)
		}
	}
	return s
}

// Has reports whether ordinal i is in the set.
func (s *Set) Has(i int) bool {
	return s == nil || i>>6 < len(s.bits) && s.bits[i>>6]&(1<<(i&63)) != 0
}
