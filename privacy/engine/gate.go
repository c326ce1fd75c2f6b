package engine

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// gated is an expression with words one of which stands in all that it matches. Most
// texts have none of them, and looking for a word costs far less than matching.
type gated struct {
	*regexp.Regexp
	words []string // nil: not known
}

// gate finds the words of an expression.
func gate(re *regexp.Regexp) gated {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return gated{re, nil}
	}
	words := oneOf(parsed)
	// A word that another is part of says no more than that one.
	return gated{re, slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		return slices.ContainsFunc(words, func(other string) bool { return other != w && strings.Contains(w, other) })
	})}
}

// may reports whether s may match.
func (g *gated) may(s string) bool {
	if g.words == nil {
		return true
	}
	for _, w := range g.words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// MatchString is that of the expression.
func (g *gated) MatchString(s string) bool { return g.may(s) && g.Regexp.MatchString(s) }

// FindAllString is that of the expression.
func (g *gated) FindAllString(s string, n int) []string {
	if !g.may(s) {
		return nil
	}
	return g.Regexp.FindAllString(s, n)
}

// maxGateWords bounds the words of a gate: more would cost what they save.
const maxGateWords = 120

// oneOf returns words one of which stands in every text that x matches, nil where none
// are known.
func oneOf(x *syntax.Regexp) []string {
	switch x.Op {
	case syntax.OpLiteral:
		if x.Flags&syntax.FoldCase != 0 {
			return nil
		}
		return []string{string(x.Rune)}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i+1 < len(x.Rune); i += 2 {
			for r := x.Rune[i]; r <= x.Rune[i+1]; r++ {
				if out = append(out, string(r)); len(out) > 16 {
					return nil
				}
			}
		}
		return out
	case syntax.OpCapture, syntax.OpPlus:
		return oneOf(x.Sub[0])
	case syntax.OpRepeat:
		if x.Min < 1 {
			return nil
		}
		return oneOf(x.Sub[0])
	case syntax.OpAlternate:
		var out []string
		for _, sub := range x.Sub {
			words := oneOf(sub)
			if words == nil {
				return nil
			}
			for _, w := range words {
				if !slices.Contains(out, w) {
					out = append(out, w)
				}
			}
			if len(out) > maxGateWords {
				return nil
			}
		}
		return out
	case syntax.OpConcat:
		var best []string
		for _, sub := range x.Sub {
			if words := oneOf(sub); words != nil && (best == nil || gateCost(words) > gateCost(best)) {
				best = words
			}
		}
		return best
	}
	return nil
}

// gateCost is how much words keep out: the shortest of them lets most through.
func gateCost(words []string) int {
	least := len(words[0])
	for _, w := range words {
		least = min(least, len(w))
	}
	return least*maxGateWords - len(words)
}
