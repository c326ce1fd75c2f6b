package evolve_test

import (
	"fmt"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
)

// BenchmarkRun learns from 200 pieces of feedback on a home of 1,000 facts, offline, with
// as many candidates as a run tries.
func BenchmarkRun(b *testing.B) {
	places := []string{"museum", "choir concert", "choir"}
	for b.Loop() {
		b.StopTimer()
		h := newHome(b, agent.Options{})
		for i := range 1000 {
			text := fmt.Sprintf("I was at the %s number %d.", places[i%len(places)], i)
			if i%5 == 0 {
				text = fmt.Sprintf("I had bodywork%c at the %s number %d.", 'a'+rune(i/5%20), places[i%len(places)], i)
			}
			h.remember(text)
			if i%5 == 0 {
				h.wrong(text, "health")
			}
		}
		var list proposer
		for i := range 24 {
			list = append(list, lesson("bodywork"+string('a'+rune(i)), "health"))
		}
		b.StartTimer()
		r, err := evolve.Run(b.Context(), h.Agent, evolve.RunOptions{Proposers: []evolve.Proposer{list}})
		if err != nil || r.Feedback != 200 || len(r.Tried) != len(list) {
			b.Fatal(err, r.Feedback, len(r.Tried))
		}
		waiting := 0
		for _, s := range r.Tried {
			if s.Status == evolve.Proposed {
				waiting++
			}
		}
		b.ReportMetric(float64(waiting), "proposed")
		b.ReportMetric(float64(len(r.Tried)), "candidates")
	}
}
