package memory_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

func learned(id, status string, evidence ...int64) memory.StoredSupplement {
	return memory.StoredSupplement{
		ID: id, Stage: "annotate", Language: "en", Lesson: json.RawMessage(`{"kind":"x"}`), Evidence: evidence, Author: "rule",
		At: noon, Status: status,
	}
}

var extra = privacy.Mark{Kind: privacy.MarkCategory, Value: "learned", By: privacy.ByMachine, Rule: "supplement s1", At: noon}

// What is in force is a numbered version; what it does to facts can be taken back, to
// the byte.
func TestSupplementVersions(t *testing.T) {
	s, _ := pregnancy(t)
	facts, _, err := s.Facts(t.Context())
	if err != nil || len(facts) == 0 {
		t.Fatal(err)
	}
	about, before := facts[0].ID, slices.Clone(facts[0].Marks)
	if err := s.PutSupplements(t.Context(), learned("s1", "candidate"), learned("s2", "candidate")); err != nil {
		t.Fatal(err)
	}
	if err := s.PutSupplements(t.Context(), learned("s1", memory.SupplementActive)); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("put as active: %v, want ErrInvalid", err)
	}
	seq, err := s.ActivateSupplements(t.Context(), memory.Activation{
		Version: memory.SupplementVersion{Active: []string{"s1"}, Author: "rule"},
		Put:     []memory.StoredSupplement{learned("s1", memory.SupplementActive)},
		Relabelling: memory.Relabelling{
			Facts: []privacy.FactID{about},
			Marks: []memory.SupplementMarks{{Supplement: "s1", Fact: about, Added: []privacy.Mark{extra}, Removed: before[:1]}},
		},
	})
	if err != nil || seq != 1 {
		t.Fatal(seq, err)
	}
	for name, a := range map[string]memory.Activation{
		"made from another version":    {From: 0, Version: memory.SupplementVersion{Active: []string{}}},
		"active that isn't stored":     {From: 1, Version: memory.SupplementVersion{Active: []string{"s1", "nosuch"}}},
		"active that says it isn't":    {From: 1, Version: memory.SupplementVersion{Active: []string{"s1", "s2"}}},
		"dropped that says it is":      {From: 1, Version: memory.SupplementVersion{Active: []string{}}},
		"put against what is in force": {From: 1, Version: memory.SupplementVersion{Active: []string{"s1"}}, Put: []memory.StoredSupplement{learned("s1", "retired")}},
	} {
		if _, err := s.ActivateSupplements(t.Context(), a); !errors.Is(err, memory.ErrInvalid) && !errors.Is(err, memory.ErrMoved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	version, active, err := s.ActiveSupplements(t.Context())
	if err != nil || version != 1 || len(active) != 1 || active[0].ID != "s1" {
		t.Fatalf("active: %d %+v %v", version, active, err)
	}
	f, err := s.Fact(t.Context(), about)
	if err != nil || len(f.Marks) != len(before) || f.Marks[len(f.Marks)-1].Rule != extra.Rule {
		t.Fatalf("marks: %+v, %v", f, err)
	}
	if _, err := s.ActivateSupplements(t.Context(), memory.Activation{
		From: 1, Version: memory.SupplementVersion{Active: []string{}}, Relabelling: memory.Relabelling{Facts: []privacy.FactID{about}},
		Put: []memory.StoredSupplement{learned("s1", "retired")},
	}); err != nil {
		t.Fatal(err)
	}
	f, err = s.Fact(t.Context(), about)
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b privacy.Mark) int {
		return bytes.Compare([]byte(a.Value+string(a.Kind)), []byte(b.Value+string(b.Kind)))
	}
	slices.SortFunc(before, same)
	slices.SortFunc(f.Marks, same)
	if d := cmp.Diff(before, f.Marks); d != "" {
		t.Errorf("marks after taking back (-want +got):\n%s", d)
	}
}

