package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// changePolicy has one of everything whose edit may let somebody learn more later on.
const changePolicy = `version: 1
owner: {name: Ines Calder, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: any, description: "Close friends"}
  - {id: team, tier: 2, domain: work, description: "Colleagues"}
people:
  - {name: Wilma Okoro, aliases: [Wilma, Mum], groups: [close, team], note: "my mother"}
  - {name: Raj Pillai, aliases: [Raj], groups: [team]}
  - {name: Lena Voss, aliases: [Lena], groups: [team]}
removed:
  - {name: Bo Lind}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, doctors", confidence: true, deny: ["group:team"]}
  - {id: travel, name: Travel, level: 3, description: "Trips and hotels", examples: ["I fly to Rome"]}
  - {id: home, name: Home, level: 3, description: "The flat and who is in it"}
rules:
  - {id: hush, deny: [Raj Pillai, Lena Voss], about: "the merger"}
  - {id: tell, allow: [Raj Pillai], category: travel, until: 2030-01-31}
  - {id: odd-one, deny: [Raj Pillai, Lena Voss], fact: f1}
combinations:
  - {id: empty-flat, of: [travel, home], level: 1, domain: life}
circles:
  - {id: office, people: [Raj Pillai, Lena Voss]}
settings: {untrusted: attribute}
`

// With no fact stored no plan shows anything: what an edit lets out of later facts
// needs the owner all the same, and what only tightens doesn't.
func TestProposePolicyEdits(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		opens          string // of what it opens; "" it only tightens
	}{
		{"a level rises", "level: 1, domain: life, description: \"Ill", "level: 2, domain: life, description: \"Ill", "health becomes"},
		{"a level falls", "name: Travel, level: 3", "name: Travel, level: 2", ""},
		{"a domain goes", "level: 1, domain: life, description: \"Ill", "level: 1, description: \"Ill", "health becomes"},
		{"a confidence is no longer held", ", confidence: true", "", "confide"},
		{"a category's deny goes", `, deny: ["group:team"]}`, "}", "denied"},
		{"a category is described otherwise", "Trips and hotels", "Trips, hotels, doctors", "described otherwise"},
		{"a tier comes closer", "id: team, tier: 2", "id: team, tier: 1", "closer"},
		{"a tier goes away", "id: team, tier: 2", "id: team, tier: 3", ""},
		{"a group is described otherwise", `"Colleagues"`, `"Colleagues and neighbours"`, "team"},
		{"somebody comes into a group", "aliases: [Raj], groups: [team]", "aliases: [Raj], groups: [team, close]", "close"},
		{"somebody leaves a group that is denied something", "groups: [close, team]", "groups: [close]", "no longer one of group:team"},
		{"somebody leaves a group that is denied nothing", "groups: [close, team]", "groups: [team]", ""},
		{"a name more", "aliases: [Raj]", "aliases: [Raj, Boss]", "Boss"},
		{"a name fewer, by which words deny", "aliases: [Wilma, Mum]", "aliases: [Wilma]", "Mum"},
		{"somebody is described otherwise", `groups: [close, team], note: "my mother"`, `groups: [close, team], note: "my mother, my doctor"`, "Wilma"},
		{"a removed name comes back", "removed:\n  - {name: Bo Lind}\n", "", "Bo Lind"},
		{"a deny for one fewer", "deny: [Raj Pillai, Lena Voss], about", "deny: [Raj Pillai], about", "hush"},
		{"a deny of less", `about: "the merger"`, `about: "the merger", category: travel`, "hush"},
		{"a deny of more", `, about: "the merger"`, `, category: [travel, home, health]`, "hush"}, // other facts than before
		{"a grant of longer", "until: 2030-01-31", "until: 2031-01-31", "tell"},
		{"a grant of shorter", "until: 2030-01-31", "until: 2029-01-31", ""},
		{"a grant goes", "  - {id: tell, allow: [Raj Pillai], category: travel, until: 2030-01-31}\n", "", ""},
		{"a grant of more", "category: travel, until", "category: [travel, home], until", "tell"},
		{"a deny of one fact for one fewer", "deny: [Raj Pillai, Lena Voss], fact", "deny: [Raj Pillai], fact", "odd-one"},
		{"a deny of one fact for all", "deny: [Raj Pillai, Lena Voss], fact: f1", "deny: [\"group:team\", Raj Pillai, Lena Voss], fact: f1", ""},
		{"a deny of one fact goes", "  - {id: odd-one, deny: [Raj Pillai, Lena Voss], fact: f1}\n", "", "odd-one"},
		{"a grant of one fact", "  - {id: tell,", "  - {id: one, allow: [Raj Pillai], fact: f2}\n  - {id: tell,", "the rule one allows"},
		{"a combination reaches further", "level: 1, domain: life}\ncircles", "level: 2, domain: life}\ncircles", "empty-flat"},
		{"a combination goes", "combinations:\n  - {id: empty-flat, of: [travel, home], level: 1, domain: life}\n", "", "empty-flat"},
		{"a circle goes", "circles:\n  - {id: office, people: [Raj Pillai, Lena Voss]}\n", "", "office"},
		{"a setting is looser", "untrusted: attribute", "untrusted: gate", "settings"},
		{"the owner has a name more", "aliases: [Ines]", "aliases: [Ines, Bo]", "owner"},
		{"a new group", "people:\n", "  - {id: all, tier: 1, domain: any}\npeople:\n", "all"},
		{"a new person", "removed:\n", "  - {name: Noor, groups: [close]}\nremoved:\n", "Noor"},
		{"a new category of nobody", "rules:\n", "  - {id: odd, name: Odd, level: 0, description: \"odd\"}\nrules:\n", ""},
		{"a new category", "rules:\n", "  - {id: odd, name: Odd, level: 2, domain: work, description: \"odd\"}\nrules:\n", "odd"},
		{"a blurred sentence", `description: "The flat and who is in it"`, `description: "The flat and who is in it", blur: true, blur_text: "Ask me."`, "home"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(changePolicy, c.old) != 1 {
				t.Fatalf("%q stands in the policy %d times", c.old, strings.Count(changePolicy, c.old))
			}
			a := open(t, changePolicy)
			source := strings.Replace(changePolicy, c.old, c.new, 1)
			p, err := a.Propose(t.Context(), agent.Change{Kind: agent.ChangePolicy, Source: source}, nil)
			if c.opens == "" {
				if err != nil || !p.Done {
					t.Fatalf("not done: %v", err)
				}
				return
			}
			if !errors.Is(err, agent.ErrConsent) || p.Done || !strings.Contains(strings.Join(p.Opens, "\n"), c.opens) {
				t.Fatalf("opens %q, %v; want %q", p.Opens, err, c.opens)
			}
			if now, err := a.Policy(t.Context()); err != nil || string(now.Source()) != changePolicy {
				t.Fatalf("the policy changed, %v", err)
			}
			// A consent is to this and nothing else.
			if _, err := a.Agree(t.Context(), agent.Change{Kind: agent.ChangePolicy, Source: source + "# \n"}, p.Key, nil); !errors.Is(err, agent.ErrChanged) {
				t.Errorf("by the key of another: %v", err)
			}
			if p, err := a.Agree(t.Context(), agent.Change{Kind: agent.ChangePolicy, Source: source}, p.Key, nil); err != nil || !p.Done {
				t.Errorf("agreed to: %v", err)
			}
		})
	}
}

