package engine

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A gate changes nothing of what its expression finds.
func TestGateKeepsMatches(t *testing.T) {
	words := strings.Fields("moved to from back was is not on Monday monday sunday today birthday may might march jan january januar cancelled canceled postponed put off pushed delay brought forward never happened took it scrap that 周三 星期 改到 取消 没成 没 黄了 the a clinic 14 2026 daylight someday . , ; instead rather than nicht doch verschoben")
	all := map[string]struct {
		re *regexp.Regexp
		g  gated
	}{
		"rescheduled": {rescheduled, rescheduledGate}, "days": {dayWords, dayGate}, "months": {monthWord, monthGate}, "retracting": {retracting, retractingGate},
		"optional": {regexp.MustCompile(`(?:moved)? to`), gate(regexp.MustCompile(`(?:moved)? to`))},
		"folded":   {regexp.MustCompile(`(?i)monday`), gate(regexp.MustCompile(`(?i)monday`))},
		"class":    {regexp.MustCompile(`[周星]三|off\b`), gate(regexp.MustCompile(`[周星]三|off\b`))},
		"star":     {regexp.MustCompile(`(?:ab)*|cd`), gate(regexp.MustCompile(`(?:ab)*|cd`))},
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "-"}).Draw(t, "gap"))
		for name, x := range all {
			if got, want := x.g.MatchString(text), x.re.MatchString(text); got != want {
				t.Fatalf("%s: %v, want %v", name, got, want)
			}
			if got, want := strings.Join(x.g.FindAllString(text, -1), "|"), strings.Join(x.re.FindAllString(text, -1), "|"); got != want {
				t.Fatalf("%s: %q, want %q", name, got, want)
			}
		}
	})
	for _, g := range []gated{rescheduledGate, dayGate, monthGate, retractingGate} {
		if g.words == nil || g.may("the flat in lisbon is big") {
			t.Errorf("%v keeps nothing out: %q", g.Regexp, g.words)
		}
	}
}
