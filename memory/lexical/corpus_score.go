package lexical

import (
	"math"
	"slices"
)

// Weights say what counts how much in a [Corpus]. The score of a document is a sum
// of parts: its words with those of its neighbours, as a share of the best one,
// and to that what the others add. Chosen on one half of a public set of
// conversations and kept round; docs/retrieval.md has the figures of each.
type Weights struct {
	K1, B               float64 // BM25 of documents
	SessionK1, SessionB float64 // BM25 of sessions

	// What of its neighbours' words counts as a document's own: of the one before,
	// of one before that asks something, of the one behind, and of those at two
	// steps. Of these and Date two decimals count.
	Before, Answers, Behind, Far float64

	Date float64 // a word of the date, beside 1 for a word of the text
	Name float64 // a word that names somebody of whom the question is, beside 1 for others

	Person  float64 // it is about somebody whom the question names, or by them and about nobody else
	Session float64 // the score of its session's words, as a share of the best one
	Time    float64 // it tells a time, and the question asks for one
	Number  float64 // it tells a number, and the question asks for one
	Called  float64 // it calls something by its name, and the question asks for a name
	Tells   float64 // it asks nothing itself
	Day     float64 // it was in a time that the question names

	// Best is what a session's best document adds to the session's own words.
	Best float64
}

// DefaultWeights are the weights in use.
var DefaultWeights = Weights{
	K1: 1.2, B: 0.5, SessionK1: 1.2, SessionB: 0.75,
	Before: 0.4, Answers: 1, Behind: 0.2, Far: 0.15,
	Date: 1, Name: 0.3,
	Person: 0.6, Session: 0.6, Time: 0.5, Number: 0.3, Called: 0.3, Tells: 0.2, Day: 0.6,
	Best: 1.5,
}

// Scores are what a [Corpus] says to a question, by ordinal.
type Scores struct {
	Words   []float32 // BM25 of the document alone: above 0 with a word of the question
	Mixed   []float32 // BM25 with its neighbours, as a share of the best one
	Session []float32 // BM25 of its session, as a share of the best one
	Cues    []float32 // what else speaks for it, by weight; 0 outside the set
	Dated   []bool    // it was in a time that the question names
	Most    float64   // BM25 of a document that said nothing but the question's words, over and over

	corpus *Corpus
	whole  []float32 // Session by session
	w      Weights
}

// Of is the score of document i beside others, whether it has a word of the
// question or not.
func (s *Scores) Of(i int) float64 {
	return float64(s.Mixed[i]) + s.w.Session*float64(s.Session[i]) + float64(s.Cues[i])
}

// SessionScore is the score of a session that holds a document of the set whose
// best one scores best: its own words and those of the best document.
func (s *Scores) SessionScore(i int, best float64) float64 {
	return float64(s.Session[i]) + s.w.Best*best
}

// Near is the score of document i in the eyes of its session: without what the
// session lends it.
func (s *Scores) Near(i int) float64 { return float64(s.Mixed[i]) + float64(s.Cues[i]) }

// Score scores the documents of set for a question. Documents outside it have 0
// everywhere.
func (c *Corpus) Score(q Question, set *Set, w Weights) *Scores {
	n := len(c.docs)
	out := &Scores{
		Words: make([]float32, n), Mixed: make([]float32, n), Session: make([]float32, n), Cues: make([]float32, n), Dated: make([]bool, n),
		corpus: c, whole: make([]float32, len(c.sessions)), w: w,
	}
	b := c.bound(set, w)
	if b.n == 0 {
		return out
	}
	named, names := c.named(q, set)
	b.count(q.Terms, names, out)
	normalise(out.Mixed)
	normalise(out.whole)
	for i := range c.docs {
		if !set.Has(i) {
			continue
		}
		d := &c.docs[i]
		if d.session >= 0 {
			out.Session[i] = out.whole[d.session]
		}
		out.Dated[i] = meets(q.Days, d.days)
		out.Cues[i] = float32(w.cues(&q, d, named, out.Dated[i]))
	}
	return out
}

// cues is what speaks for document d beside its words.
func (w *Weights) cues(q *Question, d *document, named namedPeople, dated bool) float64 {
	var sum float64
	switch {
	case len(named) == 0:
	case d.about >= 0 && named.has(d.about), d.about < 0 && named.has(d.by):
		sum += w.Person / float64(named.persons())
	case named.has(d.by):
		sum += w.Person / 2 / float64(named.persons())
	}
	if q.When && d.cues&TellsTime != 0 {
		sum += w.Time
	}
	if q.HowMany && d.cues&TellsNumber != 0 {
		sum += w.Number
	}
	if q.Called && d.cues&TellsName != 0 {
		sum += w.Called
	}
	if d.cues&Asks == 0 {
		sum += w.Tells
	}
	if dated {
		sum += w.Day
	}
	return sum
}

// normalise divides a list by its maximum, if that is above 0.
func normalise(list []float32) {
	if len(list) == 0 {
		return
	}
	best := slices.Max(list)
	if best <= 0 {
		return
	}
	for i := range list {
		list[i] /= best
	}
}

// rarity is BM25's idf in the form that is never negative:
// ln(1 + (n − df + ½)/(df + ½)).
func rarity(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+0.5)/(float64(df)+0.5))
}

// saturate is BM25's term frequency of a word that occurs count times in a
// document of length times the average.
// Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009.
func saturate(count, length, k1, b float64) float64 {
	return count * (k1 + 1) / (count + k1*(1-b+b*length))
}
