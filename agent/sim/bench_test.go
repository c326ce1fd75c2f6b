package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent/sim"
)

// floor is how many messages a second are aimed at, on two cores that nothing else uses.
const floor = 1000

// BenchmarkExchanges plays several owners at once, each asked by three people for
// weeks, with leak matrix and all. It reports messages a second, a question and its
// answer being two, by the clock and by the processor, and what part or multiple of the
// floor the clock's is. The time that opening the homes takes isn't left out.
func BenchmarkExchanges(b *testing.B) {
	for _, owners := range []int{1, 4} {
		b.Run(fmt.Sprintf("owners=%d", owners), func(b *testing.B) {
			s := parse(b, crowd(owners, 400))
			messages, before := 0, processorTime()
			b.ReportAllocs()
			for b.Loop() {
				got := run(b, s, sim.Options{Finder: byWords()})
				messages += got.Figures.Messages
			}
			rate := float64(messages) / b.Elapsed().Seconds()
			b.ReportMetric(rate, "messages/s")
			b.ReportMetric(rate/floor, "of-floor")
			if used := processorTime() - before; used > 0 {
				b.ReportMetric(float64(messages)/used.Seconds(), "messages/cpu-s")
			}
		})
	}
}

// crowd is a script of owners who are each asked so many times by three people.
func crowd(owners, times int) string {
	var b strings.Builder
	b.WriteString("version: 1\nname: crowd\nstart: 2026-01-01\ndays: 300\nparties:\n")
	for i := range owners {
		fmt.Fprintf(&b, `  - name: Owner%d Kay
    delegate:
      policy: |
        version: 1
        owner: {name: Owner%d Kay}
        domains: [life]
        groups:
          - {id: friends, tier: 2, domain: life, description: friends}
          - {id: others, tier: 4, description: others}
        people: [{name: Per Holm, groups: [friends]}, {name: Tom Reed, groups: [others]}]
        categories:
          - {id: trips, name: Trips, level: 2, domain: life, description: "Journeys, flights, hotels, booked", examples: ["I booked a flight to Rome"]}
          - {id: sport, name: Sport, level: 4, description: "Running and rowing", examples: ["I ran ten kilometres"]}
`, i, i)
	}
	b.WriteString("  - {name: Per Holm}\n  - {name: Tom Reed}\n  - {name: Some One}\ndetails:\n")
	for i := range owners {
		fmt.Fprintf(&b, "  - {id: flight%d, of: Owner%d Kay, text: \"Owner%d booked a flight to Lisbon on 20 March.\", may: [Per Holm]}\n", i, i, i)
	}
	b.WriteString("timeline:\n")
	for i := range owners {
		fmt.Fprintf(&b, "  - {at: day 1, note: {of: Owner%d Kay, text: I booked a flight to Lisbon on 20 March., tells: [flight%d]}}\n", i, i)
		for k := range 12 {
			fmt.Fprintf(&b, "  - {at: day 1, note: {of: Owner%d Kay, text: I ran %d kilometres along the river.}}\n", i, k+3)
		}
		for _, name := range []string{"Per Holm", "Tom Reed", "Some One"} {
			fmt.Fprintf(&b, "  - {at: day 2, every: 12h, times: %d, ask: {from: %s, of: Owner%d Kay, text: Which flight did Owner%d book?, about: [flight%d]}}\n", times/3, name, i, i, i)
		}
	}
	return b.String()
}
