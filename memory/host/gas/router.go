package gas

import "math"

// temperature divides the scores, which are parts of the best one, before they become
// chances.
const temperature = 0.2

// route returns how much each grain counts for a question: w_g = (1/H_g) / Σ (1/H_g'),
// where H_g is the entropy, in nats, of the chances that the grain's scores of all
// sessions give: softmax(score/temperature). The sessions that scores doesn't name
// score 0. A grain that is all but certain counts as one of entropy 10⁻⁶.
// Source: the entropy-based router of MemGAS, as the paper has it.
func route(scores [grains]map[string]float64, sessions int) [grains]float64 {
	var out [grains]float64
	sum := 0.0
	for g := range out {
		out[g] = 1 / max(entropy(scores[g], sessions), 1e-6)
		sum += out[g]
	}
	for g := range out {
		out[g] /= sum
	}
	return out
}

func entropy(scores map[string]float64, sessions int) float64 {
	list := make([]float64, 0, len(scores))
	for _, s := range scores {
		list = append(list, s)
	}
	falling(list) // sums round the same way whatever the order of the map
	rest := float64(max(sessions-len(list), 0))
	z := rest
	for _, s := range list {
		z += math.Exp(s / temperature)
	}
	if z <= 0 {
		return 0
	}
	// −Σ p ln p with p = e^x/z is ln z − Σ p·x.
	out := math.Log(z)
	for _, s := range list {
		out -= math.Exp(s/temperature) / z * s / temperature
	}
	return max(out, 0)
}
