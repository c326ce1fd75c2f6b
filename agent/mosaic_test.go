package agent_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

const mosaicPolicy = `
version: 1
owner: {name: Ines, language: en}
groups:
  - {id: home, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Tomas, groups: [home]}
  - {name: Bo, groups: [friends]}
  - {name: Mia, groups: [friends]}
  - {name: Raj, groups: [friends]}
categories:
  - {id: where, name: Home, level: 3, domain: life, description: "flat, street"}
  - {id: away, name: Trips, level: 3, domain: life, description: "flights, holidays"}
circles:
  - {id: lunch, people: [Bo, Mia]}
combinations:
  - {id: empty-flat, of: [where, away], level: 1, domain: life}
`

// TestCombination: what completes a set is denied to whom it was told in part, and
// to those who talk to them; a forgotten part still counts; the explanation names
// the combination.
func TestCombination(t *testing.T) {
	for _, forget := range []bool{false, true} {
		a := open(t, mosaicPolicy)
		put(t, a,
			fact{ID: "f1", Text: "Ines lives at Elm Street.", Categories: []privacy.CategoryID{"where"}, Time: now, Truth: "real", Trusted: true},
			fact{ID: "f2", Text: "Ines flies to Norway in August.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true},
		)
		if d := disclose(t, a, "When does she fly to Norway?", "Bo"); d.Action != agent.Answered {
			t.Fatalf("Bo is told %q", d.Answer)
		}
		if forget {
			if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{"f2"}}); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]agent.Action{"Bo": agent.Deflected, "Mia": agent.Deflected, "Raj": agent.Answered, "Tomas": agent.Answered} {
			readers, err := a.Readers(t.Context(), []string{name})
			if err != nil {
				t.Fatal(err)
			}
			d, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: "Does she live at Elm Street?", To: readers, Preview: true, Explain: true})
			if err != nil {
				t.Fatal(err)
			}
			if d.Action != want {
				t.Errorf("forgotten %v: %s gets %q: %q", forget, name, d.Action, d.Answer)
			}
			if want == agent.Deflected && (len(d.Considered) == 0 || d.Considered[0].Reason != privacy.ReasonCombination || !strings.Contains(d.Considered[0].Rule, "empty-flat")) {
				t.Errorf("%s: %+v", name, d.Considered)
			}
		}
	}
}
