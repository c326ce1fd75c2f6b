package privacy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// mosaic is a world with combinations, and with what was told to whom.
type mosaic struct {
	*world
	told privacy.Told
}

func genMosaic() *rapid.Generator[*mosaic] {
	return rapid.Custom(func(t *rapid.T) *mosaic {
		m := &mosaic{world: genWorld().Draw(t, "world"), told: privacy.Told{}}
		for len(m.Categories) < 3 {
			id := fmt.Sprintf("c%d", len(m.Categories))
			m.Categories = append(m.Categories, worldCategory{ID: id, Name: id, Level: 4})
			m.facts[0].Categories = append(m.facts[0].Categories, privacy.CategoryID(id))
		}
		if rapid.Bool().Draw(t, "open") { // where nothing is open, nothing is held back
			for i := range m.Categories {
				m.Categories[i].Level, m.Categories[i].Domain = 4, ""
			}
		}
		m.Rules = []worldRule{{ID: "r", Allow: []string{m.People[0].Name}, Category: "c0"}}
		for i := range m.facts {
			if rapid.IntRange(0, 3).Draw(t, "matches") == 0 {
				m.facts[i].Rules = []privacy.RuleID{"r"}
			}
		}
		for range rapid.IntRange(1, 3).Draw(t, "combinations") {
			m.combine(t)
		}
		for _, x := range m.policy().People() {
			for _, f := range m.facts {
				if rapid.IntRange(0, 2).Draw(t, "told") == 0 {
					m.told[x.ID] = append(m.told[x.ID], f.Item())
				}
			}
		}
		return m
	})
}

// combine adds a combination.
func (m *mosaic) combine(t *rapid.T) {
	parts := []string{"r"}
	for _, c := range m.Categories {
		parts = append(parts, c.ID)
	}
	of := rapid.Permutation(parts).Draw(t, "of")
	m.Combinations = append(m.Combinations, worldCombination{
		ID: fmt.Sprint("m", len(m.Combinations)), Of: of[:rapid.IntRange(2, 3).Draw(t, "parts")],
		Level: rapid.IntRange(0, 4).Draw(t, "level"), Domain: rapid.SampledFrom([]string{"", "work", "club"}).Draw(t, "domain"),
	})
}

func (m *mosaic) judge() *privacy.Judge { return m.world.judge().WithTold(m.told) }

func (m *mosaic) clone() *mosaic {
	c := &mosaic{world: m.world.clone(), told: privacy.Told{}}
	for id, items := range m.told {
		c.told[id] = slices.Clone(items)
	}
	return c
}

// TestDecideIsCombine: a decision is what Combine says of that one fact, for
// everybody, with and without a cap; explanations and lists say the same.
func TestDecideIsCombine(t *testing.T) {
	seen := 0
	rapid.Check(t, func(t *rapid.T) {
		m := genMosaic().Draw(t, "mosaic")
		j := m.judge()
		for _, r := range recipients(j.Policy()) {
			known := j.Knows(r)
			for i := range j.Len() {
				want := j.Combine([]privacy.FactID{j.ID(i)}, privacy.Listener{Recipient: r, Told: m.told[r.ID()]})[0]
				got := j.Decide(i, r)
				if got != want {
					t.Fatalf("%s for %q: %+v, Combine says %+v", j.ID(i), r.Name(), got, want)
				}
				if slices.Contains(known, i) != got.Allow {
					t.Fatalf("%q knows %v, decided %+v", r.Name(), known, got)
				}
				mustExplain(t, j.Explain(i, r), got)
				if got.Reason == privacy.ReasonCombination {
					seen++
				}
			}
		}
		for i := range j.Len() {
			who := map[privacy.PersonID]bool{}
			for _, a := range j.Who(i) {
				who[a.Person] = true
			}
			for _, x := range j.Policy().People() {
				if who[x.ID] != j.Decide(i, j.Policy().Recipient(x.Name)).Allow {
					t.Fatalf("%s is listed for %s", x.ID, j.ID(i))
				}
			}
		}
	})
	t.Logf("combinations denied %d times", seen)
}

