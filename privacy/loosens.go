package privacy

import (
	"fmt"
	"slices"
)

// Loosens returns what a new policy lets out of facts that are yet to come, which no
// plan over stored facts can show, one sentence each: a grant by rule that p doesn't
// give, a deny by rule that is gone, a setting that is looser, a combination that no other one at least as
// strict stands in for, people of a circle who are not together any more, and a rule
// that is a part of a combination and matches otherwise. A rule about one fact is
// about no later one.
func (p *Policy) Loosens(after *Policy) []string {
	var out []string
	for _, r := range after.rules {
		if !r.Denies() && r.Fact == "" && !slices.ContainsFunc(p.rules, func(s Rule) bool { return s.grants(r) }) {
			out = append(out, fmt.Sprintf("the rule %s allows to %s what matches it", r.ID, quoteAll(r.Allow)))
		}
	}
	for _, r := range p.rules {
		if r.Denies() && r.Fact == "" && !slices.ContainsFunc(after.rules, func(s Rule) bool { return s.denies(r) }) {
			out = append(out, fmt.Sprintf("the rule %s no longer denies to %s what matches it", r.ID, quoteAll(r.Deny)))
		}
	}
	out = append(out, p.settings.loosens(after.settings)...)
	for _, c := range p.combinations {
		stands := func(d Combination) bool {
			return subset(d.parts(), c.parts()) && Meet(d.Ceiling, c.Ceiling) == d.Ceiling
		}
		if !slices.ContainsFunc(after.combinations, stands) {
			out = append(out, "the combination "+c.ID+" no longer holds its parts apart as before")
		}
	}
	for _, c := range p.circles {
		kept := func(d Circle) bool {
			return !slices.ContainsFunc(c.People, func(id PersonID) bool {
				n := after.number(string(id))
				return n == 0 || !slices.Contains(d.People, after.people[n-1].ID)
			})
		}
		if !slices.ContainsFunc(after.circles, kept) {
			out = append(out, "the people of the circle "+c.ID+" no longer count as talking to each other")
		}
	}
	for _, c := range p.combinations {
		for _, id := range c.Rules {
			was, _ := p.Rule(id)
			is, there := after.Rule(id)
			if !there || !was.conditionsEqual(is) {
				out = append(out, "the rule "+string(id)+", a part of the combination "+c.ID+", no longer matches what it did")
			}
		}
	}
	return out
}

// conditionsEqual reports whether two rules match the same facts.
func (r Rule) conditionsEqual(s Rule) bool { return r.Covers(s) && s.Covers(r) }

// grants reports whether r allows all that s allows.
func (r Rule) grants(s Rule) bool {
	return !r.Denies() && r.Covers(s) && subset(s.Allow, r.Allow) &&
		(r.Until.IsZero() || !s.Until.IsZero() && !r.Until.Before(s.Until))
}

// denies reports whether r denies all that s denies.
func (r Rule) denies(s Rule) bool { return r.Denies() && r.Covers(s) && subset(s.Deny, r.Deny) }

// loosens says which settings let out more of later facts than before. The default of
// the annotator's two numbers is not known here: from it or to it may be looser.
func (s Settings) loosens(after Settings) []string {
	var out []string
	looser := func(key string, is bool, from, to any) {
		if is {
			out = append(out, fmt.Sprintf("the setting %s is %v in place of %v", key, to, from))
		}
	}
	looser("told_by_owner", later(s.ToldByOwner, after.ToldByOwner, ToldIgnore, ToldAsk, ToldGrant), s.ToldByOwner, after.ToldByOwner)
	looser("cover_audience", later(s.CoverAudience, after.CoverAudience, CoverTold, CoverGate), s.CoverAudience, after.CoverAudience)
	looser("cover_stories", later(s.CoverStories, after.CoverStories, CoversDeflect, CoversKeep), s.CoverStories, after.CoverStories)
	looser("untrusted", later(s.Untrusted, after.Untrusted, UntrustedHold, UntrustedAttribute, UntrustedGate), s.Untrusted, after.Untrusted)
	looser("ask", later(s.Ask, after.Ask, AskAlways, AskSensitive, AskNever), s.Ask, after.Ask)
	less := func(was, is float64) bool { return was != is && (was == 0 || is < was) }
	looser("label_threshold", less(s.LabelThreshold, after.LabelThreshold), share(s.LabelThreshold), share(after.LabelThreshold))
	looser("label_margin", less(s.LabelMargin, after.LabelMargin), share(s.LabelMargin), share(after.LabelMargin))
	return out
}

func share(x float64) any {
	if x == 0 {
		return "the default"
	}
	return x
}

// later reports whether to stands behind from in an order from strict to loose.
func later[T comparable](from, to T, order ...T) bool {
	return slices.Index(order, to) > slices.Index(order, from)
}
