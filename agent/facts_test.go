package agent_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

const enScript = "testdata/scripts/en-01"

func openScript(t *testing.T, o agent.ImportOptions) *agent.Agent {
	t.Helper()
	a := open(t, "")
	if _, err := a.Import(t.Context(), enScript, o); err != nil {
		t.Fatal(err)
	}
	return a
}

// Facts and sessions that the owner names narrow what a reader gets, and never open
// anything: whatever is named, what is told is permitted, and of what was named.
func TestNarrowed(t *testing.T) {
	a := openScript(t, agent.ImportOptions{Gold: true})
	facts, err := a.Facts(t.Context())
	if err != nil || len(facts) != 45 {
		t.Fatalf("%d facts, %v", len(facts), err)
	}
	var all []privacy.FactID
	for _, f := range facts {
		all = append(all, f.ID)
	}
	policy, err := a.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const question = "What is new with the operation, the offer and the wedding?"
	for _, person := range policy.People() {
		readers, err := a.Readers(t.Context(), []string{person.Name})
		if err != nil {
			t.Fatal(err)
		}
		table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: all, People: []string{person.Name}})
		if err != nil {
			t.Fatal(err)
		}
		may := map[privacy.FactID]bool{}
		for _, v := range table.People[0].Verdicts {
			may[v.Fact] = v.Allow
		}
		// Asked twice, narrowed and not: what is kept of one must not serve the other.
		for _, req := range []agent.DiscloseRequest{
			{Facts: all}, {Facts: all[10:20]}, {Facts: []privacy.FactID{}}, {Sessions: []string{"s19"}}, {}, {Sessions: []string{}}, {Sessions: []string{"s22", "s26"}},
		} {
			req.Question, req.To, req.Preview = question, readers, true
			d, err := a.Disclose(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range d.FactsTold {
				if !may[id] {
					t.Errorf("%s is told %s, which is denied", person.Name, id)
				}
				if req.Facts != nil && !slices.Contains(req.Facts, id) {
					t.Errorf("%s is told %s, which wasn't named", person.Name, id)
				}
				f := facts[slices.Index(all, id)]
				if req.Sessions != nil && !slices.ContainsFunc(f.Sessions, func(s string) bool { return slices.Contains(req.Sessions, s) }) {
					t.Errorf("%s is told %s of %v, asked within %v", person.Name, id, f.Sessions, req.Sessions)
				}
			}
			if req.Facts != nil && len(req.Facts) == 0 && d.Action != agent.Deflected {
				t.Error("something is told of nothing")
			}
		}
	}
	readers, err := a.Readers(t.Context(), []string{"Desh Pallavan"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: question, To: readers, Facts: []privacy.FactID{"nowhere"}}); !errors.Is(err, agent.ErrUnknownFact) {
		t.Errorf("an unknown fact: %v", err)
	}
	found, err := a.Partition(t.Context(), agent.PartitionRequest{Topic: "the offer", Sessions: []string{"s19"}})
	if err != nil || len(found.Facts) == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	for _, f := range found.Facts {
		if !slices.Contains(facts[slices.Index(all, f.ID)].Sessions, "s19") {
			t.Errorf("%s isn't of the session", f.ID)
		}
	}
}

// Facts that an import is given are stored with their marks, in place of what would be
// learned.
func TestImportGivenFacts(t *testing.T) {
	script, err := ingest.ReadScript(enScript)
	if err != nil {
		t.Fatal(err)
	}
	given := script.GoldFacts()[:3]
	a := openScript(t, agent.ImportOptions{Facts: given})
	facts, err := a.Facts(t.Context())
	if err != nil || len(facts) != 3 || facts[0].ID != given[0].ID || facts[0].Label.Level != privacy.L1 || len(facts[0].Judged.Whitelist) != 1 {
		t.Errorf("%+v, %v", facts, err)
	}
	if !given[0].ImportedAt.IsZero() {
		t.Error("the caller's facts were changed")
	}
	none := openScript(t, agent.ImportOptions{Facts: []memory.Fact{}})
	if facts, err := none.Facts(t.Context()); err != nil || len(facts) != 0 {
		t.Errorf("%d facts where none were given, %v", len(facts), err)
	}
}

func TestPlace(t *testing.T) {
	a := openScript(t, agent.ImportOptions{Gold: true})
	placed, err := a.Place(t.Context(), "Ilse's doctor found an illness in her left ear and prescribed medicines before the operation.", []string{"s05", "s12"})
	if err != nil || !slices.Contains(placed.Categories, "health") || placed.Label.Level > privacy.L1 {
		t.Errorf("%+v, %v", placed, err)
	}
	vague, err := a.Place(t.Context(), "It was quite something.", nil)
	if err != nil || len(vague.Categories) != 0 || vague.Label != (privacy.Label{}) {
		t.Errorf("a statement about nothing: %+v, %v", vague, err)
	}
	if _, err := a.Place(t.Context(), " ", nil); !errors.Is(err, agent.ErrEmpty) {
		t.Error(err)
	}
	if _, err := a.Place(t.Context(), "x", []string{"nowhere"}); !errors.Is(err, memory.ErrNotFound) {
		t.Error(err)
	}
	facts, err := a.Facts(t.Context())
	if err != nil || len(facts) != 45 {
		t.Errorf("placing stored something: %d facts, %v", len(facts), err)
	}
}

func TestRankSessions(t *testing.T) {
	a := openScript(t, agent.ImportOptions{Gold: true})
	for _, w := range []memory.Weights{{Alpha: 1}, memory.DefaultWeights} {
		hits, err := a.RankSessions(t.Context(), "the alto solo at the winter concert", 3, w)
		if err != nil || len(hits) == 0 || len(hits) > 3 || !slices.ContainsFunc(hits, func(h memory.SessionHit) bool { return h.Session == "s01" }) {
			t.Errorf("%+v: %+v, %v", w, hits, err)
		}
	}
	if _, err := a.RankSessions(t.Context(), "", 3, memory.DefaultWeights); !errors.Is(err, agent.ErrEmpty) {
		t.Error(err)
	}
	if _, err := a.RankSessions(t.Context(), "x", 3, memory.Weights{Alpha: 3}); !errors.Is(err, memory.ErrInvalid) {
		t.Error(err)
	}
}
