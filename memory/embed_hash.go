package memory

import (
	"context"
	"hash/fnv"
	"math"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
)

// HashEmbedder is the embedded default: signed feature hashing of a text's index
// terms (stems, CJK bigrams), each weighed by 1 + ln of its count, to unit
// length. It finds shared words, not meanings. A vector depends on its text
// alone, never on what else a store holds. The zero value is ready.
// Source: Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009.
type HashEmbedder struct{}

var _ Embedder = HashEmbedder{}

const hashDimensions = 256

// Model returns "hash-v1".
func (HashEmbedder) Model() string { return "hash-v1" }

// Dimensions returns 256.
func (HashEmbedder) Dimensions() int { return hashDimensions }

// Embed returns one vector a text, in order; the error is the context's.
func (HashEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = hashTerms(lexical.Terms(text))
	}
	return out, nil
}

// hashTerms sums in the order of the sorted terms, so that equal texts give equal
// bits.
func hashTerms(terms []string) []float32 {
	sorted := slices.Sorted(slices.Values(terms))
	sum := make([]float32, hashDimensions)
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(sorted[i]))
		code := mix(h.Sum64())
		weight := float32(1 + math.Log(float64(j-i)))
		if code>>63 == 1 {
			weight = -weight
		}
		sum[code%hashDimensions] += weight
		i = j
	}
	return unit(sum)
}

// mix spreads the bits of FNV, whose low bits follow a word's last letter
// (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
