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

// TestRemoveAlias: a name is taken from somebody, and put back the text is as it was;
// one by which something binds them stays.
func TestRemoveAlias(t *testing.T) {
	p := mustParse(t, replaceOnce(t, mosaicPolicy, "{name: Mum,", "{name: Mei Lin, aliases: [Mum],"))
	added, err := p.Edit(privacy.AddAlias{Person: "mei lin", Alias: "+49 151 0000001"})
	if err != nil {
		t.Fatal(err)
	}
	removed, err := added.Policy.Edit(privacy.RemoveAlias{Person: "Mum", Alias: "+49 151 0000001"})
	if err != nil {
		t.Fatal(err)
	}
	if string(removed.Source()) != string(p.Source()) {
		t.Errorf("added and removed:\n%s\nwant\n%s", removed.Source(), p.Source())
	}
	if _, known := removed.Policy.Person("+49 151 0000001"); known {
		t.Error("the name still binds")
	}
	bound, err := p.Edit(privacy.AddRule{Rule: privacy.Rule{Deny: []privacy.Party{"Mum"}, Categories: []privacy.CategoryID{"food"}}})
	if err != nil {
		t.Fatal(err)
	}
	for what, edit := range map[string]struct {
		p *privacy.Policy
		privacy.RemoveAlias
	}{
		"a rule's":     {bound.Policy, privacy.RemoveAlias{Person: "Mei Lin", Alias: "Mum"}},
		"no alias":     {p, privacy.RemoveAlias{Person: "Mei Lin", Alias: "Mama"}},
		"the name":     {p, privacy.RemoveAlias{Person: "Mei Lin", Alias: "Mei Lin"}},
		"nobody's":     {p, privacy.RemoveAlias{Person: "Nobody", Alias: "Mum"}},
		"an empty one": {p, privacy.RemoveAlias{Person: "Mei Lin"}},
	} {
		if _, err := edit.p.Edit(edit.RemoveAlias); err == nil {
			t.Errorf("%s was removed", what)
		}
	}
}
