package privacy_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// changes are edits that may go either way: a property of plans must hold for all
// of them, and for what only tightens.
var changes = map[string]func(t *rapid.T, w *world) bool{
	"leave a group": func(t *rapid.T, w *world) bool {
		x := &w.People[rapid.IntRange(0, len(w.People)-1).Draw(t, "person")]
		if len(x.Groups) == 0 {
			return false
		}
		x.Groups = x.Groups[1:]
		return true
	},
	"join a group": func(t *rapid.T, w *world) bool {
		x := &w.People[rapid.IntRange(0, len(w.People)-1).Draw(t, "person")]
		g := w.Groups[rapid.IntRange(0, len(w.Groups)-1).Draw(t, "group")].ID
		if slices.Contains(x.Groups, g) {
			return false
		}
		x.Groups = append(slices.Clone(x.Groups), g)
		return true
	},
	"free a category of its domain": func(t *rapid.T, w *world) bool {
		c := &w.Categories[rapid.IntRange(0, len(w.Categories)-1).Draw(t, "category")]
		had := c.Domain != ""
		c.Domain = ""
		return had
	},
	"merge events": func(t *rapid.T, w *world) bool {
		for i := range w.facts {
			if w.facts[i].Event == "e2" {
				w.facts[i].Event = "e1"
			}
		}
		return true
	},
	"somebody new": func(t *rapid.T, w *world) bool {
		w.People = append(w.People, worldPerson{Name: "Newcomer", Aliases: []string{"n"}, Groups: []string{w.Groups[0].ID}})
		return true
	},
	"somebody gone": func(t *rapid.T, w *world) bool {
		w.People = w.People[1:]
		return true
	},
	"people in another order": func(t *rapid.T, w *world) bool {
		w.People = rapid.Permutation(w.People).Draw(t, "people")
		return true
	},
	"a new fact": func(t *rapid.T, w *world) bool {
		w.facts = append([]privacy.Fact{w.genFact(t, "new")}, w.facts...)
		return true
	},
	"a twin": func(t *rapid.T, w *world) bool {
		w.facts = append(w.facts, w.facts[0])
		return true
	},
	"nothing": func(*rapid.T, *world) bool { return true },
}

// TestPlanIsTheDifference: a plan lists the pairs for which two full evaluations
// differ, and no others, whatever is edited.
func TestPlanIsTheDifference(t *testing.T) {
	all := make(map[string]func(t *rapid.T, w *world) bool)
	for name, edit := range tightenings {
		all[name] = edit
	}
	for name, edit := range changes {
		all[name] = edit
	}
	for name, edit := range all {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := genWorld().Draw(t, "world")
				after := before.clone()
				if !edit(t, after) {
					t.Skip("nothing to edit")
				}
				mustBeTheDifference(t, before.judge(), after.judge())
			})
		})
	}
}

func mustBeTheDifference(t *rapid.T, j, k *privacy.Judge) privacy.Difference {
	d := privacy.Plan(j, k)
	people := map[privacy.PersonID]bool{"": true}
	for _, x := range append(j.Policy().People(), k.Policy().People()...) {
		people[x.ID] = true
	}
	facts := make(map[privacy.FactID]bool)
	for i := range j.Len() {
		facts[j.ID(i)] = true
	}
	for i := range k.Len() {
		facts[k.ID(i)] = true
	}
	want := make(map[string]bool)
	for who := range people {
		for id := range facts {
			was := j.DecideOf(id, j.Policy().Recipient(string(who))).Verdict
			now := k.DecideOf(id, k.Policy().Recipient(string(who))).Verdict
			if was.Allow != now.Allow {
				want[fmt.Sprint(id, "|", who, was, now)] = now.Allow
			}
		}
	}
	if len(want) != len(d.Shown)+len(d.Hidden) {
		t.Fatalf("%d changes planned, %d expected: %+v, %v", len(d.Shown)+len(d.Hidden), len(want), d, want)
	}
	counted := 0
	for n, list := range [][]privacy.PairChange{d.Shown, d.Hidden} {
		for i, c := range list {
			shown, ok := want[fmt.Sprint(c.Fact, "|", c.Person, c.Before, c.After)]
			if !ok || shown != (n == 0) {
				t.Fatalf("%+v was not expected", c)
			}
			if i > 0 && list[i-1].Label.Level > c.Label.Level {
				t.Fatalf("%+v comes after a less sensitive one", c)
			}
		}
	}
	for _, c := range d.Counts {
		counted += c.Shown + c.Hidden
	}
	if counted != len(want) || d.Facts != len(facts) || d.People != len(people) || d.Decisions != 2*len(facts)*len(people) {
		t.Fatalf("counted %d of %d: %+v", counted, len(want), d)
	}
	if d.Widens() != (len(d.Shown)+len(d.Loosened) > 0) {
		t.Fatal("widening isn't said")
	}
	return d
}

