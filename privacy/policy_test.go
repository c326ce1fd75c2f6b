package privacy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
)

const goodPolicy = `version: 1
owner: {name: Ada Byron, aliases: [Ada], language: zh}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: any, description: nearest}
  - {id: team, tier: 2, domain: work}
  - {id: street, tier: 4}
people:
  - {id: p-mum, name: Zoë Müller, aliases: [Mum], groups: [close, team], note: mother}
  - name: Bo Berg
    groups: []
removed:
  - {name: Old Flame, aliases: [Flame]}
categories:
  - id: health
    name: Health
    level: 1
    domain: life
    description: body and mind
    examples: [a fever, "发烧"]
    blur: true
    blur_text: "was busy"
    confidence: true
    deny: [$subject, Mum, group:team]
  - {id: weather, name: Weather, level: 4, description: "rain or not"}
settings: {told_by_owner: ask, cover_audience: gate, cover_stories: keep, untrusted: attribute, label_threshold: 0.4, label_margin: 1}
`

func mustParse(t testing.TB, src string) *privacy.Policy {
	t.Helper()
	p, err := privacy.Parse("policy.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParse(t *testing.T) {
	p := mustParse(t, goodPolicy)
	if w := p.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %v", w)
	}
	check := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("owner", privacy.OwnerEntry{Name: "Ada Byron", Aliases: []string{"Ada"}, Language: "zh"}, p.Owner())
	check("domains", []privacy.Domain{"work", "life"}, p.Domains())
	check("groups", []privacy.Group{
		{ID: "close", Tier: 1, Description: "nearest"}, {ID: "team", Tier: 2, Domain: "work"}, {ID: "street", Tier: 4},
	}, p.Groups())
	check("people", []privacy.Person{
		{
			ID: "p-mum", Name: "Zoë Müller", Aliases: []string{"Mum"},
			Groups: []privacy.GroupID{"close", "team"}, Note: "mother",
		},
		{ID: "bo berg", Name: "Bo Berg"},
	}, p.People())
	check("categories", []privacy.Category{
		{
			ID: "health", Name: "Health", Level: 1, Domain: "life", Description: "body and mind",
			Examples: []string{"a fever", "发烧"}, Blur: true, BlurText: "was busy", Confidence: true,
			Deny: []privacy.Party{privacy.SubjectParty, "Mum", "group:team"},
		},
		{ID: "weather", Name: "Weather", Level: 4, Description: "rain or not"},
	}, p.Categories())
	check("settings", privacy.Settings{
		ToldByOwner: privacy.ToldAsk, CoverAudience: privacy.CoverGate, CoverStories: privacy.CoversKeep,
		Untrusted: privacy.UntrustedAttribute, Ask: privacy.AskNever, LabelThreshold: 0.4, LabelMargin: 1,
	}, p.Settings())
	check("members", []privacy.PersonID{"p-mum"}, p.Members("team"))
	check("source", goodPolicy, string(p.Source()))
	check("version", 1, p.Version())
	if c, ok := p.Category("health"); !ok || c.Label() != (privacy.Label{Level: 1, Domain: "life"}) {
		t.Errorf("category health: %+v %v", c, ok)
	}
	if g, ok := p.Group("team"); !ok || g.Tier != 2 {
		t.Errorf("group team: %+v %v", g, ok)
	}
	if len(p.Hash()) != 64 || p.Hash() == mustParse(t, goodPolicy+"\n").Hash() {
		t.Error("the hash doesn't tell two files apart")
	}
}