// TestUncombine: a combination denies what completes it, says so, and is among what
// would turn the answer. What is drawn above may never come to it.
func TestUncombine(t *testing.T) {
	p := mustParse(t, mosaicPolicy)
	trip := privacy.Fact{ID: "trip", Categories: []privacy.CategoryID{"trip"}, Truth: privacy.Real, Trusted: true}
	home := privacy.Fact{ID: "home", Categories: []privacy.CategoryID{"home"}, Truth: privacy.Real, Trusted: true}
	j := privacy.NewJudge(p, []privacy.Fact{trip, home}).WithTold(privacy.Told{"fay": {home.Item()}})
	fay := p.Recipient("Fay")
	want := privacy.CombinationVerdict{
		Verdict: privacy.Verdict{Reason: privacy.ReasonCombination}, Combination: "empty-house", Ceiling: privacy.Label{Level: privacy.L1, Domain: "life"},
	}
	if got := j.DecideOf("trip", fay); got != want {
		t.Fatalf("%+v, want %+v", got, want)
	}
	e := j.Explain(0, fay)
	if len(e.Combinations) != 1 || fmt.Sprint(e.Combinations[0].Own, e.Combinations[0].Known, e.Combinations[0].Missing) != "[trip] [home] []" {
		t.Errorf("explained by %+v", e.Combinations)
	}
	at := slices.IndexFunc(j.Changes("trip", fay, true), func(c privacy.Change) bool { return c.Kind == privacy.ChangeUncombine })
	if at < 0 {
		t.Fatal("taking the combination out is no change")
	}
	if c := j.Changes("trip", fay, true)[at]; c.Target != "empty-house" || c.Loosens == 0 {
		t.Errorf("%+v", c)
	}
}

func mustExplain(t *rapid.T, e privacy.Explanation, want privacy.CombinationVerdict) {
	if e.Verdict != want.Verdict {
		t.Fatalf("explained as %+v, decided as %+v", e.Verdict, want)
	}
	decided := slices.DeleteFunc(slices.Clone(e.Steps), func(s privacy.Step) bool { return !s.Decided })
	if len(decided) != 1 {
		t.Fatalf("%d steps decided: %+v", len(decided), e.Steps)
	}
	last := e.Steps[len(e.Steps)-1]
	if (last.Rule == "combination" && last.Decided) != (want.Reason == privacy.ReasonCombination) {
		t.Fatalf("%+v explains %+v", e.Steps, want)
	}
	for _, c := range e.Combinations {
		if c.ID == want.Combination && (len(c.Missing) > 0 || c.Passes || c.Ceiling != want.Ceiling) {
			t.Fatalf("%+v explains %+v", c, want)
		}
	}
}

// mosaicEdits are changes of combinations and of what was told, beside those of
// the calculus.
var mosaicEdits = map[string]func(t *rapid.T, m *mosaic) bool{
	"drop a combination": func(_ *rapid.T, m *mosaic) bool {
		m.Combinations = m.Combinations[1:]
		return true
	},
	"narrow a combination": func(t *rapid.T, m *mosaic) bool {
		c := &m.Combinations[0]
		for _, id := range []string{"r", "c0", "c1", "c2"} {
			if !slices.Contains(c.Of, id) {
				c.Of = append(slices.Clone(c.Of), id)
				return true
			}
		}
		return false
	},
	"another ceiling": func(t *rapid.T, m *mosaic) bool {
		m.Combinations[0].Level = rapid.IntRange(0, 4).Draw(t, "new level")
		return true
	},
	"another category": func(t *rapid.T, m *mosaic) bool {
		f := &m.facts[rapid.IntRange(0, len(m.facts)-1).Draw(t, "fact")]
		f.Categories = []privacy.CategoryID{privacy.CategoryID(rapid.SampledFrom(m.Categories).Draw(t, "category").ID)}
		return true
	},
	"told less": func(_ *rapid.T, m *mosaic) bool {
		clear(m.told)
		return true
	},
	"add a combination": addCombination,
	"told more":         tellMore,
}

func addCombination(t *rapid.T, m *mosaic) bool {
	m.combine(t)
	return true
}

// tellMore is what a larger circle does, too.
func tellMore(t *rapid.T, m *mosaic) bool {
	x := rapid.SampledFrom(m.policy().People()).Draw(t, "person")
	m.told[x.ID] = append(m.told[x.ID], rapid.SampledFrom(m.facts).Draw(t, "fact").Item())
	return true
}

