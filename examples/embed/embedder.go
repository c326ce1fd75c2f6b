package main

import (
	"context"
	"hash/fnv"
	"math"
	"strings"

	"github.com/epagent/epagent/memory"
)

// trigrams is an embedder: letters by threes, hashed. Yours would call a model.
type trigrams struct{}

var _ memory.Embedder = trigrams{}

const dimensions = 128

// Model is stored beside every vector: vectors of two models are never mixed, and
// `epagent reindex` makes them anew.
func (trigrams) Model() string { return "trigrams-1" }

func (trigrams) Dimensions() int { return dimensions }

// Embed returns a vector of unit length a text, in their order.
func (trigrams) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		vector := make([]float32, dimensions)
		letters := []rune(strings.ToLower(text))
		for j := 0; j+3 <= len(letters); j++ {
			h := fnv.New32a()
			h.Write([]byte(string(letters[j : j+3])))
			vector[h.Sum32()%dimensions]++
		}
		out[i] = unit(vector)
	}
	return out, nil
}

// unit scales a vector to length one; the zero vector, which matches nothing, stays.
func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return v
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
