package privacy_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
)

const ruleHead = `version: 1
owner: {name: Ada Byron}
groups: [{id: team, tier: 2, domain: work}]
people: [{name: Bo Berg, aliases: [Bo], groups: [team]}, {name: Cy Dee, groups: []}]
categories: [{id: c, name: c, level: 1, description: d}, {id: e, name: e, level: 1, description: d}]
`

func TestRules(t *testing.T) {
	p := mustParse(t, ruleHead+`rules:
  - {id: boxes, allow: [Bo, "group:team"], about: boxes, until: 2027-01-31, note: till we moved}
  - {deny: [Cy Dee], category: [c, e], mentions: bo, event: e1, fact: f1}
  - {allow: [Bo], category: c, until: "2027-01-31T18:00:00+02:00"}
`)
	second := p.Rules()[1].ID
	want := []privacy.Rule{
		{
			ID: "boxes", Allow: []privacy.Party{"Bo", "group:team"}, About: "boxes", Note: "till we moved",
			Until: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC),
		},
		{
			ID: second, Deny: []privacy.Party{"Cy Dee"}, Categories: []privacy.CategoryID{"c", "e"},
			Mentions: "bo berg", Event: "e1", Fact: "f1",
		},
		{
			ID: p.Rules()[2].ID, Allow: []privacy.Party{"Bo"}, Categories: []privacy.CategoryID{"c"},
			Until: time.Date(2027, 1, 31, 16, 0, 0, 0, time.UTC),
		},
	}
	if diff := cmp.Diff(want, p.Rules()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(string(second), "rule-") || second == want[2].ID {
		t.Errorf("derived ids %q and %q", second, want[2].ID)
	}
	moved := mustParse(t, ruleHead+"rules: [{note: other, fact: f1, event: e1, mentions: Bo Berg, category: [e, c], deny: [Cy Dee]}]\n")
	if got := moved.Rules()[0].ID; got != second {
		t.Errorf("the id changes from %q to %q though the rule says the same", second, got)
	}
	if r, ok := p.Rule("boxes"); !ok || r.About != "boxes" {
		t.Errorf("by id: %+v %v", r, ok)
	}
	p.Rules()[0].Allow[0] = "Cy Dee"
	if p.Rules()[0].Allow[0] != "Bo" {
		t.Error("a copy is not one")
	}
}

// TestRuleFaults: every fault of the new sections has its line and a remedy.
func TestRuleFaults(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"neither":          {"rules: [{category: c}]", "neither allows nor denies"},
		"both":             {"rules: [{allow: [Bo], deny: [Cy Dee], category: c}]", "both allows and denies"},
		"no condition":     {"rules: [{allow: [Bo], note: n}]", "no condition"},
		"blank condition":  {"rules: [{allow: [Bo], about: ' '}]", "is blank"},
		"nobody":           {"rules: [{allow: [], category: c}]", "names nobody"},
		"null":             {"rules: [{allow: , category: c}]", "names nobody"},
		"unknown":          {"rules: [{allow: [Eve], category: c}]", `names "Eve", which isn't there`},
		"first name":       {"rules: [{allow: [Cy], category: c}]", `write the full name: "Cy Dee"`},
		"owner":            {"rules: [{allow: [Ada Byron], category: c}]", "which isn't there"},
		"unknown group":    {"rules: [{deny: ['group:x'], category: c}]", "use the id of a group"},
		"unknown category": {"rules: [{deny: [Bo], category: [c, x]}]", `category "x", which isn't there`},
		"no categories":    {"rules: [{deny: [Bo], category: []}]", "an empty list"},
		"unknown mention":  {"rules: [{deny: [Bo], mentions: Eve}]", `mentions "Eve"`},
		"deny until":       {"rules: [{deny: [Bo], category: c, until: 2027-01-01}]", "denies and has an end"},
		"no day":           {"rules: [{allow: [Bo], category: c, until: soon}]", "no day or time"},
		"no such day":      {"rules: [{allow: [Bo], category: c, until: 2027-02-30}]", "no day or time"},
		"until a number":   {"rules: [{allow: [Bo], category: c, until: 2027}]", "not text"},
		"rule twice":       {"rules: [{id: r, allow: [Bo], category: c}, {id: r, deny: [Bo], category: e}]", `rule "r" twice`},
		"same rule twice":  {"rules: [{allow: [Bo], category: c}, {allow: [Bo], category: c}]", "keep one of them, or give one an id"},
		"unknown key":      {"rules: [{allow: [Bo], categories: c}]", `unknown key "categories"`},
		"blank id":         {"rules: [{id: '', allow: [Bo], category: c}]", "is blank"},
		"of one":           {"combinations: [{of: [c], level: 1}]", "fewer than two parts"},
		"of nothing":       {"combinations: [{level: 1}]", "fewer than two parts"},
		"of unknown":       {"combinations: [{of: [c, x], level: 1}]", `is of "x", which isn't there`},
		"part twice":       {"combinations: [{of: [c, c], level: 1}]", `names "c" twice`},
		"both kinds":       {"rules: [{id: e, allow: [Bo], category: c}]\ncombinations: [{of: [c, e], level: 1}]", "a category and a rule"},
		"without level":    {"combinations: [{of: [c, e]}]", "no level"},
		"bad domain":       {"combinations: [{of: [c, e], level: 1, domain: sea}]", `domain "sea"`},
		"same combination": {"combinations: [{of: [c, e], level: 1}, {of: [e, c], level: 1}]", "twice"},
		"circle of one":    {"circles: [{id: a, people: [Bo]}]", "fewer than two people"},
		"circle, unknown":  {"circles: [{id: a, people: [Bo, Eve]}]", `names "Eve"`},
		"circle, no id":    {"circles: [{people: [Bo, Cy Dee]}]", "no id"},
		"circle twice":     {"circles: [{id: a, people: [Bo, Cy Dee]}, {id: a, people: [Bo, Cy Dee]}]", "twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := privacy.Parse("p", []byte(ruleHead+tt.src+"\n"))
			var faults *privacy.PolicyError
			if p != nil || !errors.As(err, &faults) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v; want %q", err, tt.want)
			}
			for _, problem := range faults.Problems {
				if problem.Line < 6 || problem.Remedy == "" {
					t.Errorf("%+v", problem)
				}
			}
		})
	}
}

