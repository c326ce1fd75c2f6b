package privacy_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
)

const lintHead = `version: 1
owner: {name: Ada Byron}
groups:
  - {id: family, tier: 2, domain: life}
  - {id: team, tier: 2, domain: work}
people:
  - {name: Mum Berg, aliases: [Mum], groups: [family]}
  - {name: Jo Berg, aliases: [Jo], groups: [family]}
  - {name: Bo Lee, aliases: [Bo], groups: [team]}
removed: [{name: Old Flame}]
categories:
  - {id: health, name: Health, level: 2, domain: life, description: "doctor, hospital, surgery, medicine, fever", examples: [e]}
  - {id: work, name: Work, level: 2, domain: work, description: "meetings, customers, deadlines, offices", examples: [e]}
`

// TestLint: each kind of trouble is found, said with a remedy, and nothing else is.
func TestLint(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	fact := func(change func(*privacy.Fact)) []privacy.Fact {
		f := privacy.Fact{ID: "f1", Categories: []privacy.CategoryID{"health"}, Truth: privacy.Real, Trusted: true}
		change(&f)
		return []privacy.Fact{f}
	}
	two := func(event privacy.EventID) []privacy.Fact {
		open := fact(func(f *privacy.Fact) { f.Event = event })[0]
		denied := open
		denied.ID, denied.Blacklist = "f2", []privacy.Party{"Jo"}
		return []privacy.Fact{open, denied}
	}
	tests := map[string]struct {
		add   string // to lintHead
		facts []privacy.Fact
		want  []string // parts of the only problems, in order; "!" at the start of an error
	}{
		"clean":          {"", fact(func(*privacy.Fact) {}), nil},
		"empty group":    {"circles: []\ngroups2: []\n", nil, nil}, // replaced below
		"no version":     {"", nil, nil},                           // replaced below
		"ended":          {"rules: [{id: r, allow: [Bo], category: health, until: 2026-12-31}]\n", nil, []string{`14: rule "r" ended on 2027-01-01`}},
		"not ended":      {"rules: [{id: r, allow: [Bo], category: health, until: 2027-01-01}]\n", nil, nil},
		"never":          {"rules: [{id: r, allow: [Bo], fact: f9}, {id: s, deny: [Bo], event: e9}]\n", fact(func(*privacy.Fact) {}), []string{`rule "r" never matches`, `rule "s" never matches`}},
		"anyway":         {"rules: [{id: r, allow: [\"group:family\"], category: health}]\n", nil, []string{`rule "r" changes nothing: Mum Berg, Jo Berg may know`}},
		"fact anyway":    {"rules: [{id: r, allow: [Mum], fact: f1}]\n", fact(func(*privacy.Fact) {}), []string{`rule "r" changes nothing: Mum Berg may know`}},
		"needed":         {"rules: [{id: r, allow: [Mum], fact: f1}]\n", fact(func(f *privacy.Fact) { f.Reserved = []privacy.Party{"Mum"} }), nil},
		"except Mum":     {"rules: [{id: r, allow: [Mum], category: work}, {id: s, deny: [\"group:family\"], category: [work, health]}]\n", nil, []string{`rule "r" allows what rule "s" (line 14) denies to Mum Berg, and a deny wins (deny Jo Berg in place of group:family)`}},
		"narrow deny":    {"rules: [{id: r, allow: [Bo], category: health}, {id: s, deny: [Bo], category: health, about: x}]\n", nil, nil},
		"said twice":     {"rules: [{id: r, allow: [Bo], category: health}, {id: s, allow: [Bo], category: health, about: x}]\n", nil, []string{`rule "s" changes nothing: rule "r"`}},
		"deny twice":     {"rules: [{id: r, deny: [Bo], category: health}, {id: s, deny: [\"group:team\"], category: health}]\n", nil, []string{`rule "s" changes nothing: rule "r"`}},
		"beats a set":    {"rules: [{id: r, allow: [Bo], category: health}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" beats combination "m" (line 15) for Bo Lee`}},
		"beats one fact": {"rules: [{id: r, allow: [Bo], fact: f1}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(*privacy.Fact) {}), []string{`rule "r" beats combination "m" (line 15) for Bo Lee`}},
		"no part of it":  {"rules: [{id: r, allow: [Bo], fact: f1}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(f *privacy.Fact) { f.Categories = nil }), nil},
		"beats by words": {"rules: [{id: r, allow: [Bo], about: knee}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(f *privacy.Fact) { f.Rules = []privacy.RuleID{"r"} }), []string{`rule "r" beats combination "m" (line 15) for Bo Lee`}},
		"no part yet":    {"rules: [{id: r, allow: [Bo], event: e1}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" would beat combination "m" (line 15) for Bo Lee on a later fact`}},
		"later words":    {"rules: [{id: r, allow: [Bo], about: 膝盖}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" would beat combination "m" (line 15) for Bo Lee`}},
		"later mention":  {"rules: [{id: r, allow: [Bo], mentions: Jo}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" would beat combination "m" (line 15) for Bo Lee`}},
		"later, passes":  {"rules: [{id: r, allow: [Bo], about: knee}]\ncombinations: [{id: m, of: [health, work], level: 2, domain: work}]\n", nil, []string{`combination "m" holds nothing back`}},
		"later, elsewhere": {"  - {id: pets, name: Pets, level: 4, description: d, examples: [e]}\n" +
			"rules: [{id: r, allow: [Bo], about: knee, category: pets}]\ncircles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" changes nothing`}},
		"later, one fact": {"circles: [{id: c, people: [Mum, Bo]}]\nrules: [{id: r, allow: [Bo], fact: f1}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, nil},
		"never whole":     {"combinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`14: combination "m" can't be completed`}},
		"a circle":        {"circles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, nil},
		"whole by a fact": {"combinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(f *privacy.Fact) { f.OwnWhitelist = []privacy.Party{"Bo"} }), nil},
		"denied part":     {"circles: [{id: c, people: [Jo, Bo]}]\nrules: [{id: r, deny: [Jo], category: health}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`combination "m" can't be completed`}},
		"part by a rule":  {"rules: [{id: r, deny: [Mum], about: knee}]\ncombinations: [{id: m, of: [health, r], level: 1}]\n", nil, nil},
		"overridden":      {"circles: [{id: c, people: [Mum, Bo]}]\nrules: [{id: r, allow: [\"group:family\"], category: health}, {id: s, allow: [Bo], category: work}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" changes nothing`, `rule "r" beats combination "m" (line 16) for Mum Berg, Jo Berg`, `rule "s" changes nothing`, `rule "s" beats combination "m" (line 16) for Bo Lee`, `16: combination "m" holds nothing back`}},
		"narrowly":        {"circles: [{id: c, people: [Mum, Bo]}]\nrules: [{id: r, allow: [\"group:family\", Bo], category: health, about: knee}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, []string{`rule "r" beats combination "m"`}},
		"by whitelist": {"circles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(f *privacy.Fact) {
			f.Whitelist, f.Reserved = []privacy.Party{"Mum"}, []privacy.Party{"Mum"}
		}), []string{`0: the whitelist of fact "f1" names "Mum" and so beats combination "m" (line 15)`}},
		"by a lent one": {"circles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", []privacy.Fact{
			{ID: "f1", Categories: []privacy.CategoryID{"health"}, Truth: privacy.Real, Trusted: true, Event: "e", Link: privacy.LinkConfirmed},
			{ID: "f2", Categories: nil, Truth: privacy.Real, Trusted: true, Event: "e", Link: privacy.LinkConfirmed, Whitelist: []privacy.Party{"Mum"}},
		}, []string{`0: the whitelist of fact "f2" names "Mum" and so beats combination "m" (line 15)`}},
		"whitelist, no part": {"circles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", fact(func(f *privacy.Fact) { f.Categories, f.Whitelist = nil, []privacy.Party{"Bo"} }), nil},
		"deny, category":     {"rules: [{id: r, deny: [Bo], category: work}, {id: s, deny: [Bo], category: health}]\n", fact(func(f *privacy.Fact) { f.Rules, f.Blacklist = []privacy.RuleID{"s"}, []privacy.Party{"Bo"} }), []string{`rule "r" matches nothing that is stored`}},
		"matches nothing":    {"rules: [{id: r, deny: [Bo], about: knee}, {id: s, allow: [Bo], mentions: Jo}]\n", fact(func(*privacy.Fact) {}), []string{`rule "r" matches nothing that is stored`, `rule "s" matches nothing that is stored`}},
		"matches":            {"rules: [{id: r, deny: [Bo], about: knee}]\n", fact(func(f *privacy.Fact) { f.Rules, f.Blacklist = []privacy.RuleID{"r"}, []privacy.Party{"Bo"} }), nil},
		"guards a set":       {"circles: [{id: c, people: [Jo, Bo]}]\nrules: [{id: r, deny: [Bo], category: health}]\ncombinations: [{id: m, of: [health, work], level: 1}]\n", nil, nil},
		"idle set":           {"combinations: [{id: m, of: [health, work], level: 3}]\n", nil, []string{`14: combination "m" denies nothing`}},
		"busy set":           {"circles: [{id: c, people: [Mum, Bo]}]\ncombinations: [{id: m, of: [health, work], level: 2, domain: work}]\n", nil, nil},
		"really idle":        {"  - {id: pay, name: Pay, level: 0, description: d, examples: [e]}\n  - {id: rent, name: Rent, level: 0, description: d, examples: [e]}\ncombinations: [{id: m, of: [pay, rent], level: 1}]\n", nil, []string{`combination "m" denies nothing`}},
		"no examples":        {"  - {id: x, name: X, level: 1, domain: work, description: d}\n", nil, []string{`category "x" has no examples`, `category "x" reaches no group`}},
		"L4, domain":         {"  - {id: x, name: X, level: 4, domain: work, description: d, examples: [e]}\n", nil, []string{`category "x" is of level 4 in domain "work"`}},
		"same name":          {"  - {id: x, name: ＨＥＡＬＴＨ, level: 2, description: d, examples: [e]}\n", nil, []string{`category "x" has the name of category "health" (line 12)`}},
		"overlap":            {"  - {id: x, name: Body, level: 2, description: \"Hospital or doctor; fever and medicine\", examples: [e]}\n", nil, []string{`category "x" overlaps with category "health" (line 12): both speak of doctor, fever, hospital, medicine`}},
		"overlap, zh":        {"  - {id: x, name: 病, level: 2, description: 去医院做检查看医生, examples: [e]}\n  - {id: y, name: 医, level: 2, description: 我去医院做检查, examples: [e]}\n", nil, []string{`category "y" overlaps with category "x"`}},
		"in no group":        {"combinations: []\n", nil, nil}, // replaced below
		"white typo":         {"", fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Mumm"} }), []string{`0: the whitelist of fact "f1" names "Mumm", which isn't there: it grants nothing`}},
		"black typo":         {"", fact(func(f *privacy.Fact) { f.Blacklist = []privacy.Party{"Berta"} }), []string{`!the blacklist of fact "f1" names "Berta"`}},
		"gone group":         {"", fact(func(f *privacy.Fact) { f.Reserved = []privacy.Party{"group:x"} }), []string{`!the reserved list of fact "f1" names "group:x"`}},
		"removed":            {"", fact(func(f *privacy.Fact) { f.Blacklist = []privacy.Party{"old flame"} }), []string{`!Old Flame was removed`}},
		"owner":              {"", fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Ada Byron"} }), []string{`that is you`}},
		"look-alike":         {"", fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Bо"} }), []string{`it looks like "Bo"`}},
		"cancelled": {"", fact(func(f *privacy.Fact) {
			f.Whitelist, f.Blacklist = []privacy.Party{"Mum"}, []privacy.Party{"group:family"}
		}), []string{`whom its blacklist shuts out by "group:family", and the blacklist wins (deny Jo Berg in place of group:family)`}},
		"needless":     {"", fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Mum"} }), []string{`names "Mum", who may know it anyway`}},
		"needful":      {"", fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Bo"} }), nil},
		"told":         {"", fact(func(f *privacy.Fact) { f.OwnWhitelist = []privacy.Party{"Mum"} }), nil},
		"half denied":  {"", two("e"), []string{`event "e" is denied to Jo Berg on fact "f2" and open on fact "f1"`}},
		"two events":   {"", two(""), nil},
		"many at once": {"", append(fact(func(f *privacy.Fact) { f.Whitelist = []privacy.Party{"Zoe"} }), privacy.Fact{ID: "f0", Whitelist: []privacy.Party{"Zoe"}}), []string{`of fact "f0" and of 1 more names "Zoe"`}},
	}
	replaced := map[string]struct{ from, to, want string }{
		"empty group": {"groups: [team]", "groups: [family]", `nobody is in group "team"`},
		"no version":  {"version: 1\n", "", "names no version"},
		"in no group": {"groups: [team]", "groups: []", "Bo Lee is in no group"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			src := lintHead + strings.ReplaceAll(tt.add, "groups2: []\n", "")
			if r, ok := replaced[name]; ok {
				src = strings.Replace(src, r.from, r.to, 1)
				tt.want = []string{r.want}
				if name == "in no group" {
					tt.want = []string{`nobody is in group "team"`, r.want}
				}
			}
			p := mustParse(t, src)
			got := p.Lint(tt.facts, now)
			if len(got) != len(tt.want) {
				t.Fatalf("%d problems, want %d:\n%v", len(got), len(tt.want), got)
			}
			for i, problem := range got {
				want, isError := strings.CutPrefix(tt.want[i], "!")
				line, rest, ok := strings.Cut(want, ": ")
				if ok && strings.Trim(line, "0123456789") == "" {
					want = rest
					if s := problem.String(); !strings.HasPrefix(s, "policy.yaml:"+line+":") && !(line == "0" && problem.Line == 0) {
						t.Errorf("%s: not at line %s", s, line)
					}
				}
				if !strings.Contains(problem.String(), want) || problem.Remedy == "" {
					t.Errorf("got %s\nwant %s", problem, want)
				}
				if isError != (problem.Severity == privacy.SeverityError) {
					t.Errorf("%s: of severity %q", problem, problem.Severity)
				}
			}
			if again := mustParse(t, src).Lint(tt.facts, now); !slices.Equal(got, again) {
				t.Errorf("another order the second time: %v", again)
			}
		})
	}
}
