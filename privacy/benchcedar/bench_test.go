package benchcedar_test

import (
	"testing"
	"time"

	"github.com/cedar-policy/cedar-go"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/benchcedar"
)

const (
	people = 100
	facts  = 1000
)

func open(tb testing.TB) (benchcedar.Town, *benchcedar.Cedar) {
	tb.Helper()
	town, err := benchcedar.NewTown(people, facts)
	if err != nil {
		tb.Fatal(err)
	}
	c, err := benchcedar.NewCedar(town)
	if err != nil {
		tb.Fatal(err)
	}
	return town, c
}

// TestAgree: both sides decide every case alike, and neither always the same.
func TestAgree(t *testing.T) {
	town, c := open(t)
	decisions, allowed, err := benchcedar.Agree(town, c)
	if err != nil {
		t.Fatal(err)
	}
	if decisions != facts*(people+1) || allowed < decisions/10 || allowed > decisions*9/10 {
		t.Errorf("%d of %d allowed: not a town to measure on", allowed, decisions)
	}
	t.Logf("%d decisions alike, %d allow", decisions, allowed)
}

// requests are the decisions that both sides make: fact by fact, person by person.
type requests struct {
	judge  *privacy.Judge
	ours   []privacy.Recipient
	cedar  *benchcedar.Cedar
	theirs []cedar.Request // facts × people
}

func newRequests(b *testing.B) *requests {
	town, c := open(b)
	q := &requests{judge: privacy.NewJudge(town.Policy, town.Facts), cedar: c}
	for _, x := range town.Policy.People() {
		q.ours = append(q.ours, town.Policy.Recipient(x.Name))
	}
	for i := range q.judge.Len() {
		for _, x := range town.Policy.People() {
			q.theirs = append(q.theirs, c.Request(q.judge.ID(i), x.ID))
		}
	}
	return q
}

func (q *requests) epagent() (allowed int) {
	for i := range q.judge.Len() {
		for _, r := range q.ours {
			if q.judge.Verdict(i, r).Allow {
				allowed++
			}
		}
	}
	return allowed
}

func (q *requests) cedarGo() (allowed int) {
	for _, r := range q.theirs {
		if q.cedar.Allows(r) {
			allowed++
		}
	}
	return allowed
}

func BenchmarkEpagent(b *testing.B) { table(b, (*requests).epagent) }

func BenchmarkCedarGo(b *testing.B) { table(b, (*requests).cedarGo) }

func table(b *testing.B, side func(*requests) int) {
	q := newRequests(b)
	b.ReportAllocs()
	for b.Loop() {
		side(q)
	}
	decisions := float64(b.N) * float64(len(q.theirs))
	b.ReportMetric(decisions/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkRatio makes the same 100,000 decisions on both sides by turns and
// reports how many times as fast ours is.
func BenchmarkRatio(b *testing.B) {
	q := newRequests(b)
	var ours, theirs time.Duration
	for b.Loop() {
		start := time.Now()
		a := q.epagent()
		ours += time.Since(start)
		start = time.Now()
		c := q.cedarGo()
		theirs += time.Since(start)
		if a != c {
			b.Fatalf("ours allows %d, Cedar %d", a, c)
		}
	}
	decisions := float64(b.N) * float64(len(q.theirs))
	b.ReportMetric(float64(ours.Nanoseconds())/decisions, "epagent-ns/decision")
	b.ReportMetric(float64(theirs.Nanoseconds())/decisions, "cedar-ns/decision")
	b.ReportMetric(float64(theirs)/float64(ours), "times-cedar-go")
}
