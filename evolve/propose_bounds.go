package evolve

import (
	"slices"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// boundFacts is how many facts must have erred one way before a bound moves.
const boundFacts = 3

// Steps that are tried where the annotator errs, the boldest first: the gate takes what
// makes it better and nothing worse.
var (
	tooOpen = []engine.Lesson{ // a category is missing, or the wrong one is there
		{Of: "looser", Step: 0.2}, {Of: "looser", Step: 0.1}, {Of: "equal", Step: 0.3}, {Of: "equal", Step: 0.15},
		{Of: "open", Step: 0.1}, {Of: "margin", Step: 0.1},
	}
	unplaced = []engine.Lesson{ // no category is sure
		{Of: "agreed", Step: -0.85}, {Of: "agreed", Step: -0.75}, {Of: "agreed", Step: -0.65}, {Of: "agreed", Step: -0.55},
		{Of: "threshold", Step: -0.05}, {Of: "open", Step: -0.04},
	}
	crowded = []engine.Lesson{ // what is right is there, and more
		{Of: "margin", Step: -0.2}, {Of: "margin", Step: -0.1}, {Of: "equal", Step: -0.2}, {Of: "equal", Step: -0.1},
	}
)

// bounds proposes to move the cut-offs of the annotator against the way in which it
// erred.
func (l *learner) bounds(language string) (closing, opening []scoredLesson) {
	var open, none, more []int64
	for i := range l.all {
		s := &l.all[i]
		if s.feedback == 0 || s.language != language {
			continue
		}
		switch {
		case len(s.had) == 0:
			none = append(none, s.feedback)
		case len(s.had) > len(s.right) && !slices.ContainsFunc(s.right, func(c privacy.CategoryID) bool { return !slices.Contains(s.had, c) }):
			more = append(more, s.feedback)
		case s.was.Level > s.label.Level || s.was.Domain != s.label.Domain:
			open = append(open, s.feedback)
		}
	}
	steps := func(list []engine.Lesson, evidence []int64) (out []scoredLesson) {
		if len(evidence) < boundFacts {
			return nil
		}
		for _, b := range list {
			b.Kind, b.Lang = engine.LessonBound, language
			if b.Validate() == nil {
				out = append(out, scoredLesson{lesson: b, homes: l.homes, support: len(evidence), evidence: evidence})
			}
		}
		return out
	}
	return steps(tooOpen, open), append(steps(unplaced, none), steps(crowded, more)...)
}