// TestPlanNewID: somebody who gets an id, or another one, is the same person.
func TestPlanNewID(t *testing.T) {
	policy := func(id string) *privacy.Policy {
		return mustParse(t, "version: 1\nowner: {name: Ada}\ngroups: [{id: g, tier: 1, domain: any}]\n"+
			"people: [{"+id+"name: Bo, groups: [g]}]\ncategories: [{id: c, name: c, level: 1, description: d}]\n")
	}
	facts := []privacy.Fact{{ID: "f", Categories: []privacy.CategoryID{"c"}}}
	d := privacy.Plan(privacy.NewJudge(policy("id: p1, "), facts), privacy.NewJudge(policy("id: p2, "), facts))
	if len(d.Shown)+len(d.Hidden) > 0 || d.People != 2 {
		t.Errorf("%+v", d)
	}
}

// TestTighteningPlansNothingNew: the plan of a tightening edit shows nothing new.
func TestTighteningPlansNothingNew(t *testing.T) {
	for name, edit := range tightenings {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				before := genWorld().Draw(t, "world")
				for i := range before.facts {
					before.facts[i].Link = privacy.LinkConfirmed
				}
				after := before.clone()
				if !edit(t, after) {
					t.Skip("nothing to tighten")
				}
				if d := privacy.Plan(before.judge(), after.judge()); d.Widens() {
					t.Fatalf("shows %+v", d.Shown)
				}
			})
		})
	}
}

// TestWho: Who and Knows say what the judge says, for everybody and for strangers.
func TestWho(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		j := w.judge()
		p := j.Policy()
		for i := range j.Len() {
			want := make(map[privacy.PersonID]privacy.Verdict)
			for _, x := range p.People() {
				if v := j.Verdict(i, p.Recipient(x.Name)); v.Allow {
					want[x.ID] = v
				}
			}
			if v := j.Verdict(i, privacy.Recipient{}); v.Allow {
				want[""] = v
			}
			got := j.Who(i)
			for _, a := range got {
				if want[a.Person] != a.Verdict {
					t.Fatalf("%+v, want %+v", a, want[a.Person])
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
		for _, r := range recipients(p) {
			known := j.Knows(r)
			for i := range j.Len() {
				if slices.Contains(known, i) != j.Verdict(i, r).Allow {
					t.Fatalf("%q knows %v", r.Name(), known)
				}
			}
			grouped := make(map[privacy.FactID]bool)
			for _, k := range j.KnowsByCategory(r) {
				for _, id := range k.Facts {
					grouped[id] = true
				}
			}
			if len(grouped) != len(known) {
				t.Fatalf("%d facts by category, %d in all", len(grouped), len(known))
			}
		}
	})
}

func TestAudienceOfCategory(t *testing.T) {
	p := mustParse(t, goodPolicy)
	names := func(id privacy.CategoryID) (out []string) {
		for _, x := range p.Audience(id) {
			out = append(out, x.Name)
		}
		return out
	}
	if got := names("health"); got != nil {
		t.Errorf("health: %q, though its deny list names Mum", got)
	}
	if got := names("weather"); fmt.Sprint(got) != "[Zoë Müller Bo Berg]" {
		t.Errorf("weather: %q", got)
	}
	if got := names("gone"); got != nil {
		t.Errorf("a category that isn't there: %q", got)
	}
}

// BenchmarkPlan compares two policies over 10,000 facts and 200 people: somebody
// joins a group, and a category is loosened.
func BenchmarkPlan(b *testing.B) {
	p, facts := town(b, 200, 10000)
	level := privacy.L3
	for _, bench := range []struct {
		name  string
		edits []privacy.Edit
	}{
		{"nothing", nil},
		{"join", []privacy.Edit{privacy.SetGroups{Person: "Person 7", Groups: []privacy.GroupID{"g0", "g1"}}}},
		{"loosen", []privacy.Edit{privacy.SetCategory{ID: "c1", Level: &level}}},
		{"newcomer", []privacy.Edit{privacy.AddPerson{Person: privacy.Person{Name: "New", Groups: []privacy.GroupID{"g0"}}}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			edited, err := p.Edit(bench.edits...)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			decisions, pairs := 0, 0
			for b.Loop() {
				d := privacy.Plan(privacy.NewJudge(p, facts), privacy.NewJudge(edited.Policy, facts))
				decisions += d.Decisions
				pairs = len(d.Shown) + len(d.Hidden)
			}
			b.ReportMetric(float64(decisions)/b.Elapsed().Seconds(), "decisions/s")
			b.ReportMetric(float64(pairs), "changes")
		})
	}
}
