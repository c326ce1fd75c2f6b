package main

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/prompts"
)

// A persona's question is worded from what the persona knows, and each call is told of
// before it is made.
func TestWordedPersona(t *testing.T) {
	told := 0
	model := &prompts.Scripted{Reply: func(stage prompts.Name, data string) (string, error) {
		if told == 0 || stage != prompts.StagePersona {
			t.Errorf("stage %s, told %d times", stage, told)
		}
		for _, want := range []string{`"name":"Per"`, `"goal":"Come along"`, `"owner":"Nora"`, `"heard":["No idea."]`} {
			if !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(data, "\n", ""), ": ", ":"), want) {
				t.Errorf("the data lack %s: %s", want, data)
			}
		}
		return `{"question": "When do we leave?"}`, nil
	}}
	p := wordedPersona{prompts.NewRunner(model, prompts.Options{ID: "scripted", Retries: -1}), "en", func() { told++ }}
	got, err := p.Word(t.Context(), &sim.Party{Name: "Per", Goal: "Come along"}, "Nora", []string{"No idea."})
	if err != nil || got != "When do we leave?" {
		t.Errorf("%q, %v", got, err)
	}
}