// TestParseJSON: a policy may be written as JSON.
func TestParseJSON(t *testing.T) {
	p := mustParse(t, `{"version": 1, "owner": {"name": "Ada"}, "people": [{"name": "Bo", "groups": []}]}`)
	if _, ok := p.Person("bo"); !ok {
		t.Error("Bo is not there")
	}
	if diff := cmp.Diff(privacy.DefaultSettings(), p.Settings()); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

// TestParseFaults: every fault is named with its line and what to do about it.
func TestParseFaults(t *testing.T) {
	const head = "version: 1\nowner: {name: Ada Byron, aliases: [Ada]}\n"
	tests := map[string]struct {
		src  string
		want []string // "line: part of the message", all of them in order
	}{
		"empty":               {"", []string{"0: empty"}},
		"only a comment":      {"# nothing\n", []string{"0: empty"}},
		"not a mapping":       {"- a\n", []string{"1: a list, not a mapping"}},
		"not YAML":            {"owner: {name: A\n", []string{"1: not valid YAML"}},
		"two documents":       {head + "---\nversion: 1\n", []string{"4: second YAML document"}},
		"not UTF-8":           {head + "people: [{name: \"\xff\", groups: []}]\n", []string{"3: not UTF-8"}},
		"NUL":                 {head + "\x00", []string{"3: control character"}},
		"escaped NUL":         {head + "people: [{name: \"B\\0o\", groups: []}]\n", []string{"3: control character"}},
		"no owner":            {"version: 1\n", []string{"1: no owner"}},
		"owner without name":  {"version: 1\nowner: {aliases: [A]}\n", []string{"2: no name"}},
		"newer version":       {"version: 2\nowner: {name: A}\n", []string{"1: version of the policy is 2"}},
		"version as text":     {"version: \"1\"\nowner: {name: A}\n", []string{"1: text, not a whole number"}},
		"unknown key":         {head + "rule: []\n", []string{`3: unknown key "rule"`}},
		"unknown nested key":  {head + "people:\n  - name: Bo\n    groups: []\n    age: 3\n", []string{`6: unknown key "age"`}},
		"duplicate key":       {head + "people: []\npeople: []\n", []string{`4: key "people" twice`}},
		"anchor":              {head + "domains: &d [work]\n", []string{"3: anchor"}},
		"tag":                 {head + "domains: [!!str work]\n", []string{"3: tag"}},
		"merge key":           {head + "settings:\n  <<: {untrusted: gate}\n", []string{"4: no word"}},
		"group without id":    {head + "groups: [{tier: 4}]\n", []string{"3: no id"}},
		"group twice":         {head + "groups:\n- {id: a, tier: 4}\n- {id: a, tier: 4}\n", []string{`5: group "a" twice`}},
		"no tier":             {head + "groups: [{id: a}]\n", []string{"3: no tier"}},
		"tier 0":              {head + "groups: [{id: a, tier: 0}]\n", []string{"3: tier of group \"a\" is 0"}},
		"tier 5":              {head + "groups: [{id: a, tier: 5}]\n", []string{"3: tier of group \"a\" is 5"}},
		"tier without domain": {head + "groups: [{id: a, tier: 3}]\n", []string{"3: tier 3 has no domain"}},
		"undeclared domain":   {head + "groups: [{id: a, tier: 3, domain: club}]\n", []string{`3: domain "club"`}},
		"domain any":          {head + "domains: [any]\n", []string{`3: "any" can't be a domain`}},
		"domain twice":        {head + "domains: [a, a]\n", []string{`3: domain "a" twice`}},
		"missing group":       {head + "people: [{name: Bo, groups: [gone]}]\n", []string{`3: group "gone"`}},
		"no groups":           {head + "people: [{name: Bo}]\n", []string{"3: has no groups"}},
		"number as name":      {head + "people: [{name: 7, groups: []}]\n", []string{"3: a number, not text"}},
		"blank name":          {head + "people: [{name: ' ', groups: []}]\n", []string{"3: blank"}},
		"invisible name":      {head + "people: [{name: \"\\u200b\", groups: []}]\n", []string{"3: can be seen"}},
		"name like a group":   {head + "people: [{name: 'Group:x', groups: []}]\n", []string{"3: can't be a name"}},
		"name like a subject": {head + "people: [{name: $subject, groups: []}]\n", []string{"3: can't be a name"}},
		"two people":          {head + "people:\n- {name: Bo, groups: []}\n- {name: Cy, aliases: [ＢＯ], groups: []}\n", []string{"5: names both Bo (line 4) and Cy"}},
		"composed and not":    {head + "people:\n- {name: José, groups: []}\n- {name: \"Jose\\u0301\", groups: []}\n", []string{"5: names both José (line 4)"}},
		"id and name":         {head + "people:\n- {id: cy, name: Bo, groups: []}\n- {name: Cy, groups: []}\n", []string{"5: names both Bo (line 4) and Cy"}},
		"person and owner":    {head + "people: [{name: ada, groups: []}]\n", []string{"3: names both the owner (line 2) and ada"}},
		"person and removed":  {head + "people: [{name: Bo, groups: []}]\nremoved: [{name: bo}]\n", []string{"4: names both Bo (line 3) and removed bo"}},
		"no level":            {head + "categories: [{id: c, name: c, description: d}]\n", []string{"3: no level"}},
		"level 5":             {head + "categories: [{id: c, name: c, description: d, level: 5}]\n", []string{`3: level of category "c" is 5`}},
		"level below 0":       {head + "categories: [{id: c, name: c, description: d, level: -1}]\n", []string{`3: level of category "c" is -1`}},
		"level as text":       {head + "categories: [{id: c, name: c, description: d, level: L1}]\n", []string{"3: text, not a whole number"}},
		"category in any":     {head + "categories: [{id: c, name: c, description: d, level: 1, domain: any}]\n", []string{`3: domain "any"`}},
		"category twice":      {head + "categories:\n- {id: c, name: c, description: d, level: 1}\n- {id: c, name: e, description: d, level: 1}\n", []string{`5: category "c" twice`}},
		"blur without text":   {head + "categories: [{id: c, name: c, description: d, level: 1, blur: true}]\n", []string{"3: without blur_text"}},
		"blur is a word":      {head + "categories: [{id: c, name: c, description: d, level: 1, blur: maybe}]\n", []string{"3: not true or false"}},
		"deny nobody":         {head + "categories: [{id: c, name: c, description: d, level: 1, deny: [Bo]}]\n", []string{`3: names "Bo"`}},
		"deny no group":       {head + "categories: [{id: c, name: c, description: d, level: 1, deny: ['group:x']}]\n", []string{`3: names "group:x"`}},
		"unknown choice":      {head + "settings: {untrusted: drop}\n", []string{`3: untrusted of settings is "drop"`}},
		"share above 1":       {head + "settings: {label_margin: 1.1}\n", []string{"3: not a share"}},
		"share below 0":       {head + "settings: {label_threshold: -0.1}\n", []string{"3: not a share"}},
		"share is no number":  {head + "settings: {label_threshold: .nan}\n", []string{"3: not a share"}},
		"aliases no list":     {head + "people: [{name: Bo, groups: [], aliases: B}]\n", []string{"3: text, not a list"}},
		"all at once": {
			"version: 1\nowner: {name: A, nick: B}\ngroups: [{id: g, tier: 7}]\npeople:\n- {name: Bo, groups: [h]}\n- 5\n",
			[]string{`2: unknown key "nick"`, "3: tier", `5: group "h"`, "6: a number, not a mapping"},
		},
		"line after a comment, CR LF": {"version: 1 # one\r\n# two\r\nowner: {name: A, nick: B}\r\n", []string{`3: unknown key "nick"`}},
		"deep":                        {strings.Repeat("[", 100000), []string{"1: too many levels"}},
		"dashes":                      {strings.Repeat("- ", 100000), []string{"1: too many levels"}},
		"many keys":                   {strings.Repeat("a:\n", 100000), []string{"257: too many keys"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := privacy.Parse("policy.yaml", []byte(tt.src))
			var faults *privacy.PolicyError
			if p != nil || !errors.As(err, &faults) || !errors.Is(err, privacy.ErrPolicy) {
				t.Fatalf("got %v, %v", p, err)
			}
			if len(faults.Problems) != len(tt.want) {
				t.Fatalf("got %d problems, want %d:\n%v", len(faults.Problems), len(tt.want), err)
			}
			for i, got := range faults.Problems {
				line, part, _ := strings.Cut(tt.want[i], ": ")
				if fmt.Sprint(got.Line) != line || !strings.Contains(got.Message, part) {
					t.Errorf("got line %d: %s\nwant %s", got.Line, got.Message, tt.want[i])
				}
				if got.Remedy == "" || got.File != "policy.yaml" {
					t.Errorf("%+v has no remedy or file", got)
				}
			}
		})
	}
}

// TestParseManyFaults: a flood of faults is counted, not listed.
func TestParseManyFaults(t *testing.T) {
	_, err := privacy.Parse("p", []byte("version: 1\nowner: {name: A}\npeople:\n"+strings.Repeat("- 1\n", 1000)))
	var faults *privacy.PolicyError
	if !errors.As(err, &faults) || len(faults.Problems) != 101 || !strings.Contains(err.Error(), "900 more") {
		t.Errorf("got %d problems", len(faults.Problems))
	}
}

func TestParseWarnings(t *testing.T) {
	const head = "version: 1\nowner: {name: Ada}\n"
	tests := map[string]struct{ src, want string }{
		"no version":      {"owner: {name: Ada}\n", "names no version"},
		"tier, unbound":   {"owner: {name: Ada}\ngroups: [{id: a, tier: 1}]\n", "tier 1 has no domain"},
		"alias twice":     {head + "people: [{name: Bo, aliases: [BO], groups: []}]\n", "is a name of theirs already"},
		"group twice":     {head + "groups: [{id: a, tier: 4}]\npeople: [{name: Bo, groups: [a, a]}]\n", "twice"},
		"look-alike":      {head + "people: [{name: Аda, groups: []}]\n", "can be mistaken"},
		"no description":  {head + "categories: [{id: c, name: c, level: 1}]\n", "no description"},
		"byte order mark": {"\ufeffowner: {name: Ada}\n", "names no version"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var all []string
			for _, w := range mustParse(t, tt.src).Warnings() {
				all = append(all, w.String())
			}
			if !strings.Contains(strings.Join(all, "\n"), tt.want) {
				t.Errorf("got %q, want one with %q", all, tt.want)
			}
		})
	}
}

