package engine

import (
	"fmt"
	"math"
)

// bounds are the cut-offs of the annotator that a lesson may move, each within limits.
type bounds struct {
	threshold, open, margin, equal, looser float64
}

var builtinBounds = bounds{defaultThreshold, openThreshold, defaultMargin, equalShare, looserShare}

// movable is a bound with how far lessons may take it.
type movable struct {
	least, most float64
	of          func(*bounds) *float64
}

var movables = map[string]movable{
	"threshold": {0.28, 0.60, func(b *bounds) *float64 { return &b.threshold }},
	"open":      {0.38, 0.70, func(b *bounds) *float64 { return &b.open }},
	"margin":    {0.15, 0.60, func(b *bounds) *float64 { return &b.margin }},
	"equal":     {0.20, 1.00, func(b *bounds) *float64 { return &b.equal }},
	"looser":    {0.00, 0.80, func(b *bounds) *float64 { return &b.looser }},
}

// Bounds lists the bounds of the annotator that a [LessonBound] may move.
func Bounds() []string { return sortedKeys(movables) }

// maxStep is the most that one lesson may move a bound.
const maxStep = 0.3

func (l Lesson) validateBound() error {
	switch {
	case movables[l.Of].of == nil:
		return fmt.Errorf("%w: bound %q; one of %q", ErrLesson, l.Of, Bounds())
	case l.Term != "":
		return fmt.Errorf("%w: a bound has no term", ErrLesson)
	case math.IsNaN(l.Step) || l.Step == 0 || math.Abs(l.Step) > maxStep:
		return fmt.Errorf("%w: step %v; want up to %v either way, and not 0", ErrLesson, l.Step, maxStep)
	}
	return nil
}

// taughtBounds are the bounds for texts of a language, moved by lessons: several of
// one bound add up, and none leaves its limits.
func taughtBounds(language string, lessons []Lesson) bounds {
	b := builtinBounds
	for _, l := range lessons {
		if l.Kind == LessonBound && l.Lang == language {
			m := movables[l.Of]
			at := m.of(&b)
			*at = min(max(*at+l.Step, m.least), m.most)
		}
	}
	return b
}