// A supplement goes with all that it rests on, from every version, and one that rests
// on more stays without it.
func TestForgetSupplements(t *testing.T) {
	s, _ := pregnancy(t)
	facts, _, err := s.Facts(t.Context())
	if err != nil || len(facts) < 3 {
		t.Fatal(err)
	}
	stays := facts[2] // the second is a cover of the first and goes with it
	var ids []int64
	for _, f := range []memory.Fact{facts[0], stays} {
		id, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "wrong-category", Fact: f.ID, Origin: "test", Was: &memory.FeedbackWas{Label: privacy.Label{Level: privacy.L3}}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	both, one := learned("s1", memory.SupplementActive, ids...), learned("s2", memory.SupplementActive, ids[0])
	if _, err := s.ActivateSupplements(t.Context(), memory.Activation{
		Version: memory.SupplementVersion{Active: []string{"s1", "s2"}}, Put: []memory.StoredSupplement{both, one},
		Relabelling: memory.Relabelling{Facts: []privacy.FactID{stays.ID}, Marks: []memory.SupplementMarks{{Supplement: "s2", Fact: stays.ID, Added: []privacy.Mark{extra}}}},
	}); err != nil {
		t.Fatal(err)
	}
	done, err := s.Forget(t.Context(), memory.Forget{Facts: []privacy.FactID{facts[0].ID}})
	if err != nil || len(done.Supplements) != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	version, active, err := s.ActiveSupplements(t.Context())
	if err != nil || version != 2 || len(active) != 1 || active[0].ID != "s1" || !slices.Equal(active[0].Evidence, ids[1:]) {
		t.Errorf("active: %d %+v %v", version, active, err)
	}
	versions, err := s.SupplementVersions(t.Context())
	if err != nil || slices.Contains(versions[0].Active, "s2") {
		t.Errorf("versions: %+v, %v", versions, err)
	}
	f, err := s.Fact(t.Context(), stays.ID)
	if err != nil || !slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool { return m.Rule == extra.Rule }) {
		t.Errorf("what it did to a fact that stays is gone: %+v, %v", f, err)
	}
}

