package privacy_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// editStyles are one policy in the ways in which people write YAML.
var editStyles = map[string]string{
	"flow": `version: 1   # the format
owner: {name: Ada Byron, aliases: [Ada]}
groups:
  - {id: close, tier: 1, domain: any}   # nearest
  - {id: team, tier: 2, domain: work}
people:
  - {name: Mei Lin, aliases: [Mum, '妈'], groups: [close], note: "my # mother"} # calls on Sundays
  # Bo comes and goes.
  - {name: Bo Berg, groups: []}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: body, deny: [$subject]} # careful
  - {id: weather, name: Weather, level: 4, description: "rain"}
rules: [] # none yet
# the end
`,
	"block": `# top
version: 1
owner:
  name: Ada Byron
  aliases:
  - Ada
groups:
- id: close
  tier: 1
  domain: any

- id: team
  tier: 2
  domain: work
people:
-   name: Mei Lin      # mother
    aliases:
      - Mum    # since always
      - "妈"
    groups:
      - close  # of course

    note: |
      my # mother

      and more
- name: Bo Berg
  groups: []


categories:
- id: health
  name: Health
  level: 1 # tier 1 only
  domain: life
  description: >-
    body
    and mind
  deny:
  - $subject
- domain: life
  id: weather
  name: Weather
  level: 4
  description: rain
    or shine
rules:
# nothing here yet
settings:
  told_by_owner: ask
`,
	"json": `{
  "version": 1,
  "owner": {"name": "Ada Byron", "aliases": ["Ada"]},
  "groups": [{"id": "close", "tier": 1, "domain": "any"}, {"id": "team", "tier": 2, "domain": "work"}],
  "people": [
    {"name": "Mei Lin", "aliases": ["Mum", "妈"], "groups": ["close"], "note": "my \"mother\""},
    {"name": "Bo Berg", "groups": []}
  ],
  "categories": [
    {"id": "health", "name": "Health", "level": 1, "domain": "life", "description": "body", "deny": ["$subject"]},
    {"id": "weather", "name": "Weather", "level": 4, "description": "rain"}
  ]
}
`,
	"no end of line": "version: 1\nowner: {name: Ada Byron}\ngroups:\n- {id: close, tier: 1, domain: any}\n- {id: team, tier: 2, domain: work}\n" +
		"categories:\n- {id: health, name: Health, level: 1, domain: life, description: body, deny: [$subject],}\n- {id: weather, name: Weather, level: 4, description: rain}\n" +
		"people:\n- {name: Mei Lin, aliases: [Mum], groups: [close]}\n- name: Bo Berg\n  groups:",
	"broken lines": `version: 1
owner: {name: Ada Byron}
groups: [
  {id: close, tier: 1, domain: any}, # nearest
  {id: team, tier: 2, domain: work}, # at work
]
people: [ {name: Mei Lin,
    aliases: [Mum, # always
      妈
    ],
    groups: [ close ] },

  { name: Bo Berg, groups: [] }   # last
]
categories:
    -   id: health
        name: Health
        level: 1
        domain: life
        description: 'body
          and mind'
        deny: [ $subject ]
    -   {id: weather, name: Weather, level: 4, description: "rain \"or\" \
           shine"}
rules: ~
...
`,
}

// styles gives each style, also with CR LF and with a byte order mark.
func styles() map[string]string {
	out := make(map[string]string)
	for name, src := range editStyles {
		out[name] = src
		out[name+", CR LF"] = strings.ReplaceAll(src, "\n", "\r\n")
		out[name+", marked"] = "\ufeff" + src
	}
	return out
}

