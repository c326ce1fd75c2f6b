package gas

import (
	"math"
	"slices"
)

// The fit of the mixture.
const (
	varianceFloor = 1e-6
	emRounds      = 100
	emGain        = 1e-3 // of the mean log-likelihood; a smaller one ends the fit
)

// normal is one component of a mixture.
type normal struct{ share, mean, variance float64 }

func (c normal) logDensity(x float64) float64 {
	d := x - c.mean
	return math.Log(c.share) - 0.5*math.Log(2*math.Pi*c.variance) - d*d/(2*c.variance)
}

// accepted fits a mixture of two Gaussians to scores, which fall, and returns how many
// of the first belong to the upper one. The wider component can claim the very highest
// scores; whatever stands above an accepted score is accepted too, so that more
// likeness never loses a tie. Without two different scores there are no two groups and
// none is accepted.
func accepted(scores []float64) int {
	if len(scores) < 2 || scores[0] == scores[len(scores)-1] {
		return 0
	}
	low, high := fit(scores)
	for n := len(scores); n > 0; n-- {
		x := scores[n-1]
		if high.logDensity(x) >= low.logDensity(x) {
			return n
		}
	}
	return 0
}

// fit runs expectation maximisation from the best split of the scores in two.
func fit(scores []float64) (low, high normal) {
	cut := split(scores)
	n := float64(len(scores))
	start := func(part []float64) normal {
		mean, variance := moments(part)
		return normal{float64(len(part)) / n, mean, variance + varianceFloor}
	}
	high, low = start(scores[:cut]), start(scores[cut:])
	before := math.Inf(-1)
	claims := make([]float64, len(scores)) // of the upper component
	for range emRounds {
		var likelihood, total float64
		for i, x := range scores {
			a, b := high.logDensity(x), low.logDensity(x)
			top := max(a, b)
			sum := top + math.Log(math.Exp(a-top)+math.Exp(b-top))
			claims[i] = math.Exp(a - sum)
			likelihood += sum / n
			total += claims[i]
		}
		if likelihood-before < emGain || total < 1e-9 || n-total < 1e-9 {
			break
		}
		before = likelihood
		high, low = weighted(scores, claims, total, 1), weighted(scores, claims, n-total, -1)
	}
	if low.mean > high.mean {
		low, high = high, low
	}
	return low, high
}

// weighted is a component by its claims, or by what they leave (sign −1).
func weighted(scores, claims []float64, total, sign float64) normal {
	claim := func(i int) float64 {
		if sign < 0 {
			return 1 - claims[i]
		}
		return claims[i]
	}
	var mean, variance float64
	for i, x := range scores {
		mean += claim(i) * x / total
	}
	for i, x := range scores {
		variance += claim(i) * (x - mean) * (x - mean) / total
	}
	return normal{total / float64(len(scores)), mean, variance + varianceFloor}
}

// split returns where to cut falling scores in two so that the squares within both
// parts are least: the exact 2-means of one dimension.
func split(scores []float64) int {
	best, at := math.Inf(1), 1
	for cut := 1; cut < len(scores); cut++ {
		_, upper := moments(scores[:cut])
		_, lower := moments(scores[cut:])
		if sum := upper*float64(cut) + lower*float64(len(scores)-cut); sum < best {
			best, at = sum, cut
		}
	}
	return at
}

func moments(part []float64) (mean, variance float64) {
	for _, x := range part {
		mean += x / float64(len(part))
	}
	for _, x := range part {
		variance += (x - mean) * (x - mean) / float64(len(part))
	}
	return mean, variance
}

// falling sorts scores for accepted.
func falling(scores []float64) {
	slices.SortFunc(scores, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
}
