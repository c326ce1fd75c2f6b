package privacy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/epagent/epagent/privacy"
)

// TestRemoval: a person goes with the rules that name them alone or mention them,
// and is left out of rules, deny lists and circles for several.
func TestRemoval(t *testing.T) {
	source := replaceOnce(t, mosaicPolicy, "rules:\n", `rules:
  - {allow: [Mum], category: trip}
  - {id: both, deny: [Mum, Fay], category: food} # kept for Fay
  - {allow: [Fay], mentions: Mum}
  - {allow: ["group:close"], category: home}
`)
	source = replaceOnce(t, source, "name: Food, level: 4, ", "name: Food, level: 4, deny: [mum, Fay], ")
	source = replaceOnce(t, source, "people: [Fay, Gus]", "people: [Fay, Mum, Gus]")
	p := mustParse(t, source)
	_, err := p.Edit(privacy.RemovePerson{Person: "Mum"})
	for _, want := range []string{
		"policy.yaml:14: deny of category \"food\" names Mum", "policy.yaml:17: rule \"both\" names Mum (`epagent policy remove-rule both`)",
		"policy.yaml:16: rule \"rule-", "policy.yaml:18: rule \"rule-", "circle \"pub\" names Mum",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\ndoesn't say %s", err, want)
		}
	}
	edited, err := p.Edit(p.Removal("mum")...)
	if err != nil {
		t.Fatal(err)
	}
	q := edited.Policy
	var rules []string
	for _, r := range q.Rules() {
		rules = append(rules, string(r.ID)+string(r.Parties()[0]))
	}
	if len(rules) != 3 || !strings.Contains(strings.Join(rules, " "), "bothFay") {
		t.Errorf("left: %q", rules)
	}
	if food, _ := q.Category("food"); fmt.Sprint(food.Deny) != "[Fay]" {
		t.Errorf("deny of food is %v", food.Deny)
	}
	if got := fmt.Sprint(q.Circles()); got != "[{pub [fay gus]} {choir [gus hal]}]" {
		t.Errorf("circles: %s", got)
	}
	if len(q.Removed()) != 1 || len(q.NamedBy("Mum")) != 0 {
		t.Errorf("removed: %v", q.Removed())
	}
	// A circle of two is none without one of them.
	if _, err = q.Edit(q.Removal("Gus")...); err == nil {
		t.Error("a combination goes on about a rule that is gone")
	}
	if edited, err = q.Edit(q.Removal("Fay")...); err != nil || len(edited.Policy.Circles()) != 1 {
		t.Errorf("without Fay: %v", err)
	}
	if _, err := p.Edit(p.Removal("Nobody")...); err == nil {
		t.Error("nobody was removed")
	}
}

// TestReservedNames: a removed person's names are no one else's, and the refusal
// says how to have the person back.
func TestReservedNames(t *testing.T) {
	p := mustParse(t, mosaicPolicy+"removed:\n  - {name: Old Flame, aliases: [Flame]}\n")
	for _, edit := range []privacy.Edit{
		privacy.AddPerson{Person: privacy.Person{Name: "old flame"}},
		privacy.AddPerson{Person: privacy.Person{Name: "New Flame", Aliases: []string{"ＦＬＡＭＥ"}}},
		privacy.AddAlias{Person: "Mum", Alias: "Flame"},
	} {
		if _, err := p.Edit(edit); err == nil || !strings.Contains(err.Error(), "from removed to people") {
			t.Errorf("%+v: %v", edit, err)
		}
	}
}

// TestRuleNamesAsWritten: a name in a rule is written as the policy has it, so that
// one rule isn't there twice under two spellings.
func TestRuleNamesAsWritten(t *testing.T) {
	p := mustParse(t, replaceOnce(t, mosaicPolicy, "{name: Mum,", "{name: Mei Lin, aliases: [Mum],"))
	rule := func(who ...privacy.Party) privacy.Edit {
		return privacy.AddRule{Rule: privacy.Rule{Deny: who, Categories: []privacy.CategoryID{"food"}}}
	}
	edited, err := p.Edit(rule("ＭＵＭ", "mei  LIN", "FAY", "group:close"))
	if err != nil {
		t.Fatal(err)
	}
	rules := edited.Policy.Rules()
	if got := fmt.Sprint(rules[len(rules)-1].Deny); got != "[Mum Mei Lin Fay group:close]" {
		t.Errorf("written: %s", got)
	}
	if _, err := edited.Policy.Edit(rule("mum", "Mei Lin", "Fay", "group:close")); err == nil {
		t.Error("the same rule twice")
	}
}
