package privacy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// TestChanges: every change that is proposed turns the verdict, opens and hides
// what it says and no more, and the smallest comes first.
func TestChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		f := rapid.SampledFrom(w.facts).Draw(t, "fact")
		people := []privacy.Recipient{{}}
		for _, x := range p.People() {
			people = append(people, p.Recipient(x.Name))
		}
		r := rapid.SampledFrom(people).Draw(t, "recipient")
		was := j.VerdictOf(f.ID, r)
		if got := privacy.NewJudge(p, w.facts).Changes(f.ID, r, was.Allow); got != nil {
			t.Fatalf("changes where none is needed: %+v", got)
		}
		got := privacy.NewJudge(p, w.facts).Changes(f.ID, r, !was.Allow)
		if r.Known() && len(got) == 0 {
			t.Fatalf("no way to turn %+v for %q", was, r.Name())
		}
		for n, c := range got {
			if n > 0 && len(got[n-1].Opens) > len(c.Opens) {
				t.Fatalf("%s opens less than %s before it", c.Describe, got[n-1].Describe)
			}
			if c.Describe == "" || c.Target == "" {
				t.Fatalf("%+v", c)
			}
			if c.Edit == nil {
				if slices.ContainsFunc(append(c.Opens, c.Hides...), func(x privacy.PairChange) bool { return x.Fact != f.ID && f.Event == "" }) {
					t.Fatalf("a mark of a fact without an event changes another fact: %+v", c)
				}
				continue
			}
			edited, err := p.Edit(c.Edit)
			if err != nil {
				t.Fatal(err)
			}
			after := privacy.NewJudge(edited.Policy, w.facts)
			if after.VerdictOf(f.ID, edited.Policy.Recipient(string(r.ID()))).Allow == was.Allow {
				t.Fatalf("%s turns nothing", c.Describe)
			}
			d := privacy.Plan(j, after)
			if len(d.Shown)+len(d.Hidden) != len(c.Opens)+len(c.Hides)+1 {
				t.Fatalf("%s: %d and %d, planned %d and %d", c.Describe, len(c.Opens), len(c.Hides), len(d.Shown), len(d.Hidden))
			}
		}
	})
}

// TestChangesOrder shows what is offered, the smallest first.
func TestChangesOrder(t *testing.T) {
	p := mustParse(t, `version: 1
owner: {name: Ada}
groups:
  - {id: close, tier: 1, domain: any}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Mum, groups: [close]}
  - {name: Fay, groups: [friends]}
  - {name: Gus, groups: [friends]}
categories: [{id: health, name: Health, level: 1, domain: life, description: d}, {id: food, name: Food, level: 4, description: d}]
`)
	fact := func(id string, black ...privacy.Party) privacy.Fact {
		return privacy.Fact{ID: privacy.FactID(id), Categories: []privacy.CategoryID{"health"}, Truth: privacy.Real, Trusted: true, Blacklist: black}
	}
	facts := []privacy.Fact{fact("a"), fact("b"), fact("c", "Fay"), fact("d"), fact("closed"), fact("kept"), fact("shut", "Mum"), fact("given")}
	facts[3].Categories = []privacy.CategoryID{"food"}
	facts[4].Closed = true
	facts[5].Reserved = []privacy.Party{"Mum"}
	facts[7].Whitelist = []privacy.Party{"Fay"}
	type row struct {
		kind  privacy.ChangeKind
		opens int
	}
	tests := map[string]struct {
		fact privacy.FactID
		who  string
		want bool
		rows []row
	}{
		"let in":              {"a", "Fay", true, []row{{privacy.ChangeGrant, 0}, {privacy.ChangeJoin, 3}, {privacy.ChangeLoosen, 9}}},
		"denied by name":      {"c", "Fay", true, []row{{privacy.ChangeRegrant, 0}}},
		"closed":              {"closed", "Mum", true, []row{{privacy.ChangeGrant, 0}, {privacy.ChangeReopen, 0}}},
		"reserved":            {"kept", "Mum", true, []row{{privacy.ChangeGrant, 0}, {privacy.ChangeRelease, 0}}},
		"denied, else open":   {"shut", "Mum", true, []row{{privacy.ChangeUndeny, 0}, {privacy.ChangeRegrant, 0}}},
		"take a grant back":   {"given", "Fay", false, []row{{privacy.ChangeDeny, 0}, {privacy.ChangeUngrant, 0}}},
		"a stranger":          {"a", "Eve", true, nil},
		"keep out":            {"a", "Mum", false, []row{{privacy.ChangeDeny, 0}, {privacy.ChangeClose, 0}, {privacy.ChangeLeave, 0}, {privacy.ChangeTighten, 0}}},
		"keep a stranger out": {"d", "Eve", false, []row{{privacy.ChangeTighten, 0}, {privacy.ChangeClose, 0}}},
		"not there":           {"x", "Fay", true, nil},
		"as wanted":           {"a", "Mum", true, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []row
			for _, c := range privacy.NewJudge(p, facts).Changes(tt.fact, p.Recipient(tt.who), tt.want) {
				got = append(got, row{c.Kind, len(c.Opens)})
			}
			if !slices.Equal(got, tt.rows) {
				t.Errorf("got %v, want %v", got, tt.rows)
			}
		})
	}
	if got := privacy.NewJudge(p, facts).Changes("a", privacy.OwnerPrincipal(), false); got != nil {
		t.Errorf("the owner kept out by %+v", got)
	}
	if got := privacy.NewJudge(p, facts).Changes("a", p.Recipient("Fay").Cap(4, true), true); got != nil {
		t.Errorf("a cap lifted by %+v", got)
	}
}
