package privacy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// TestLintCombinations: of a combination that is said to hold nothing back, or to
// be out of reach, no fact is ever denied to anybody who was told only what they
// may know; and one whitelist that gets somebody past a combination is said.
func TestLintCombinations(t *testing.T) {
	idle, busy, past := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		m := genMosaic().Draw(t, "mosaic")
		p := m.policy()
		for i, f := range m.facts {
			f.Rules = nil
			m.facts[i] = p.ApplyRules(f, privacy.RuleTarget{Fact: f.ID, Categories: f.Categories, Event: f.Event}, time.Time{})
		}
		j := privacy.NewJudge(p, m.facts)
		told := privacy.Told{}
		for _, x := range p.People() {
			for _, y := range p.Circle(string(x.ID)) {
				for _, i := range j.Knows(p.Recipient(string(y))) {
					told[x.ID] = append(told[x.ID], m.facts[i].Item())
				}
			}
		}
		denies := map[string]bool{}
		informed := j.WithTold(told)
		for _, x := range p.People() {
			for i := range j.Len() {
				if v := informed.Decide(i, p.Recipient(string(x.ID))); v.Combination != "" {
					denies[v.Combination] = true
				}
			}
		}
		problems := p.Lint(m.facts, time.Time{})
		says := func(parts ...string) bool {
			return slices.ContainsFunc(problems, func(x privacy.Problem) bool {
				return !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(x.Message, s) })
			})
		}
		for _, c := range p.Combinations() {
			at := `combination "` + c.ID + `" `
			switch {
			case says(at + "denies nothing"), says(at + "can't be completed"), says(at + "holds nothing back"):
				idle++
				if denies[c.ID] {
					t.Fatalf("%s denies something: %v", c.ID, problems)
				}
			case denies[c.ID]:
				busy++
			}
			for _, f := range m.facts {
				for _, entry := range f.Whitelist {
					if !getsPast(p, f, entry, c) {
						continue
					}
					past++
					if !says(`names "`+string(entry)+`"`, `beats combination "`+c.ID+`"`) {
						t.Fatalf("%q gets past %s on %s, unsaid: %v", entry, c.ID, f.ID, problems)
					}
				}
			}
		}
	})
	// A short run may draw none of a kind: TestLint has one of each.
	t.Logf("%d idle, %d busy, %d gone past", idle, busy, past)
}

// getsPast reports whether an entry of a fact's whitelist, and nothing else, is why
// a complete combination doesn't keep it from somebody whom its label lets in.
func getsPast(p *privacy.Policy, f privacy.Fact, entry privacy.Party, c privacy.Combination) bool {
	people, _ := p.Resolve(entry)
	for _, id := range people {
		decide := func(g privacy.Fact) privacy.CombinationVerdict {
			whole := privacy.CombinationItem{Categories: c.Categories, Rules: c.Rules}
			told := privacy.Told{id: {whole}}
			return privacy.NewJudge(p, []privacy.Fact{g}).WithTold(told).Decide(0, p.Recipient(string(id)))
		}
		without := f
		without.Whitelist, without.OwnWhitelist = nil, nil
		if decide(f).Reason == privacy.ReasonWhitelisted && decide(without).Combination == c.ID {
			return true
		}
	}
	return false
}

// BenchmarkLintWithCombinations checks ten combinations over 10,000 facts of 200 people.
func BenchmarkLintWithCombinations(b *testing.B) {
	p, facts := mosaicTown(b, 10)
	b.ReportAllocs()
	for b.Loop() {
		p.Lint(facts, time.Time{})
	}
}
