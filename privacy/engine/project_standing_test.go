package engine_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// TestToldDay: the day of telling is no day of a habit, and of a state only as of
// which it was so; an event keeps it.
func TestToldDay(t *testing.T) {
	said := privacy.Stamp{Instant: time.Date(2026, 10, 3, 9, 0, 0, 0, time.UTC)}
	const none, plain, asOf = "", " (3 October 2026)", " (as of 3 October 2026)"
	const zhPlain, zhAsOf = "（2026年10月3日）", "（截至2026年10月3日）"
	for _, tt := range []struct{ language, text, day string }{
		{"en", "Nora plays the cello on Wednesdays.", none}, {"en", "Nora likes dumplings.", none}, {"en", "Nora doesn't eat fish.", none},
		{"en", "I always swim before work.", none}, {"en", "Nora never drinks coffee.", none}, {"en", "Nora and Kit row every Sunday.", none},
		{"en", "Nora lives in Delft.", asOf}, {"en", "Nora is ill.", asOf}, {"en", "Nora has a cold.", asOf}, {"en", "I work at a bank.", asOf},
		{"en", "Nora sold the boat.", plain}, {"en", "Nora has moved to Delft.", plain}, {"en", "Nora is going to quit.", plain},
		{"en", "Nora flies to Oslo next week.", plain}, {"en", "Nora met Kit.", plain},
		{"zh", "知夏喜欢爬山。", none}, {"zh", "知夏每周打球。", none}, {"zh", "知夏不吃香菜。", none},
		{"zh", "知夏住在厦门。", zhAsOf}, {"zh", "知夏搬到厦门了。", zhPlain}, {"zh", "知夏打算辞职。", zhPlain},
	} {
		o := engine.NewOffline()
		c, err := o.Project(t.Context(), engine.Material{Question: "?", Language: tt.language, Owner: "Nora", Facts: []privacy.Record{{ID: "a", Text: tt.text, OwnerSaid: true, SaidAt: said}}, Truth: map[privacy.FactID]privacy.Truth{"a": privacy.Real}})
		if err != nil {
			t.Fatal(err)
		}
		a, err := o.Respond(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		stop := tt.text[strings.LastIndexAny(tt.text, ".。"):]
		if want := strings.TrimSuffix(tt.text, stop) + tt.day + stop; !strings.HasSuffix(a.Text, "\n"+want) {
			t.Errorf("%q is told as %q, want %q", tt.text, a.Text, want)
		}
	}
	happened := privacy.Record{ID: "a", Text: "Nora plays the cello.", OwnerSaid: true, SaidAt: said, HappenedAt: said}
	if c := project(t, "?", []privacy.Record{happened}, map[privacy.FactID]privacy.Truth{"a": privacy.Real}, ""); c.Details[0].When != "2026-10-03" {
		t.Errorf("a stated day is lost: %+v", c.Details[0])
	}
}

// TestEmptyLists: a context without details or boundary has empty lists, not null.
func TestEmptyLists(t *testing.T) {
	got, err := json.Marshal(project(t, "", nil, nil, ""))
	if err != nil || !strings.Contains(string(got), `"details":[]`) || !strings.Contains(string(got), `"boundary":[]`) {
		t.Errorf("%s, %v", got, err)
	}
}

// TestBoundaryWholeWords: the boundary names the question's own words, uncut.
func TestBoundaryWholeWords(t *testing.T) {
	c := project(t, "Did the brother-in-law's café cost 84,000 at 9.30 (or 9:45)?", nil, nil, "")
	for _, w := range []string{"brother-in-law's", "café", "84,000", "9.30", "9:45"} {
		if !slices.Contains(c.Boundary, w) {
			t.Errorf("boundary %q lacks %q", c.Boundary, w)
		}
	}
}
