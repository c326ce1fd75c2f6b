package agent_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// decidePolicy has a category with each thing that a category keeps from people.
const decidePolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: partner, tier: 1, domain: life}
  - {id: team, tier: 3, domain: work}
people:
  - {name: Tomas, groups: [partner]}
  - {name: Raj, groups: [team]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "doctor, hospital, illness, operation"}
  - {id: sailing, name: Sailing, level: 3, domain: life, description: "boats, regattas, the harbour"}
  - {id: cruises, name: Cruises, level: 3, domain: life, description: "ships, cabins"}
  - {id: gifts, name: Gifts, level: 3, domain: life, description: "presents", deny: [Tomas]}
  - {id: trust, name: Trust, level: 3, domain: life, description: "what was confided", confidence: true}
  - {id: keys, name: Keys, level: 3, domain: life, description: "keys and locks"}
  - {id: hushed, name: Hushed, level: 3, domain: life, description: "hushed matters"}
  - {id: told, name: Told, level: 3, domain: life, description: "told matters"}
rules:
  - {id: hush, deny: [Tomas], category: hushed}
  - {id: tell, allow: [Raj], category: told}
combinations:
  - {id: burglary, of: [keys, cruises], level: 1, domain: life}
`

// A decision is done unasked if it tightens whatever becomes of the fact; that the
// fact is for nobody today, or is closed in the same breath, is no tightening.
func TestProposeDecisions(t *testing.T) {
	category := func(ids ...privacy.CategoryID) agent.Decision {
		return agent.Decision{Edit: agent.Edit{Categories: ids}}
	}
	closing := func(ids ...privacy.CategoryID) agent.Decision {
		d := category(ids...)
		d.Close = true
		return d
	}
	label := func(level privacy.Level, domain privacy.Domain) agent.Decision {
		return agent.Decision{Edit: agent.Edit{Label: &privacy.Label{Level: level, Domain: domain}}}
	}
	closed := []privacy.Mark{{Kind: privacy.MarkClosed, Value: "true", By: privacy.BySpoken}}
	for _, c := range []struct {
		name   string
		others string
		was    []privacy.CategoryID
		marks  []privacy.Mark
		d      agent.Decision
		opens  string // of what it opens; "" it only tightens
	}{
		{"somebody else's words, looser", "a web page", []privacy.CategoryID{"health"}, nil, category("sailing"), "label of f"},
		{"somebody else's words, from no category", "a web page", nil, nil, category("sailing"), "no category"},
		{"somebody else's words, stricter", "a web page", []privacy.CategoryID{"sailing"}, nil, category("health"), ""},
		{"the owner's words, looser", "", []privacy.CategoryID{"health"}, nil, category("sailing"), "label of f"},
		{"the owner's words, looser and closed", "", []privacy.CategoryID{"health"}, nil, closing("sailing"), "label of f"},
		{"the owner's words, from no category and closed", "", nil, nil, closing("sailing"), "no category"},
		{"the owner's words, stricter and closed", "", []privacy.CategoryID{"sailing"}, nil, closing("health"), ""},
		{"closed before, looser", "", []privacy.CategoryID{"health"}, closed, category("sailing"), "label of f"},
		{"closed before, stricter", "", []privacy.CategoryID{"sailing"}, closed, category("health"), ""},
		{"closed before, a label", "", []privacy.CategoryID{"sailing"}, closed, label(privacy.L3, "life"), "L3/life"},
		{"closed before, for nobody", "", []privacy.CategoryID{"sailing"}, closed, label(privacy.L0, ""), ""},
		{"a stricter label", "", []privacy.CategoryID{"sailing"}, nil, label(privacy.L2, "life"), ""},
		{"a looser label", "", []privacy.CategoryID{"sailing"}, nil, label(privacy.L3, ""), "label of f"},
		{"looser categories under a label of its own", "", []privacy.CategoryID{"health"},
			[]privacy.Mark{{Kind: privacy.MarkLabel, Value: "L0", By: privacy.ByHand}}, category("sailing"), "categories of f"},
		{"one category of two", "", []privacy.CategoryID{"health", "sailing"}, nil, category("sailing"), "label of f"},
		{"a category more", "", []privacy.CategoryID{"sailing"}, nil, category("sailing", "health"), ""},
		{"another of the same label", "", []privacy.CategoryID{"sailing"}, nil, category("keys"), ""},
		{"its deny goes", "a web page", []privacy.CategoryID{"gifts"}, nil, category("sailing"), "leaves the category gifts"},
		{"its confidence goes", "a web page", []privacy.CategoryID{"trust"}, nil, category("health"), "leaves the category trust"},
		{"its combination goes", "", []privacy.CategoryID{"keys"}, nil, category("sailing"), "leaves the category keys"},
		{"a rule's deny goes", "a web page", []privacy.CategoryID{"hushed"}, nil, category("sailing"), "rule hush"},
		{"a rule's grant comes", "a web page", []privacy.CategoryID{"sailing"}, nil, category("told"), "rule tell"},
		{"nothing but closing", "", []privacy.CategoryID{"sailing"}, nil, closing(), ""},
		{"true, and closed", "a web page", []privacy.CategoryID{"sailing"}, nil, agent.Decision{Edit: agent.Edit{Confirm: true, Close: true}}, "counts as true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := open(t, decidePolicy)
			putWaiting(t, a, waitingFact{id: "f", text: "Ines saw the boat at the pier.", categories: c.was, others: c.others, marks: c.marks})
			taught := func() int {
				got, err := a.Taught(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return len(got)
			}
			change := agent.Change{Kind: agent.ChangeDecide, Facts: []privacy.FactID{"f"}, Decision: &c.d}
			p, err := a.Propose(t.Context(), change, nil)
			if c.opens == "" {
				if err != nil || !p.Done {
					t.Fatalf("not done: %v", err)
				}
				if n := taught(); n != 0 {
					t.Errorf("%d exemplars are taught by what nobody was asked for", n)
				}
				return
			}
			if !errors.Is(err, agent.ErrConsent) || p.Done || !strings.Contains(strings.Join(p.Opens, "\n"), c.opens) {
				t.Fatalf("opens %q, %v; want %q", p.Opens, err, c.opens)
			}
			if n := taught(); n != 0 {
				t.Fatalf("%d exemplars are taught already", n)
			}
			if p, err = a.Agree(t.Context(), change, p.Key, nil); err != nil || !p.Done {
				t.Fatalf("agreed to: %v", err)
			}
			if n := taught(); n != len(c.d.Categories) {
				t.Errorf("%d exemplars of %d categories that were agreed to", n, len(c.d.Categories))
			}
		})
	}
}

// What an unasked decision left behind loosens no later words of the owner's.
func TestUnaskedDecisionLoosensNoLikes(t *testing.T) {
	labels := func(decide bool) string {
		a := open(t, decidePolicy)
		said, err := a.Remember(t.Context(), agent.RememberRequest{Text: "Mara has the operation at the hospital on 12 May 2026.", From: "a web page"})
		if err != nil || len(said.Facts) != 1 {
			t.Fatalf("%+v, %v", said, err)
		}
		if decide {
			for _, id := range []privacy.CategoryID{"sailing", "cruises", "health"} {
				for _, closes := range []bool{false, true} {
					d := agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{id}, Close: closes}}
					_, err := a.Propose(t.Context(), agent.Change{Kind: agent.ChangeDecide, Facts: []privacy.FactID{said.Facts[0].ID}, Decision: &d}, nil)
					if err != nil && !errors.Is(err, agent.ErrConsent) {
						t.Fatal(err)
					}
				}
			}
		}
		var out strings.Builder
		for _, text := range []string{"Mara has the operation at the hospital on 13 May 2026.", "Mara has the operation on 12 May 2026."} {
			got, err := a.Remember(t.Context(), agent.RememberRequest{Text: text})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range got.Facts {
				out.WriteString(f.Label.String() + " ")
			}
		}
		return out.String()
	}
	if got, want := labels(true), labels(false); got != want {
		t.Errorf("labels %s, they were %s", got, want)
	}
}

// Forgetting what the owner taught by asks: later facts owe it their place.
func TestForgettingALessonAsks(t *testing.T) {
	a := open(t, decidePolicy)
	putWaiting(t, a,
		waitingFact{id: "f1", text: "Ines saw the boat at the pier.", categories: []privacy.CategoryID{"sailing"}},
		waitingFact{id: "f2", text: "Ines has two lamps.", categories: []privacy.CategoryID{"sailing"}},
	)
	if _, err := a.Decide(t.Context(), []privacy.FactID{"f1"}, agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{"health"}}}, true); err != nil {
		t.Fatal(err)
	}
	forget := func(id privacy.FactID) (*agent.Proposal, error) {
		return a.Propose(t.Context(), agent.Change{Kind: agent.ChangeForget, Forget: &agent.ForgetRequest{Facts: []privacy.FactID{id}}}, nil)
	}
	if p, err := forget("f1"); !errors.Is(err, agent.ErrConsent) || !strings.Contains(strings.Join(p.Opens, "\n"), "taught") {
		t.Errorf("a lesson is forgotten: %+v, %v", p, err)
	}
	if p, err := forget("f2"); err != nil || !p.Done {
		t.Errorf("what taught nothing: %v", err)
	}
}
