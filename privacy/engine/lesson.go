package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrLesson says that a lesson is none: its kind is unknown, or a field is missing or
// out of bounds.
var ErrLesson = errors.New("not a lesson")

// LessonKind is what a lesson says.
type LessonKind string

// The kinds of lessons.
const (
	// LessonWord: Term speaks of the theme Of, in what people say.
	LessonWord LessonKind = "word"
	// LessonNoWord: Term doesn't speak of the theme Of, whatever was thought.
	LessonNoWord LessonKind = "no-word"
	// LessonHeading: a category with Term in its name, examples or description is about
	// the theme Of.
	LessonHeading LessonKind = "heading"
	// LessonSign: a placed statement that shows the sign Term speaks of the theme Of, too;
	// it can but close.
	LessonSign LessonKind = "sign"
	// LessonBound: the bound Of of a stage moves by Step.
	LessonBound LessonKind = "bound"
)

// Lesson is what evolution may teach an offline stage: data, never code. It names no
// category, person or fact of an owner, so that it holds for others as well. The zero
// value is no lesson. Which way it moves an audience is measured, never claimed.
type Lesson struct {
	Kind LessonKind `json:"kind"`
	Lang string     `json:"lang"`           // of the texts that it is for: "en" or "zh"
	Term string     `json:"term,omitempty"` // a word or short phrase; none for a bound
	Of   string     `json:"of"`             // the theme, or the bound
	Step float64    `json:"step,omitempty"` // of a bound
	// Scope is the categories that it was approved for. It is no part of what the lesson
	// says: it is kept beside it, and differs from home to home.
	Scope Scope `json:"-"`
}

// lessonKinds are the kinds with the stage that each is for; a bound has its own.
var lessonKinds = map[LessonKind]string{
	LessonWord: "annotate", LessonNoWord: "annotate", LessonHeading: "annotate", LessonSign: "annotate", LessonBound: "",
}

// LessonKinds lists the kinds.
func LessonKinds() []LessonKind { return sortedKeys(lessonKinds) }

// Stage is the offline stage that the lesson is for, "" for no lesson.
func (l Lesson) Stage() string {
	if l.Kind == LessonBound {
		return movables[l.Of].stage
	}
	return lessonKinds[l.Kind]
}

// Language is that of the texts that it is for.
func (l Lesson) Language() string { return l.Lang }

// Key is equal for two lessons that say the same.
func (l Lesson) Key() string {
	if b, err := json.Marshal(l); err == nil {
		return string(b)
	}
	return string(l.Kind) // a step that is no number, which Validate refuses
}

// Text says the lesson in a sentence, for the owner.
func (l Lesson) Text() string {
	switch l.Kind {
	case LessonWord:
		return fmt.Sprintf("%q speaks of %s", l.Term, l.Of)
	case LessonNoWord:
		return fmt.Sprintf("%q does not speak of %s", l.Term, l.Of)
	case LessonHeading:
		return fmt.Sprintf("a category that is called or described as %q is about %s", l.Term, l.Of)
	case LessonSign:
		return fmt.Sprintf("what has a category and states an %s speaks of %s, too", l.Term, l.Of)
	case LessonBound:
		return l.meansBound() + fmt.Sprintf("the bound %q of %s moves by %+.2f", l.Of, l.Stage(), l.Step)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %q %s", l.Kind, l.Term, l.Of))
}

// Bounds of a term: a lesson is a word or a short phrase and no text.
const (
	maxTermWords = 3
	maxTermRunes = 32
	maxTermCJK   = 6
)

// Validate reports what is wrong with the lesson; nil for a good one. The error wraps
// [ErrLesson].
func (l Lesson) Validate() error {
	switch {
	case !slices.Contains(LessonKinds(), l.Kind):
		return fmt.Errorf("%w: kind %q; one of %q", ErrLesson, l.Kind, LessonKinds())
	case l.Lang != "en" && l.Lang != "zh":
		return fmt.Errorf("%w: language %q; en or zh", ErrLesson, l.Lang)
	case l.Kind == LessonBound:
		return l.validateBound()
	case l.Step != 0:
		return fmt.Errorf("%w: a step is for a bound", ErrLesson)
	case !slices.Contains(Themes(), l.Of):
		return fmt.Errorf("%w: theme %q; one of %q", ErrLesson, l.Of, Themes())
	}
	if l.Kind == LessonSign {
		if signs[l.Term] == nil {
			return fmt.Errorf("%w: sign %q; one of %q", ErrLesson, l.Term, Signs())
		}
		return nil
	}
	return l.validateTerm()
}

func (l Lesson) validateTerm() error {
	if l.Term == "" || l.Term != foldText(l.Term) || l.Term != strings.Join(strings.Fields(l.Term), " ") {
		return fmt.Errorf("%w: term %q: want lower case words with single blanks", ErrLesson, l.Term)
	}
	if l.Lang == "zh" {
		for _, r := range l.Term {
			if !unicode.Is(unicode.Han, r) {
				return fmt.Errorf("%w: term %q: want Chinese characters alone", ErrLesson, l.Term)
			}
		}
		if n := utf8.RuneCountInString(l.Term); n > maxTermCJK || n < 2 && l.Kind == LessonWord {
			return fmt.Errorf("%w: term %q: want 2 to %d characters", ErrLesson, l.Term, maxTermCJK)
		}
		return nil
	}
	for _, r := range l.Term {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !strings.ContainsRune(" '-", r) {
			return fmt.Errorf("%w: term %q: want letters alone", ErrLesson, l.Term)
		}
	}
	if len(l.Term) > maxTermRunes || len(l.Term) < 2 || len(strings.Fields(l.Term)) > maxTermWords {
		return fmt.Errorf("%w: term %q: want 2 to %d letters in at most %d words", ErrLesson, l.Term, maxTermRunes, maxTermWords)
	}
	return nil
}

// goodLessons are the valid ones of all, in a fixed order, each once.
func goodLessons(all []Lesson) []Lesson {
	var out []Lesson
	for _, l := range all {
		if l.Validate() == nil && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(a, b Lesson) int { return strings.Compare(a.Key(), b.Key()) })
	return out
}
