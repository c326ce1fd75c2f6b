package engine

import (
	"fmt"
	"math"
)

// bounds are the cut-offs that lessons may move, each within limits.
type bounds struct {
	threshold, open, margin, equal, looser float64
	// agreed is the least agreement of the talk around with a statement whose own words
	// fall short; 1: the talk is never asked.
	agreed float64
	// whole is the least number of facts that a question for several things must find for
	// any of them to be what it asks for.
	whole float64
	// link is the least score at which a statement joins a known event.
	link float64
}

var builtinBounds = bounds{defaultThreshold, openThreshold, defaultMargin, equalShare, looserShare, 1, 1, linkThreshold}

// unmoved are the bounds with none by which more categories join than without lessons.
func (b bounds) unmoved() bounds {
	b.equal, b.looser = min(b.equal, builtinBounds.equal), min(b.looser, builtinBounds.looser)
	return b
}

// movable is a bound with its stage, and how far lessons may take it.
type movable struct {
	stage       string
	least, most float64
	of          func(*bounds) *float64
}

var movables = map[string]movable{
	"agreed":    {"annotate", 0.35, 1.00, func(b *bounds) *float64 { return &b.agreed }},
	"whole":     {"query_units", 1, 3, func(b *bounds) *float64 { return &b.whole }},
	"link":      {"corefer", 0.30, 0.70, func(b *bounds) *float64 { return &b.link }},
	"threshold": {"annotate", 0.28, 0.60, func(b *bounds) *float64 { return &b.threshold }},
	"open":      {"annotate", 0.38, 0.70, func(b *bounds) *float64 { return &b.open }},
	"margin":    {"annotate", 0.15, 0.60, func(b *bounds) *float64 { return &b.margin }},
	"equal":     {"annotate", 0.20, 1.00, func(b *bounds) *float64 { return &b.equal }},
	"looser":    {"annotate", 0.00, 0.80, func(b *bounds) *float64 { return &b.looser }},
}

// Bounds lists the bounds that a [LessonBound] may move.
func Bounds() []string { return sortedKeys(movables) }

// Reach returns how far lessons may take a bound, and where it stands without any. All
// are 0 for no bound.
func Reach(bound string) (least, most, now float64) {
	m, ok := movables[bound]
	if !ok {
		return 0, 0, 0
	}
	b := builtinBounds
	return m.least, m.most, *m.of(&b)
}

// meansBound begins what a lesson of a bound says with what it means, where it may go
// either way.
func (l Lesson) meansBound() string {
	switch {
	case l.Of != "link":
		return ""
	case l.Step > 0:
		return "a fact joins an event at more that they share: "
	}
	return "a fact joins an event at less that they share: "
}

// Replaces reports whether a lesson takes another one's place when it comes into force:
// steps of the bound on joining events are tried one instead of another, never added up.
func (l Lesson) Replaces(other Lesson) bool {
	return l.Kind == LessonBound && other.Kind == LessonBound && l.Of == "link" && other.Of == l.Of && other.Lang == l.Lang && other.Step != l.Step
}

func (l Lesson) validateBound() error {
	switch {
	case movables[l.Of].of == nil:
		return fmt.Errorf("%w: bound %q; one of %q", ErrLesson, l.Of, Bounds())
	case l.Term != "":
		return fmt.Errorf("%w: a bound has no term", ErrLesson)
	case l.Step == 0 || !(math.Abs(l.Step) <= movables[l.Of].most-movables[l.Of].least):
		return fmt.Errorf("%w: step %v; want up to %.2f either way, and not 0", ErrLesson, l.Step, movables[l.Of].most-movables[l.Of].least)
	}
	return nil
}

// BoundLanguage is the language whose bounds hold for a text: "zh" for one with Chinese
// characters, else "en".
func BoundLanguage(text string) string { return scriptOf(text) }

// scriptOf is the language whose bounds hold for a text.
func scriptOf(text string) string {
	if hasCJK(text) {
		return "zh"
	}
	return "en"
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
