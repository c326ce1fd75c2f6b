package privacy_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
)

const testedPolicy = `version: 1
owner: {name: Ada}
groups:
  - {id: close, tier: 1, domain: any}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Mum Berg, aliases: [Mum], groups: [close]}
  - {name: Fay Lee, aliases: [Fay], groups: [friends]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: d}
  - {id: trip, name: Trips, level: 3, domain: life, description: d}
  - {id: home, name: Home, level: 3, domain: life, description: d}
  - {id: food, name: Food, level: 4, description: d}
rules:
  - {id: boxes, allow: [Fay], about: boxes}
  - {id: lent, allow: [Fay], category: health, until: 2027-01-31}
combinations: [{id: empty, of: [trip, home], level: 1}]
`

func TestPolicyTests(t *testing.T) {
	p := mustParse(t, testedPolicy)
	base := privacy.Fact{ID: "stored", Categories: []privacy.CategoryID{"health"}, Truth: privacy.Real, Trusted: true, Link: privacy.LinkConfirmed, Event: "e"}
	other := base
	other.ID, other.Whitelist = "other", []privacy.Party{"Fay"}
	facts := []privacy.Fact{base, other}
	now := time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)
	tests := map[string]struct{ src, got string }{
		"allowed":            {"{fact: {categories: [food]}, to: Fay, expect: allow, reason: default}", ""},
		"denied":             {"{fact: {categories: health}, to: Fay, expect: deny, reason: deeper}", ""},
		"wrong verdict":      {"{fact: {categories: [health]}, to: Fay, expect: allow}", "deny, deeper"},
		"wrong reason":       {"{fact: {categories: [health]}, to: Fay, expect: deny, reason: level0}", "deny, deeper"},
		"two read it":        {"{fact: {categories: [health]}, to: [Mum, Fay], expect: deny}", ""},
		"both may":           {"{fact: {categories: [trip]}, to: [Mum, Fay], expect: allow}", ""},
		"a stranger":         {"{fact: {categories: [trip]}, to: $anyone, expect: deny, reason: cross_domain}", ""},
		"the owner":          {"{fact: {label: L0}, to: $owner, expect: allow, reason: owner}", ""},
		"whitelist":          {"{fact: {categories: [health], whitelist: [Fay]}, to: Fay, expect: allow, reason: whitelisted}", ""},
		"blacklist":          {"{fact: {categories: [food], blacklist: [\"group:friends\"]}, to: Fay, expect: deny, reason: blacklisted}", ""},
		"closed":             {"{fact: {categories: [food], closed: true}, to: Mum, expect: deny, reason: closed}", ""},
		"reserved":           {"{fact: {categories: [food], reserved: Mum}, to: Mum, expect: deny, reason: reserved}", ""},
		"label":              {"{fact: {categories: [food], label: L1/life}, to: Fay, expect: deny, reason: deeper}", ""},
		"rule":               {"{fact: {categories: [health], about: [boxes]}, to: Fay, expect: allow, reason: whitelisted}", ""},
		"not by its name":    {"{fact: {categories: [health], about: [bags]}, to: Fay, expect: deny}", ""},
		"together":           {"{facts: [{categories: [food]}, {categories: [health]}], together: true, to: Fay, expect: deny, reason: deeper}", ""},
		"together, two":      {"{facts: [{categories: [food]}, {categories: [health]}], together: true, to: [Mum, Fay], expect: deny, reason: deeper}", ""},
		"together, allowed":  {"{facts: [{categories: [food]}, {categories: [health]}], together: true, to: [Mum], expect: allow}", ""},
		"side by side":       {"{facts: [{categories: [food]}, {categories: [trip]}], to: Fay, expect: allow}", ""},
		"mosaic":             {"{facts: [{categories: [trip]}, {categories: [home]}], to: Fay, expect: deny, reason: combination}", ""},
		"mosaic, told":       {"{fact: {categories: [trip]}, told: [{categories: [home]}], to: Fay, expect: deny, reason: combination}", ""},
		"mosaic, passed":     {"{fact: {categories: [trip]}, told: [{categories: [home]}], to: Mum, expect: allow}", ""},
		"stored":             {"{id: stored, to: Mum, expect: allow, reason: default}", ""},
		"stored, lent":       {"{id: stored, to: Fay, expect: allow, reason: whitelisted}", ""},
		"lent to a new one":  {"{fact: {categories: [health], event: e}, to: Fay, expect: allow, reason: whitelisted}", ""},
		"lent beside a new":  {"{facts: [stored, {categories: [food]}], to: Fay, expect: allow}", ""},
		"cover lends not":    {"{facts: [{categories: [health], event: x}, {categories: [food], event: x, whitelist: [Fay], truth: cover}], to: Fay, expect: deny}", ""},
		"unknown person":     {"{id: stored, to: Eve, expect: deny}", "the test can't be run"},
		"first name":         {"{id: stored, to: fay lee, expect: allow}", ""},
		"look-alike":         {"{id: stored, to: Fаy, expect: deny}", "the test can't be run"},
		"unknown category":   {"{fact: {categories: [money]}, to: Mum, expect: deny}", "the test can't be run"},
		"unknown fact":       {"{id: gone, to: Mum, expect: deny}", "the test can't be run"},
		"unknown in a list":  {"{fact: {categories: [food], blacklist: [Eve]}, to: Mum, expect: deny}", "the test can't be run"},
		"unknown mention":    {"{fact: {categories: [food], mentions: [Eve]}, to: Mum, expect: deny}", "the test can't be run"},
		"unknown in told":    {"{fact: {categories: [food]}, told: [{categories: [x]}], to: Mum, expect: allow}", "the test can't be run"},
		"unknown told rule":  {"{fact: {categories: [food]}, told: [{rules: [x]}], to: Mum, expect: allow}", "the test can't be run"},
		"ended rule is over": {"{fact: {categories: [health], about: x}, to: Fay, expect: deny, reason: deeper}", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			suite, err := privacy.ParseTests("policy.test.yaml", []byte("# ours\ntests:\n- "+tt.src+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			results := suite.Run(p, facts, now)
			if len(results) != 1 || suite.Len() != 1 {
				t.Fatalf("%d results", len(results))
			}
			r := results[0]
			if r.Pass != (tt.got == "") || !r.Pass && r.Got != tt.got {
				t.Errorf("want %q:\n%s", tt.got, r)
			}
			if r.Line != 3 || r.File != "policy.test.yaml" || r.Name != "test 1" || len(r.Detail) == 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestPolicyTestDiff shows what a failure looks like.
func TestPolicyTestDiff(t *testing.T) {
	suite, err := privacy.ParseTests("t.yaml", []byte(`tests:
  - name: friends hear of trips
    facts: [{categories: [trip]}, {categories: [health]}]
    to: [Mum, Fay]
    expect: allow
`))
	if err != nil {
		t.Fatal(err)
	}
	got := suite.Run(mustParse(t, testedPolicy), nil, time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC))[0].String()
	want := `FAIL  friends hear of trips
      t.yaml:2
      - allow
      + deny, deeper
        fact 1, label L3/life: allow, default
          for Mum alone: allow, default
          for Fay alone: allow, default
        fact 2, label L1/life: deny, deeper
          for Mum alone: allow, default
          for Fay alone: deny, deeper`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestParseTestsFaults(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"empty":           {"", "empty"},
		"no tests":        {"tests: []", "no tests"},
		"no list":         {"tests: {}", "not a list"},
		"unknown key":     {"tests: [{id: f, to: A, expect: allow, who: B}]", `unknown key "who"`},
		"nothing":         {"tests: [{to: A, expect: allow}]", "not exactly one thing to judge"},
		"two things":      {"tests: [{id: f, fact: {categories: [c]}, to: A, expect: allow}]", "not exactly one thing to judge"},
		"no facts":        {"tests: [{facts: [], to: A, expect: allow}]", "not exactly one thing to judge"},
		"nobody":          {"tests: [{id: f, expect: allow}]", "no recipient"},
		"empty list":      {"tests: [{id: f, to: [], expect: allow}]", "no recipient"},
		"no verdict":      {"tests: [{id: f, to: A}]", "no expect"},
		"bad verdict":     {"tests: [{id: f, to: A, expect: maybe}]", `expect of test 1 is "maybe"`},
		"bad reason":      {"tests: [{id: f, to: A, expect: deny, reason: because}]", `reason of test 1 is "because"`},
		"reason at odds":  {"tests: [{id: f, to: A, expect: deny, reason: whitelisted}]", "never a reason"},
		"alone together":  {"tests: [{id: f, together: true, to: A, expect: deny}]", "nothing to join"},
		"unit and mosaic": {"tests: [{facts: [f, g], told: [{categories: [c]}], together: true, to: A, expect: deny}]", "a unit and for a combination"},
		"bare fact":       {"tests: [{fact: {closed: true}, to: A, expect: deny}]", "neither category nor label"},
		"bad label":       {"tests: [{fact: {label: 2}, to: A, expect: deny}]", "not text"},
		"no such label":   {"tests: [{fact: {label: L5}, to: A, expect: deny}]", "no label"},
		"bad truth":       {"tests: [{fact: {categories: c, truth: half}, to: A, expect: deny}]", `is "half"`},
		"unknown mark":    {"tests: [{fact: {category: c}, to: A, expect: deny}]", `unknown key "category"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			suite, err := privacy.ParseTests("t", []byte(tt.src))
			var faults *privacy.PolicyError
			if suite != nil || !errors.As(err, &faults) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %v; want %q", err, tt.want)
			}
			for _, problem := range faults.Problems {
				if problem.Remedy == "" {
					t.Errorf("%+v", problem)
				}
			}
		})
	}
}

// FuzzParseTests: no input panics, what is refused has faults, and what loads runs.
func FuzzParseTests(f *testing.F) {
	f.Add([]byte("tests:\n- {fact: {categories: [food], label: L2/life, whitelist: [Fay]}, to: [Mum, $anyone], expect: allow, reason: default}\n"))
	f.Add([]byte("tests:\n- name: n\n  facts:\n  - stored\n  - categories: trip\n    mentions: Fay\n    event: e\n  told: [{categories: [home], rules: [boxes]}]\n  to: $owner\n  expect: deny\n"))
	f.Add([]byte("tests: [{facts: [f, g], together: true, to: A, expect: deny}]"))
	p, err := privacy.Parse("p", []byte(testedPolicy))
	if err != nil {
		f.Fatal(err)
	}
	facts := []privacy.Fact{{ID: "stored", Categories: []privacy.CategoryID{"health"}, Event: "e"}, {ID: "$test-0", Event: "e"}}
	f.Fuzz(func(t *testing.T, src []byte) {
		suite, err := privacy.ParseTests("fuzz", src)
		if err != nil {
			var faults *privacy.PolicyError
			if suite != nil || !errors.As(err, &faults) || len(faults.Problems) == 0 {
				t.Fatalf("got %v, %v", suite, err)
			}
			return
		}
		for _, r := range suite.Run(p, facts, time.Time{}) {
			if r.Got == "" || r.Want == "" || r.Name == "" || len(r.Detail) == 0 || r.String() == "" {
				t.Errorf("%+v", r)
			}
		}
	})
}
