package agent_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/privacy"
)

// TestBeatenGrants: a new grant that a deny beats says for whom, by which deny and
// what takes it away, also where nothing is stored that either matches.
func TestBeatenGrants(t *testing.T) {
	const rules = "rules:\n  - {id: no-norway, deny: [\"group:friends\"], about: Norway}\n"
	base := strings.Replace(mosaicPolicy, "circles:", rules+"circles:", 1)
	base = strings.Replace(base, `description: "flat, street"`, `description: "flat, street", deny: [Raj]`, 1)
	a := open(t, base)
	put(t, a,
		fact{ID: "f1", Text: "Ines flies to Norway in August.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true},
		fact{ID: "f2", Text: "Ines packs for Norway.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true},
		fact{ID: "f3", Text: "Ines lives at Elm Street.", Categories: []privacy.CategoryID{"where"}, Time: now, Truth: "real", Trusted: true},
		fact{ID: "f4", Text: "Ines rents a hut.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true, Blacklist: []string{"Mia"}},
	)
	for grant, want := range map[string][]string{
		"{allow: [Bo], category: away}":                {"f1 and 1 more stays denied to Bo", "rule no-norway", "`epagent policy remove-rule no-norway`"},
		"{allow: [Bo], fact: f2}":                      {"f2 stays denied to Bo", "rule no-norway"},
		"{allow: [Bo], about: Norway, event: e9}":      {"what the grant is for stays denied to Bo", "rule no-norway"},
		"{allow: [Raj], fact: f3}":                     {"f3 stays denied to Raj", "deny list of category where", "policy.yaml"},
		"{allow: [Mia], fact: f4}":                     {"f4 stays denied to Mia", "on the fact itself", `epagent why --to "Mia" f4`},
		"{allow: [Tomas], category: away}":             nil,
		"{allow: [\"group:home\", Tomas], about: hut}": nil,
		"{allow: [Bo], about: hut}":                    nil,
	} {
		plan, err := a.PlanPolicy(t.Context(), []byte(strings.Replace(base, rules, rules+"  - "+grant+"\n", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			if len(plan.Beaten) > 0 {
				t.Errorf("%s: %q", grant, plan.Beaten)
			}
			continue
		}
		if len(plan.Beaten) != 1 {
			t.Errorf("%s: %q, want one", grant, plan.Beaten)
		}
		for _, part := range want {
			if !strings.Contains(strings.Join(plan.Beaten, "\n"), part) {
				t.Errorf("%s: %q, want %q", grant, plan.Beaten, part)
			}
		}
	}
}
