package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

// Feedback names what its kind is about, or is refused with what is wanted; nothing is noted
// then.
func TestFeedbackForm(t *testing.T) {
	a := open(t, reviewPolicy)
	stored, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I play tennis on Mondays."})
	if err != nil || len(stored.Facts) != 1 {
		t.Fatalf("%+v, %v", stored, err)
	}
	fact := stored.Facts[0].ID
	disclose(t, a, "What about quarks?", "Greta")
	entries, err := a.Ledger(t.Context(), memory.LedgerFilter{})
	if err != nil || len(entries) != 1 || len(entries[0].Told) != 0 {
		t.Fatalf("%+v, %v", entries, err)
	}
	entry := entries[0].ID
	words := "the words of it"
	for _, tt := range []struct {
		req  agent.FeedbackRequest
		want error  // nil: it is noted
		says string // of the error
	}{
		{agent.FeedbackRequest{Kind: "wrong-category", Expected: "no fact"}, agent.ErrFeedback, "about a fact"},
		{agent.FeedbackRequest{Kind: "wrong-event", Note: words}, agent.ErrFeedback, "about a fact"},
		{agent.FeedbackRequest{Kind: "wrong-person", Entry: entry}, agent.ErrFeedback, "about a fact"},
		{agent.FeedbackRequest{Kind: "wrong-time", Expected: words}, agent.ErrFeedback, "about a fact"},
		{agent.FeedbackRequest{Kind: "should-have-told", Entry: entry}, agent.ErrFeedback, "a fact and the answer"},
		{agent.FeedbackRequest{Kind: "should-have-told", Fact: fact}, agent.ErrFeedback, "a fact and the answer"},
		{agent.FeedbackRequest{Kind: "should-not-have-told", Fact: fact}, agent.ErrFeedback, "number of its entry"},
		{agent.FeedbackRequest{Kind: "should-not-have-told", Entry: entry}, agent.ErrFeedback, "told nothing"},
		{agent.FeedbackRequest{Kind: "too-vague", Note: words}, agent.ErrFeedback, "number of its entry"},
		{agent.FeedbackRequest{Kind: "wrong-tone", Fact: fact}, agent.ErrFeedback, "number of its entry"},
		{agent.FeedbackRequest{Kind: "cover-broken"}, agent.ErrFeedback, "number of its entry"},
		{agent.FeedbackRequest{Kind: "missed", Note: "  "}, agent.ErrFeedback, "say what was wrong"},
		{agent.FeedbackRequest{Kind: "no-kind", Note: words}, agent.ErrFeedback, "one of wrong-category"},
		{agent.FeedbackRequest{Kind: "missed", Note: strings.Repeat("x", memory.MaxFeedback+1)}, agent.ErrFeedback, "the limit is 4096"},
		{agent.FeedbackRequest{Kind: "wrong-time", Fact: "fnothingthe"}, agent.ErrUnknownFact, "fnothingthe"},
		{agent.FeedbackRequest{Kind: "too-vague", Entry: entry + 7}, agent.ErrUnknownEntry, "epagent ledger"},
		{agent.FeedbackRequest{Kind: "wrong-time", Fact: fact, Entry: -1}, agent.ErrUnknownEntry, "-1"},

		{agent.FeedbackRequest{Kind: "wrong-category", Fact: fact, Expected: "no fact"}, nil, ""},
		{agent.FeedbackRequest{Kind: "wrong-time", Fact: fact}, nil, ""},
		{agent.FeedbackRequest{Kind: "should-have-told", Fact: fact, Entry: entry}, nil, ""},
		{agent.FeedbackRequest{Kind: "cover-broken", Entry: entry}, nil, ""},
		{agent.FeedbackRequest{Kind: "missed", Note: words}, nil, ""},
		{agent.FeedbackRequest{Kind: "invented", Fact: fact}, nil, ""},
		{agent.FeedbackRequest{Kind: "missed", Entry: entry}, nil, ""},
	} {
		before, err := a.FeedbackGiven(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Feedback(t.Context(), tt.req)
		if !errors.Is(err, tt.want) || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v, want %v with %q", tt.req, err, tt.want, tt.says)
		}
		after, listErr := a.FeedbackGiven(t.Context())
		if listErr != nil || (len(after) > len(before)) != (err == nil) {
			t.Errorf("%+v: %d pieces, then %d, %v", tt.req, len(before), len(after), listErr)
		}
	}
	// No case is promised where the entry shows nothing that it could be made of.
	if says := a.SaysOf(t.Context(), agent.FeedbackRequest{Kind: "cover-broken", Entry: entry}); !strings.Contains(says, "nothing but keeping it") {
		t.Errorf("an answer that told nothing: %s", says)
	}
	if says := a.SaysOf(t.Context(), agent.FeedbackRequest{Kind: "should-have-told", Fact: fact, Entry: entry}); !strings.Contains(says, "a case that no later candidate may break") {
		t.Errorf("an answer that should have told: %s", says)
	}
}
