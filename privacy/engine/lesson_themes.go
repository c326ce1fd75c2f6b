package engine

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Themes lists the parts of everyday life that categories and words are matched by.
func Themes() []string {
	out := make([]string, len(themes))
	for i := range themes {
		out[i] = themes[i].id
	}
	slices.Sort(out)
	return out
}

// ThemesOf returns the themes that the plain words of a text speak of, sorted.
func ThemesOf(text string) []string { return sortedKeys(themesOf(text)) }

// CategoryThemes returns what each category of a policy is taken to be about: the
// themes of its own words, with the lessons given. Sorted; none where no theme is.
func CategoryThemes(p *privacy.Policy, lessons ...Lesson) map[privacy.CategoryID][]string {
	c := newClassifier(p, goodLessons(lessons))
	out := map[privacy.CategoryID][]string{}
	for i, id := range c.ids {
		out[id] = sortedKeys(c.themes[i])
	}
	return out
}

// taughtThemes are the themes with what lessons say of them; the built-in ones where
// there are none. A lesson adds to what a category of the theme is recognised by, or to
// what it takes as its words; it makes no theme.
func taughtThemes(lessons []Lesson) []stemmedTheme {
	all := stemmedThemes()
	if !slices.ContainsFunc(lessons, func(l Lesson) bool { return l.Kind != LessonBound }) {
		return all
	}
	all = slices.Clone(all)
	for _, l := range lessons {
		i := slices.IndexFunc(all, func(t stemmedTheme) bool { return t.id == l.Of })
		if i < 0 {
			continue
		}
		t := &all[i]
		switch l.Kind {
		case LessonWord:
			t.addWord(l)
		case LessonNoWord:
			t.dropWord(l)
		case LessonHeading:
			t.heads = append(slices.Clip(t.heads), headingOf(l))
		}
	}
	return all
}

func (t *stemmedTheme) addWord(l Lesson) {
	word := l.Term
	switch {
	case l.Lang == "zh":
		t.allCJK = append(slices.Clip(t.allCJK), l.Term)
	case strings.Contains(l.Term, " "):
		word = " " + l.Term + " "
		t.phrases = append(slices.Clip(t.phrases), word)
	default:
		word = lexical.Stem(l.Term)
		t.stems = maps.Clone(t.stems)
		t.stems[word] = true
	}
	taught := maps.Clone(t.taught)
	if taught == nil {
		taught = map[string]bool{}
	}
	taught[word] = true
	t.taught = taught
}

func (t *stemmedTheme) dropWord(l Lesson) {
	is := func(word string) bool { return word == l.Term }
	switch {
	case l.Lang == "zh":
		t.allCJK = slices.DeleteFunc(slices.Clone(t.allCJK), is)
	case strings.Contains(l.Term, " "):
		t.phrases = slices.DeleteFunc(slices.Clone(t.phrases), func(p string) bool { return strings.TrimSpace(p) == l.Term })
	default:
		t.stems = maps.Clone(t.stems)
		delete(t.stems, lexical.Stem(l.Term))
	}
}

// heading is a taught word by which categories of a theme are recognised.
type heading struct {
	stem string // of an English word
	text string // else as it stands, with blanks around where it is English
}

func headingOf(l Lesson) heading {
	switch {
	case l.Lang == "zh":
		return heading{text: l.Term}
	case strings.Contains(l.Term, " "):
		return heading{text: " " + l.Term + " "}
	}
	return heading{stem: lexical.Stem(l.Term)}
}

// headingHit is what a taught heading counts: it was learned from what categories like
// it turned out to hold, and settles it alone.
const headingHit = 2

// in returns what h counts for a category: the stems of its name and of all its words,
// and both as folded text. A single character is telling in a name alone.
func (h heading) in(head map[string]bool, own map[string]float64, name, body string) float64 {
	said := false
	switch {
	case h.stem != "":
		said = head[h.stem] || own[h.stem] > 0
	case strings.HasPrefix(h.text, " "):
		said = strings.Contains(" "+plainWords(name)+" ; "+plainWords(body)+" ", h.text)
	case utf8.RuneCountInString(h.text) < 2:
		said = strings.Contains(name, h.text)
	default:
		said = strings.Contains(name, h.text) || strings.Contains(body, h.text)
	}
	if said {
		return headingHit
	}
	return 0
}
