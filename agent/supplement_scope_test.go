package agent_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

const scopePolicy = `version: 1
owner: {name: Ines Falk}
domains: [life]
groups:
  - {id: partner, tier: 1, domain: life}
people:
  - {name: Tomas, groups: [partner]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, doctors, medicine, surgery, pain"}
  - {id: family, name: Family, level: 2, domain: life, description: "Parents, relatives, their health and illness"}
`

// What is in force without a note of what it was approved for is bound to what its theme has
// when it is first read, and stays bound to that.
func TestUnnotedScope(t *testing.T) {
	dir := t.TempDir()
	write := func(policy string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(policy), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(scopePolicy)
	l := engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "quillwork", Of: "health"}
	lesson, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	first, err := agent.Open(t.Context(), dir, agent.Options{}) // lays the home out
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := memory.Open(t.Context(), filepath.Join(dir, agent.DatabaseFile), memory.Options{Reindexing: true})
	if err != nil {
		t.Fatal(err)
	}
	id := agent.SupplementID("annotate", "en", agent.SupplementKey("", &l))
	if _, err := store.ActivateSupplements(t.Context(), memory.Activation{
		Version: memory.SupplementVersion{Active: []string{id}},
		Put:     []memory.StoredSupplement{{ID: id, Stage: "annotate", Language: "en", Lesson: lesson, Author: "rule", Status: memory.SupplementActive}},
	}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), dir, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	label := func(text string) string {
		t.Helper()
		got, err := a.Remember(t.Context(), agent.RememberRequest{Text: text})
		if err != nil || len(got.Facts) != 1 {
			t.Fatalf("%q: %+v, %v", text, got, err)
		}
		view, err := a.Fact(t.Context(), got.Facts[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		return view.Label.String()
	}
	if got := label("I had quillwork again."); got != "L1/life" {
		t.Errorf("with its category it is %s", got)
	}
	_, active, err := a.Evolution().ActiveSupplements(t.Context())
	if err != nil || len(active) != 1 || !slices.Equal(active[0].Scope, []privacy.CategoryID{"health"}) {
		t.Errorf("noted: %+v, %v", active, err)
	}
	line := strings.Index(scopePolicy, "  - {id: health")
	next := strings.Index(scopePolicy, "  - {id: family")
	write(scopePolicy[:line] + scopePolicy[next:])
	if got := label("I had quillwork on the balcony."); got != "L0" {
		t.Errorf("without it, a later fact is %s", got)
	}
}
