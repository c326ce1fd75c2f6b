package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// takeFile imports a file by its name.
func takeFile(t *testing.T, a *agent.Agent, name, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Import(t.Context(), path, agent.ImportOptions{Self: "Ines"}); err != nil {
		t.Fatal(err)
	}
}

func proposalsOf(t *testing.T, a *agent.Agent) []string {
	t.Helper()
	_, list, err := a.People(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range list {
		names := []string{p.One, p.Other}
		slices.Sort(names)
		out = append(out, strings.Join(names, " = "))
	}
	return out
}

func aliasesOf(t *testing.T, a *agent.Agent, name string) []string {
	t.Helper()
	policy, err := a.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x, _ := policy.Person(name)
	return x.Aliases
}

// A merge takes the names that are certainly the same one's with it, and a split of any
// of them takes all of these out again; what an app's account says stays.
func TestSplitTakesWhatTheMergeWrote(t *testing.T) {
	a := open(t, againPolicy)
	takeFile(t, a, "contacts.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Greta Plumber\nTEL:+49 151 0000001\nEND:VCARD\n")
	takeFile(t, a, "chat.txt", "2026-03-01 10:00 - +49 151 0000001: the pipe is new\n2026-03-01 10:01 - Ines: thanks\n2026-03-01 10:02 - +49 151 0000001: bye\n")
	takeFile(t, a, "result.json", `{"name":"Greta P","type":"personal_chat","id":42,"messages":[{"id":1,"type":"message","date":"2026-03-02T20:15:00","from":"Greta P","from_id":"user42","text":"the heating is new"}]}`)
	for _, other := range []string{"+49 151 0000001", "Greta P"} {
		if _, err := a.MergePeople(t.Context(), "Greta", other, true); err != nil {
			t.Fatalf("merge %s: %v", other, err)
		}
	}
	merged := aliasesOf(t, a, "Greta")
	for _, name := range []string{"+49 151 0000001", "Greta Plumber", "Greta P"} {
		if !slices.Contains(merged, name) {
			t.Errorf("aliases %q lack %q", merged, name)
		}
	}
	if _, err := a.SplitPeople(t.Context(), "Greta", "Greta Plumber", true); err != nil {
		t.Fatal(err)
	}
	if got := aliasesOf(t, a, "Greta"); !slices.Equal(got, []string{"Greta P"}) {
		t.Errorf("aliases after the split: %q", got)
	}
	for _, p := range proposalsOf(t, a) {
		if p == "Greta = Greta Plumber" || strings.Contains(p, "+49") {
			t.Errorf("proposed again: %s", p)
		}
	}
	if _, err := a.MergePeople(t.Context(), "Greta", "Greta Plumber", true); err != nil {
		t.Errorf("merge once more: %v", err)
	}
	if got := aliasesOf(t, a, "Greta"); !slices.Contains(got, "+49 151 0000001") {
		t.Errorf("aliases after merging once more: %q", got)
	}
}

// A split takes out what the merge wrote and no alias that was there before, and a merge
// takes in no names of the person's own that nobody asked for.
func TestSplitLeavesWhatWasThere(t *testing.T) {
	a := open(t, againPolicy)
	takeFile(t, a, "contacts.vcf", "BEGIN:VCARD\nVERSION:3.0\nFN:Greta Plumber\nTEL:+49 151 0000001\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:Greta\nTEL:+49 151 0000002\nEND:VCARD\n")
	takeFile(t, a, "chat.txt", "2026-03-01 10:00 - +49 151 0000001: the pipe is new\n2026-03-01 10:01 - Ines: thanks\n2026-03-01 10:02 - +49 151 0000002: hello\n")
	if _, err := a.EditPolicy(t.Context(), nil, "by hand", true, privacy.AddAlias{Person: "Greta", Alias: "+49 151 0000001"}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.MergePeople(t.Context(), "Greta", "Greta Plumber", true); err != nil {
		t.Fatal(err)
	}
	if got := aliasesOf(t, a, "Greta"); !slices.Equal(got, []string{"+49 151 0000001", "Greta Plumber"}) {
		t.Errorf("aliases after the merge: %q", got)
	}
	if _, err := a.SplitPeople(t.Context(), "Greta", "Greta Plumber", true); err != nil {
		t.Fatal(err)
	}
	if got := aliasesOf(t, a, "Greta"); !slices.Equal(got, []string{"+49 151 0000001"}) {
		t.Errorf("aliases after the split: %q", got)
	}
}

// A pair for which several reasons speak is proposed once, and not at all once the owner
// has said that they are two, or has merged them.
func TestProposedOnce(t *testing.T) {
	a := open(t, againPolicy)
	takeFile(t, a, "a.txt", renamedChat("Dora", 6))
	takeFile(t, a, "b.txt", renamedChat("Dora Lind", 8))
	takeFile(t, a, "c.txt", strings.ReplaceAll(renamedChat("Dóra", 2), "answer", "other"))
	count := map[string]int{}
	for _, p := range proposalsOf(t, a) {
		count[p]++
	}
	if count["Dora = Dora Lind"] != 1 {
		t.Errorf("proposals %v", count)
	}
	for p, n := range count {
		if n != 1 {
			t.Errorf("%s is proposed %d times", p, n)
		}
	}
	if _, err := a.SplitPeople(t.Context(), "Dora", "Dora Lind", true); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(proposalsOf(t, a), "Dora = Dora Lind") {
		t.Error("proposed after a split")
	}
	if _, err := a.MergePeople(t.Context(), "Dora", "Dora Lind", false); !errors.Is(err, agent.ErrWidens) {
		t.Errorf("a merge without consent: %v", err)
	}
	if _, err := a.MergePeople(t.Context(), "Dora", "Dora Lind", true); err != nil {
		t.Fatal(err)
	}
	if slices.Contains(proposalsOf(t, a), "Dora = Dora Lind") {
		t.Error("proposed after a merge")
	}
}
