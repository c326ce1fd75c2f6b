package gas

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAccepted(t *testing.T) {
	for name, tt := range map[string]struct {
		scores []float64
		want   int
	}{
		"nothing":        {nil, 0},
		"one":            {[]float64{0.9}, 0},
		"all alike":      {[]float64{0.5, 0.5, 0.5}, 0},
		"two groups":     {[]float64{0.92, 0.9, 0.88, 0.31, 0.3, 0.29, 0.28}, 3},
		"one stands out": {[]float64{0.8, 0.21, 0.2, 0.2, 0.19, 0.18}, 1},
	} {
		scores := slices.Clone(tt.scores)
		falling(scores)
		if got := accepted(scores); got != tt.want {
			t.Errorf("%s: %d of %v are accepted, want %d", name, got, scores, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(0, 1), 2, 30).Draw(t, "scores")
		falling(scores)
		got := accepted(scores)
		if got < 0 || got > len(scores) {
			t.Fatalf("%d of %d", got, len(scores))
		}
		low, high := fit(scores)
		for _, x := range []float64{low.mean, low.variance, high.mean, high.variance, low.share + high.share} {
			if math.IsNaN(x) || x < 0 || x > 1+1e-9 {
				t.Fatalf("low %+v, high %+v", low, high)
			}
		}
	})
}

// H = (2.0, 2.5, 1.8, 2.9) gives w = (.278, .222, .309, .192) by the paper; a grain
// that is surer of a session counts more.
func TestRoute(t *testing.T) {
	sure := map[string]float64{"a": 1}
	torn := map[string]float64{"a": 1, "b": 1, "c": 0.9}
	w := route([grains]map[string]float64{sure, torn, {}, {}}, 10)
	if sum := w[0] + w[1] + w[2] + w[3]; math.Abs(sum-1) > 1e-12 || !(w[0] > w[1] && w[1] > w[2] && w[2] == w[3]) {
		t.Errorf("weights %v", w)
	}
	if got, want := entropy(nil, 10), math.Log(10); math.Abs(got-want) > 1e-12 {
		t.Errorf("the entropy of nothing found among ten is %v, want %v", got, want)
	}
	if w := route([grains]map[string]float64{sure, sure, sure, sure}, 1); w != [grains]float64{0.25, 0.25, 0.25, 0.25} {
		t.Errorf("of one session: %v", w)
	}
	if w := route([grains]map[string]float64{}, 0); w != [grains]float64{0.25, 0.25, 0.25, 0.25} {
		t.Errorf("of none: %v", w)
	}
}

func TestSeeded(t *testing.T) {
	scores := make([]float64, 20)
	for i := range scores {
		scores[i] = float64(20 - i)
	}
	scores[15] = scores[14] // level with the fifteenth
	scores[0], scores[19] = math.NaN(), -1
	if !seeded(scores) {
		t.Fatal("nothing is left")
	}
	left, sum := 0, 0.0
	for _, s := range scores {
		sum += s
		if s > 0 {
			left++
		}
	}
	if left != 15 && left != 16 || math.Abs(sum-1) > 1e-12 {
		t.Errorf("%d are left, their sum is %v", left, sum)
	}
	if seeded([]float64{0, -1, math.NaN()}) || seeded(nil) {
		t.Error("nothing was found, and something is left")
	}
}

// The mass is a distribution, it stays where nothing is tied, and it goes a tenth of
// its way along a single tie.
func TestWalk(t *testing.T) {
	if got := walk([][]int32{nil, nil}, []float64{0.25, 0.75}); got[0] != 0.25 || got[1] != 0.75 {
		t.Errorf("without ties: %v", got)
	}
	// p0 = .9 + .1·p1, p1 = .1·p0.
	got := walk([][]int32{{1}, {0}}, []float64{1, 0})
	if math.Abs(got[0]-0.9/0.99) > 1e-9 || math.Abs(got[1]-0.09/0.99) > 1e-9 {
		t.Errorf("along one tie: %v", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "nodes")
		ties := make([][]int32, n)
		for range rapid.IntRange(0, 20).Draw(t, "ties") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "one"), rapid.IntRange(0, n-1).Draw(t, "other")
			ties[a], ties[b] = append(ties[a], int32(b)), append(ties[b], int32(a))
		}
		start := make([]float64, n)
		start[rapid.IntRange(0, n-1).Draw(t, "start")] = 1
		sum := 0.0
		for i, m := range walk(ties, start) {
			sum += m
			if m < 0 || start[i] == 1 && m < 1-damping-1e-9 {
				t.Fatalf("node %d holds %v", i, m)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the mass is %v", sum)
		}
	})
}

func FuzzTies(f *testing.F) {
	f.Add(encode([grains][]node{{1, 5, 9}, nil, {2}, {0, 1 << 20}}))
	f.Add([]byte{tiesForm, 200, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		ties, err := decode(b)
		if err != nil {
			return
		}
		again, err := decode(encode(ties))
		if diff := cmp.Diff(ties, again); err != nil || diff != "" {
			t.Fatalf("%v\n%s", err, diff)
		}
	})
}
