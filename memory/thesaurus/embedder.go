package thesaurus

import (
	"context"
	"hash/fnv"
	"math"
	"slices"

	"github.com/epagent/epagent/memory/lexical"
)

// Has reports whether the dictionary has an English word, in any of its forms. It has
// few names.
func Has(word string) bool {
	t := load()
	terms := lexical.Terms(word)
	for _, term := range terms {
		if _, ok := t.words[term]; !ok {
			return false
		}
	}
	return len(terms) > 0
}

const (
	dimensions = 64 // of a word
	hashed     = 64 // of what isn't in the dictionary
)

// Model names these vectors and the terms that they are made of.
const Model = "thesaurus-1"

// Embedder makes vectors of texts: in the first numbers the mean of the words'
// vectors, in the others the words that aren't in the dictionary, by signed
// hashing. A word weighs the more the rarer it is in the dictionary's own texts. The
// zero value is ready; its methods may be called at once.
type Embedder struct{}

// Model returns [Model].
func (Embedder) Model() string { return Model }

// Dimensions returns 128.
func (Embedder) Dimensions() int { return dimensions + hashed }

// FindsFrom returns the cosine from which two texts are near enough to have to do
// with each other without a shared word. Unrelated sentences are around 0, and some
// reach 0.4.
func (Embedder) FindsFrom() float64 { return 0.5 }

// Embed returns one vector of unit length a text, in order, of zeros for a text
// without words; the error is the context's.
func (Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	t := load()
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[i] = t.vector(lexical.Terms(text))
	}
	return out, nil
}

// unknownRarity is the weight of a word that the dictionary doesn't have.
const unknownRarity = 8 * 16

// vector sums in the order of the sorted terms, so that equal texts give equal bits.
func (t *table) vector(terms []string) []float32 {
	slices.Sort(terms)
	sum := make([]float64, dimensions+hashed)
	for from := 0; from < len(terms); {
		term, times := terms[from], 0
		for from < len(terms) && terms[from] == term {
			from, times = from+1, times+1
		}
		weight := 1 + math.Log(float64(times))
		at, ok := t.words[term]
		if !ok {
			place, sign := bucket(term)
			sum[dimensions+place] += sign * weight * unknownRarity * unknownShare
			continue
		}
		weight *= float64(t.rarity[at]) * float64(t.scale[at])
		for k, b := range t.rows[at] {
			sum[k] += float64(weight * float64(int8(b)))
		}
	}
	var length float64
	for _, x := range sum {
		length += float64(x * x)
	}
	out := make([]float32, len(sum))
	if length == 0 {
		return out
	}
	length = math.Sqrt(length)
	for i, x := range sum {
		out[i] = float32(x / length)
	}
	return out
}

// unknownShare is what an unknown word counts beside a known one: it is mostly a
// name, and names are matched as words already.
const unknownShare = 0.3

func bucket(term string) (place int, sign float64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(term))
	code := h.Sum64()
	code ^= code >> 33
	code *= 0xff51afd7ed558ccd
	code ^= code >> 33
	if code>>63 == 1 {
		return int(code % hashed), -1
	}
	return int(code % hashed), 1
}
