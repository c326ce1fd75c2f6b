package tools_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
)

// Feedback that can't be taken is answered with its own cause and what is wanted.
func TestFeedbackCauses(t *testing.T) {
	a, _ := waitingSupplement(t)
	call := legacy(t, legacyClient(t, a))
	given, err := a.FeedbackGiven(t.Context())
	if err != nil || len(given) == 0 {
		t.Fatalf("%+v, %v", given, err)
	}
	fact := []string{string(given[0].Fact)}
	for _, tt := range []struct {
		name string
		in   map[string]any
		want string
	}{
		{"no kind", map[string]any{"facts": fact}, `argument "kind" is missing`},
		{"no fact", map[string]any{"kind": "wrong-category", "expected": "health"}, "wrong-category is about a fact"},
		{"no such fact", map[string]any{"kind": "wrong-time", "facts": []string{"fnosuchfact"}}, "no fact has one of these ids"},
		{"two facts", map[string]any{"kind": "wrong-time", "facts": append(fact, "x")}, "one fact at most"},
		{"no entry", map[string]any{"kind": "too-vague", "expected": "the day"}, "too-vague is about an answer"},
		{"no such entry", map[string]any{"kind": "too-vague", "entry": 99}, "the ledger has no such entry"},
		{"no such category", map[string]any{"kind": "wrong-category", "facts": fact, "expected": "helth"}, "want one or more of health, hobby, a label"},
		{"too long", map[string]any{"kind": "missed", "note": strings.Repeat("日", 2000)}, "the limit is 4096"},
		{"nothing", map[string]any{"kind": "missed"}, "say what was wrong"},
	} {
		tt.in["action"] = "feedback"
		if _, text, failed := call("review", tt.in); !failed || !strings.Contains(text, tt.want) {
			t.Errorf("%s: failed %v: %q, want %q", tt.name, failed, text, tt.want)
		}
	}
	if now, err := a.FeedbackGiven(t.Context()); err != nil || len(now) != len(given) {
		t.Errorf("%d pieces, then %d, %v", len(given), len(now), err)
	}
	// What becomes of it is said as everywhere: of somebody else's words nothing is learned.
	others, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I had bodywork at the pool.", From: "Greta"})
	if err != nil || len(others.Facts) == 0 {
		t.Fatalf("%+v, %v", others, err)
	}
	_, text, failed := call("review", map[string]any{"action": "feedback", "kind": "wrong-time", "facts": []string{string(others.Facts[0].ID)}})
	if failed || !strings.Contains(text, "nothing is learned from them") {
		t.Errorf("somebody else's words: failed %v: %q", failed, text)
	}
}
