package privacy

import (
	"slices"
	"strings"
	"unicode"
)

// What makes two categories overlap: so many words in common, and so large a
// share of the words of the smaller one.
const (
	overlapWords = 4
	overlapShare = 0.5
)

// overlaps warns of categories that say nearly the same: facts will fall into the
// one or the other by chance, or into both and get the meet.
func (l *linter) overlaps() {
	all := make([]map[string]bool, len(l.p.categories))
	spread := make(map[string]int)
	for i, c := range l.p.categories {
		all[i] = wordSet(append(slices.Clone(c.Examples), c.Description))
		for w := range all[i] {
			spread[w]++
		}
	}
	// A word of many categories tells none of them apart: "my", "the", 我的.
	common := max(2, len(all)/5)
	for _, set := range all {
		for w := range set {
			if spread[w] > common {
				delete(set, w)
			}
		}
	}
	for i, c := range l.p.categories {
		for k := range i {
			d := l.p.categories[k]
			first := l.p.lines[place{"category", string(d.ID)}]
			at := place{"category", string(c.ID)}
			if NormalizeName(c.Name) == NormalizeName(d.Name) {
				l.warn(at, "merge them, or name what sets them apart", "category %q has the name of category %q (line %d)", c.ID, d.ID, first)
				continue
			}
			var shared []string
			for w := range all[i] {
				if all[k][w] {
					shared = append(shared, w)
				}
			}
			smaller := min(len(all[i]), len(all[k]))
			if len(shared) < overlapWords || float64(len(shared)) < overlapShare*float64(smaller) {
				continue
			}
			slices.Sort(shared)
			l.warn(at, "merge them, or describe what sets them apart", "category %q overlaps with category %q (line %d): both speak of %s",
				c.ID, d.ID, first, strings.Join(shared[:min(len(shared), 6)], ", "))
		}
	}
}

// wordSet returns the words of texts: runs of letters of three and more, in lower
// case, and pairs of neighbours in scripts that write without blanks.
func wordSet(list []string) map[string]bool {
	out := make(map[string]bool)
	for _, s := range list {
		run := []rune(nil)
		flush := func() {
			if len(run) >= 3 {
				out[string(run)] = true
			}
			run = run[:0]
		}
		last := rune(0)
		for _, c := range NormalizeName(s) {
			unspaced := unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
			switch {
			case unspaced:
				flush()
				if last != 0 {
					out[string([]rune{last, c})] = true
				}
				last = c
				continue
			case unicode.IsLetter(c) || unicode.IsMark(c):
				run = append(run, c)
			default:
				flush()
			}
			last = 0
		}
		flush()
	}
	return out
}
