package engine

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What one pass excludes is never in the text, whatever the pattern and the text are.
func TestCuesMissNothing(t *testing.T) {
	patterns := append([]*regexp.Regexp{
		rescheduled, dayWords, monthWord,
		retracting, ending, changing, carriedOut, planning, pastDoing, undone, belonging, leaving, beginning,
		regexp.MustCompile(`(?i)\bno\b`), regexp.MustCompile(`[^a]b?c`), regexp.MustCompile(`\b(?:x|yz?){2,3}w`), regexp.MustCompile(`(?:ab)*c|\bü`), regexp.MustCompile(`^a+b`),
	}, slots...)
	c := newCues(patterns...)
	between := []string{"", " ", ", ", "x", "ü", "_", "ed ", "了"}
	rapid.Check(t, func(t *rapid.T) {
		var parts []string
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			parts = append(parts, rapid.StringMatching(rapid.SampledFrom(patterns).Draw(t, "pattern").String()).Draw(t, "match"), rapid.SampledFrom(between).Draw(t, "between"))
		}
		text := strings.Join(parts, "")
		said := c.in(text)
		for _, re := range patterns {
			if re.MatchString(text) {
				if !said.may(re) {
					t.Fatalf("%q has %s and is taken not to", text, re)
				}
			}
			if said.has(re) != re.MatchString(text) {
				t.Fatalf("%q: has differs for %s", text, re)
			}
			if got, want := said.all(re), re.FindAllString(text, -1); !slices.Equal(got, want) {
				t.Fatalf("%q: all of %s: %q, want %q", text, re, got, want)
			}
		}
	})
	// What matches is tried for each pattern, however few texts were drawn.
	for _, re := range patterns {
		found := 0
		for seed := range 60 {
			text := rapid.StringMatching(re.String()).Example(seed)
			if !re.MatchString(text) {
				continue // its words ran into one another
			}
			found++
			if !c.in(text).may(re) {
				t.Errorf("%q has %s and is taken not to", text, re)
			}
		}
		if found == 0 {
			t.Errorf("no text had %s", re)
		}
	}
}

// A plain text needs no pattern run but those that may begin with anything.
func TestCuesExclude(t *testing.T) {
	said := turnCues.in("the kitchen is green and her piano is old")
	days := dayCues.in("the kitchen is green and her piano is old")
	for _, re := range []*regexp.Regexp{dayWords, monthWord, rescheduled} {
		if days.may(re) {
			t.Errorf("taken to be possible: %s", re)
		}
	}
	for _, re := range []*regexp.Regexp{retracting, ending, changing, leaving, beginning, slots[0], slots[1]} {
		if said.may(re) {
			t.Errorf("taken to be possible: %s", re)
		}
	}
}