// TestPlanWithCombinations: a plan lists the pairs for which two full evaluations
// differ with what was told; and where it lists nothing as shown or loosened,
// nothing that may be told later opens either.
func TestPlanWithCombinations(t *testing.T) {
	edits := map[string]func(t *rapid.T, m *mosaic) bool{}
	for name, edit := range changes {
		edits[name] = func(t *rapid.T, m *mosaic) bool { return edit(t, m.world) }
	}
	for name, edit := range mosaicEdits {
		edits[name] = edit
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := genMosaic().Draw(t, "mosaic")
				if name == "somebody gone" { // the first one: the rule is for somebody else
					before.People = append(before.People, worldPerson{Name: "Zed", Aliases: []string{"z"}, Groups: []string{}})
					before.Rules[0].Allow = []string{"Zed"}
				}
				after := before.clone()
				if !edit(t, after) {
					t.Skip("nothing to edit")
				}
				j, k := before.judge(), after.judge()
				d := mustBeTheDifference(t, j, k)
				if d.Widens() {
					return
				}
				for _, x := range j.Policy().People() {
					later := rapid.SliceOf(rapid.SampledFrom(before.facts)).Draw(t, "told later")
					for _, f := range later {
						before.told[x.ID] = append(before.told[x.ID], f.Item())
						if i, ok := k.Index(f.ID); ok && i < len(after.facts) {
							after.told[x.ID] = append(after.told[x.ID], f.Item())
						}
					}
				}
				if name == "told less" || name == "another category" {
					return // what is told later isn't the same on both sides
				}
				for _, c := range privacy.Plan(before.judge(), after.judge()).Shown {
					// Somebody who is gone from a policy is nobody that it could know to have been told.
					if _, there := k.Policy().Person(string(c.Person)); there {
						t.Fatalf("opens later: %+v", c)
					}
				}
			})
		})
	}
}

// TestTighteningWithCombinations: tightening edits, more combinations and more
// that is known plan nothing new.
func TestTighteningWithCombinations(t *testing.T) {
	edits := map[string]func(t *rapid.T, m *mosaic) bool{"add a combination": addCombination, "told more": tellMore}
	for name, edit := range tightenings {
		if name != "remove a category from the policy" { // the combinations name it
			edits[name] = func(t *rapid.T, m *mosaic) bool { return edit(t, m.world) }
		}
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := genMosaic().Draw(t, "mosaic")
				for i := range before.facts {
					before.facts[i].Link = privacy.LinkConfirmed
				}
				after := before.clone()
				if !edit(t, after) {
					t.Skip("nothing to tighten")
				}
				if d := privacy.Plan(before.judge(), after.judge()); d.Widens() {
					t.Fatalf("shows %+v, loosens %+v", d.Shown, d.Loosened)
				}
				if l := before.policy().Loosens(after.policy()); len(l) > 0 {
					t.Fatalf("loosens %q", l)
				}
			})
		})
	}
}

// TestChangesWithCombinations: what turns the answer of a combination turns it.
func TestChangesWithCombinations(t *testing.T) {
	uncombined := 0
	rapid.Check(t, func(t *rapid.T) {
		m := genMosaic().Draw(t, "mosaic")
		j := m.judge()
		x := j.Policy().People()[0]
		r := j.Policy().Recipient(x.Name)
		for i := range j.Len() {
			was := j.Decide(i, r)
			got := j.Changes(j.ID(i), r, !was.Allow)
			if len(got) == 0 {
				t.Fatalf("no way to turn %+v", was)
			}
			for _, c := range got {
				if c.Kind != privacy.ChangeUncombine {
					continue
				}
				uncombined++
				after := m.clone()
				after.Combinations = slices.DeleteFunc(after.Combinations, func(w worldCombination) bool { return w.ID == c.Target })
				k := after.judge()
				if !k.Decide(i, k.Policy().Recipient(x.Name)).Allow {
					t.Fatalf("%s turns nothing", c.Describe)
				}
			}
		}
	})
	t.Logf("combinations taken out %d times", uncombined)
}

// TestLoosens: what a new policy takes from combinations for later facts.
func TestLoosens(t *testing.T) {
	was := mustParse(t, mosaicPolicy)
	edit := func(old, new string) string { return replaceOnce(t, mosaicPolicy, old, new) }
	tests := map[string]struct {
		source string
		want   int
	}{
		"nothing":                {mosaicPolicy, 0},
		"one more grant":         {edit("rules:\n", "rules:\n  - {allow: [Fay], category: trip}\n"), 1},
		"one fact granted":       {edit("rules:\n", "rules:\n  - {allow: [Fay], fact: f1}\n"), 0},
		"a narrower grant":       {edit("rules:\n", "rules:\n  - {allow: [Gus], about: the dog, category: food, until: 2030-01-01}\n"), 0},
		"a longer grant":         {edit("rules:\n", "rules:\n  - {allow: [Gus, Fay], about: the dog}\n"), 1},
		"one more deny":          {edit("rules:\n", "rules:\n  - {deny: [Fay], category: trip}\n"), 0},
		"a combination gone":     {edit("  - {id: walks, of: [dog, food], level: 0}\n", ""), 1},
		"a higher ceiling":       {edit("of: [trip, home], level: 1", "of: [trip, home], level: 2"), 1},
		"a lower ceiling":        {edit("of: [trip, home], level: 1", "of: [trip, home], level: 0"), 0},
		"one more part":          {edit("of: [trip, home]", "of: [trip, home, food]"), 1},
		"another name":           {edit("id: empty-house", "id: house"), 0},
		"a smaller circle":       {edit("people: [Fay, Gus]", "people: [Fay, Mum]"), 1},
		"a larger circle":        {edit("people: [Fay, Gus]", "people: [Fay, Gus, Hal]"), 0},
		"the rule matches less":  {edit("about: the dog", "about: the old dog"), 2},
		"the rule is for others": {edit("allow: [Gus]", "allow: [Hal]"), 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := was.Loosens(mustParse(t, tt.source)); len(got) != tt.want {
				t.Errorf("%q, want %d", got, tt.want)
			}
		})
	}
}