// An export brings supplements along with what is in force and the feedback that they
// rest on; into a home that has its own, they come as candidates.
func TestExportSupplements(t *testing.T) {
	s, _ := pregnancy(t)
	facts, _, err := s.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // so that the numbers differ elsewhere
		if _, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "missed", Note: "first", Origin: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	id, err := s.AddFeedback(t.Context(), memory.Feedback{Kind: "wrong-category", Fact: facts[0].ID, Origin: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ActivateSupplements(t.Context(), memory.Activation{
		Version: memory.SupplementVersion{Active: []string{"s1"}}, Put: []memory.StoredSupplement{learned("s1", memory.SupplementActive, id)},
		Relabelling: memory.Relabelling{Facts: []privacy.FactID{facts[0].ID}, Marks: []memory.SupplementMarks{{Supplement: "s1", Fact: facts[0].ID, Added: []privacy.Mark{extra}}}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ActivateSupplements(t.Context(), memory.Activation{
		From: 1, Version: memory.SupplementVersion{Active: []string{"s1", "s2"}}, Put: []memory.StoredSupplement{learned("s2", memory.SupplementActive, id)},
		Relabelling: memory.Relabelling{Facts: []privacy.FactID{facts[1].ID}, Marks: []memory.SupplementMarks{{Supplement: "s2", Fact: facts[1].ID, Added: []privacy.Mark{extra}}}},
	}); err != nil {
		t.Fatal(err)
	}
	var export bytes.Buffer
	if err := s.ExportTo(t.Context(), &export); err != nil {
		t.Fatal(err)
	}
	closers := func(x memory.StoredSupplement) (bool, error) { return x.ID == "s1", nil }
	empty := open(t, filepath.Join(t.TempDir(), memory.FileName), options())
	own := open(t, filepath.Join(t.TempDir(), memory.FileName), options())
	if _, err := own.AddFeedback(t.Context(), memory.Feedback{Kind: "missed", Note: "mine", Origin: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := own.ActivateSupplements(t.Context(), memory.Activation{
		Version: memory.SupplementVersion{Active: []string{"s9"}}, Put: []memory.StoredSupplement{learned("s9", memory.SupplementActive)},
	}); err != nil {
		t.Fatal(err)
	}
	for _, into := range []*memory.Store{empty, own} {
		for range 2 {
			if _, err := into.ImportExport(t.Context(), bytes.NewReader(export.Bytes()), closers); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, active, err := empty.ActiveSupplements(t.Context())
	if err != nil || len(active) != 1 || active[0].ID != "s1" || len(active[0].Evidence) != 1 {
		t.Errorf("into an empty home: %+v, %v", active, err)
	}
	if did, err := empty.SupplementMarks(t.Context()); err != nil || len(did) != 2 || did[0].Fact != facts[0].ID {
		t.Errorf("what it did: %+v, %v", did, err)
	}
	// What isn't admitted waits, and is in no version; its marks stay.
	all, err := empty.Supplements(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, x := range all {
		if want := map[string]string{"s1": memory.SupplementActive, "s2": "proposed"}[x.ID]; x.Status != want {
			t.Errorf("%s is %s in an empty home, want %s", x.ID, x.Status, want)
		}
	}
	versions, err := empty.SupplementVersions(t.Context())
	if err != nil || len(versions) != 2 {
		t.Fatalf("%+v, %v", versions, err)
	}
	for _, v := range versions {
		if !slices.Equal(v.Active, []string{"s1"}) {
			t.Errorf("version %d holds %v", v.Seq, v.Active)
		}
	}
	if f, err := empty.Fact(t.Context(), facts[1].ID); err != nil || !slices.ContainsFunc(f.Marks, func(m privacy.Mark) bool { return m.Rule == extra.Rule }) {
		t.Errorf("the marks of a fact are gone: %+v, %v", f, err)
	}
	refuse := errors.New("not its id")
	fresh := open(t, filepath.Join(t.TempDir(), memory.FileName), options())
	_, err = fresh.ImportExport(t.Context(), bytes.NewReader(export.Bytes()), func(memory.StoredSupplement) (bool, error) { return true, refuse })
	if !errors.Is(err, memory.ErrInvalid) || !errors.Is(err, refuse) || !strings.Contains(err.Error(), "record ") {
		t.Errorf("what is refused: %v", err)
	}
	if list, _, err := fresh.Facts(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("a refused export left %v, %v", list, err)
	}
	all, err = own.Supplements(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, x := range all {
		if x.ID != "s9" && (x.Status != "candidate" || len(x.Evidence) != 1 || x.Evidence[0] != id+1) {
			t.Errorf("into a home with its own: %+v, evidence wants %d", x, id+1)
		}
		if x.ID == "s9" && x.Status != memory.SupplementActive {
			t.Errorf("what was in force there: %+v", x)
		}
	}
}

// A run is known again with where it was.
func TestEvolutionRuns(t *testing.T) {
	s, _ := pregnancy(t)
	run := memory.EvolutionRun{Seed: 7, Feedback: []int64{1}, Candidates: []string{"s1", "s2"}}
	id, err := s.PutEvolutionRun(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	run.ID, run.Position, run.Calls, run.At = id, 1, 3, noon
	if _, err := s.PutEvolutionRun(t.Context(), run); err != nil {
		t.Fatal(err)
	}
	got, err := s.EvolutionRuns(t.Context())
	if err != nil || len(got) != 1 || got[0].Position != 1 || got[0].Calls != 3 || !got[0].Ended.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
	run.ID = 99
	if _, err := s.PutEvolutionRun(t.Context(), run); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("no such run: %v", err)
	}
}
