package agent_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
)

// Each kind of feedback says what can be made of it, and promises no case or lesson that
// nothing makes.
func TestFeedbackSays(t *testing.T) {
	for _, k := range agent.FeedbackKinds() {
		if u := (agent.FeedbackRequest{Kind: k}).Use(false); u.Stages == "" || u.Offline == "" {
			t.Errorf("%s: %+v", k, u)
		}
	}
	if u := (agent.FeedbackRequest{Kind: "none"}).Use(false); u != (agent.FeedbackUse{}) {
		t.Errorf("no kind: %+v", u)
	}
	for _, c := range []struct {
		req    agent.FeedbackRequest
		others bool
		want   string
	}{
		{agent.FeedbackRequest{Kind: "wrong-category", Expected: "health"}, false, "offline a run makes of it a case that every later candidate has to get right, and lessons"},
		{agent.FeedbackRequest{Kind: "wrong-category", Expected: "health"}, true, "a case that every later candidate has to get right; its words are somebody else's, and nothing is learned from them."},
		{agent.FeedbackRequest{Kind: "wrong-category"}, false, "nothing but keeping it until you say what is right"},
		{agent.FeedbackRequest{Kind: "wrong-category"}, true, "Its words are somebody else's: nothing is learned from them."},
		{agent.FeedbackRequest{Kind: "wrong-category", Expected: "no fact"}, false, "nothing but keeping it."},
		{agent.FeedbackRequest{Kind: "should-have-told", Fact: "f"}, false, "nothing but keeping it: the entry's words are gone, or it told nothing."},
		{agent.FeedbackRequest{Kind: "should-have-told", Fact: "f", Entry: 1}, false, "a case that no later candidate may break."},
		{agent.FeedbackRequest{Kind: "missed"}, false, "a note for the stage needs a model, and no word or bound"},
		{agent.FeedbackRequest{Kind: "missed"}, false, "`epagent remember` keeps what was missed."},
		{agent.FeedbackRequest{Kind: "wrong-event", Fact: "f"}, false, "which waits for you; of a fact that began its event it takes by --expected"},
		{agent.FeedbackRequest{Kind: "wrong-event", Fact: "f", Expected: "its own"}, false, "where three facts agree such a bound, which waits for you; `epagent fact event`"},
		{agent.FeedbackRequest{Kind: "wrong-event", Fact: "f", Expected: "its own"}, true, "nothing is learned from them; `epagent fact event` puts this fact right."},
	} {
		if got := c.req.Says(c.others); !strings.Contains(got, c.want) {
			t.Errorf("%+v, of others %v: %q, want %q", c.req, c.others, got, c.want)
		}
	}
}
