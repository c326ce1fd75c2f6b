package agent_test

import (
	"testing"

	"github.com/epagent/epagent/agent"
)

// Each kind of feedback says what can be made of it.
func TestFeedbackUse(t *testing.T) {
	for _, k := range agent.FeedbackKinds() {
		if u := k.Use(); u.Stages == "" || u.Offline == "" {
			t.Errorf("%s: %+v", k, u)
		}
	}
	if u := agent.FeedbackKind("none").Use(); u != (agent.FeedbackUse{}) {
		t.Errorf("no kind: %+v", u)
	}
}
