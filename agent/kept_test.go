package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// keptPolicies are policies between which the owner changes: under one Bo stands
// closer, one has a combination, one a grant that ends.
var keptPolicies = []string{
	sameWithoutPolicy,
	strings.Replace(sameWithoutPolicy, "{name: Bo, groups: [friends]}", "{name: Bo, groups: [home]}", 1),
	sameWithoutPolicy + "combinations:\n  - {id: both, of: [travel, taste], level: 1, domain: life}\n",
	sameWithoutPolicy + "rules:\n  - {allow: [Bo], category: health, until: " + now.Add(24*time.Hour).Format(time.DateOnly) + "}\n",
}

// TestKeptSetsChangeNothing: an agent that has answered before, and keeps which
// facts its readers may know, answers as one does that has just been opened,
// whatever was learned, told, forgotten or ruled in between, as the clock goes on,
// and for strangers and under caps of tokens too.
func TestKeptSetsChangeNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		home, err := os.MkdirTemp("", "epagent-test-")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(home)
		clock := now
		open := func() *agent.Agent {
			a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return clock }})
			if err != nil {
				rt.Fatal(err)
			}
			return a
		}
		if _, err := agent.WritePolicy(home, []byte(keptPolicies[0])); err != nil {
			rt.Fatal(err)
		}
		a := open()
		defer a.Close()
		var facts []privacy.FactID
		learn := func() {
			f := genFact(fmt.Sprintf("f%02d", len(facts))).Draw(rt, "fact")
			put(rt, a, f)
			facts = append(facts, f.ID)
		}
		for range 4 {
			learn()
		}
		for range rapid.IntRange(1, 4).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"ask", "ask", "learn", "policy", "forget", "wait"}).Draw(rt, "step") {
			case "learn":
				learn()
			case "policy":
				text := rapid.SampledFrom(keptPolicies).Draw(rt, "policy")
				if err := os.WriteFile(filepath.Join(home, agent.PolicyFile), []byte(text), 0o600); err != nil {
					rt.Fatal(err)
				}
			case "forget":
				if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{rapid.SampledFrom(facts).Draw(rt, "gone")}}); err != nil {
					rt.Logf("forget: %v", err) // it is gone already
				}
			case "wait":
				clock = clock.Add(30 * time.Hour)
			}
			readers, err := a.Readers(t.Context(), rapid.SliceOfNDistinct(rapid.SampledFrom(sameWithoutNames), 1, 3, rapid.ID).Draw(rt, "readers"))
			if err != nil {
				rt.Fatal(err)
			}
			limit := rapid.SampledFrom([]privacy.Tier{0, 0, 2, 4}).Draw(rt, "cap")
			for i := range readers {
				if limit != 0 {
					readers[i].Recipient = readers[i].Recipient.Cap(limit, i%2 == 0)
				}
			}
			word := rapid.SampledFrom(sameWithoutWords).Draw(rt, "word")
			ask := agent.DiscloseRequest{Question: "What about the " + word + "?", To: readers, Preview: true}
			answer := func(a *agent.Agent) string {
				d, err := a.Disclose(t.Context(), ask)
				if err != nil {
					rt.Fatal(err)
				}
				return fmt.Sprintf("%s|%s|%v|%+v", d.Action, d.Answer, d.FactsTold, *d.Context)
			}
			fresh := open()
			want := answer(fresh)
			fresh.Close()
			ask.Preview = false
			if got := answer(a); got != want {
				rt.Fatalf("%v, cap %d, ask for %q\nkept:  %s\nfresh: %s", names(readers), limit, word, got, want)
			}
		}
	})
}

func names(readers []agent.Reader) []string {
	var out []string
	for _, r := range readers {
		out = append(out, r.Name)
	}
	return out
}

// TestOpenReadsNoFacts: what a server needs for its first answer is there before
// anything of a fact is read, however many there are; the first question reads them.
func TestOpenReadsNoFacts(t *testing.T) {
	home := t.TempDir()
	if _, err := agent.WritePolicy(home, []byte(sameWithoutPolicy)); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), home, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, fact{ID: "f1", Text: "Ines has a dog.", Categories: []privacy.CategoryID{"taste"}, Time: now, Truth: "real", Trusted: true})
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if a, err = agent.Open(t.Context(), home, agent.Options{}); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Loaded() {
		t.Error("opening has read the facts")
	}
	if got, err := a.Recall(t.Context(), agent.RecallRequest{Query: "dog"}); err != nil || len(got.Facts) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if !a.Loaded() {
		t.Error("a question has read no facts: this test sees nothing")
	}
}
