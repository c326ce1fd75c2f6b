package engine_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// events returns the event of each statement, in one batch.
func events(t testing.TB, texts ...string) []string {
	t.Helper()
	var drafts []privacy.Record
	for i, text := range texts {
		drafts = append(drafts, draft(fmt.Sprint(i), text))
	}
	return eventsOf(t, drafts)
}

func eventsOf(t testing.TB, drafts []privacy.Record) []string {
	t.Helper()
	marks, err := engine.NewOffline().Corefer(t.Context(), drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range marks {
		out = append(out, m.Value)
	}
	return out
}

// TestCoreferKeepsDaysApart: what is said of one day is no permission for another,
// however alike the words are.
func TestCoreferKeepsDaysApart(t *testing.T) {
	for _, tt := range []struct {
		name, first, second string
		one                 bool
	}{
		{"two days", "I see the notary in Lund on 4 April about the will.", "I see the notary in Lund on 9 September about the will.", false},
		{"two days, no more words", "The viewing in Malmö is on 3 May.", "The viewing in Malmö is on 11 May.", false},
		{"one with a year", "The viewing in Malmö is on 3 May 2026.", "The viewing in Malmö is on 4 May.", false},
		{"the same day, one with a year", "The viewing in Malmö is on 3 May 2026.", "On 3 May I go to the viewing in Malmö.", true},
		{"two months", "The regatta at Sandvik is in June.", "The regatta at Sandvik is in August.", false},
		{"two weekdays", "Dialysis at Sankt Olof on Monday.", "Dialysis at Sankt Olof on Thursday.", false},
		{"moved", "The viewing in Malmö is on 3 May.", "The viewing in Malmö was moved to 11 May.", true},
		{"postponed", "The regatta at Sandvik is on 8 June.", "The regatta at Sandvik is postponed until 15 June.", true},
		{"instead", "The viewing in Malmö is on 3 May.", "The viewing in Malmö is on 11 May instead.", true},
		{"一天和另一天", "我5月3日去仁和医院做胃镜。", "我6月8日去仁和医院做胃镜。", false},
		{"周二和周五", "我周二去仁和医院做胃镜。", "我周五去仁和医院做胃镜。", false},
		{"改到", "我5月3日去仁和医院做胃镜。", "我去仁和医院做胃镜改到6月8日。", true},
		{"推迟", "澜城设计院的面试是3月5日。", "澜城设计院的面试推迟到3月9日。", true},
		{"two things", "I have an X-ray at the clinic for my wrist.", "I have an X-ray at the clinic for my lungs.", false},
		{"two people", "I had lunch with Berta at the Grand.", "I had lunch with Casimir at the Grand.", false},
		{"两件事", "我去医院检查膝盖情况良好。", "我去医院检查乳腺情况良好。", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := events(t, tt.first, tt.second); (got[0] == got[1]) != tt.one {
				t.Errorf("events %v, want one: %v", got, tt.one)
			}
		})
	}
}

// TestCoreferNoBridge: a fact without a day doesn't carry an event from one day to
// the next, nor does the day that a word like "tomorrow" stands for.
func TestCoreferNoBridge(t *testing.T) {
	got := events(t, "The viewing in Malmö is on 3 May.", "The viewing in Malmö will be crowded.", "The viewing in Malmö is on 11 May.")
	if got[0] == got[2] {
		t.Errorf("events %v: two days in one", got)
	}
	a, b := draft("a", "The viewing in Malmö is tomorrow."), draft("b", "The viewing in Malmö is tomorrow.")
	a.HappenedAt = privacy.Stamp{Instant: time.Date(2026, 5, 3, 0, 0, 0, 0, time.UTC)}
	b.HappenedAt = privacy.Stamp{Instant: time.Date(2026, 5, 11, 0, 0, 0, 0, time.UTC)}
	if got := eventsOf(t, []privacy.Record{a, b}); got[0] == got[1] {
		t.Errorf("events %v: tomorrow is two days", got)
	}
}

// TestCoreferDaysProperty: with any two days of a year, statements that are alike
// else are one event only on the same day.
func TestCoreferDaysProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		day := rapid.IntRange(1, 28)
		month := rapid.SampledFrom([]string{"January", "March", "May", "August", "December"})
		a := fmt.Sprintf("%d %s", day.Draw(rt, "day"), month.Draw(rt, "month"))
		b := fmt.Sprintf("%d %s", day.Draw(rt, "other day"), month.Draw(rt, "other month"))
		got := events(t, "I sit the pilot exam in Västerås on "+a+".", "I sit the pilot exam in Västerås on "+b+".")
		if (got[0] == got[1]) != (a == b) {
			rt.Fatalf("%s and %s: events %v", a, b, got)
		}
	})
}