// TestLoosensSettings: of two settings one way is looser for later facts.
func TestLoosensSettings(t *testing.T) {
	for strict, loose := range map[string]string{
		"told_by_owner: ignore": "told_by_owner: ask", "told_by_owner: ask": "told_by_owner: grant", "cover_audience: told": "cover_audience: gate",
		"cover_stories: deflect": "cover_stories: keep", "untrusted: hold": "untrusted: attribute", "untrusted: attribute": "untrusted: gate",
		"ask: always": "ask: sensitive", "ask: sensitive": "ask: never", "label_threshold: 0.4": "label_threshold: 0.3", "label_margin: 0.2": "label_margin: 0.1",
	} {
		a, b := mustParse(t, mosaicPolicy+"settings: {"+strict+"}\n"), mustParse(t, mosaicPolicy+"settings: {"+loose+"}\n")
		if got := a.Loosens(b); len(got) != 1 || !strings.Contains(got[0], strings.Split(strict, ":")[0]) {
			t.Errorf("%s to %s: %q", strict, loose, got)
		}
		if got := b.Loosens(a); len(got) > 0 {
			t.Errorf("%s to %s: %q", loose, strict, got)
		}
		if got := a.Loosens(a); len(got) > 0 {
			t.Errorf("%s as it was: %q", strict, got)
		}
	}
}

func replaceOnce(t *testing.T, s, old, new string) string {
	t.Helper()
	before, after, found := strings.Cut(s, old)
	if !found {
		t.Fatalf("%q is not in the policy", old)
	}
	return before + new + after
}

// TestLoosensDeny: a deny for later facts that goes, or shrinks, is said.
func TestLoosensDeny(t *testing.T) {
	policy := func(rules string) *privacy.Policy {
		return mustParse(t, replaceOnce(t, mosaicPolicy, "rules:\n", "rules:\n"+rules))
	}
	was := policy("  - {deny: [Fay, Gus], category: trip}\n")
	for rules, want := range map[string]int{
		"":                                    1,
		"  - {deny: [Fay], category: trip}\n": 1,
		"  - {deny: [Fay, Gus, Hal], category: [trip, food]}\n": 0,
		"  - {deny: [Fay, Gus], category: trip, about: x}\n":    1,
	} {
		if got := was.Loosens(policy(rules)); len(got) != want {
			t.Errorf("%q: %q", rules, got)
		}
	}
}

// BenchmarkPlanWithCombinations is BenchmarkPlan with ten combinations over half of
// the categories, three of which go, and everybody told twenty facts.
func BenchmarkPlanWithCombinations(b *testing.B) {
	before, facts := mosaicTown(b, 10)
	after, _ := mosaicTown(b, 7)
	told := privacy.Told{}
	for n, x := range before.People() {
		for k := range 20 {
			told[x.ID] = append(told[x.ID], facts[(37*n+k)%len(facts)].Item())
		}
	}
	decisions := 0
	b.ReportAllocs()
	for b.Loop() {
		d := privacy.Plan(privacy.NewJudge(before, facts).WithTold(told), privacy.NewJudge(after, facts).WithTold(told))
		decisions += d.Decisions
	}
	b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
}

// mosaicTown is a town of 10,000 facts and 200 people with n combinations.
func mosaicTown(b *testing.B, n int) (*privacy.Policy, []privacy.Fact) {
	b.Helper()
	base, facts := town(b, 200, 10000)
	var top map[string]any
	if err := json.Unmarshal(base.Source(), &top); err != nil {
		b.Fatal(err)
	}
	var combinations []any
	for i := range n {
		combinations = append(combinations, map[string]any{"id": fmt.Sprintf("m%d", i), "of": []string{fmt.Sprintf("c%d", i), fmt.Sprintf("c%d", i+5)}, "level": 1})
	}
	top["combinations"] = combinations
	src, err := json.Marshal(top)
	if err != nil {
		b.Fatal(err)
	}
	p, err := privacy.Parse("town", src)
	if err != nil {
		b.Fatal(err)
	}
	return p, facts
}