func TestEdit(t *testing.T) {
	level, domain, none, text := privacy.L2, privacy.Domain("work"), privacy.Domain(""), "a new: text # here"
	examples, nobody := []string{"one", "二 \"2\"\nlines"}, []privacy.Party{}
	deny := []privacy.Party{"Mum", "group:team"}
	tier, every, life := privacy.Tier(3), privacy.AnyDomain, privacy.Domain("life")
	until := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		edits    []privacy.Edit
		inserts  bool // nothing of the old text goes
		deletes  bool // nothing new comes
		contains string
		check    func(p *privacy.Policy) bool
	}{
		"allow": {
			edits:   []privacy.Edit{privacy.AddRule{Rule: privacy.Rule{Allow: []privacy.Party{"Mum"}, About: "the move: boxes", Until: until, Note: "n"}}},
			inserts: true, contains: "2027-01-31",
			check: func(p *privacy.Policy) bool {
				rs := p.Rules()
				return len(rs) == 1 && rs[0].About == "the move: boxes" && rs[0].Until.Equal(until) && rs[0].Note == "n"
			},
		},
		"two rules": {
			edits: []privacy.Edit{
				privacy.AddRule{Rule: privacy.Rule{ID: "one", Deny: []privacy.Party{"group:team", "Bo Berg"}, Categories: []privacy.CategoryID{"health", "weather"}}},
				privacy.AddRule{Rule: privacy.Rule{Allow: []privacy.Party{"Mum"}, Mentions: "bo berg", Event: "e1", Fact: "f1"}},
			},
			inserts: true,
			check:   func(p *privacy.Policy) bool { return len(p.Rules()) == 2 && p.Rules()[1].Mentions == "bo berg" },
		},
		"a rule comes and goes": {
			edits: []privacy.Edit{
				privacy.AddRule{Rule: privacy.Rule{ID: "one", Deny: []privacy.Party{"Mum"}, Categories: []privacy.CategoryID{"health"}}},
				privacy.AddRule{Rule: privacy.Rule{ID: "two", Deny: []privacy.Party{"Bo Berg"}, About: "x"}},
				privacy.RemoveRule{ID: "one"},
			},
			check: func(p *privacy.Policy) bool { return len(p.Rules()) == 1 && p.Rules()[0].ID == "two" },
		},
		"the only rule comes and goes": {
			edits: []privacy.Edit{
				privacy.AddRule{Rule: privacy.Rule{ID: "one", Deny: []privacy.Party{"Mum"}, Categories: []privacy.CategoryID{"health"}}},
				privacy.RemoveRule{ID: "one"},
			},
			check: func(p *privacy.Policy) bool { return len(p.Rules()) == 0 },
		},
		"a person": {
			edits:   []privacy.Edit{privacy.AddPerson{Person: privacy.Person{Name: "Zoë O'Neil", Aliases: []string{"Zoë", "true"}, Groups: []privacy.GroupID{"team"}, Note: "met: once"}}},
			inserts: true,
			check: func(p *privacy.Policy) bool {
				x, ok := p.Person("zoë")
				return ok && x.Note == "met: once" && cmp.Equal(x.Aliases, []string{"Zoë", "true"}) && cmp.Equal(x.Groups, []privacy.GroupID{"team"})
			},
		},
		"move":     {edits: []privacy.Edit{privacy.SetGroups{Person: "Mum", Groups: []privacy.GroupID{"team"}}}, check: groupsAre("Mum", "team")},
		"join":     {edits: []privacy.Edit{privacy.SetGroups{Person: "mei lin", Groups: []privacy.GroupID{"team", "close"}}}, inserts: true, check: groupsAre("Mum", "close", "team")},
		"leave":    {edits: []privacy.Edit{privacy.SetGroups{Person: "Mum"}}, deletes: true, check: groupsAre("Mum")},
		"join two": {edits: []privacy.Edit{privacy.SetGroups{Person: "Bo Berg", Groups: []privacy.GroupID{"team", "close"}}}, inserts: true, check: groupsAre("bo berg", "team", "close")},
		"alias": {
			edits:   []privacy.Edit{privacy.AddAlias{Person: "Bo Berg", Alias: "Bo"}, privacy.AddAlias{Person: "Bo", Alias: "B: the one"}, privacy.AddAlias{Person: "Mum", Alias: "Mama"}},
			inserts: true,
			check: func(p *privacy.Policy) bool {
				x, _ := p.Person("b: the one")
				y, _ := p.Person("mama")
				return x.Name == "Bo Berg" && y.Name == "Mei Lin"
			},
		},
		"remove": {
			edits: []privacy.Edit{privacy.RemovePerson{Person: "Mum"}},
			check: func(p *privacy.Policy) bool {
				_, there := p.Person("Mum")
				return !there && len(p.People()) == 1 && p.Removed()[0].Name == "Mei Lin"
			},
		},
		"remove everybody": {
			edits: []privacy.Edit{privacy.RemovePerson{Person: "Bo Berg"}, privacy.RemovePerson{Person: "Mum"}, privacy.AddPerson{Person: privacy.Person{Name: "New"}}},
			check: func(p *privacy.Policy) bool { return len(p.People()) == 1 && len(p.Removed()) == 2 },
		},
		"level": {edits: []privacy.Edit{privacy.SetCategory{ID: "health", Level: &level}}, check: func(p *privacy.Policy) bool {
			c, _ := p.Category("health")
			return c.Level == 2 && c.Domain == "life"
		}},
		"domains": {
			edits: []privacy.Edit{privacy.SetCategory{ID: "health", Domain: &none}, privacy.SetCategory{ID: "weather", Domain: &domain}},
			check: func(p *privacy.Policy) bool {
				a, _ := p.Category("health")
				b, _ := p.Category("weather")
				return a.Domain == "" && b.Domain == "work"
			},
		},
		"no domain": {edits: []privacy.Edit{privacy.SetCategory{ID: "weather", Domain: &none}, privacy.SetCategory{ID: "health", Domain: &none}}, deletes: true, check: func(p *privacy.Policy) bool {
			a, _ := p.Category("health")
			b, _ := p.Category("weather")
			return a.Domain == "" && b.Domain == ""
		}},
		"all of a category": {
			edits: []privacy.Edit{privacy.SetCategory{ID: "health", Name: &text, Level: &level, Domain: &domain, Description: &text, Examples: &examples, Deny: &deny}},
			check: func(p *privacy.Policy) bool {
				c, _ := p.Category("health")
				return cmp.Equal(c, privacy.Category{ID: "health", Name: text, Level: 2, Domain: "work", Description: text, Examples: examples, Deny: deny})
			},
		},
		"deny nobody": {edits: []privacy.Edit{privacy.SetCategory{ID: "health", Deny: &nobody}}, deletes: true, check: func(p *privacy.Policy) bool {
			c, _ := p.Category("health")
			return len(c.Deny) == 0
		}},
		"groups": {
			edits:   []privacy.Edit{privacy.AddGroup{Group: privacy.Group{ID: "far: out", Tier: 4}}, privacy.AddGroup{Group: privacy.Group{ID: "band", Tier: 3, Domain: privacy.AnyDomain, Description: text}}},
			inserts: true,
			check: func(p *privacy.Policy) bool {
				a, _ := p.Group("far: out")
				b, _ := p.Group("band")
				return a.Tier == 4 && b == privacy.Group{ID: "band", Tier: 3, Description: text}
			},
		},
		"set a group": {
			edits: []privacy.Edit{privacy.SetGroup{ID: "team", Tier: &tier, Domain: &every, Description: &text}, privacy.SetGroup{ID: "close", Domain: &life}},
			check: func(p *privacy.Policy) bool {
				a, _ := p.Group("team")
				b, _ := p.Group("close")
				return a == privacy.Group{ID: "team", Tier: 3, Description: text} && b == privacy.Group{ID: "close", Tier: 1, Domain: "life"}
			},
		},
		"remove a group": {
			edits: []privacy.Edit{privacy.SetGroups{Person: "Mum"}, privacy.RemoveGroup{ID: "close"}},
			check: func(p *privacy.Policy) bool { return len(p.Groups()) == 1 && p.Groups()[0].ID == "team" },
		},
		"combinations": {
			edits: []privacy.Edit{
				privacy.AddRule{Rule: privacy.Rule{ID: "the rule", Deny: []privacy.Party{"Bo Berg"}, About: "x"}},
				privacy.AddCombination{ID: "m: 1", Of: []string{"the rule", "health"}, Ceiling: privacy.Label{Level: privacy.L2, Domain: "work"}},
				privacy.AddCombination{Of: []string{"weather", "health"}},
			},
			inserts: true,
			check: func(p *privacy.Policy) bool {
				a, ok := p.Combination("m: 1")
				return ok && len(p.Combinations()) == 2 && a.Rules[0] == "the rule" && a.Ceiling == privacy.Label{Level: privacy.L2, Domain: "work"}
			},
		},
		"a combination comes and goes": {
			edits: []privacy.Edit{
				privacy.AddCombination{ID: "m", Of: []string{"weather", "health"}},
				privacy.AddCombination{ID: "n", Of: []string{"weather", "health"}, Ceiling: privacy.Label{Level: privacy.L1}},
				privacy.RemoveCombination{ID: "n"},
				privacy.RemoveCombination{ID: "m"},
			},
			check: func(p *privacy.Policy) bool { return len(p.Combinations()) == 0 },
		},
		"circles": {
			edits: []privacy.Edit{
				privacy.AddPerson{Person: privacy.Person{Name: "Di"}},
				privacy.JoinCircle{Circle: "choir", People: []string{"Mum", "bo berg", "Mei Lin"}},
				privacy.JoinCircle{Circle: "choir", People: []string{"Di", "Mum"}},
			},
			inserts: true,
			check: func(p *privacy.Policy) bool {
				return cmp.Equal(p.Circles(), []privacy.Circle{{ID: "choir", People: []privacy.PersonID{"mei lin", "bo berg", "di"}}})
			},
		},
		"a circle comes and goes": {
			edits: []privacy.Edit{privacy.JoinCircle{Circle: "choir", People: []string{"Mum", "Bo Berg"}}, privacy.RemoveCircle{ID: "choir"}},
			check: func(p *privacy.Policy) bool { return len(p.Circles()) == 0 },
		},
		"settings": {
			edits: []privacy.Edit{privacy.SetSetting{Key: "ask", Value: "always"}, privacy.SetSetting{Key: "label_margin", Value: "1e-1"}, privacy.SetSetting{Key: "told_by_owner", Value: "ignore"}},
			check: func(p *privacy.Policy) bool {
				s := p.Settings()
				return s.Ask == privacy.AskAlways && s.LabelMargin == 0.1 && s.ToldByOwner == privacy.ToldIgnore
			},
		},
		"a category": {
			edits:   []privacy.Edit{privacy.AddCategory{Category: privacy.Category{ID: "pay", Name: "Pay", Description: text, Examples: examples, Blur: true, BlurText: "busy", Deny: deny}}},
			inserts: true,
			check:   func(p *privacy.Policy) bool { c, ok := p.Category("pay"); return ok && c.Description == text && c.Blur },
		},
	}
	for name, tt := range tests {
		for style, src := range styles() {
			t.Run(name+"/"+style, func(t *testing.T) {
				p := mustParse(t, src)
				got, err := p.Edit(tt.edits...)
				if err != nil {
					t.Fatal(err)
				}
				if !tt.check(got.Policy) {
					t.Errorf("not what was asked for:\n%s", got.Source())
				}
				if replayed, err := got.Apply([]byte(src)); err != nil || !bytes.Equal(replayed, got.Source()) {
					t.Errorf("the splices lead elsewhere: %v", err)
				}
				text := src
				for _, s := range got.Splices {
					gone := strings.TrimSpace(text[s.Start:s.End])
					text = text[:s.Start] + s.Text + text[s.End:]
					if tt.inserts && gone != "" && gone != "[]" && gone != "~" {
						t.Errorf("%+v takes %q away", s, gone)
					}
					if tt.deletes && s.Text != "" {
						t.Errorf("%+v adds something", s)
					}
				}
				if !strings.Contains(string(got.Source()), tt.contains) {
					t.Errorf("no %q in:\n%s", tt.contains, got.Source())
				}
				if strings.Contains(style, "CR LF") && strings.Count(string(got.Source()), "\n") != strings.Count(string(got.Source()), "\r\n") {
					t.Errorf("a bare line feed in:\n%q", got.Source())
				}
				if !tt.inserts {
					return
				}
				for _, comment := range []string{"# the end", "# careful", "# since always", "# nothing here yet", "# always", "# top"} {
					if strings.Contains(src, comment) != strings.Contains(string(got.Source()), comment) {
						t.Errorf("the comment %q is gone:\n%s", comment, got.Source())
					}
				}
			})
		}
	}
}

