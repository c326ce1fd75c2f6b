package privacy_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
)

// town is a policy of many people with a store of many facts, the same for the
// same sizes.
func town(tb testing.TB, people, facts int) (*privacy.Policy, []privacy.Fact) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	domains := []string{"any", "work", "life"}
	var groups, persons, categories []map[string]any
	for i := range 12 {
		groups = append(groups, map[string]any{
			"id": fmt.Sprintf("g%d", i), "tier": 1 + i%4, "domain": domains[i%3],
		})
	}
	for i := range people {
		in := []string{fmt.Sprintf("g%d", rng.IntN(12))}
		if i%4 == 0 {
			in = append(in, fmt.Sprintf("g%d", (rng.IntN(6)+i)%12))
		}
		if len(in) == 2 && in[0] == in[1] {
			in = in[:1]
		}
		persons = append(persons, map[string]any{"name": fmt.Sprintf("Person %d", i), "groups": in})
	}
	for i := range 20 {
		c := map[string]any{"id": fmt.Sprintf("c%d", i), "name": fmt.Sprint(i), "level": i % 5, "description": "…"}
		if d := domains[i%3]; d != "any" {
			c["domain"] = d
		}
		categories = append(categories, c)
	}
	src, err := json.Marshal(map[string]any{
		"version": 1, "owner": map[string]string{"name": "Owner"},
		"groups": groups, "people": persons, "categories": categories,
	})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := privacy.Parse("town", src)
	if err != nil {
		tb.Fatal(err)
	}
	someone := func() privacy.Party {
		if rng.IntN(4) == 0 {
			return privacy.GroupParty(privacy.GroupID(fmt.Sprintf("g%d", rng.IntN(12))))
		}
		return privacy.Party(fmt.Sprintf("Person %d", rng.IntN(people)))
	}
	store := make([]privacy.Fact, facts)
	for i := range store {
		f := privacy.Fact{
			ID: privacy.FactID(fmt.Sprintf("f%d", i)), Event: privacy.EventID(fmt.Sprintf("e%d", i/3)),
			Link: privacy.Link(rng.IntN(2)), Truth: privacy.Real, Trusted: rng.IntN(10) > 0,
		}
		for range 1 + rng.IntN(2) {
			f.Categories = append(f.Categories, privacy.CategoryID(fmt.Sprintf("c%d", rng.IntN(20))))
		}
		if rng.IntN(3) == 0 {
			f.Whitelist = []privacy.Party{someone(), someone()}
		}
		if rng.IntN(5) == 0 {
			f.Blacklist = []privacy.Party{someone()}
		}
		store[i] = f
	}
	return p, store
}

func everybody(p *privacy.Policy) []privacy.Recipient {
	var out []privacy.Recipient
	for _, x := range p.People() {
		out = append(out, p.Recipient(x.Name))
	}
	return out
}

// TestVerdictAllocatesNothing holds for each kind of recipient.
func TestVerdictAllocatesNothing(t *testing.T) {
	p, facts := town(t, 100, 300)
	j := privacy.NewJudge(p, facts)
	rs := append(everybody(p), recipients(p)...)
	allowed := 0
	if n := testing.AllocsPerRun(5, func() {
		for i := range j.Len() {
			for _, r := range rs {
				if j.Verdict(i, r).Allow {
					allowed++
				}
			}
			if j.Audience(i, rs).Allow || j.VerdictOf(facts[i].ID, rs[0]).Allow {
				allowed++
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if allowed == 0 {
		t.Error("nothing was allowed: the test judged nothing of interest")
	}
}

func BenchmarkVerdict(b *testing.B) {
	p, facts := town(b, 100, 1000)
	j := privacy.NewJudge(p, facts)
	rs := everybody(p)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		j.Verdict(n%1000, rs[n%100])
		n += 7
	}
}

func BenchmarkUnitOf5(b *testing.B) {
	p, facts := town(b, 100, 1000)
	j := privacy.NewJudge(p, facts)
	rs := everybody(p)
	ids := []privacy.FactID{"f3", "f141", "f592", "f653", "f897"}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		j.Unit(ids, rs[n%100])
		n++
	}
}

// BenchmarkTable judges 1,000 facts for 100 people, as partition does.
func BenchmarkTable(b *testing.B) {
	p, facts := town(b, 100, 1000)
	j := privacy.NewJudge(p, facts)
	rs := everybody(p)
	b.ReportAllocs()
	for b.Loop() {
		for i := range j.Len() {
			for _, r := range rs {
				j.Verdict(i, r)
			}
		}
	}
	decisions := float64(b.N) * float64(j.Len()) * float64(len(rs))
	b.ReportMetric(decisions/b.Elapsed().Seconds(), "decisions/s")
}

// BenchmarkNewJudge compiles a store, which happens once a change of either side.
func BenchmarkNewJudge(b *testing.B) {
	for _, size := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprintf("facts=%d", size), func(b *testing.B) {
			p, facts := town(b, 100, size)
			b.ReportAllocs()
			for b.Loop() {
				privacy.NewJudge(p, facts)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	p, _ := town(b, 200, 1)
	src := p.Source()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := privacy.Parse("town", src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLint looks at 10,000 facts and 200 people, as policy check does.
func BenchmarkLint(b *testing.B) {
	p, facts := town(b, 200, 10000)
	b.ReportAllocs()
	for b.Loop() {
		p.Lint(facts, time.Time{})
	}
}

// BenchmarkChanges asks why not, over 10,000 facts and 200 people.
func BenchmarkChanges(b *testing.B) {
	p, facts := town(b, 200, 10000)
	j := privacy.NewJudge(p, facts)
	r := p.Recipient("Person 7")
	denied := 0
	for j.Verdict(denied, r).Allow {
		denied++
	}
	for b.Loop() {
		privacy.NewJudge(p, facts).Changes(facts[denied].ID, r, true)
	}
}

// BenchmarkEdit changes one line of a policy with 200 people.
func BenchmarkEdit(b *testing.B) {
	p, _ := town(b, 200, 1)
	for b.Loop() {
		if _, err := p.Edit(privacy.AddAlias{Person: "Person 7", Alias: "Seven"}); err != nil {
			b.Fatal(err)
		}
	}
}