func TestRuleMatches(t *testing.T) {
	target := privacy.RuleTarget{
		Fact: "f", Categories: []privacy.CategoryID{"c", "d"}, Event: "e", Mentions: []privacy.PersonID{"bo"},
		Terms: func(about string) bool { return about == "boxes" },
	}
	blind := target
	blind.Terms = nil
	allow := []privacy.Party{"x"}
	tests := map[string]struct {
		rule   privacy.Rule
		target privacy.RuleTarget
		want   bool
	}{
		"no condition":      {privacy.Rule{Allow: allow}, target, false},
		"one category":      {privacy.Rule{Allow: allow, Categories: []privacy.CategoryID{"x", "d"}}, target, true},
		"other category":    {privacy.Rule{Allow: allow, Categories: []privacy.CategoryID{"x"}}, target, false},
		"about":             {privacy.Rule{Allow: allow, About: "boxes"}, target, true},
		"about other":       {privacy.Rule{Allow: allow, About: "dogs"}, target, false},
		"about, unseen":     {privacy.Rule{Allow: allow, About: "boxes"}, blind, false},
		"deny, unseen":      {privacy.Rule{Deny: allow, About: "boxes"}, blind, true},
		"deny, unseen, not": {privacy.Rule{Deny: allow, About: "boxes", Event: "x"}, blind, false},
		"mentions":          {privacy.Rule{Allow: allow, Mentions: "bo"}, target, true},
		"mentions other":    {privacy.Rule{Allow: allow, Mentions: "cy"}, target, false},
		"event":             {privacy.Rule{Allow: allow, Event: "e"}, target, true},
		"other event":       {privacy.Rule{Allow: allow, Event: "x"}, target, false},
		"fact":              {privacy.Rule{Allow: allow, Fact: "f"}, target, true},
		"other fact":        {privacy.Rule{Allow: allow, Fact: "x"}, target, false},
		"all":               {privacy.Rule{Allow: allow, Categories: []privacy.CategoryID{"c"}, About: "boxes", Mentions: "bo", Event: "e", Fact: "f"}, target, true},
		"all but one":       {privacy.Rule{Allow: allow, Categories: []privacy.CategoryID{"c"}, About: "boxes", Mentions: "bo", Event: "e", Fact: "x"}, target, false},
	}
	for name, tt := range tests {
		if got := tt.rule.Matches(tt.target); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestRuleEnds: a grant counts until the end of its day, and not a moment longer.
func TestRuleEnds(t *testing.T) {
	p := mustParse(t, ruleHead+"rules: [{id: r, allow: [Bo], category: c, until: 2027-01-31}, {id: s, deny: [Cy Dee], category: c}]\n")
	target := privacy.RuleTarget{Fact: "f", Categories: []privacy.CategoryID{"c"}}
	last := time.Date(2027, 1, 31, 23, 59, 59, 999, time.UTC)
	for now, want := range map[time.Time]string{
		{}:   "[r s]",
		last: "[r s]",
		last.Truncate(time.Second).Add(time.Second): "[s]",
		last.AddDate(1, 0, 0):                       "[s]",
	} {
		f := p.ApplyRules(privacy.Fact{ID: "f", Categories: target.Categories}, target, now)
		if got := texts(p.Matching(target, now)); got != want || texts(f.Rules) != "[r s]" {
			t.Errorf("at %s: %s and %s, want %s", now, got, texts(f.Rules), want)
		}
		if granted := len(f.OwnWhitelist) == 1; granted != strings.Contains(want, "r") || len(f.Whitelist) > 0 || len(f.Blacklist) != 1 {
			t.Errorf("at %s: %+v", now, f)
		}
	}
}

// TestApplyRulesUnseen: where nobody could look at a text, a grant about it gives
// nothing, and the fact counts as a part of combinations all the same.
func TestApplyRulesUnseen(t *testing.T) {
	p := mustParse(t, ruleHead+"rules: [{id: r, allow: [Bo], about: boxes}, {id: s, deny: [Cy Dee], about: boxes}]\n")
	f := p.ApplyRules(privacy.Fact{ID: "f"}, privacy.RuleTarget{Fact: "f"}, time.Time{})
	if len(f.OwnWhitelist) > 0 || len(f.Blacklist) != 1 || texts(f.Rules) != "[r s]" {
		t.Errorf("%+v", f)
	}
}

func texts(ids []privacy.RuleID) string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return "[" + strings.Join(out, " ") + "]"
}

// TestFirstNames: a first name is nobody's, and typing it gives the candidates.
func TestFirstNames(t *testing.T) {
	p := mustParse(t, `version: 1
owner: {name: Ada Byron}
people:
  - {name: Ben Ahlers, groups: []}
  - {name: Ben Zorn, aliases: [Benny], groups: []}
  - {name: Cy Dee, groups: []}
  - {name: 李 明, groups: []}
`)
	tests := map[string][]string{
		"Ben": {"Ben Ahlers", "Ben Zorn"}, "ＢＥＮ": {"Ben Ahlers", "Ben Zorn"}, "cy": {"Cy Dee"},
		"Ada": {"Ada Byron"}, "李": {"李 明"}, "Benny": nil, "Ben Zorn": nil, "B": nil, "Dee": nil, "Eve": nil,
	}
	for name, want := range tests {
		r, err := p.Lookup(name)
		var ambiguous *privacy.AmbiguousError
		if errors.As(err, &ambiguous) {
			if !cmp.Equal(want, ambiguous.Candidates) || !errors.Is(err, privacy.ErrAmbiguous) || r.Known() {
				t.Errorf("%q: %v, want %q", name, err, want)
			}
		} else if want != nil || err != nil {
			t.Errorf("%q: %v, want %q", name, err, want)
		}
		if p.Recipient(name).Known() && want != nil {
			t.Errorf("%q is somebody", name)
		}
	}
}

// By a category that only closes a rule shuts out, and lets nobody in.
func TestRulesOnJoinedCategories(t *testing.T) {
	p, err := privacy.Parse("policy.yaml", []byte(`
owner: {name: Ines}
groups: [{id: boss, tier: 2, domain: work}]
domains: [work]
people: [{name: Karin, groups: [boss]}, {name: Raj, groups: [boss]}]
categories: [{id: money, name: Money, level: 1}, {id: fun, name: Fun, level: 4}]
rules:
  - {id: in, allow: [Karin], category: money}
  - {id: out, deny: [Raj], category: money}
`))
	if err != nil {
		t.Fatal(err)
	}
	f := privacy.Fact{ID: "f", Categories: []privacy.CategoryID{"fun", "money"}}
	target := privacy.RuleTarget{Fact: "f", Categories: f.Categories}
	if got := p.ApplyRules(f, target, time.Time{}); len(got.OwnWhitelist) != 1 || len(got.Blacklist) != 1 {
		t.Errorf("by its own category: %+v", got)
	}
	f.Joined = []privacy.CategoryID{"money"}
	if got := p.ApplyRules(f, target, time.Time{}); len(got.OwnWhitelist) != 0 || len(got.Blacklist) != 1 || len(got.Rules) != 2 {
		t.Errorf("by one that only closes: %+v", got)
	}
}
