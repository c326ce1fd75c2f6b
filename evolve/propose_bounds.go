package evolve

import (
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// boundFacts is how many facts must have erred one way before a bound moves.
const boundFacts = 3

// Steps that are tried where the annotator errs, the boldest first: the gate takes what
// makes it better and nothing worse. No step asks for less evidence or joins less: that
// opens facts on which nobody has looked, and the policy has settings for it.
var (
	tooOpen = []engine.Lesson{ // a category is missing, or the wrong one is there
		{Of: "looser", Step: 0.2}, {Of: "looser", Step: 0.1}, {Of: "equal", Step: 0.3}, {Of: "equal", Step: 0.15},
		{Of: "open", Step: 0.1}, {Of: "margin", Step: 0.1},
	}
	unplaced = []engine.Lesson{ // no category is sure
		{Of: "agreed", Step: -0.65}, {Of: "agreed", Step: -0.6}, {Of: "agreed", Step: -0.5},
	}
)

// bounds proposes to move the cut-offs of the annotator against the way in which it
// erred.
func (l *learner) bounds(language string) (closing, opening []scoredLesson) {
	var open, none []int64
	for i := range l.all {
		s := &l.all[i]
		if s.feedback == 0 || s.language != language {
			continue
		}
		switch {
		case len(s.had) == 0:
			none = append(none, s.feedback)
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
	return steps(tooOpen, open), steps(unplaced, none)
}

// wholeFacts is how many times somebody must have been let in to a matter of which only a
// part was found: once is enough to try what can but close.
const wholeFacts = 1

// wholes proposes that a question for several things is for none where only one of them
// is found. It isn't a matter of language, so each that the findings have is asked.
func (l *learner) wholes(findings []Finding) []scoredLesson {
	var evidence []int64
	languages := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		languages[f.Language] = true
		if f.Stage == prompts.StageQueryUnits && f.Kind == "should-not-have-told" {
			evidence = append(evidence, f.Feedback)
		}
	}
	if len(evidence) < wholeFacts {
		return nil
	}
	var out []scoredLesson
	for _, language := range sortedKeys(languages) {
		out = append(out, scoredLesson{
			lesson: engine.Lesson{Kind: engine.LessonBound, Lang: language, Of: "whole", Step: 1}, homes: l.homes, support: len(evidence), evidence: evidence,
		})
	}
	return ordered(out)
}
