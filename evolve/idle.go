package evolve

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// idle says why a supplement does nothing today, "" where it may do something: what it
// speaks of is gone from the policy, or its stage doesn't run. It comes back with that.
func idle(s Supplement, p *privacy.Policy, active []engine.Lesson, model string) string {
	if s.Lesson == nil {
		switch {
		case !slices.Contains(Stages(), s.Stage):
			return fmt.Sprintf("there is no stage %s", s.Stage)
		case model == "":
			return fmt.Sprintf("the stage %s takes notes on a model alone, and none is set", s.Stage)
		}
		return ""
	}
	if err := s.Lesson.Validate(); err != nil {
		return "this release knows no such lesson"
	}
	if why := agent.OutgrownBy(*s.Lesson, p); why != "" {
		return why
	}
	others := slices.DeleteFunc(slices.Clone(active), func(l engine.Lesson) bool { return l == *s.Lesson })
	switch s.Lesson.Kind {
	case engine.LessonBound:
		return ""
	case engine.LessonHeading:
		if reflect.DeepEqual(engine.CategoryThemes(p, others...), engine.CategoryThemes(p, append(others, *s.Lesson)...)) {
			return fmt.Sprintf("no category of the policy is about %s by it", s.Lesson.Of)
		}
		return ""
	}
	for _, of := range engine.CategoryThemes(p, others...) {
		if slices.Contains(of, s.Lesson.Of) {
			return ""
		}
	}
	return fmt.Sprintf("no category of the policy is about %s", s.Lesson.Of)
}

// withIdle says of each supplement in force, or that waits, whether it does nothing today.
// With no policy to read nothing is said.
func withIdle(ctx context.Context, a *agent.Agent, list []Supplement) []Supplement {
	p, err := a.Policy(ctx)
	if err != nil {
		return list
	}
	var lessons []engine.Lesson
	for _, s := range list {
		if s.Status == Active && s.Lesson != nil {
			lessons = append(lessons, *s.Lesson)
		}
	}
	for i := range list {
		if list[i].Status == Active || list[i].Status == Proposed || list[i].Status == Candidate && list[i].Lesson == nil {
			list[i].Idle = idle(list[i], p, lessons, a.ModelName())
			list[i].Outgrown = list[i].Lesson != nil && agent.OutgrownBy(*list[i].Lesson, p) != ""
		}
	}
	return list
}
