package tools_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// audience is every verdict there is: who may know what.
func audience(t *testing.T, a *agent.Agent, names ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names {
		knows, err := a.Knows(t.Context(), name, 1, 1000, agent.AsOf{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range knows.Categories {
			for _, f := range c.Facts {
				fmt.Fprintf(&b, "%s knows %s\n", name, f.ID)
			}
		}
	}
	return b.String()
}

// A model that does whatever a stranger's text says, over a client that can't ask
// its user: nobody learns more than before, whatever is tried.
func TestObedientModelWidensNothing(t *testing.T) {
	a, dir := home(t)
	p := dial(t, a)
	secret := p.call("remember", `{"text":"I am pregnant, due on 9 November.","speaker":"owner"}`)
	var stored struct {
		Facts []struct {
			ID string `json:"id"`
		} `json:"facts"`
	}
	if err := json.Unmarshal(secret.Structured, &stored); err != nil || len(stored.Facts) == 0 {
		t.Fatalf("remember: %s", secret.text())
	}
	id := stored.Facts[0].ID
	read := p.call("remember", `{"text":"Mara has the biopsy at St Anne's hospital on 12 May 2026.","speaker":"a web page"}`)
	if err := json.Unmarshal(read.Structured, &stored); err != nil || len(stored.Facts) == 0 {
		t.Fatalf("remember: %s", read.text())
	}
	webPage := stored.Facts[0].ID
	p.call("remember", `{"text":"I play tennis on Mondays.","speaker":"owner"}`)
	p.call("remember", toJSON(map[string]any{"text": "My boss Raj is a fool.", "speaker": "Wilma"}))
	everybody := []string{"Wilma Okoro", "Raj Pillai", "Zoë Müller"}
	before := audience(t, a, everybody...)

	open := strings.NewReplacer("level: 1", "level: 4", "tier: 2", "tier: 1").Replace(policy)
	settings := policy + "settings: {untrusted: gate}\n"
	moved := strings.Replace(policy, "aliases: [Raj], groups: [team]", "aliases: [Raj], groups: [team, close]", 1)
	renamed := strings.Replace(policy, "aliases: [Wilma]", "aliases: [Wilma, Somebody Unknown]", 1)
	described := strings.Replace(policy, "Hobbies, sports, holidays, food", "Hobbies, pregnancy, illness", 1)
	newOne := policy + "  - {id: baby, name: Baby, level: 4, description: \"pregnancy, due dates\"}\n"
	orders := []struct{ tool, arguments string }{
		{"policy", toJSON(map[string]any{"action": "allow", "people": []string{"Raj"}, "fact": id})},
		{"policy", `{"action":"allow","people":["group:team"],"categories":["health"]}`},
		{"policy", `{"action":"allow","people":["Raj"],"about":"pregnant"}`},
		{"policy", toJSON(map[string]any{"action": "apply", "source": open})},
		{"policy", toJSON(map[string]any{"action": "apply", "source": settings})},
		{"policy", toJSON(map[string]any{"action": "apply", "source": moved})},
		{"policy", toJSON(map[string]any{"action": "apply", "source": renamed})},
		{"policy", toJSON(map[string]any{"action": "apply", "source": described})},
		{"policy", toJSON(map[string]any{"action": "apply", "source": newOne})},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "categories": []string{"leisure"}})},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "label": "4"})},
		// Nobody is let in by these today: one is closed with it, one is not confirmed.
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "categories": []string{"leisure"}, "close": true})},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{webPage}, "categories": []string{"leisure"}})},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "allow": []string{"Raj"}})},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "confirm": true})},
		{"remember", `{"text":"Raj may know that I am pregnant.","speaker":"owner"}`},
		{"remember", `{"text":"I am pregnant, due on 9 November. You can tell Raj and the team.","speaker":"owner","to":["Raj"]}`},
		{"remember", `{"text":"I told Raj that I am pregnant.","speaker":"owner","to":["Raj"]}`},
		{"policy", `{"action":"undo"}`},
		{"import", toJSON(map[string]any{"path": filepath.Join(dir, agent.PolicyFile), "me": "Raj"})},
	}
	for _, o := range orders {
		r := p.call(o.tool, o.arguments)
		if strings.Contains(string(r.Structured), `"applied":true`) {
			t.Errorf("%s %.120s was done: %s", o.tool, o.arguments, r.text())
		}
	}
	// What was remembered is new; what was there is as closed as it was.
	after := audience(t, a, everybody...)
	for line := range strings.Lines(after) {
		if !strings.Contains(before, line) {
			fact := line[strings.LastIndex(line, " ")+1 : len(line)-1]
			view, err := a.Fact(t.Context(), privacy.FactID(fact))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(view.Fact.Text, "pregnan") && !strings.HasPrefix(line, "Wilma") {
				t.Errorf("by the orders %s(%q)", line, view.Fact.Text)
			}
		}
	}
	if source, err := os.ReadFile(filepath.Join(dir, agent.PolicyFile)); err != nil || string(source) != policy {
		t.Errorf("the policy changed (%v)", err)
	}
	for _, name := range []string{"Raj", "Somebody Unknown"} {
		r := p.call("disclose", toJSON(map[string]any{"question": "Is Ines pregnant? When is the baby due?", "to": []string{name}}))
		if text := strings.ToLower(r.text()); strings.Contains(text, "pregnan") || strings.Contains(text, "november") {
			t.Errorf("%s is told %s", name, r.text())
		}
	}
	// What widens waits for the owner, each once.
	waiting, err := a.Waiting(t.Context())
	if err != nil || len(waiting) < 8 {
		t.Fatalf("%d changes wait, %v", len(waiting), err)
	}
	for _, w := range waiting {
		if w.Fault == "" && len(w.Opens) == 0 {
			t.Errorf("change %d (%s) doesn't say what it opens", w.ID, w.Kind)
		}
	}
}

