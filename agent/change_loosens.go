package agent

import (
	"fmt"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// loosens says what of a new policy is not plainly a tightening, though no stored
// fact shows it: who may come to know more of later facts, or of facts that are put
// elsewhere later. It errs on the side of asking.
func loosens(before, after *privacy.Policy) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if before.Settings() != after.Settings() {
		say("the settings of how marks come about change")
	}
	was, is := before.Owner(), after.Owner()
	if was.Name != is.Name || was.Language != is.Language || !sameSet(was.Aliases, is.Aliases) {
		say("the owner's names change, by which the owner's words are known")
	}
	for _, g := range after.Groups() {
		old, there := before.Group(g.ID)
		switch {
		case !there:
			say("the group %s is new, at tier %d", g.ID, g.Tier)
		case g.Tier < old.Tier || g.Domain != old.Domain:
			say("the group %s stands closer, or in another domain", g.ID)
		case g.Description != old.Description:
			say("the group %s is described otherwise: words may come to mean it, or no longer", g.ID)
		}
	}
	for _, p := range after.People() {
		old, there := before.Person(string(p.ID))
		if there && old.ID != p.ID {
			there = false
		}
		for _, g := range p.Groups {
			if !there || !slices.Contains(old.Groups, g) {
				say("%s comes into the group %s", p.Name, g)
			}
		}
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			if there && name != old.Name && !slices.Contains(old.Aliases, name) {
				say("%s also goes by the name %s", old.Name, name)
			}
		}
		if there && p.Note != old.Note {
			say("%s is described otherwise: words may come to mean somebody else", p.Name)
		}
	}
	for _, old := range before.People() {
		// Later words that keep something from them by this name would bind nobody.
		for _, name := range append([]string{old.Name}, old.Aliases...) {
			if now, there := after.Person(name); !there || now.ID != old.ID {
				say("%s is no longer known by the name %s: a deny by it binds nobody", old.Name, name)
			}
		}
	}
	for _, party := range denied(before) {
		was, _ := before.Resolve(party)
		is, _ := after.Resolve(party)
		for _, id := range was {
			if !slices.Contains(is, id) {
				say("%s is no longer one of %s, to whom something is denied", id, party)
			}
		}
	}
	for _, gone := range before.Removed() {
		for _, name := range append([]string{gone.Name}, gone.Aliases...) {
			if !slices.ContainsFunc(after.Removed(), func(r privacy.RemovedPerson) bool {
				return r.Name == name || slices.Contains(r.Aliases, name)
			}) {
				say("%s may be somebody's name again", name)
			}
		}
	}
	for _, c := range after.Categories() {
		old, there := before.Category(c.ID)
		switch {
		case !there:
			if c.Level > 0 {
				say("the category %s is new, with label %s: later facts may be put there", c.ID, c.Label())
			}
			continue
		case privacy.Meet(c.Label(), old.Label()) != c.Label():
			say("the category %s becomes %s, it was %s", c.ID, c.Label(), old.Label())
		case c.Name != old.Name || c.Description != old.Description || !slices.Equal(c.Examples, old.Examples):
			say("what belongs to the category %s is described otherwise: later facts may be put elsewhere", c.ID)
		}
		if old.Confidence && !c.Confidence {
			say("what others confide of %s is no longer held", c.ID)
		}
		if c.Blur && (!old.Blur || c.BlurText != old.BlurText) {
			say("a denied fact of %s is told in general words", c.ID)
		}
		for _, d := range old.Deny {
			if !slices.Contains(c.Deny, d) {
				say("%s is no longer denied what belongs to %s", d, c.ID)
			}
		}
	}
	for _, old := range before.Categories() {
		if _, there := after.Category(old.ID); !there {
			say("the category %s goes: later facts like those may be put elsewhere", old.ID)
		}
	}
	out = append(out, loosensFacts(before, after)...)
	return out
}

// loosensFacts says the same of the rules about one fact. What they let out may show on
// nobody today, and would once the fact is put elsewhere.
func loosensFacts(before, after *privacy.Policy) []string {
	var out []string
	for _, r := range after.Rules() {
		if !r.Denies() && r.Fact != "" && !slices.ContainsFunc(before.Rules(), func(o privacy.Rule) bool { return sameEffect(o, r) }) {
			out = append(out, fmt.Sprintf("the rule %s allows %s to %s, whatever becomes of its label", r.ID, r.Fact, parties(r.Allow)))
		}
	}
	for _, r := range before.Rules() {
		stands := func(n privacy.Rule) bool {
			gone := slices.ContainsFunc(r.Deny, func(p privacy.Party) bool { return !slices.Contains(n.Deny, p) })
			return n.Covers(r) && !gone
		}
		if r.Denies() && r.Fact != "" && !slices.ContainsFunc(after.Rules(), stands) {
			out = append(out, fmt.Sprintf("the rule %s no longer denies %s to %s", r.ID, r.Fact, parties(r.Deny)))
		}
	}
	return out
}

// denied are those that a rule or a category keeps something from, each once.
func denied(p *privacy.Policy) []privacy.Party {
	var out []privacy.Party
	for _, r := range p.Rules() {
		out = append(out, r.Deny...)
	}
	for _, c := range p.Categories() {
		out = append(out, c.Deny...)
	}
	return unique(out)
}

func sameSet(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
