package privacy_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

const mosaicPolicy = `version: 1
owner: {name: Ada}
groups:
  - {id: close, tier: 1, domain: any}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Mum, groups: [close]}
  - {name: Fay, groups: [friends]}
  - {name: Gus, groups: [friends]}
  - {name: Hal, groups: [friends]}
categories:
  - {id: trip, name: Trips, level: 3, domain: life, description: d}
  - {id: home, name: Home, level: 3, domain: life, description: d}
  - {id: food, name: Food, level: 4, description: d}
rules:
  - {id: dog, allow: [Gus], about: the dog}
combinations:
  - {id: empty-house, of: [trip, home], level: 1}
  - {id: walks, of: [dog, food], level: 0}
circles:
  - {id: pub, people: [Fay, Gus]}
  - {id: choir, people: [Gus, Hal]}
`

// TestCombineCases: which fact of a message is kept back, and from whom.
func TestCombineCases(t *testing.T) {
	p := mustParse(t, mosaicPolicy)
	base := privacy.Fact{Truth: privacy.Real, Trusted: true}
	fact := func(id string, categories ...privacy.CategoryID) privacy.Fact {
		f := base
		f.ID, f.Categories = privacy.FactID(id), categories
		return f
	}
	granted := fact("granted", "home")
	granted.OwnWhitelist = []privacy.Party{"Fay"}
	dog := fact("dog", "food")
	dog.Rules = []privacy.RuleID{"dog"}
	j := privacy.NewJudge(p, []privacy.Fact{
		fact("trip", "trip"), fact("home", "home"), fact("food", "food"), fact("both", "trip", "home"), granted, dog, fact("none"),
	})
	trip, home := privacy.CombinationItem{Categories: []privacy.CategoryID{"trip"}}, privacy.CombinationItem{Categories: []privacy.CategoryID{"home"}}
	tests := map[string]struct {
		to   []string
		told []privacy.CombinationItem
		ids  []privacy.FactID
		want string
	}{
		"neither completes":          {[]string{"Fay"}, nil, []privacy.FactID{"trip", "food"}, "[default default]"},
		"the second completes":       {[]string{"Fay"}, nil, []privacy.FactID{"trip", "home"}, "[default combination:empty-house:L1/life]"},
		"in the other order":         {[]string{"Fay"}, nil, []privacy.FactID{"home", "trip"}, "[default combination:empty-house:L1/life]"},
		"only its own facts":         {[]string{"Fay"}, []privacy.CombinationItem{trip, home}, []privacy.FactID{"food", "trip", "home"}, "[default combination:empty-house:L1/life combination:empty-house:L1/life]"},
		"told before":                {[]string{"Fay"}, []privacy.CombinationItem{home}, []privacy.FactID{"trip"}, "[combination:empty-house:L1/life]"},
		"passes the ceiling":         {[]string{"Mum"}, []privacy.CombinationItem{home}, []privacy.FactID{"trip"}, "[default]"},
		"one fact is the set":        {[]string{"Fay"}, nil, []privacy.FactID{"both"}, "[combination:empty-house:L1/life]"},
		"a whitelist beats it":       {[]string{"Fay"}, []privacy.CombinationItem{trip}, []privacy.FactID{"granted"}, "[whitelisted]"},
		"a denied fact counts not":   {[]string{"$nobody"}, nil, []privacy.FactID{"trip", "home"}, "[cross_domain cross_domain]"},
		"kept back, it counts not":   {[]string{"Fay"}, []privacy.CombinationItem{trip}, []privacy.FactID{"home", "food"}, "[combination:empty-house:L1/life default]"},
		"a rule and a category":      {[]string{"Mum"}, nil, []privacy.FactID{"dog"}, "[combination:walks:L0]"},
		"unknown fact":               {[]string{"Mum"}, nil, []privacy.FactID{"gone"}, "[unjudged]"},
		"uncategorised":              {[]string{"Mum"}, nil, []privacy.FactID{"none"}, "[level0]"},
		"nobody reads it":            {nil, nil, []privacy.FactID{"food"}, "[empty]"},
		"one of two may not":         {[]string{"Mum", "Fay"}, nil, []privacy.FactID{"trip", "home"}, "[default combination:empty-house:L1/life]"},
		"the owner knows everything": {[]string{"$owner"}, []privacy.CombinationItem{trip, home}, []privacy.FactID{"trip", "home"}, "[owner owner]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var listeners []privacy.Listener
			for _, who := range tt.to {
				r := p.Recipient(who)
				if who == "$owner" {
					r = privacy.OwnerPrincipal()
				}
				listeners = append(listeners, privacy.Listener{Recipient: r, Told: tt.told})
			}
			var got []string
			for _, v := range j.Combine(tt.ids, listeners...) {
				s := v.Reason.String()
				if v.Combination != "" {
					s += ":" + v.Combination + ":" + v.Ceiling.String()
				}
				got = append(got, s)
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCircle(t *testing.T) {
	p := mustParse(t, mosaicPolicy)
	for who, want := range map[string][]privacy.PersonID{
		"Mum": {"mum"}, "Fay": {"fay", "gus"}, "GUS": {"fay", "gus", "hal"}, "Hal": {"gus", "hal"}, "Eve": nil,
	} {
		if diff := cmp.Diff(want, p.Circle(who)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", who, diff)
		}
	}
}

// TestCombine: combinations never widen, deny only their own facts and only those
// that complete them, don't care for the order of what was told, and without
// them Combine is Audience.
func TestCombine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		plain := w.judge()
		var parts []string
		for _, c := range w.Categories {
			parts = append(parts, c.ID)
		}
		if len(parts) > 1 && rapid.Bool().Draw(t, "with a rule") {
			w.Rules = []worldRule{{ID: "r", Allow: []string{w.People[0].Name}, Category: parts[0]}}
			parts = append(parts, "r")
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "combinations") {
			of := rapid.Permutation(parts).Draw(t, "of")
			if len(of) > 1 {
				w.Combinations = append(w.Combinations, worldCombination{
					ID: fmt.Sprint("m", i), Of: of[:rapid.IntRange(2, len(of)).Draw(t, "parts")],
					Level: rapid.IntRange(0, 4).Draw(t, "level"), Domain: rapid.SampledFrom([]string{"", "work", "club"}).Draw(t, "domain"),
				})
			}
		}
		for i := range w.facts {
			if len(w.Rules) > 0 && rapid.Bool().Draw(t, "matches") {
				w.facts[i].Rules = []privacy.RuleID{"r"}
			}
		}
		j := w.judge()
		p := j.Policy()
		var ids []privacy.FactID
		for _, f := range rapid.Permutation(w.facts).Draw(t, "order") {
			ids = append(ids, f.ID)
		}
		var told []privacy.CombinationItem
		for _, f := range w.facts {
			if rapid.IntRange(0, 3).Draw(t, "told") == 0 {
				told = append(told, f.Item())
			}
		}
		var rs []privacy.Recipient
		var listeners, shuffled []privacy.Listener
		for _, r := range rapid.SliceOfN(rapid.SampledFrom(recipients(p)), 1, 2).Draw(t, "listeners") {
			rs = append(rs, r)
			listeners = append(listeners, privacy.Listener{Recipient: r, Told: told})
			shuffled = append(shuffled, privacy.Listener{Recipient: r, Told: rapid.Permutation(told).Draw(t, "told in another order")})
		}
		got := j.Combine(ids, listeners...)
		if diff := cmp.Diff(got, j.Combine(ids, shuffled...)); diff != "" {
			t.Fatalf("the order of what was told matters:\n%s", diff)
		}
		known := make(map[string]bool) // parts that everybody knows by now
		tell := func(x privacy.CombinationItem) {
			for _, c := range x.Categories {
				known[string(c)] = true
			}
			for _, r := range x.Rules {
				known[string(r)] = true
			}
		}
		for _, x := range told {
			tell(x)
		}
		for n, id := range ids {
			i, _ := j.Index(id)
			f := w.facts[i]
			alone := j.Audience(i, rs)
			if k, _ := plain.Index(id); alone != plain.Audience(k, rs) {
				t.Fatal("a combination changes a verdict by itself")
			}
			if !alone.Allow && got[n].Verdict != alone || got[n].Allow && got[n].Verdict != alone {
				t.Fatalf("%s: %+v, alone %+v", id, got[n], alone)
			}
			// What the mosaic rule says, written the long way.
			was := maps.Clone(known)
			tell(f.Item())
			denied := ""
			for _, r := range rs {
				for _, c := range w.Combinations {
					own := slices.ContainsFunc(c.Of, func(s string) bool {
						return slices.Contains(f.Categories, privacy.CategoryID(s)) || slices.Contains(f.Rules, privacy.RuleID(s))
					})
					missing := slices.ContainsFunc(c.Of, func(s string) bool { return !known[s] })
					if denied == "" && own && !missing && !underCeiling(p, w, i, c, r).Allow {
						denied = c.ID
					}
				}
			}
			if alone.Allow && got[n].Combination != denied || !alone.Allow && got[n].Combination != "" {
				t.Fatalf("%s: denied by %q, want %q", id, got[n].Combination, denied)
			}
			if !got[n].Allow {
				known = was
			}
		}
	})
}

// underCeiling judges the fact at i as if the owner had labelled it with the meet
// of its label and the ceiling; its whitelist is the effective one all the same.
func underCeiling(p *privacy.Policy, w *world, i int, c worldCombination, r privacy.Recipient) privacy.Verdict {
	j := privacy.NewJudge(p, append(slices.Clone(w.facts), privacy.Fact{
		ID: "ceiling", Label: &privacy.Label{Level: privacy.Level(c.Level), Domain: privacy.Domain(c.Domain)},
	}))
	u := j.Unit([]privacy.FactID{j.ID(i), "ceiling"}, r)
	return u.Verdicts[0]
}
