package agent_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/prompts"
)

const learnedPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines]}
domains: [life]
groups:
  - {id: partner, tier: 1, domain: life}
people:
  - {name: Tomas, groups: [partner]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, doctors, medicine"}
`

func learnedHome(t *testing.T) (*agent.Agent, *memory.Store) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(learnedPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), dir, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	// Another process of the same home.
	s, err := memory.Open(t.Context(), filepath.Join(dir, agent.DatabaseFile), memory.Options{Reindexing: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return a, s
}

func activate(t *testing.T, s *memory.Store, lesson string) {
	t.Helper()
	version, _, err := s.ActiveSupplements(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.ActivateSupplements(t.Context(), memory.Activation{
		From: version, Version: memory.SupplementVersion{Active: []string{"s1"}, Author: "owner"},
		Put: []memory.StoredSupplement{{ID: "s1", Stage: "annotate", Language: "en", Lesson: json.RawMessage(lesson), Author: "rule", Status: memory.SupplementActive}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What another process puts in force reaches the stages at the next request.
func TestLearnedByAnotherProcess(t *testing.T) {
	a, s := learnedHome(t)
	label := func(text string) string {
		t.Helper()
		got, err := a.Remember(t.Context(), agent.RememberRequest{Text: text})
		if err != nil || len(got.Facts) != 1 {
			t.Fatal(got, err)
		}
		return got.Facts[0].Label.String()
	}
	if got := label("I had quillwork on the balcony."); got != "L0" {
		t.Fatalf("before: %s", got)
	}
	activate(t, s, `{"kind":"word","lang":"en","term":"quillwork","of":"health"}`)
	if got := label("I had quillwork on the stairs."); got != "L1/life" {
		t.Errorf("after: %s", got)
	}
}

// What can't be read stops learning and telling: without it an audience might be wider. A
// listener reads the deflection, and an earlier version can be brought back.
func TestUnreadableLearned(t *testing.T) {
	a, s := learnedHome(t)
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I saw the doctor about the pills."}); err != nil {
		t.Fatal(err)
	}
	activate(t, s, `{"kind":"of a later release","lang":"en"}`)
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I saw the doctor again."}); !errors.Is(err, agent.ErrLearned) {
		t.Errorf("remember: %v", err)
	}
	readers, err := a.Listeners(t.Context(), []string{"Tomas"})
	if err != nil {
		t.Fatal(err)
	}
	ask := agent.DiscloseRequest{Question: "What did the doctor say about the pills?", To: readers}
	if _, err := a.Disclose(t.Context(), ask); !errors.Is(err, agent.ErrLearned) {
		t.Errorf("disclose for the owner: %v", err)
	}
	ask.Listener = true
	d, err := a.Disclose(t.Context(), ask)
	if err != nil || d.Action != agent.Deflected || !errors.Is(d.Withheld, agent.ErrLearned) {
		t.Errorf("disclose for a listener: %+v, %v", d, err)
	}
	zero := int64(0)
	change := agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{To: &zero}}
	p, err := a.Preview(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Agree(t.Context(), change, p.Key, nil); err != nil {
		t.Fatal(err)
	}
	ask.Listener = false
	if d, err := a.Disclose(t.Context(), ask); err != nil || d.Action != agent.Answered {
		t.Errorf("after going back: %+v, %v", d, err)
	}
}

// Equal sets have one version, whatever their order, and nothing has none.
func TestLearnedVersion(t *testing.T) {
	note := func(id string) memory.StoredSupplement {
		return memory.StoredSupplement{ID: id, Stage: string(prompts.StageRespond), Language: "en", Text: "x"}
	}
	one, err := agent.LearnedOf([]memory.StoredSupplement{note("a"), note("b")})
	two, err2 := agent.LearnedOf([]memory.StoredSupplement{note("b"), note("a")})
	other, err3 := agent.LearnedOf([]memory.StoredSupplement{note("a")})
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if one.Version != two.Version || one.Version == other.Version || one.Version == "" {
		t.Errorf("%q, %q, %q", one.Version, two.Version, other.Version)
	}
	if none, err := agent.LearnedOf(nil); err != nil || none.Version != "" {
		t.Errorf("nothing: %+v, %v", none, err)
	}
}
