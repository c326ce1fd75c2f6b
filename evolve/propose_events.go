package evolve

import (
	"slices"

	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

// Steps of the bound by which a fact joins an event, the smallest first: a larger one that
// puts no more right is refused ([ErrStep]). None can only close, so that all wait.
var (
	stricter = []float64{0.05, 0.1, 0.2, 0.28}
	readier  = []float64{-0.04, -0.08, -0.12}
)

// links proposes to move the bound on joining events against the way in which the stage
// erred: to stricter where facts were joined that don't belong there, to readier where they
// were left apart. A fact counts once, whatever was said of it.
func (l *learner) links(findings []Finding) []scoredLesson {
	type way struct {
		language string
		missed   bool
	}
	evidence, facts := map[way][]int64{}, map[way][]string{}
	for i := range findings {
		f := &findings[i]
		if f.Stage != prompts.StageCorefer || f.Kind != "wrong-event" || f.Trace == nil || f.Trace.Fact == nil {
			continue
		}
		right := f.Trace.Right.Event
		if !right.Missed && len(right.Apart) == 0 {
			continue
		}
		at := way{engine.BoundLanguage(f.Trace.Fact.Text), right.Missed}
		evidence[at] = append(evidence[at], f.Feedback)
		if id := f.Home + "\x00" + string(f.Trace.Fact.ID); !slices.Contains(facts[at], id) {
			facts[at] = append(facts[at], id)
		}
	}
	var out []scoredLesson
	for _, language := range []string{"en", "zh"} {
		for _, missed := range []bool{false, true} {
			at, steps := way{language, missed}, stricter
			if missed {
				steps = readier
			}
			if len(facts[at]) < boundFacts {
				continue
			}
			for _, step := range steps {
				out = append(out, scoredLesson{
					lesson: engine.Lesson{Kind: engine.LessonBound, Lang: language, Of: "link", Step: step},
					homes:  l.homes, support: len(facts[at]), evidence: evidence[at],
				})
			}
		}
	}
	return out
}

// insteadOf are the smaller steps of those found that a lesson takes the place of, by id:
// bounds in force add up, and a larger step is meant as the whole of what is to be moved.
func insteadOf(l engine.Lesson, found []scoredLesson) []string {
	var out []string
	for _, x := range found {
		if l.Of == "link" && x.lesson != l && sameWay(&x.lesson, &l) {
			out = append(out, NewLesson(x.lesson, ByRule).ID)
		}
	}
	return out
}

// sameWay reports whether two lessons move one bound the same way, and the first no
// further.
func sameWay(a, b *engine.Lesson) bool {
	return a != nil && b != nil && a.Kind == engine.LessonBound && b.Kind == engine.LessonBound &&
		a.Of == b.Of && a.Lang == b.Lang && (b.Step > 0 && 0 < a.Step && a.Step <= b.Step || b.Step < 0 && b.Step <= a.Step && a.Step < 0)
}
