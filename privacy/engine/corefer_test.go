package engine_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

func draft(id, text string) privacy.Record {
	return privacy.Record{ID: privacy.FactID(id), Text: text, OwnerSaid: true, Speaker: "Nora"}
}

// filler is everyday talk that makes common words common.
func filler(e *engine.Events, n int) {
	verbs := []string{"bought", "saw", "met", "cooked", "painted", "missed", "found"}
	things := []string{"a lamp", "the bus", "some tea", "a film", "her shoes", "the garden", "a letter", "the window"}
	for i := range n {
		e.Add(draft(fmt.Sprintf("x%d", i), fmt.Sprintf("Nora %s %s on a walk in town, number %d.", verbs[i%len(verbs)], things[i%len(things)], 7000+i)))
	}
}

func TestCorefer(t *testing.T) {
	known := engine.NewEvents()
	filler(known, 200)
	known.Add(draft("panel", "Nora spent 14 January 2026 in Lund at Brightwater's final panel."))
	known.Add(draft("knee", "Nora's left knee will be operated on 3 March at the Sankt Olof clinic."))
	for _, tt := range []struct {
		name, text, want string
	}{
		{"same names", "Brightwater's panel in Lund went badly, a founder of Brightwater picked her work to pieces.", "epanel"},
		{"same day and thing", "The knee operation at Sankt Olof on 3 March 2026 was put off.", "eknee"},
		{"repetition", "Nora spent 14 January 2026 in Lund at Brightwater's final panel.", "epanel"},
		{"only everyday words", "Nora went on a walk in town and bought a film.", "enew"},
		{"a day alone", "The rowing club meets on 3 March.", "enew"},
		{"nothing in it", "…", "enew"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			marks, err := engine.NewOffline().Corefer(t.Context(), []privacy.Record{draft("new", tt.text)}, known)
			if err != nil {
				t.Fatal(err)
			}
			if marks[0].Value != tt.want {
				t.Errorf("event %s (%.2f), want %s", marks[0].Value, marks[0].Score, tt.want)
			}
		})
	}
}

func TestCoreferChinese(t *testing.T) {
	known := engine.NewEvents()
	for i := range 60 {
		known.Add(draft(fmt.Sprint("y", i), fmt.Sprintf("知夏第%d天晚上出门散步，买了些水果回家。", 100+i)))
	}
	known.Add(draft("mianshi", "知夏2026年3月5日去澜城设计院参加面试。"))
	marks, err := engine.NewOffline().Corefer(t.Context(), []privacy.Record{draft("a", "澜城设计院3月5日的面试，知夏觉得没发挥好。"), draft("b", "知夏晚上出门散步。")}, known)
	if err != nil {
		t.Fatal(err)
	}
	if marks[0].Value != "emianshi" || marks[1].Value != "eb" {
		t.Errorf("events %s %s, want emianshi eb", marks[0].Value, marks[1].Value)
	}
}

// TestCoreferRepeats: the same drafts on the same known events give the same
// marks, and known is left as it was.
func TestCoreferRepeats(t *testing.T) {
	o := engine.NewOffline()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Z][a-z]{2,6} (met|left|sold) [A-Z][a-z]{2,8} on [1-9] May`)
		known := engine.NewEvents()
		for i, s := range rapid.SliceOfN(text, 0, 12).Draw(t, "known") {
			known.Add(draft(fmt.Sprint("k", i), s))
		}
		var drafts []privacy.Record
		for i, s := range rapid.SliceOfN(text, 1, 6).Draw(t, "drafts") {
			drafts = append(drafts, draft(fmt.Sprint("d", i), s))
		}
		n := known.Len()
		a, errA := o.Corefer(t.Context(), drafts, known)
		b, errB := o.Corefer(t.Context(), drafts, known)
		if errA != nil || errB != nil || known.Len() != n || len(a) != len(drafts) {
			t.Fatalf("%v %v, %d known, %d marks", errA, errB, known.Len(), len(a))
		}
		for i := range a {
			if a[i] != b[i] || a[i].Value == "" {
				t.Fatalf("draft %d: %v and %v", i, a[i], b[i])
			}
		}
	})
}

// TestCoreferKeepsHandEvents: what the owner joined by hand is the event that
// others join.
func TestCoreferKeepsHandEvents(t *testing.T) {
	known := engine.NewEvents()
	filler(known, 50)
	r := draft("panel", "Nora was in Lund for Brightwater's final panel.")
	r.Marks = []privacy.Mark{{Kind: privacy.MarkEvent, Value: "machine", By: privacy.ByMachine}, {Kind: privacy.MarkEvent, Value: "hand", By: privacy.ByHand}, {Kind: privacy.MarkEvent, Value: "machine2", By: privacy.ByMachine}}
	known.Add(r)
	marks, err := engine.NewOffline().Corefer(t.Context(), []privacy.Record{draft("new", "Brightwater's final panel in Lund is over.")}, known)
	if err != nil || marks[0].Value != "hand" {
		t.Errorf("%v %v, want event hand", marks, err)
	}
}

// BenchmarkCorefer imports n facts one by one; the time a fact must not grow
// with n.
func BenchmarkCorefer(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			o := engine.NewOffline()
			for b.Loop() {
				known := engine.NewEvents()
				start := time.Now()
				for i := range n {
					r := draft(fmt.Sprint(i), fmt.Sprintf("Nora met Person%d in Town%d about the plan%d on %d May", i%997, i%89, i%1501, i%28+1))
					if _, err := o.Corefer(b.Context(), []privacy.Record{r}, known); err != nil {
						b.Fatal(err)
					}
					known.Add(r)
				}
				b.ReportMetric(float64(time.Since(start).Microseconds())/float64(n), "µs/fact")
			}
		})
	}
}
