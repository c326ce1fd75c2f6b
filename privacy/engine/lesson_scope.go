package engine

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// Scope is the categories that a lesson was approved for. It is comparable; the zero value
// is none that is known: the lesson holds for whatever category its theme has.
type Scope string

// ScopeOf is the scope of categories, which may be none.
func ScopeOf(ids []privacy.CategoryID) Scope {
	words := make([]string, 0, len(ids))
	for _, id := range ids {
		words = append(words, string(id))
	}
	slices.Sort(words)
	return Scope("\n" + strings.Join(slices.Compact(words), "\n"))
}

// Categories are those of the scope, sorted; none where it isn't known.
func (s Scope) Categories() []privacy.CategoryID {
	var out []privacy.CategoryID
	for _, w := range strings.Split(string(s), "\n") {
		if w != "" {
			out = append(out, privacy.CategoryID(w))
		}
	}
	return out
}

// Scoped reports whether the lesson is bound to the categories of its theme: those kinds
// are by which a statement gets a category, or loses one. What its theme is about may pass to
// a looser category, which nobody has approved.
func (l Lesson) Scoped() bool {
	switch l.Kind {
	case LessonWord, LessonNoWord, LessonHeading:
		return true
	}
	return false
}

// Within is the lesson bound to the categories that its theme has in a policy, by the
// policy's own words and by lessons that are in force beside it. One that isn't scoped
// stays as it is.
func (l Lesson) Within(p *privacy.Policy, beside ...Lesson) Lesson {
	if l.Scoped() {
		l.Scope = ScopeOf(themed(p, l.Of, append(slices.Clone(beside), l)))
	}
	return l
}

// Outgrown are the categories of the lesson's theme in a policy that aren't in its scope,
// sorted: with any of them it does nothing, since what it was approved for is something
// else. What a heading in force adds to a theme is that heading's doing, which has a scope
// of its own.
func (l Lesson) Outgrown(p *privacy.Policy) []privacy.CategoryID {
	if l.Scope == "" || !l.Scoped() {
		return nil
	}
	var with []Lesson
	if l.Kind == LessonHeading {
		with = []Lesson{l}
	}
	approved := l.Scope.Categories()
	return slices.DeleteFunc(themed(p, l.Of, with), func(id privacy.CategoryID) bool { return slices.Contains(approved, id) })
}

// themed are the categories of a policy that are about a theme, sorted.
func themed(p *privacy.Policy, theme string, lessons []Lesson) []privacy.CategoryID {
	with := goodLessons(lessons)
	for i := range with {
		with[i].Scope = "" // it is the theme that is asked for
	}
	c := newClassifier(p, with)
	var out []privacy.CategoryID
	for i, id := range c.ids {
		if c.themes[i][theme] {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// inScope are the lessons that do something in a policy.
func inScope(p *privacy.Policy, lessons []Lesson) []Lesson {
	if !slices.ContainsFunc(lessons, func(l Lesson) bool { return l.Scope != "" }) {
		return lessons
	}
	return slices.DeleteFunc(slices.Clone(lessons), func(l Lesson) bool { return len(l.Outgrown(p)) > 0 })
}
