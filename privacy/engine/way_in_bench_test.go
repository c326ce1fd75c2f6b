package engine_test

import (
	"fmt"
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// BenchmarkWayIn annotates and reads exceptions of sessions of 20 utterances with
// 10 drafts; the figure is the time one utterance takes.
func BenchmarkWayIn(b *testing.B) {
	for name, p := range map[string]*privacy.Policy{"small": mustPolicy(b, worldPolicy), "starter": starterPolicy(b)} {
		b.Run(name, func(b *testing.B) { benchmarkWayIn(b, p) })
	}
}

func benchmarkWayIn(b *testing.B, p *privacy.Policy) {
	lines := []string{"I had a second interview at the firm in town", "ok see you tomorrow then", "the doctor wants another blood test next week", "don't tell Rhea about it please", "we went rowing and then to a concert"}
	s := engine.Session{ID: "s"}
	for i := range 20 {
		u := engine.Utterance{ID: fmt.Sprint("u", i), Owner: i%2 == 0, Speaker: "Kit", Listeners: []string{"Kit"}, Text: lines[i%len(lines)]}
		s.Utterances = append(s.Utterances, u)
		if u.Owner {
			s.Drafts = append(s.Drafts, privacy.Record{ID: privacy.FactID(u.ID), Text: "Nora: " + u.Text, OwnerSaid: true, Speaker: "Nora", Evidence: []string{u.ID}})
		}
	}
	o := engine.NewOffline()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if _, err := o.Annotate(b.Context(), p, s, nil); err != nil {
			b.Fatal(err)
		}
		if _, _, err := o.Exceptions(b.Context(), p, s); err != nil {
			b.Fatal(err)
		}
		n += len(s.Utterances)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/utterance")
}
