package agent_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

const sameWithoutPolicy = `
version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: home, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
  - {id: team, tier: 2, domain: work}
people:
  - {name: Tomas, groups: [home]}
  - {name: Bo, groups: [friends]}
  - {name: Raj, groups: [team, friends]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: illness}
  - {id: career, name: Career, level: 0, description: jobs}
  - {id: travel, name: Travel, level: 3, domain: life, description: trips}
  - {id: work, name: Work, level: 3, domain: work, description: projects}
  - {id: taste, name: Taste, level: 4, description: likes}
`

var (
	sameWithoutWords = strings.Fields("clinic operation Lisbon offer Halvorsen uncle loan party band offsite Malmö buns coffee June March doctor flight contract salary garden dog 医院 手术 旅行 合同")
	sameWithoutNames = []string{"Tomas", "Bo", "Raj", "A Stranger"}
)

func genFact(id string) *rapid.Generator[fact] {
	return rapid.Custom(func(t *rapid.T) fact {
		words := rapid.SliceOfN(rapid.SampledFrom(sameWithoutWords), 2, 5).Draw(t, "words")
		return fact{
			ID:         privacy.FactID(id),
			Text:       "Ines has " + strings.Join(words, " and ") + ".",
			Categories: rapid.SliceOfNDistinct(rapid.SampledFrom([]privacy.CategoryID{"health", "career", "travel", "work", "taste"}), 0, 2, rapid.ID).Draw(t, "categories"),
			Time:       now.Add(-time.Duration(rapid.IntRange(0, 400).Draw(t, "days")) * 24 * time.Hour),
			Event:      rapid.SampledFrom([]string{"", "e1", "e2", "e3"}).Draw(t, "event"),
			Truth:      rapid.SampledFrom([]string{"real", "real", "real", "cover"}).Draw(t, "truth"),
			Trusted:    rapid.IntRange(0, 3).Draw(t, "trusted") > 0,
			Whitelist:  rapid.SliceOfN(rapid.SampledFrom([]string{"Tomas", "Bo", "Raj", "group:team"}), 0, 2).Draw(t, "whitelist"),
			Blacklist:  rapid.SliceOfN(rapid.SampledFrom([]string{"Tomas", "Bo", "Raj", "group:friends"}), 0, 1).Draw(t, "blacklist"),
		}
	})
}

// TestSameWithoutDenied: with any denied fact removed from the store, what a
// recipient gets is the same byte for byte, whatever is asked.
func TestSameWithoutDenied(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "facts")
		var facts []fact
		for i := range n {
			facts = append(facts, genFact(fmt.Sprintf("f%02d", i)).Draw(rt, "fact"))
		}
		name := rapid.SampledFrom(sameWithoutNames).Draw(rt, "name")
		question := rapid.SampledFrom([]string{
			"What is new with Ines?", "When is the %s?", "Tell me about the %s and the %s.", "Both the %s and how the %s went?", "她的%s怎么样了？", "Is there a %s?", "%s",
		}).Draw(rt, "question")
		for strings.Contains(question, "%s") {
			question = strings.Replace(question, "%s", rapid.SampledFrom(sameWithoutWords).Draw(rt, "word"), 1)
		}
		a, clean := tempAgent(rt, facts)
		defer clean()
		before := ask1(rt, a, question, name)
		for i, f := range facts {
			table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: []privacy.FactID{f.ID}, People: []string{name}})
			if err != nil {
				rt.Fatal(err)
			}
			if table.People[0].Verdicts[0].Allow {
				continue
			}
			rest := append(append([]fact{}, facts[:i]...), facts[i+1:]...)
			b, clean := tempAgent(rt, rest)
			after := ask1(rt, b, question, name)
			clean()
			if before != after {
				rt.Fatalf("%s asks %q\nwith    %s: %q\nwithout: %q", name, question, f.ID, before, after)
			}
			break // one denied fact a store; rapid draws many stores
		}
	})
}

func tempAgent(t *rapid.T, facts []fact) (*agent.Agent, func()) {
	home, err := os.MkdirTemp("", "epagent-test-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.WritePolicy(home, []byte(sameWithoutPolicy)); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	put(t, a, facts...)
	return a, func() {
		a.Close()
		os.RemoveAll(home)
	}
}

// ask1 is what the listener sees, and what the ledger keeps of it.
func ask1(t *rapid.T, a *agent.Agent, question, name string) string {
	readers, err := a.Readers(t.Context(), []string{name})
	if err != nil {
		t.Fatal(err)
	}
	d, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: question, To: readers})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s|%s|%v|%+v", d.Action, d.Answer, d.FactsTold, *d.Context)
}