// TestAccessorsCopy: what a policy hands out can be changed without changing it.
func TestAccessorsCopy(t *testing.T) {
	p := mustParse(t, goodPolicy)
	p.Source()[0] = 'x'
	p.Owner().Aliases[0] = "Eve"
	p.Domains()[0] = "x"
	p.Groups()[0].Tier = 4
	p.People()[0].Groups[0] = "street"
	p.Categories()[0].Deny[0] = "Bo Berg"
	p.Members("team")[0] = "bo berg"
	x, _ := p.Person("mum")
	x.Aliases[0] = "Bo"
	c, _ := p.Category("health")
	c.Examples[0] = "x"
	if diff := cmp.Diff(mustParse(t, goodPolicy).People(), p.People()); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(mustParse(t, goodPolicy).Categories(), p.Categories()); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	if p.Source()[0] != 'v' || p.Owner().Aliases[0] != "Ada" || p.Domains()[0] != "work" || p.Groups()[0].Tier != 1 {
		t.Error("a copy is not one")
	}
}

func TestResolve(t *testing.T) {
	p := mustParse(t, goodPolicy)
	tests := map[privacy.Party]struct {
		want []privacy.PersonID
		ok   bool
	}{
		"p-mum":        {[]privacy.PersonID{"p-mum"}, true},
		"ZOË MÜLLER":   {[]privacy.PersonID{"p-mum"}, true},
		"mum":          {[]privacy.PersonID{"p-mum"}, true},
		"bo berg":      {[]privacy.PersonID{"bo berg"}, true},
		"group:team":   {[]privacy.PersonID{"p-mum"}, true},
		"group:street": {[]privacy.PersonID{}, true},
		"group:gone":   {nil, false},
		"Ada":          {nil, false}, // the owner
		"Old Flame":    {nil, false}, // removed
		"Nobody":       {nil, false},
		"":             {nil, false},
		"\u200b":       {nil, false},
	}
	for party, tt := range tests {
		got, ok := p.Resolve(party)
		if ok != tt.ok || !cmp.Equal(got, tt.want) {
			t.Errorf("%q: got %v %v, want %v %v", party, got, ok, tt.want, tt.ok)
		}
	}
}