func groupsAre(who string, want ...privacy.GroupID) func(p *privacy.Policy) bool {
	return func(p *privacy.Policy) bool {
		x, ok := p.Person(who)
		return ok && fmt.Sprint(x.Groups) == fmt.Sprint(want)
	}
}

// TestEditText shows the text that edits leave.
func TestEditText(t *testing.T) {
	p := mustParse(t, editStyles["flow"])
	level := privacy.L2
	got, err := p.Edit(
		privacy.SetGroups{Person: "Mum", Groups: []privacy.GroupID{"close", "team"}},
		privacy.AddAlias{Person: "Bo Berg", Alias: "Bo"},
		privacy.SetCategory{ID: "health", Level: &level},
		privacy.AddRule{Rule: privacy.Rule{Allow: []privacy.Party{"Bo"}, Categories: []privacy.CategoryID{"health"}}},
		privacy.RemovePerson{Person: "Mei Lin"},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := `version: 1   # the format
owner: {name: Ada Byron, aliases: [Ada]}
groups:
  - {id: close, tier: 1, domain: any}   # nearest
  - {id: team, tier: 2, domain: work}
people:
  # Bo comes and goes.
  - {name: Bo Berg, groups: [], aliases: [Bo]}
categories:
  - {id: health, name: Health, level: 2, domain: life, description: body, deny: [$subject]} # careful
  - {id: weather, name: Weather, level: 4, description: "rain"}
rules: # none yet
  - {allow: [Bo], category: health}

removed:
  - {name: Mei Lin, aliases: [Mum, 妈]}
# the end
`
	if diff := cmp.Diff(want, string(got.Source())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEditRefused: what can't be done says where and what to do, and changes nothing.
func TestEditRefused(t *testing.T) {
	const rest = "people:\n- {id: p1, name: Mei Lin, aliases: [Mum], groups: [close]}\n- {name: Bo Berg, groups: []}\n" +
		"categories: [{id: c, name: c, level: 1, description: d, deny: [Mum]}]\nrules:\n- {id: r, allow: [Bo Berg], category: c}\n- {id: s, deny: [\"group:close\"], about: y}\n"
	src := "version: 1\nowner: {name: Ada}\ngroups: [{id: close, tier: 4}]\n" + rest
	text, tier := "a\x00b", privacy.Tier(2)
	tests := map[string]struct {
		edit privacy.Edit
		want string
	}{
		"nobody":            {privacy.AddAlias{Person: "Eve", Alias: "E"}, `"Eve" is nobody`},
		"alias of another":  {privacy.AddAlias{Person: "Mum", Alias: "bo  berg"}, "is a name of Bo Berg"},
		"alias of owner":    {privacy.AddAlias{Person: "Mum", Alias: "Ada"}, "names both the owner"},
		"invisible alias":   {privacy.AddAlias{Person: "Mum", Alias: "\u200b"}, "nothing of the name"},
		"no such group":     {privacy.SetGroups{Person: "Mum", Groups: []privacy.GroupID{"far"}}, `group "far" isn't there`},
		"person twice":      {privacy.AddPerson{Person: privacy.Person{Name: "MUM"}}, "is a name of Mei Lin"},
		"still denied":      {privacy.RemovePerson{Person: "Mum"}, `deny of category "c" names Mei Lin`},
		"still allowed":     {privacy.RemovePerson{Person: "Bo Berg"}, "rule \"r\" names Bo Berg (`epagent policy remove-rule r`)"},
		"no such rule":      {privacy.RemoveRule{ID: "q"}, `no rule "q"`},
		"rule twice":        {privacy.AddRule{Rule: privacy.Rule{ID: "r", Deny: []privacy.Party{"Mum"}, About: "x"}}, `rule "r" is there`},
		"rule for nobody":   {privacy.AddRule{Rule: privacy.Rule{About: "x"}}, "neither allows nor denies"},
		"rule for all":      {privacy.AddRule{Rule: privacy.Rule{Deny: []privacy.Party{"Mum"}}}, "no condition"},
		"rule about both":   {privacy.AddRule{Rule: privacy.Rule{Deny: []privacy.Party{"Mum"}, Allow: []privacy.Party{"Mum"}, About: "x"}}, "both allows and denies"},
		"no such category":  {privacy.SetCategory{ID: "d"}, `category "d" isn't there`},
		"control character": {privacy.SetCategory{ID: "c", Description: &text}, "control character"},
		"category twice":    {privacy.AddCategory{Category: privacy.Category{ID: "c", Name: "c"}}, `category "c" is there`},
		"not as asked":      {privacy.AddPerson{Person: privacy.Person{Name: "Di", Groups: []privacy.GroupID{"close", "close"}}}, "would change something else"},
		"group in use":      {privacy.RemoveGroup{ID: "close"}, `group "close" is in use: Mei Lin, rule s`},
		"no group":          {privacy.RemoveGroup{ID: "far"}, `group "far" isn't there`},
		"set no group":      {privacy.SetGroup{ID: "far", Description: &text}, `group "far" isn't there`},
		"group twice":       {privacy.AddGroup{Group: privacy.Group{ID: "close", Tier: 4}}, `group "close" is there`},
		"group everywhere":  {privacy.AddGroup{Group: privacy.Group{ID: "g", Tier: 2}}, `has no domain`},
		"closer everywhere": {privacy.SetGroup{ID: "close", Tier: &tier}, `has no domain`},
		"no tier":           {privacy.AddGroup{Group: privacy.Group{ID: "g", Tier: 7}}, `tier`},
		"combine one":       {privacy.AddCombination{Of: []string{"c"}}, "fewer than two parts"},
		"combine nothing":   {privacy.AddCombination{Of: []string{"c", "x"}}, `"x" is no category`},
		"combine twice":     {privacy.AddCombination{Of: []string{"c", "c"}}, `"c" twice`},
		"no combination":    {privacy.RemoveCombination{ID: "m"}, `no combination "m"`},
		"circle of one":     {privacy.JoinCircle{Circle: "o", People: []string{"Mum", "p1"}}, "fewer than two people"},
		"circle of nobody":  {privacy.JoinCircle{Circle: "o", People: []string{"Mum", "Eve"}}, `"Eve" is nobody`},
		"no circle":         {privacy.RemoveCircle{ID: "o"}, `no circle "o"`},
		"no setting":        {privacy.SetSetting{Key: "told", Value: "ask"}, `no setting "told"`},
		"bad setting":       {privacy.SetSetting{Key: "ask", Value: "sometimes"}, `ask of settings is "sometimes"`},
		"bad share":         {privacy.SetSetting{Key: "label_margin", Value: "NaN"}, `label_margin is "NaN"`},
		"bad level":         {privacy.AddCategory{Category: privacy.Category{ID: "d", Name: "d", Level: 9}}, "level of category"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := mustParse(t, src)
			got, err := p.Edit(tt.edit)
			var refused *privacy.EditError
			if got != nil || !errors.As(err, &refused) || !errors.Is(err, privacy.ErrEdit) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v, %v; want %q", got, err, tt.want)
			}
			for _, problem := range refused.Problems {
				if problem.Remedy == "" || problem.File == "" || problem.Severity != privacy.SeverityError {
					t.Errorf("%+v", problem)
				}
			}
			if string(p.Source()) != src {
				t.Error("the policy has changed")
			}
		})
	}
}

// TestEditKeepsIDs: the id of somebody removed stays reserved, since old marks may
// refer to them by it.
func TestEditKeepsIDs(t *testing.T) {
	p := mustParse(t, "version: 1\nowner: {name: Ada}\npeople: [{id: p1, name: Mei Lin, aliases: [Mum], groups: []}]\n")
	got, err := p.Edit(privacy.RemovePerson{Person: "Mum"})
	if err != nil {
		t.Fatal(err)
	}
	want := []privacy.RemovedPerson{{Name: "Mei Lin", Aliases: []string{"Mum", "p1"}}}
	if diff := cmp.Diff(want, got.Policy.Removed()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := got.Policy.Edit(privacy.AddPerson{Person: privacy.Person{Name: "P1"}}); err == nil {
		t.Error("somebody new takes the id")
	}
}

// TestEditAnything: whatever names and texts an edit brings, it does what was
// asked or is refused, and the old text is there still outside of the splices.
func TestEditAnything(t *testing.T) {
	all := styles()
	var names []string
	for name := range all {
		names = append(names, name)
	}
	rapid.Check(t, func(t *rapid.T) {
		src := all[rapid.SampledFrom(names).Draw(t, "style")]
		p, err := privacy.Parse("p", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z:#\-{}\[\],&*!|>'"%@ \\\n]{1,12}`)).Draw(t, "text")
		var edit privacy.Edit
		switch rapid.IntRange(0, 7).Draw(t, "kind") {
		case 0:
			edit = privacy.AddPerson{Person: privacy.Person{Name: text, Note: text, Aliases: []string{text + "x"}}}
		case 1:
			edit = privacy.AddAlias{Person: "Bo Berg", Alias: text}
		case 2:
			edit = privacy.AddRule{Rule: privacy.Rule{Deny: []privacy.Party{"Mum"}, About: text, Fact: privacy.FactID(text)}}
		case 3:
			edit = privacy.SetCategory{ID: "health", Description: &text}
		case 4:
			edit = privacy.AddGroup{Group: privacy.Group{ID: privacy.GroupID(text), Tier: 4, Description: text}}
		case 5:
			edit = privacy.AddCombination{ID: text, Of: []string{"health", "weather"}}
		case 6:
			edit = privacy.JoinCircle{Circle: text, People: []string{"Mum", "Bo Berg"}}
		default:
			edit = privacy.AddCategory{Category: privacy.Category{ID: "new", Name: text, Examples: []string{text, text}}}
		}
		got, err := p.Edit(edit)
		if err != nil {
			return
		}
		if replayed, err := got.Apply([]byte(src)); err != nil || !bytes.Equal(replayed, got.Source()) {
			t.Fatalf("the splices lead elsewhere: %v", err)
		}
		s := string(got.Source())
		found := false
		if c, ok := got.Policy.Category("health"); ok && c.Description == text {
			found = true
		}
		for _, x := range got.Policy.People() {
			found = found || x.Name == text || len(x.Aliases) > 0 && x.Aliases[len(x.Aliases)-1] == text
		}
		for _, r := range got.Policy.Rules() {
			found = found || r.About == text
		}
		if c, ok := got.Policy.Category("new"); ok && c.Name == text {
			found = true
		}
		_, group := got.Policy.Group(privacy.GroupID(text))
		found = found || group || len(got.Policy.Combinations()) > 0 || len(got.Policy.Circles()) > 0
		if !found {
			t.Fatalf("%q isn't there in:\n%s", text, s)
		}
	})
}

// FuzzEdit: on any policy that loads, an edit is refused or done, never a panic,
// and the splices are all that differs.
func FuzzEdit(f *testing.F) {
	for _, src := range styles() {
		f.Add([]byte(src), "Bo")
	}
	f.Add([]byte(goodPolicy), "x: [")
	f.Add([]byte("owner: {name: A}\npeople: [{name: B, groups: }]\nrules:\n"), "C")
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		p, err := privacy.Parse("fuzz", src)
		if err != nil {
			return
		}
		edits := []privacy.Edit{privacy.AddPerson{Person: privacy.Person{Name: text}}}
		for _, x := range p.People() {
			edits = append(edits,
				privacy.AddAlias{Person: x.Name, Alias: text}, privacy.SetGroups{Person: x.Name},
				privacy.RemovePerson{Person: x.Name},
				privacy.AddRule{Rule: privacy.Rule{Deny: []privacy.Party{privacy.Party(x.Name)}, About: text}})
		}
		for _, c := range p.Categories() {
			none := privacy.Domain("")
			edits = append(edits, privacy.SetCategory{ID: c.ID, Description: &text, Domain: &none})
		}
		for _, edit := range edits[:min(len(edits), 8)] {
			got, err := p.Edit(edit)
			if err != nil {
				if !errors.Is(err, privacy.ErrEdit) {
					t.Fatalf("%T: %v", edit, err)
				}
				continue
			}
			if replayed, err := got.Apply(src); err != nil || !bytes.Equal(replayed, got.Source()) {
				t.Fatalf("%T: the splices lead elsewhere: %v", edit, err)
			}
		}
	})
}
