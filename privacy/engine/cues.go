package engine

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// cues are patterns that are looked for in the same texts. Most texts have none of
// them, and to see so a pattern needn't be run: each of its alternatives begins with
// certain words, and where none of those stand the pattern can't match. One pass over
// a text tells for all patterns at once (TestCuesMissNothing).
type cues struct {
	bit    map[*regexp.Regexp]uint64
	always uint64      // patterns that may begin with anything
	heads  [256][]head // by first byte
}

// head is what an alternative of a pattern begins with.
type head struct {
	text    string
	bounded bool   // at a word's border only
	bits    uint64 // of the patterns that have it
}

// newCues takes at most 64 patterns.
func newCues(patterns ...*regexp.Regexp) *cues {
	c := &cues{bit: make(map[*regexp.Regexp]uint64, len(patterns))}
	for i, re := range patterns {
		bit := uint64(1) << i
		c.bit[re] = bit
		parsed, err := syntax.Parse(re.String(), syntax.Perl)
		if err != nil { // it was compiled from this
			c.always |= bit
			continue
		}
		for _, b := range beginnings(parsed) {
			if b.text == "" {
				c.always |= bit
				continue
			}
			list := &c.heads[b.text[0]]
			known := false
			for k := range *list {
				if h := &(*list)[k]; h.text == b.text && h.bounded == b.bounded {
					h.bits |= bit
					known = true
				}
			}
			if !known {
				*list = append(*list, head{b.text, b.bounded, bit})
			}
		}
	}
	return c
}

// cued is a text with the patterns that may be in it.
type cued struct {
	text     string
	possible uint64
	cues     *cues
}

// in looks once through a text.
func (c *cues) in(text string) cued {
	out := cued{text, c.always, c}
	for i := range len(text) {
		for _, h := range c.heads[text[i]] {
			if h.bits&^out.possible != 0 && strings.HasPrefix(text[i:], h.text) && (!h.bounded || atBorder(text, i)) {
				out.possible |= h.bits
			}
		}
	}
	return out
}

// may reports whether the pattern may be in the text: false is certain.
func (c cued) may(re *regexp.Regexp) bool {
	bit, known := c.cues.bit[re]
	return !known || c.possible&bit != 0
}

// has reports whether the pattern is in the text.
func (c cued) has(re *regexp.Regexp) bool { return c.may(re) && re.MatchString(c.text) }

// all returns what the pattern finds in the text, nil for nothing.
func (c cued) all(re *regexp.Regexp) []string {
	if !c.may(re) {
		return nil
	}
	return re.FindAllString(c.text, -1)
}

// atBorder reports whether a word, of ASCII letters as "\b" means it, begins or ends
// before byte i.
func atBorder(text string, i int) bool {
	return (i > 0 && isWordByte(text[i-1])) != isWordByte(text[i])
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_'
}

// beginOf is how a match may begin.
type beginOf struct {
	text    string
	bounded bool
	open    bool // anything may follow: what comes behind it in the pattern can't be joined
}

// manyBeginnings is from where on alternatives aren't multiplied out any further.
const manyBeginnings = 400

// beginnings lists what a match of a pattern may begin with; an empty text stands for
// anything.
func beginnings(re *syntax.Regexp) []beginOf {
	anything := []beginOf{{open: true}}
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return anything
		}
		return []beginOf{{text: string(re.Rune)}}
	case syntax.OpCharClass:
		var out []beginOf
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if len(out) == 8 { // a class that excludes little
					return anything
				}
				out = append(out, beginOf{text: string(r)})
			}
		}
		return out
	case syntax.OpWordBoundary:
		return []beginOf{{bounded: true}}
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpNoWordBoundary:
		return []beginOf{{}}
	case syntax.OpCapture:
		return beginnings(re.Sub[0])
	case syntax.OpQuest:
		return append([]beginOf{{}}, beginnings(re.Sub[0])...)
	case syntax.OpStar:
		return append([]beginOf{{}}, opened(beginnings(re.Sub[0]))...)
	case syntax.OpPlus:
		return opened(beginnings(re.Sub[0]))
	case syntax.OpRepeat:
		out := opened(beginnings(re.Sub[0]))
		if re.Min == 0 {
			out = append(out, beginOf{})
		}
		return out
	case syntax.OpAlternate:
		var out []beginOf
		for _, sub := range re.Sub {
			out = append(out, beginnings(sub)...)
		}
		return out
	case syntax.OpConcat:
		out := []beginOf{{}}
		for _, sub := range re.Sub {
			out = concatenated(out, beginnings(sub))
		}
		return out
	}
	return anything
}

// concatenated is what begins a concatenation.
func concatenated(first, second []beginOf) []beginOf {
	var out []beginOf
	for _, a := range first {
		switch {
		case a.open:
			out = append(out, a)
		case len(first)*len(second) > manyBeginnings:
			a.open = true
			out = append(out, a)
		default:
			for _, b := range second {
				out = append(out, beginOf{a.text + b.text, a.bounded || a.text == "" && b.bounded, b.open})
			}
		}
	}
	return out
}

func opened(list []beginOf) []beginOf {
	for i := range list {
		list[i].open = true
	}
	return list
}