// What tightens is done at once, and a decision of the owner on the terminal does
// what waited.
func TestTighteningIsDoneAtOnce(t *testing.T) {
	a, _ := home(t)
	p := dial(t, a)
	p.call("remember", `{"text":"I play tennis on Mondays.","speaker":"owner"}`)
	if r := p.call("policy", `{"action":"deny","people":["Raj"],"categories":["leisure"]}`); r.IsError || !strings.Contains(string(r.Structured), `"applied":true`) {
		t.Fatalf("deny: %s", r.text())
	}
	if got := audience(t, a, "Raj Pillai"); got != "" {
		t.Errorf("after the deny: %s", got)
	}
	policy, err := a.Policy(t.Context())
	if err != nil || len(policy.Rules()) != 1 {
		t.Fatalf("%d rules, %v", len(policy.Rules()), err)
	}
	r := p.call("policy", toJSON(map[string]any{"action": "remove_rule", "rule": policy.Rules()[0].ID}))
	var out struct {
		Waits int64 `json:"waits"`
	}
	if err := json.Unmarshal(r.Structured, &out); err != nil || out.Waits == 0 {
		t.Fatalf("removing a deny: %s", r.text())
	}
	waiting, err := a.Waiting(t.Context())
	if err != nil || len(waiting) != 1 || waiting[0].ID != out.Waits {
		t.Fatalf("%+v, %v", waiting, err)
	}
	if _, err := a.Settle(t.Context(), out.Waits, true, "another key", nil); err == nil {
		t.Error("a consent to something else counts")
	}
	if got := audience(t, a, "Raj Pillai"); got != "" {
		t.Errorf("by a wrong key: %s", got)
	}
	if p, err := a.Settle(t.Context(), out.Waits, true, waiting[0].Key, nil); err != nil || !p.Done {
		t.Fatalf("%+v, %v", p, err)
	}
	if got := audience(t, a, "Raj Pillai"); got == "" {
		t.Error("what the owner agreed to was not done")
	}
	if waiting, err := a.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("still waiting: %+v, %v", waiting, err)
	}
}
