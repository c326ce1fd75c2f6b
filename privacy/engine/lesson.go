package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ErrLesson says that a lesson is none: its kind is unknown, or a field is missing or
// out of bounds.
var ErrLesson = errors.New("not a lesson")

// LessonKind is what a lesson says.
type LessonKind string

// Lesson is what evolution may teach an offline stage: data, never code. It names no
// category, person or fact of an owner, so that it holds for others as well. The zero
// value is no lesson. Which way it moves an audience is measured, never claimed.
type Lesson struct {
	Kind LessonKind `json:"kind"`
	Lang string     `json:"lang"`           // of the texts that it is for, a BCP 47 base
	Term string     `json:"term"`           // a word or phrase, as stages compare it
	Of   string     `json:"of,omitempty"`   // what the term speaks of, such as a theme
	Step float64    `json:"step,omitempty"` // for kinds that move a bound
}

// lessonKinds are the kinds with the stage that each is for.
var lessonKinds = map[LessonKind]string{}

// Stage is the offline stage that the lesson is for: "annotate", "exceptions",
// "corefer", "query_units" or "extract"; "" for no lesson.
func (l Lesson) Stage() string { return lessonKinds[l.Kind] }

// Language is that of the texts that it is for.
func (l Lesson) Language() string { return l.Lang }

// Key is equal for two lessons that say the same.
func (l Lesson) Key() string {
	b, err := json.Marshal(l)
	if err != nil {
		return string(l.Kind)
	}
	return string(b)
}

// Text says the lesson in a sentence, for the owner.
func (l Lesson) Text() string {
	return strings.TrimSpace(fmt.Sprintf("%s %q %s", l.Kind, l.Term, l.Of))
}

// Validate reports what is wrong with the lesson; nil for a good one.
func (l Lesson) Validate() error {
	if l.Stage() == "" {
		return fmt.Errorf("%w: kind %q", ErrLesson, l.Kind)
	}
	return nil
}