// Where the policy in force is broken nobody is told anything; a policy in its place
// may open whatever it says, and is asked for whole.
func TestProposeOverABrokenPolicy(t *testing.T) {
	dir := t.TempDir()
	a := openIn(t, dir, changePolicy)
	if _, err := a.Policy(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte("version: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []agent.Change{
		{Kind: agent.ChangePolicy, Source: changePolicy},
		{Kind: agent.ChangePolicy, Source: strings.Replace(changePolicy, "level: 3", "level: 0", 1)},
		{Kind: agent.ChangeUndo},
	} {
		p, err := a.Propose(t.Context(), c, nil)
		if !errors.Is(err, agent.ErrConsent) || p.Done || !strings.Contains(strings.Join(p.Opens, "\n"), "can't be read") {
			t.Errorf("%s: %+v, %v", c.Kind, p, err)
		}
	}
	if _, err := a.Propose(t.Context(), agent.Change{Kind: agent.ChangeRemoveRule, RuleID: "hush"}, nil); err == nil {
		t.Error("a rule of a broken policy is removed")
	}
	if _, err := a.Propose(t.Context(), agent.Change{Kind: agent.ChangeAddRule, Rule: &privacy.Rule{Allow: []privacy.Party{"Raj"}, Categories: []privacy.CategoryID{"health"}}}, nil); err == nil {
		t.Error("a rule is added to a broken policy")
	}
}

// The owner agrees to what a rule says, and sees that before anything else.
func TestProposalShowsItsRules(t *testing.T) {
	a := open(t, changePolicy)
	until := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	p, err := a.Propose(t.Context(), agent.Change{Kind: agent.ChangeAddRule, Rule: &privacy.Rule{
		ID: "r", Allow: []privacy.Party{"Raj Pillai", "group:close"}, Categories: []privacy.CategoryID{"health", "home"}, About: "the \n roof", Until: until,
	}}, nil)
	if !errors.Is(err, agent.ErrConsent) {
		t.Fatal(err)
	}
	want := `new, r: allow "Raj Pillai", "group:close", category health or home, about "the \n roof", until 2030-01-01T00:00:00Z`
	if p.Opens[0] != want {
		t.Errorf("got  %s\nwant %s", p.Opens[0], want)
	}
	if p, err = a.Propose(t.Context(), agent.Change{Kind: agent.ChangeRemoveRule, RuleID: "hush"}, nil); !errors.Is(err, agent.ErrConsent) {
		t.Fatal(err)
	}
	if want := `gone, hush: deny "Raj Pillai", "Lena Voss", about "the merger"`; p.Opens[0] != want {
		t.Errorf("got  %s\nwant %s", p.Opens[0], want)
	}
}
