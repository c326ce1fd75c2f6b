package memory

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The k-th highest is the one of the sorted list, whatever repeats in it.
func TestHighest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.5, 1})), 1, 60).Draw(t, "list")
		k := rapid.IntRange(1, len(list)).Draw(t, "k")
		sorted := slices.Sorted(slices.Values(list))
		if got, want := highest(list, k), sorted[len(list)-k]; got != want {
			t.Fatalf("%d-th highest: %v, want %v", k, got, want)
		}
	})
}
