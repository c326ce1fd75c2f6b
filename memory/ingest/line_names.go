package ingest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// LINE on computers writes "21:05 Ana Lima I am here": where the name ends isn't
// marked. It shows over the file: all rows of one speaker begin alike, and what
// stands for a picture ("[Photo]") has nothing but the name before it.

// lineSpaced is a row with blanks.
var lineSpaced = regexp.MustCompile(`^((?:上午|下午|午前|午後|오전|오후)?\s?\d{1,2}:\d\d(?:\s?[AaPp][Mm])?)[ \x{3000}]+(\S.*)$`)

// lineNames learns who speaks in rows with blanks, by the first word of the name.
type lineNames struct {
	rows, odd int // rows; of these, at a minute that isn't a round one
	by        map[string]*lineName
}

type lineName struct {
	rows  int
	words []string // what all rows begin with, at most maxNameWords
	bound bool     // a placeholder has shown the whole name
}

const maxNameWords = 3

// see takes a line.
func (l *lineNames) see(line string) {
	m := lineSpaced.FindStringSubmatch(line)
	if m == nil {
		return
	}
	c, ok := cutLineClock(m[1])
	words := strings.Fields(m[2])
	if !ok || len(words) < 2 {
		return
	}
	l.rows++
	if c.m%5 != 0 {
		l.odd++
	}
	if l.by == nil {
		l.by = map[string]*lineName{}
	}
	n := l.by[words[0]]
	if n == nil {
		if len(l.by) >= maxSpeakers {
			return
		}
		n = &lineName{}
		l.by[strings.Clone(words[0])] = n
	}
	n.rows++
	name := words[:min(len(words)-1, maxNameWords)]
	if at := slices.IndexFunc(words[1:], func(w string) bool { return strings.HasPrefix(w, "[") }); at >= 0 && at < maxNameWords && lineMedia.MatchString(strings.Join(words[at+1:], " ")) {
		if !n.bound {
			n.words, n.bound = clone(words[:at+1]), true
		}
		return
	}
	switch {
	case n.bound:
	case n.rows == 1:
		n.words = clone(name)
	default:
		same := 0
		for same < len(n.words) && same < len(name) && n.words[same] == name[same] {
			same++
		}
		n.words = n.words[:max(same, 1)]
	}
}

func clone(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = strings.Clone(w)
	}
	return out
}

// certain reports whether the rows are a chat's: few speak, again and again, at any
// minute. An agenda has round times and each line begins otherwise.
func (l *lineNames) certain() bool {
	again := 0
	for _, n := range l.by {
		if n.rows > 1 {
			again++
		}
	}
	return l.rows >= 3 && l.odd > 0 && again > 0 && len(l.by)*3 <= l.rows*2
}

// settle decides how long each name is: more than a word only where a placeholder has
// shown it, or three rows begin alike and what they begin with is written like a name.
func (l *lineNames) settle() *lineNames {
	for _, n := range l.by {
		if n.bound {
			continue
		}
		if n.rows < 3 {
			n.words = n.words[:1]
		}
		for i, word := range n.words {
			if first := []rune(word)[0]; i > 0 && !unicode.IsUpper(first) && !unicode.Is(unicode.So, first) {
				n.words = n.words[:i]
				break
			}
		}
	}
	return l
}

// cut takes a row apart. One with nothing behind a name is a notice.
func (l *lineNames) cut(line string) (c clock, name, words string, ok bool) {
	m := lineSpaced.FindStringSubmatch(line)
	if m == nil {
		return c, "", "", false
	}
	if c, ok = cutLineClock(m[1]); !ok {
		return c, "", "", false
	}
	first, _, _ := strings.Cut(m[2], " ")
	n := l.by[strings.TrimRight(first, "\u3000")]
	if n == nil {
		first, _, _ = strings.Cut(m[2], "\u3000")
		n = l.by[first]
	}
	if n == nil {
		return c, "", m[2], true
	}
	name, rest := strings.Join(n.words, " "), m[2]
	for _, word := range n.words {
		rest = strings.TrimLeft(rest, " \u3000")
		if rest, ok = strings.CutPrefix(rest, word); !ok { // a row of somebody else of that first name
			return c, first, strings.TrimLeft(strings.TrimPrefix(m[2], first), " \u3000"), true
		}
	}
	return c, name, strings.TrimLeft(rest, " \u3000"), true
}
