package agent_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// TestScripts loads benchmark scripts with their gold facts and checks that
// partition and disclose come to the gold sets: who may be told (T2, as a
// composite), and what each audience may and may not be told (T3, fact by fact).
// It also runs the folders that EPAGENT_SCRIPTS lists.
func TestScripts(t *testing.T) {
	own, err := filepath.Glob("testdata/scripts/*")
	if err != nil || len(own) == 0 {
		t.Fatalf("no scripts in testdata: %v", err)
	}
	for _, dir := range append(own, filepath.SplitList(os.Getenv("EPAGENT_SCRIPTS"))...) {
		t.Run(filepath.Base(dir), func(t *testing.T) { testScript(t, dir) })
	}
}

func testScript(t *testing.T, dir string) {
	a := open(t, "")
	report, err := a.Import(t.Context(), dir, agent.ImportOptions{Gold: true})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Adopted || report.Facts == 0 || report.New == 0 {
		t.Fatalf("import: %+v", report)
	}
	again, err := a.Import(t.Context(), dir, agent.ImportOptions{Gold: true})
	if err != nil {
		t.Fatal(err)
	}
	if again.New != 0 || again.Facts != 0 {
		t.Errorf("a second import brought %d messages and %d facts", again.New, again.Facts)
	}
	items := 0
	type t2 struct {
		ID, Question        string
		Facts               []privacy.FactID
		Candidates, Allowed []string
	}
	for _, item := range readLines[t2](t, filepath.Join(dir, "t2.jsonl")) {
		items++
		t.Run(item.ID, func(t *testing.T) {
			table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: item.Facts, People: item.Candidates})
			if err != nil {
				t.Fatal(err)
			}
			allowed := []string{}
			for _, person := range table.People {
				if person.All.Allow {
					allowed = append(allowed, person.Name)
				}
			}
			slices.Sort(allowed)
			slices.Sort(item.Allowed)
			if diff := cmp.Diff(append([]string{}, item.Allowed...), allowed); diff != "" {
				t.Errorf("who may be told (-want +got)\n%s", diff)
			}
		})
	}
	type t3 struct {
		ID, Question string
		Facts        []privacy.FactID
		Audiences    []struct {
			Person          string
			Allowed, Denied []privacy.FactID
		}
	}
	for _, item := range readLines[t3](t, filepath.Join(dir, "t3.jsonl")) {
		for _, audience := range item.Audiences {
			items++
			t.Run(item.ID+"/"+audience.Person, func(t *testing.T) {
				table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: item.Facts, People: []string{audience.Person}})
				if err != nil {
					t.Fatal(err)
				}
				var allowed, denied []privacy.FactID
				for _, v := range table.People[0].Verdicts {
					if v.Allow {
						allowed = append(allowed, v.Fact)
					} else {
						denied = append(denied, v.Fact)
					}
				}
				if diff := cmp.Diff(sorted(audience.Allowed), sorted(allowed)); diff != "" {
					t.Errorf("allowed (-want +got)\n%s", diff)
				}
				if diff := cmp.Diff(sorted(audience.Denied), sorted(denied)); diff != "" {
					t.Errorf("denied (-want +got)\n%s", diff)
				}
				d := disclose(t, a, item.Question, audience.Person)
				for _, id := range d.FactsTold {
					if slices.Contains(audience.Denied, id) {
						t.Errorf("%s was told %s", audience.Person, id)
					}
				}
				if len(audience.Allowed) == 0 && len(d.FactsTold) == 0 && d.Action != agent.Deflected {
					t.Errorf("action %q without a fact", d.Action)
				}
			})
		}
	}
	if items == 0 {
		t.Fatal("the script has no item to check")
	}
}

func sorted(ids []privacy.FactID) []privacy.FactID {
	out := append([]privacy.FactID{}, ids...)
	slices.Sort(out)
	return out
}

func readLines[T any](t *testing.T, file string) []T {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
