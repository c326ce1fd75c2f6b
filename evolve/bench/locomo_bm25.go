package bench

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
)

// BM25 is the baseline: plain BM25 over words as they stand, no stems, no stop
// words; a turn is "speaker: text caption", a session its turns. It shares no code
// with what it is compared to.
func BM25() System {
	return System{Name: "bm25", Fill: func(_ context.Context, c Conversation) (Ranker, error) {
		out := &bm25Ranker{}
		for _, s := range c.Sessions {
			var whole []string
			for _, t := range s.Turns {
				words := plainWords(t.Speaker + ": " + t.Text + " " + t.Caption)
				out.turns.add(t.ID, words)
				whole = append(whole, words...)
			}
			out.sessions.add(s.ID, whole)
		}
		return out, nil
	}}
}

var plainWord = regexp.MustCompile(`[\p{L}\p{N}_]+(?:['’][\p{L}\p{N}_]+)*`)

func plainWords(s string) []string { return plainWord.FindAllString(strings.ToLower(s), -1) }

type bm25Ranker struct{ turns, sessions bm25 }

func (r *bm25Ranker) Turns(_ context.Context, question string, k int) ([]string, error) {
	return r.turns.rank(plainWords(question), k), nil
}

func (r *bm25Ranker) Sessions(_ context.Context, question string, k int) ([]string, error) {
	return r.sessions.rank(plainWords(question), k), nil
}

func (r *bm25Ranker) Close() error { return nil }

// bm25 is Okapi BM25 with k1 = 1.2, b = 0.75 and an idf that is never negative.
type bm25 struct {
	ids    []string
	counts []map[string]int
	length []int
	total  int
	df     map[string]int
}

func (x *bm25) add(id string, words []string) {
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	if x.df == nil {
		x.df = map[string]int{}
	}
	for w := range counts {
		x.df[w]++
	}
	x.ids, x.counts, x.length = append(x.ids, id), append(x.counts, counts), append(x.length, len(words))
	x.total += len(words)
}

// rank returns the ids by falling score, ties in the order in which they were added.
func (x *bm25) rank(question []string, k int) []string {
	const k1, b = 1.2, 0.75
	n, average := float64(len(x.ids)), float64(x.total)/float64(max(len(x.ids), 1))
	scores := make([]float64, len(x.ids))
	order := make([]int, len(x.ids))
	for i := range x.ids {
		order[i] = i
		for _, w := range question {
			tf := float64(x.counts[i][w])
			if tf == 0 {
				continue
			}
			idf := math.Log(1 + (n-float64(x.df[w])+0.5)/(float64(x.df[w])+0.5))
			scores[i] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(x.length[i])/average))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := make([]string, 0, k)
	for _, i := range order[:min(k, len(order))] {
		out = append(out, x.ids[i])
	}
	return out
}
