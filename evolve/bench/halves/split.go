package halves

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/epagent/epagent/evolve/bench"
)

// split puts the scripts into two halves, of each language as many as can be. The same
// seed and scripts give the same halves, whatever the order of the scripts.
func split(trials []*bench.Trial, seed int64) [2][]*bench.Trial {
	byLanguage := map[string][]*bench.Trial{}
	var languages []string
	for _, t := range trials {
		l := t.Language()
		if byLanguage[l] == nil {
			languages = append(languages, l)
		}
		byLanguage[l] = append(byLanguage[l], t)
	}
	slices.Sort(languages)
	r := rand.New(rand.NewPCG(uint64(seed), 0x5eed))
	var out [2][]*bench.Trial
	next := 0
	for _, l := range languages {
		list := byLanguage[l]
		slices.SortFunc(list, byName)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, t := range list {
			out[next] = append(out[next], t)
			next = 1 - next
		}
	}
	for i := range out {
		slices.SortFunc(out[i], byName)
	}
	return out
}

func byName(a, b *bench.Trial) int { return strings.Compare(a.Name(), b.Name()) }

func namesOf(list []*bench.Trial) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.Name())
	}
	return out
}
