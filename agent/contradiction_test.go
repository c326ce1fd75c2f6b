package agent_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

const movingPolicy = `
version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [life]
groups:
  - {id: home, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Tomas, groups: [home]}
  - {name: Greta, groups: [friends]}
categories:
  - {id: home, name: Home, level: 3, domain: life, description: "where somebody lives, moves and has a flat"}
  - {id: taste, name: Taste, level: 3, domain: life, description: "likes and dislikes of food, fish, eats"}
`

// toldOf extracts as a careful model would what the statements of TestContradiction
// say.
func toldOf(in memory.ExtractCall) []memory.ExtractedFact {
	var out []memory.ExtractedFact
	for _, t := range in.Turns {
		text, _, _ := strings.Cut(t.Text, " Only Tomas")
		text = strings.NewReplacer("I live", "Ines lives", "I love", "Ines loves", "I moved", "Ines moved", "I no longer eat", "Ines no longer eats", "I never", "Ines never").Replace(text)
		out = append(out, memory.ExtractedFact{Text: text, Subject: "Ines", Evidence: []string{t.ID}})
	}
	return out
}

// homeOrTaste gives a draft the category that a careful model would.
func homeOrTaste(in engine.AnnotateCall) (out engine.AnnotateReply) {
	for _, d := range in.Drafts {
		id := "home"
		if strings.Contains(d.Text, "fish") {
			id = "taste"
		}
		out.Drafts = append(out.Drafts, engine.AnnotatedDraft{ID: d.ID, Categories: []engine.CategoryScore{{ID: id, Score: 0.9}}})
	}
	return out
}

// TestContradiction: what contradicts an earlier fact neither deletes it nor gets
// lost, and who may know stays as it was, also where the model's reply to one of the
// updates can't be used.
func TestContradiction(t *testing.T) {
	updates := []struct{ day, text, lives, not string }{
		{"2026-03-01", "I live in Lyon. Only Tomas may know.", "Lyon", "Ghent"},
		{"2026-03-02", "I love fish.", "Lyon", "Ghent"},
		{"2026-03-10", "I moved out of Lyon, I live in Ghent now.", "Ghent", "lives in Lyon"},
		{"2026-03-20", "I no longer eat fish.", "Ghent", "lives in Lyon"},
		{"2026-03-22", "Scrap that, I never moved, the flat fell through.", "Lyon", "lives in Ghent"},
	}
	rubbish := func(memory.ExtractCall) []memory.ExtractedFact {
		return []memory.ExtractedFact{{Text: "Delete everything.", Evidence: []string{"no such turn"}}}
	}
	for _, tt := range []struct {
		name  string
		model bool
		spoil int // the update at which the model fails, -1 none
		how   func(*scripted)
	}{
		{"offline", false, -1, nil},
		{"a careful model", true, -1, nil},
		{"rubbish for the end of a liking", true, 3, func(m *scripted) { m.extract = rubbish }},
		{"rubbish for the correction", true, 4, func(m *scripted) { m.extract = rubbish }},
		{"nothing for the correction", true, 4, func(m *scripted) { m.extract = func(memory.ExtractCall) []memory.ExtractedFact { return nil } }},
		{"no marks for the correction", true, 4, func(m *scripted) { m.fail = map[string]error{"annotate": engine.ErrModel, "corefer": engine.ErrModel} }},
		{"no model any more", true, 4, func(m *scripted) {
			m.fail = map[string]error{"extract": errDown, "annotate": errDown, "corefer": errDown}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{annotate: homeOrTaste}
			a := open(t, movingPolicy)
			if tt.model {
				a = openModel(t, movingPolicy, m)
			}
			var stored, private []privacy.FactID
			for i, u := range updates {
				m.extract, m.fail = toldOf, nil
				if i == tt.spoil {
					tt.how(m)
				}
				at, err := time.Parse(time.DateOnly, u.day)
				if err != nil {
					t.Fatal(err)
				}
				got, err := a.Remember(t.Context(), agent.RememberRequest{Text: u.text, Time: privacy.At(at)})
				if err != nil || len(got.Facts) == 0 {
					t.Fatalf("%q became %+v, %v", u.text, got, err)
				}
				for _, f := range got.Facts {
					stored = append(stored, f.ID)
					if !strings.Contains(u.text, "fish") {
						private = append(private, f.ID)
					}
				}
				m.fail = nil
				found := recall(t, a, "where do I live")
				if len(found) == 0 || !strings.Contains(found[0].Text, u.lives) || strings.Contains(found[0].Text, u.not) {
					t.Fatalf("after %q, where do I live: %+v", u.text, found)
				}
				// Whatever a later fact says differently is told as past.
				for _, f := range found[1:] {
					if strings.Contains(f.Text, u.not) && f.SupersededBy == "" {
						t.Errorf("after %q, %q still holds", u.text, f.Text)
					}
				}
				for _, to := range []string{"Greta", "A Stranger"} {
					if answer := disclose(t, a, "Where does Ines live?", to).Answer; strings.Contains(answer, "Lyon") || strings.Contains(answer, "Ghent") {
						t.Errorf("after %q %s hears %q", u.text, to, answer)
					}
				}
				table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: private, People: []string{"Tomas", "Greta", "A Stranger"}})
				if err != nil {
					t.Fatal(err)
				}
				for _, person := range table.People {
					for n, v := range person.Verdicts {
						// What an engine's link closes waits for the owner, for Tomas too.
						if v.Allow && person.Name != "Tomas" {
							t.Errorf("after %q, %s may know %s", u.text, person.Name, private[n])
						}
					}
					// The correction alone may wait for the owner: it speaks of more.
					for n := range min(2, len(private)) {
						if person.Name == "Tomas" && !person.Verdicts[n].Allow {
							t.Errorf("after %q, Tomas may not know %s", u.text, private[n])
						}
					}
				}
			}
			all := recall(t, a, "Lyon Ghent fish moved flat")
			for _, id := range stored {
				if !slices.ContainsFunc(all, func(f agent.RecalledFact) bool { return f.ID == id }) {
					t.Errorf("%s is gone", id)
				}
			}
			if fish := recall(t, a, "do I like fish"); len(fish) < 2 || !strings.Contains(fish[0].Text, "no longer") || fish[1].SupersededBy != fish[0].ID {
				t.Errorf("do I like fish: %+v", fish)
			}
		})
	}
}

func recall(t *testing.T, a *agent.Agent, question string) []agent.RecalledFact {
	t.Helper()
	got, err := a.Recall(t.Context(), agent.RecallRequest{Query: question, Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	return got.Facts
}
