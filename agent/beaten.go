package agent

import (
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// beatenGrants looks at the grants that only the new policy has: whom do they name
// to no effect, since a deny wins? One sentence for each person and deny, with what
// takes the deny away.
func beatenGrants(before, after *world) []string {
	var out []string
	for _, rule := range after.policy.Rules() {
		if _, had := before.policy.Rule(rule.ID); had || rule.Denies() {
			continue
		}
		var seen []privacy.PersonID
		for _, party := range rule.Parties() {
			people, _ := after.policy.Resolve(party)
			for _, id := range people {
				if !slices.Contains(seen, id) {
					seen = append(seen, id)
					out = append(out, after.beaten(rule, id)...)
				}
			}
		}
	}
	return out
}

// beaten says by which denies a grant does nothing for one person: on the facts
// that are stored, and those that cover it, so that no later fact gets through.
func (w *world) beaten(grant privacy.Rule, id privacy.PersonID) []string {
	who := w.policy.Recipient(string(id))
	facts := map[string][]privacy.FactID{} // by the deny
	var order []string
	note := func(deny string, fact ...privacy.FactID) {
		if _, again := facts[deny]; !again {
			order = append(order, deny)
		}
		facts[deny] = append(facts[deny], fact...)
	}
	for i, mark := range w.marks {
		if slices.Contains(mark.Rules, grant.ID) && w.judge.Verdict(i, who).Reason == privacy.ReasonBlacklisted {
			for _, deny := range w.denies(mark, id) {
				note(deny, mark.ID)
			}
		}
	}
	for _, deny := range w.policy.Rules() {
		if deny.Denies() && deny.Covers(grant) && w.names(deny.Deny, id) {
			note(ruleDeny(deny.ID))
		}
	}
	for _, category := range grant.Categories {
		if c, ok := w.policy.Category(category); ok && w.names(c.Deny, id) {
			note(categoryDeny(category))
		}
	}
	var out []string
	for _, deny := range order {
		what := "what the grant is for"
		switch list := facts[deny]; {
		case len(list) == 1:
			what = string(list[0])
		case len(list) > 1:
			what = fmt.Sprintf("%s and %d more", list[0], len(list)-1)
		}
		if deny == "" {
			deny = fmt.Sprintf("on the fact itself: `epagent why --to %q %s` shows where it comes from", who.Name(), facts[deny][0])
		}
		out = append(out, fmt.Sprintf("%s stays denied to %s, since a deny wins over an allow: %s", what, who.Name(), deny))
	}
	return out
}

// denies lists what in the policy denies a fact to a person, each with what takes
// it away; "" where it is a mark of the fact.
func (w *world) denies(mark privacy.Fact, id privacy.PersonID) []string {
	var out []string
	for _, ruleID := range mark.Rules {
		if rule, ok := w.policy.Rule(ruleID); ok && rule.Denies() && w.names(rule.Deny, id) {
			out = append(out, ruleDeny(ruleID))
		}
	}
	for _, categoryID := range mark.Categories {
		if c, ok := w.policy.Category(categoryID); ok && w.names(c.Deny, id) {
			out = append(out, categoryDeny(categoryID))
		}
	}
	if len(out) == 0 {
		out = append(out, "")
	}
	return out
}

func ruleDeny(id privacy.RuleID) string {
	return fmt.Sprintf("rule %s; `epagent policy remove-rule %s` takes it out", id, id)
}

func categoryDeny(id privacy.CategoryID) string {
	return fmt.Sprintf("the deny list of category %s; take the name off it in %s", id, PolicyFile)
}

// names reports whether one of the parties stands for a person.
func (w *world) names(parties []privacy.Party, id privacy.PersonID) bool {
	return slices.ContainsFunc(parties, func(party privacy.Party) bool {
		people, _ := w.policy.Resolve(party)
		return slices.Contains(people, id)
	})
}
