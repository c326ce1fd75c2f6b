package agent_test

import (
	"errors"
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

// TestCombinationEverywhere: every view of the owner's says what a disclosure
// would do, and a change that gets somebody past a combination is planned and asked.
func TestCombinationEverywhere(t *testing.T) {
	a := open(t, mosaicPolicy)
	put(t, a,
		fact{ID: "f1", Text: "Ines lives at Elm Street.", Categories: []privacy.CategoryID{"where"}, Time: now, Truth: "real", Trusted: true},
		fact{ID: "f2", Text: "Ines flies to Norway in August.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true},
	)
	ctx := t.Context()
	without := strings.Replace(mosaicPolicy, "  - {id: empty-flat, of: [where, away], level: 1, domain: life}", "  []", 1)
	// Nothing is told yet: nobody sees more at once, but it isn't silent.
	plan, err := a.ApplyPolicy(ctx, []byte(without), "", false)
	if !errors.Is(err, agent.ErrWidens) || len(plan.Shown) != 0 || len(plan.Loosened) != 6 || len(plan.Loosens) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if d := disclose(t, a, "When does she fly to Norway?", "Bo"); d.Action != agent.Answered {
		t.Fatalf("Bo is told %q", d.Answer)
	}

	why, err := a.Why(ctx, "f1", "Mia", agent.AsOf{})
	if err != nil || why.Verdict.Reason != privacy.ReasonCombination {
		t.Fatalf("%+v, %v", why, err)
	}
	if len(why.Told) != 1 || why.Told[0].Fact != "f2" || why.Told[0].To != "Bo" || why.Told[0].Combination != "empty-flat" {
		t.Errorf("told: %+v", why.Told)
	}
	kinds := map[privacy.ChangeKind]bool{}
	for _, c := range why.Changes {
		kinds[c.Kind] = true
	}
	if !kinds[privacy.ChangeGrant] || !kinds[privacy.ChangeUncombine] || !kinds[privacy.ChangeJoin] {
		t.Errorf("changes: %+v", why.Changes)
	}
	if who, err := a.Who(ctx, "f1", agent.AsOf{}); err != nil || len(who[0].Who) != 2 {
		t.Errorf("who: %+v, %v", who, err)
	}
	if knows, err := a.Knows(ctx, "Mia", 1, 0, agent.AsOf{}); err != nil || knows.Total != 1 || knows.Categories[0].Category != "away" {
		t.Errorf("knows: %+v, %v", knows, err)
	}
	parts, err := a.Partition(ctx, agent.PartitionRequest{Facts: []privacy.FactID{"f1", "f2"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range parts.People {
		want := map[string]string{"Tomas": "default default", "Bo": "combination default", "Mia": "combination default", "Raj": "default default"}[row.Name]
		if got := row.Verdicts[0].Reason.String() + " " + row.Verdicts[1].Reason.String(); got != want {
			t.Errorf("%s: %s, want %s", row.Name, got, want)
		}
		if row.All.Allow != (row.Name == "Tomas") {
			t.Errorf("%s all: %+v", row.Name, row.All)
		}
	}
	as, err := a.Readers(ctx, []string{"Mia"})
	if err != nil {
		t.Fatal(err)
	}
	if found, err := a.Recall(ctx, agent.RecallRequest{Query: "Elm Street", As: as}); err != nil || len(found.Facts) != 0 {
		t.Errorf("recall: %+v, %v", found, err)
	}

	// Each gets Mia or Bo past what the combination holds back.
	for name, source := range map[string]string{
		"a combination gone": without,
		"a looser ceiling":   strings.Replace(mosaicPolicy, "level: 1, domain: life}\n", "level: 3, domain: life}\n", 1),
		"a smaller circle":   strings.Replace(mosaicPolicy, "people: [Bo, Mia]", "people: [Bo, Raj]", 1),
	} {
		if name == "a looser ceiling" {
			source = strings.Replace(mosaicPolicy, "of: [where, away], level: 1", "of: [where, away], level: 3", 1)
		}
		plan, err := a.PlanPolicy(ctx, []byte(source))
		if err != nil || len(plan.Shown) == 0 || plan.Shown[0].Before.Reason != privacy.ReasonCombination {
			t.Errorf("%s: %+v, %v", name, plan, err)
		}
		if _, err := a.ApplyPolicy(ctx, []byte(source), "", false); !errors.Is(err, agent.ErrWidens) {
			t.Errorf("%s is applied unasked: %v", name, err)
		}
	}
	for name, edit := range map[string]agent.Edit{
		"allow":            {Allow: []privacy.Party{"Mia"}},
		"another category": {Categories: []privacy.CategoryID{"away"}},
	} {
		if done, err := a.EditFact(ctx, "f1", edit, false); !errors.Is(err, agent.ErrWidens) || done.Applied || len(done.Widened) == 0 {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
		if done, err := a.Decide(ctx, []privacy.FactID{"f1"}, agent.Decision{Edit: edit}, false); !errors.Is(err, agent.ErrWidens) || done.Applied() {
			t.Errorf("review %s: %+v, %v", name, done, err)
		}
	}
	// Raj knows of neither: a grant now gets past what would be held back later.
	if done, err := a.EditFact(ctx, "f1", agent.Edit{Allow: []privacy.Party{"Raj"}}, false); !errors.Is(err, agent.ErrWidens) || len(done.Loosened) != 1 || done.Loosened[0].Name != "Raj" {
		t.Errorf("a grant to Raj: %+v, %v", done, err)
	}
	// What tightens is not asked.
	for name, source := range map[string]string{ // Tomas, who alone passes now, was told nothing: it hides only from a circle
		"a larger circle": strings.Replace(mosaicPolicy, "people: [Bo, Mia]", "people: [Bo, Mia, Raj]", 1),
		"a lower ceiling": strings.Replace(mosaicPolicy, "of: [where, away], level: 1", "of: [where, away], level: 0", 1),
	} {
		plan, err := a.PlanPolicy(ctx, []byte(source))
		if err != nil || plan.Widens() || len(plan.Loosens) > 0 || (len(plan.Hidden) > 0) != (name == "a larger circle") {
			t.Errorf("%s: %+v, %v", name, plan, err)
		}
	}
}

// TestCombinationForgottenRule: a forgotten fact counts for a combination by the
// rule that it met, too.
func TestCombinationForgottenRule(t *testing.T) {
	policy := strings.Replace(mosaicPolicy, "circles:", "rules:\n  - {id: norway, deny: [Raj], about: Norway}\ncircles:", 1)
	policy = strings.Replace(policy, "of: [where, away]", "of: [where, norway]", 1)
	a := open(t, policy)
	put(t, a,
		fact{ID: "f1", Text: "Ines lives at Elm Street.", Categories: []privacy.CategoryID{"where"}, Time: now, Truth: "real", Trusted: true},
		fact{ID: "f2", Text: "Ines flies to Norway in August.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true},
	)
	if d := disclose(t, a, "When does she fly to Norway?", "Bo"); d.Action != agent.Answered {
		t.Fatalf("Bo is told %q", d.Answer)
	}
	if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{"f2"}}); err != nil {
		t.Fatal(err)
	}
	why, err := a.Why(t.Context(), "f1", "Bo", agent.AsOf{})
	if err != nil || why.Verdict.Reason != privacy.ReasonCombination || len(why.Told) != 1 || why.Told[0].Fact != "" {
		t.Errorf("%+v, %v", why, err)
	}
}
