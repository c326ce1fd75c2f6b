package privacy_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/privacy"
)

// TestRemoval: a person goes with the rules that name them alone or mention them,
// and is left out of those for several.
func TestRemoval(t *testing.T) {
	source := replaceOnce(t, mosaicPolicy, "rules:\n", `rules:
  - {allow: [Mum], category: trip}
  - {id: both, deny: [Mum, Fay], category: food} # kept for Fay
  - {allow: [Fay], mentions: Mum}
  - {allow: ["group:close"], category: home}
`)
	p := mustParse(t, source)
	if _, err := p.Edit(privacy.RemovePerson{Person: "Mum"}); err == nil {
		t.Error("rules still name Mum")
	}
	edited, err := p.Edit(p.Removal("mum")...)
	if err != nil {
		t.Fatal(err)
	}
	var rules []string
	for _, r := range edited.Policy.Rules() {
		rules = append(rules, string(r.ID)+string(r.Parties()[0]))
	}
	if len(rules) != 3 || !strings.Contains(strings.Join(rules, " "), "bothFay") {
		t.Errorf("left: %q", rules)
	}
	if len(edited.Policy.Removed()) != 1 {
		t.Error("Mum's name isn't reserved")
	}
	if _, err := p.Edit(p.Removal("Fay")...); err == nil {
		t.Error("a circle still names Fay")
	}
	if _, err := p.Edit(p.Removal("Nobody")...); err == nil {
		t.Error("nobody was removed")
	}
}
