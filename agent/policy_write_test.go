package agent_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

const writePolicy = `version: 1
owner: {name: Ines, language: en}
groups:
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Bo, groups: [friends]}
categories:
  - {id: away, name: Trips, level: 2, domain: life, description: "flights, holidays"}
`

// TestConcurrentEdits: of edits that several processes make at once each is either
// in the file or refused; none is lost without a word, and the history ends with
// what is in force.
func TestConcurrentEdits(t *testing.T) {
	home := t.TempDir()
	agents := []*agent.Agent{openIn(t, home, writePolicy), openIn(t, home, ""), openIn(t, home, "")}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var done []string
	for i, a := range agents {
		wg.Go(func() {
			for n := range 6 {
				name := fmt.Sprintf("Guest %d %d", i, n)
				edit := privacy.AddPerson{Person: privacy.Person{Name: name}}
				if _, err := a.EditPolicy(t.Context(), nil, name, true, edit); err == nil {
					mu.Lock()
					done = append(done, name)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	source, err := os.ReadFile(filepath.Join(home, agent.PolicyFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range done {
		if !strings.Contains(string(source), name) {
			t.Errorf("%s was added and isn't there", name)
		}
	}
	if n := strings.Count(string(source), "Guest "); n != len(done) || n == 0 {
		t.Errorf("%d were added, %d are there", len(done), n)
	}
	versions, err := agents[0].PolicyHistory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if last := versions[len(versions)-1]; string(last.Source) != string(source) || len(versions) != 1+len(done) {
		t.Errorf("%d versions after %d edits, the newest by %q", len(versions), len(done), last.Note)
	}
}

// TestPolicyBehindLink: a policy kept elsewhere stays there.
func TestPolicyBehindLink(t *testing.T) {
	home, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(elsewhere, []byte(writePolicy), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(home, agent.PolicyFile)); err != nil {
		t.Skipf("needs symbolic links: %v", err)
	}
	a := openIn(t, home, "")
	if _, err := a.EditPolicy(t.Context(), nil, "", true, privacy.AddAlias{Person: "Bo", Alias: "Bobo"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(elsewhere)
	if err != nil || !strings.Contains(string(text), "Bobo") {
		t.Errorf("the file behind the link: %v\n%s", err, text)
	}
	if info, err := os.Lstat(filepath.Join(home, agent.PolicyFile)); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
}

// TestBrokenIsKept: what an undo replaces while the file is broken stays beside it,
// each text once.
func TestBrokenIsKept(t *testing.T) {
	home := t.TempDir()
	a := openIn(t, home, writePolicy)
	if _, err := a.Policy(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for _, text := range []string{"a: [", "b: [", "a: [", "  \n"} {
		if err := os.WriteFile(filepath.Join(home, agent.PolicyFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		plan, err := a.UndoPolicy(t.Context(), "", true)
		if err != nil || !plan.Applied {
			t.Fatalf("%q: %+v, %v", text, plan, err)
		}
		if plan.Kept == "" {
			if strings.TrimSpace(text) != "" {
				t.Errorf("%q is lost", text)
			}
			continue
		}
		if was, there := kept[plan.Kept]; there && was != text {
			t.Errorf("%q took the place of %q", text, was)
		}
		kept[plan.Kept] = text
		if there, err := os.ReadFile(plan.Kept); err != nil || string(there) != text {
			t.Errorf("kept %q, %v; want %q", there, err, text)
		}
	}
	if len(kept) != 2 {
		t.Errorf("kept: %v", kept)
	}
}

// TestUndo: undoing walks back one change at a time, from wherever an undo led to;
// what is in force already is no new version.
func TestUndo(t *testing.T) {
	a := open(t, writePolicy)
	alias := func(name string) {
		t.Helper()
		if _, err := a.EditPolicy(t.Context(), nil, name, true, privacy.AddAlias{Person: "Bo", Alias: name}); err != nil {
			t.Fatal(err)
		}
	}
	undo := func(to, has, hasNot string) {
		t.Helper()
		if _, err := a.UndoPolicy(t.Context(), to, true); err != nil {
			t.Fatal(err)
		}
		text, err := a.PolicyAt(t.Context(), "")
		if err != nil || !strings.Contains(string(text), has) || hasNot != "" && strings.Contains(string(text), hasNot) {
			t.Fatalf("undo %s: want %q and not %q: %v\n%s", to, has, hasNot, err, text)
		}
	}
	alias("Uno")
	alias("Due")
	alias("Tre")               // versions 1 to 4
	undo("", "Due", "Tre")     // 5 is 3
	undo("", "Uno", "Due")     // 6 is 2
	alias("Quattro")           // 7, after 6
	undo("", "Uno", "Quattro") // 8 is 6, which is 2
	undo("", "Bo", "Uno")      // 9 is 1
	if _, err := a.UndoPolicy(t.Context(), "", true); err == nil {
		t.Error("went back before the first version")
	}
	undo("4", "Tre", "")   // 10 is 4
	undo("", "Due", "Tre") // 11 is 3
	plan, err := a.UndoPolicy(t.Context(), "3", true)
	if err != nil || plan.Applied {
		t.Errorf("what is in force is applied: %+v, %v", plan, err)
	}
	versions, err := a.PolicyHistory(t.Context())
	if err != nil || len(versions) != 11 {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	if note := versions[7].Note; !strings.HasPrefix(note, "undo of version 7: back to version 2 ") {
		t.Errorf("the history says %q", note)
	}
	if _, err := a.UndoPolicy(t.Context(), "2099-01-01", true); !errors.Is(err, agent.ErrMoment) {
		t.Errorf("back to the future: %v", err)
	}
}

// TestAsOfVersionJudgesItsReign: a grant that ended after a version was replaced
// counts as of that version, and not as of the present one.
func TestAsOfVersionJudgesItsReign(t *testing.T) {
	clock := now
	home := t.TempDir()
	if _, err := agent.WritePolicy(home, []byte(writePolicy)); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return clock }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	put(t, a, fact{ID: "f1", Text: "Ines flies to Norway in August.", Categories: []privacy.CategoryID{"away"}, Time: now, Truth: "real", Trusted: true})
	grant := privacy.AddRule{Rule: privacy.Rule{ID: "g", Allow: []privacy.Party{"Bo"}, Categories: []privacy.CategoryID{"away"}, Until: now.AddDate(0, 0, 10)}}
	if _, err := a.EditPolicy(t.Context(), nil, "", true, grant); err != nil { // version 2
		t.Fatal(err)
	}
	clock = now.AddDate(0, 0, 5)
	if _, err := a.EditPolicy(t.Context(), nil, "", true, privacy.AddAlias{Person: "Bo", Alias: "Bobo"}); err != nil { // version 3, with the grant
		t.Fatal(err)
	}
	clock = now.AddDate(0, 0, 20)
	for ref, want := range map[string]bool{"": false, "1": false, "2": true, "3": false} {
		at, err := agent.ParseAsOf(ref)
		if err != nil {
			t.Fatal(err)
		}
		why, err := a.Why(t.Context(), "f1", "Bo", at)
		if err != nil {
			t.Errorf("as of %q: %v", ref, err)
		} else if why.Verdict.Allow != want {
			t.Errorf("as of %q: %+v; want %v", ref, why.Verdict, want)
		}
	}
}

// TestParseAsOf: the forms of a moment, and what is none.
func TestParseAsOf(t *testing.T) {
	for _, text := range []string{
		"2026-03-01", "2026-03-01 15:04", "2026-03-01T15:04", "2026-03-01 15:04:05", "2026-03-01T15:04:05",
		"2026-03-01T15:04Z", "2026-03-01 15:04+02:00", "2026-03-01T15:04:05-07:00", "2026-03-01 15:04:05Z",
	} {
		at, err := agent.ParseAsOf(text)
		if err != nil || at.At.IsZero() || !strings.HasPrefix(at.String(), "2026-03-01 ") {
			t.Errorf("%q: %v, %v", text, at, err)
		}
	}
	for text, want := range map[string]string{"3": "policy version 3, ", "3@7": "policy version 3, store revision 7", "abcdef": "policy version abcdef", "": ""} {
		if at, err := agent.ParseAsOf(text); err != nil || !strings.HasPrefix(at.String(), want) {
			t.Errorf("%q: %q, %v", text, at, err)
		}
	}
	for _, text := range []string{"now", "2026-03", "2026-13-01", "1.3.2026", "-1", "@3", "3@", "3@0", "3@x", "abc", "15:04", "2026-03-01 25:00"} {
		if at, err := agent.ParseAsOf(text); !errors.Is(err, agent.ErrMoment) {
			t.Errorf("%q: %v, %v", text, at, err)
		}
	}
}