// FuzzParse: no input panics, faults have places, and what loads loads again to
// the same from its own source.
func FuzzParse(f *testing.F) {
	f.Add([]byte(goodPolicy))
	f.Add([]byte(`{"owner": {"name": "A"}, "people": [{"name": "B", "groups": []}]}`))
	f.Add([]byte("version: 1\nowner:\n  name: |\n    A\n  aliases:\n  - 'B''s'\n  - \"\\u00e9\"\n"))
	f.Add([]byte("? [a, b]\n: &x {<<: *x}\n--- !!map\n"))
	f.Add([]byte(mosaicPolicy))
	f.Add([]byte(testedPolicy))
	f.Add([]byte(ruleHead + "rules:\n- {deny: [Cy Dee], category: [c, e], mentions: bo, event: e1, fact: f1}\n- {allow: [Bo], about: x, until: 2027-01-31T00:00:00+14:00}\n"))
	f.Add([]byte("owner: {name: A}\r\ngroups:\r\n- id: a\r\n  tier: 0x1\r\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		p, err := privacy.Parse("fuzz", src)
		if err != nil {
			var faults *privacy.PolicyError
			if p != nil || !errors.As(err, &faults) || len(faults.Problems) == 0 {
				t.Fatalf("got %v, %v", p, err)
			}
			for _, problem := range faults.Problems {
				lines := 1 + strings.Count(string(src), "\n") + strings.Count(string(src), "\r")
				if problem.Line < 0 || problem.Line > lines || problem.Message == "" || problem.Remedy == "" {
					t.Errorf("%+v", problem)
				}
			}
			return
		}
		again, err := privacy.Parse("fuzz", p.Source())
		if err != nil || again.Hash() != p.Hash() || !cmp.Equal(p.People(), again.People()) || !cmp.Equal(p.Warnings(), again.Warnings()) ||
			!cmp.Equal(p.Rules(), again.Rules()) || !cmp.Equal(p.Combinations(), again.Combinations()) || !cmp.Equal(p.Circles(), again.Circles()) {
			t.Fatalf("loads differently the second time: %v", err)
		}
		for _, problem := range p.Lint([]privacy.Fact{{ID: "f", Whitelist: []privacy.Party{"A"}, Blacklist: []privacy.Party{"B"}}}, time.Time{}) {
			if problem.Message == "" || problem.Remedy == "" {
				t.Errorf("%+v", problem)
			}
		}
		for _, x := range p.People() {
			r := p.Recipient(x.Name)
			if r.ID() != x.ID || !r.Known() || r.IsOwner() || p.IsOwner(x.Name) {
				t.Errorf("%q is %q", x.Name, r.ID())
			}
			if got, err := p.Lookup(string(x.ID)); err != nil || got != r {
				t.Errorf("%q by id: %v", x.Name, err)
			}
		}
	})
}
