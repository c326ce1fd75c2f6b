package engine

import (
	"regexp"
	"slices"
)

// signs are what a statement may show that is no word of its own, and that a
// [LessonSign] may make speak of a theme.
var signs = map[string]*regexp.Regexp{
	// amount: a sum or a quantity large enough to be counted in thousands.
	"amount": regexp.MustCompile(`(?i)[$£€¥₹₦]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d[\d,.]*\s?(?:k|grand|thousand|million|billion|lakhs?|crores?|dollars?|pounds?|euros?|rupees?|naira|bucks|quid)\b|\d\s?[万萬千百]?[块塊元]|[\d一二三四五六七八九十两兩几幾][万萬]`),
}

// Signs lists what a [LessonSign] may name.
func Signs() []string { return sortedKeys(signs) }

// Shows reports whether a text shows a sign; none shows one that isn't known.
func Shows(sign, text string) bool {
	re := signs[sign]
	return re != nil && re.MatchString(text)
}

// signKey is a sign in texts of a language.
type signKey struct{ language, sign string }

// shown returns the categories that join those chosen for a text by the signs that it
// shows: no looser ones than the best. A sign places nothing by itself.
func (c *classifier) shown(text string, chosen []scored) []scored {
	if len(c.signs) == 0 {
		return nil
	}
	var out []scored
	for _, sign := range Signs() {
		list := c.signs[signKey{scriptOf(text), sign}]
		if len(list) == 0 || !Shows(sign, text) {
			continue
		}
		for _, i := range list {
			have := func(s scored) bool { return s.id == c.ids[i] }
			if c.levels[i] <= chosen[0].level && !slices.ContainsFunc(chosen, have) && !slices.ContainsFunc(out, have) {
				out = append(out, scored{c.ids[i], c.levels[i], leastJoin, false})
			}
		}
	}
	return out
}
