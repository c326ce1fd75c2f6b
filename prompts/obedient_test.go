package prompts_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/prompts"
)

// TestObedient: the attacker's model replies to every stage with what the schema
// takes, and its answer holds every word that it was given.
func TestObedient(t *testing.T) {
	model := prompts.Obedient()
	r := prompts.NewRunner(model, prompts.Options{})
	for _, name := range prompts.Names() {
		if err := examples(r, name, "en"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(model.Sent()); n != len(prompts.Names()) {
		t.Errorf("%d requests: a reply was not taken at once", n)
	}
	out, err := prompts.Call(t.Context(), r, prompts.Respond, prompts.Input[prompts.RespondIn, prompts.RespondOut]{Data: prompts.RespondIn{
		Owner: "W1", Question: "W2", Storyline: "W3", Details: []prompts.Item{{ID: "f1", Text: "W4"}}, Boundary: []string{"W5"},
		History: []prompts.Exchange{{Question: "W6", Answer: "W7"}}, Avoid: []string{"W8"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8"} {
		if !strings.Contains(out.Answer, word) {
			t.Errorf("%s is kept back", word)
		}
	}
}
