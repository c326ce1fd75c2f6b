package engine

import (
	"slices"

	"github.com/epagent/epagent/privacy"
)

// OnlyCloses reports whether the lesson can let nobody know more, whatever is said
// later: by what kinds of lessons do, not by what they did to the facts at hand. A
// statement without a category is for nobody, so whatever may place one can open it; and
// of several categories each closes, so whatever may take one away can open, too. A rule
// that lets somebody in on a category opens whatever joins that category: under a policy
// with such a rule, or none that is known (nil), what makes categories join isn't taken
// to close. A bound on joining events can open either way: an event lends whitelists to
// what joins it, and binds by what the owner said of it, by confidences and by cover
// stories what would be apart otherwise (TestLinkOpensEitherWay).
func (l Lesson) OnlyCloses(p *privacy.Policy) bool {
	switch l.Kind {
	case LessonSign:
		return !admitsByCategory(p) // it joins what is no looser to what is placed
	case LessonBound:
		switch l.Of {
		case "threshold", "open": // more evidence, or no category
			return l.Step > 0
		case "margin", "equal", "looser": // more categories join
			return l.Step > 0 && !admitsByCategory(p)
		case "whole": // fewer questions ask for anything
			return l.Step > 0
		}
	}
	return false
}

func admitsByCategory(p *privacy.Policy) bool {
	return p == nil || slices.ContainsFunc(p.Rules(), func(r privacy.Rule) bool {
		return len(r.Allow) > 0 && len(r.Categories) > 0
	})
}
