package agent_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// TestReviewEnds: a calling-off that waits says what goes on being told meanwhile, and
// what others get is the same as if it weren't there.
func TestReviewEnds(t *testing.T) {
	plan := fact{ID: "f1", Text: "Ines has a trip to Lisbon in June.", Categories: []privacy.CategoryID{"travel"}, Event: "e1", Time: now.AddDate(0, 0, -9), Trusted: true, Truth: "real"}
	other := fact{ID: "f2", Text: "Ines has a trip to Ghent in May.", Categories: []privacy.CategoryID{"travel"}, Event: "e2", Time: now.AddDate(0, 0, -8), Trusted: true, Truth: "real"}
	off := fact{ID: "f3", Text: "Ines's trip to Lisbon is cancelled.", Event: "e1", Time: now.AddDate(0, 0, -1), Trusted: true, Truth: "real"}
	a := open(t, sameWithoutPolicy)
	put(t, a, plan, other)
	stored := off.stored()
	stored.Marks = append(stored.Marks, privacy.Mark{Kind: privacy.MarkReview, Value: "no category fits", By: privacy.ByGold, Rule: "MARKS 1"})
	if _, err := a.Store().Apply(t.Context(), memory.Batch{Facts: []memory.Fact{stored}}); err != nil {
		t.Fatal(err)
	}
	queue, err := a.Review(t.Context(), agent.ReviewQuery{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[privacy.FactID][]privacy.FactID{}
	for _, item := range queue.Items {
		got[item.ID] = item.Ends
	}
	if diff := cmp.Diff(map[privacy.FactID][]privacy.FactID{"f3": {"f1"}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	without := open(t, sameWithoutPolicy)
	put(t, without, plan, other)
	for _, question := range []string{"When is the trip to Lisbon?", "Is the trip to Lisbon cancelled?"} {
		if got, want := disclose(t, a, question, "Tomas").Answer, disclose(t, without, question, "Tomas").Answer; got != want {
			t.Errorf("%s\nwith it    %q\nwithout it %q", question, got, want)
		}
	}
}
