package agent_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// TestForget: what is forgotten comes back through no way of reading, in the same
// process and after a restart, and no file of the home holds its words (bugs B06).
// The ledger keeps that something was told.
func TestForget(t *testing.T) {
	policy := `
version: 1
owner: {name: Ines, language: en}
groups: [{id: family, tier: 1, domain: life}]
people: [{name: Greta, groups: [family]}, {name: Bo, groups: [family]}]
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "pregnancy, doctor, clinic", examples: ["I am pregnant"]}
  - {id: music, name: Music, level: 1, domain: life, description: "cello, lessons, concert", examples: ["I play the cello"]}
`
	for _, what := range []string{"fact", "session", "person"} {
		t.Run(what, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			a := openIn(t, home, policy)
			file := filepath.Join(dir, "chat.txt")
			chat := "Participants: Ines, Greta\n\n--- 3 March 2026 ---\nGreta: news?\nInes: I am pregnant, due 9 November.\nGreta: wow\n" +
				"\n--- 9 March 2026 ---\nGreta: and?\nInes: I started cello lessons in Lund.\n"
			if err := os.WriteFile(file, []byte(chat), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Import(t.Context(), file, agent.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			d := disclose(t, a, "Is she pregnant, and when is it due?", "Greta")
			if !strings.Contains(d.Answer, "9 November") {
				t.Fatalf("Greta is told %q", d.Answer)
			}
			req := agent.ForgetRequest{}
			id := d.FactsTold[0]
			fact, err := a.Store().Fact(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			switch what {
			case "fact":
				req.Facts = []privacy.FactID{id}
			case "session":
				req.Session = fact.Session
			case "person":
				req.Person = "Ines"
			}
			gone, err := a.Forget(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if len(gone.Facts) == 0 || gone.LedgerEntries == 0 {
				t.Errorf("forgotten: %+v", gone)
			}
			nothingLeft(t, a, home)
			again := openIn(t, home, "")
			nothingLeft(t, again, home)
			if what != "person" {
				if got, err := again.Recall(t.Context(), agent.RecallRequest{Query: "cello lessons"}); err != nil || len(got.Facts) == 0 {
					t.Errorf("another fact is gone too: %+v, %v", got, err)
				}
			}
		})
	}
}

func nothingLeft(t *testing.T, a *agent.Agent, home string) {
	t.Helper()
	const words = "9 November"
	for _, q := range []string{"due date", "I am pregnant, due 9 November."} {
		found, err := a.Recall(t.Context(), agent.RecallRequest{Query: q})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found.Facts {
			if strings.Contains(f.Text, words) {
				t.Errorf("recall %q: %s", q, f.ID)
			}
		}
	}
	if d := disclose(t, a, "When is it due?", "Greta"); strings.Contains(d.Answer, words) || strings.Contains(d.Context.Storyline, words) {
		t.Errorf("disclose: %q", d.Answer)
	}
	table, err := a.Partition(t.Context(), agent.PartitionRequest{Topic: "pregnant due"})
	if err != nil {
		t.Fatal(err)
	}
	if body, err := json.Marshal(table); err != nil || strings.Contains(string(body), words) {
		t.Errorf("partition: %s, %v", body, err)
	}
	var export strings.Builder
	if err := a.Export(t.Context(), &export); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(export.String(), words) {
		t.Error("the export holds it")
	}
	entries, err := a.Ledger(t.Context(), memory.LedgerFilter{To: "Greta"})
	if err != nil || len(entries) == 0 {
		t.Errorf("the ledger has lost that something was told: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(home, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(body), words) {
			t.Errorf("%s holds the words", filepath.Base(file))
		}
	}
}

// TestForgetWhatWasTaught: what the annotator was taught by a fact goes with the
// fact's words, also where the owner had dropped it as no fact before.
func TestForgetWhatWasTaught(t *testing.T) {
	home := t.TempDir()
	a := openIn(t, home, sameWithoutPolicy)
	got, err := a.Remember(t.Context(), agent.RememberRequest{Text: "The zanzibar parcel arrives on Thursday."})
	if err != nil || len(got.Facts) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := a.Decide(t.Context(), []privacy.FactID{got.Facts[0].ID}, agent.Decision{NotFact: true}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Forget(t.Context(), agent.ForgetRequest{Session: got.Session}); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(home, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if body, err := os.ReadFile(file); err != nil || strings.Contains(string(body), "zanzibar") {
			t.Errorf("%s holds the words: %v", filepath.Base(file), err)
		}
	}
}
