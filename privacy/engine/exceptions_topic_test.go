package engine_test

import (
	"slices"
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// TestPermissionForSomethingElse: a permission that says what it is for opens that
// and nothing that stands beside it.
func TestPermissionForSomethingElse(t *testing.T) {
	p, err := privacy.Parse("p", []byte(`version: 1
owner: {name: Ines, aliases: [Ines Falk]}
groups: [{id: team, tier: 2, domain: work}, {id: kin, tier: 2, domain: life}]
people: [{name: Priya, groups: [team]}, {name: Mei, aliases: [Mum, 妈妈], groups: [kin]}]
categories: [{id: health, name: Health, level: 1, domain: life, description: d}]
`))
	if err != nil {
		t.Fatal(err)
	}
	for said, tt := range map[string]struct {
		fact    string
		granted bool
	}{
		"I have diabetes. You can tell Mum about the garden.":          {"I have diabetes.", false},
		"I have diabetes. Mum can know about the pilot date.":          {"I have diabetes.", false},
		"I take insulin. It's fine to tell Mum about the new kitchen.": {"I take insulin.", false},
		"I had a miscarriage. Mum may know the date of the party.":     {"I had a miscarriage.", false},
		"I have diabetes. You can tell Mum about the diabetes.":        {"I have diabetes.", true},
		"I have diabetes. You can tell Mum about it.":                  {"I have diabetes.", true},
		"I have diabetes. You can tell Mum.":                           {"I have diabetes.", true},
		"I have diabetes. Mum can know, of course.":                    {"I have diabetes.", true},
		"我得了糖尿病。你可以告诉妈妈花园的事。":                                          {"我得了糖尿病。", false},
		"我得了糖尿病。花园的事可以告诉妈妈。":                                           {"我得了糖尿病。", false},
		"我得了糖尿病。你可以告诉妈妈。":                                              {"我得了糖尿病。", true},
		"我得了糖尿病。这件事可以告诉妈妈。":                                            {"我得了糖尿病。", true},
		"我得了糖尿病。糖尿病的事可以告诉妈妈。":                                          {"我得了糖尿病。", true},
	} {
		s := engine.Session{ID: "s", Drafts: []privacy.Record{{ID: "f", Text: tt.fact, OwnerSaid: true, Evidence: []string{"t"}}}, Utterances: []engine.Utterance{{ID: "t", Owner: true, Speaker: "Ines", Text: said}}}
		marks, _, err := engine.NewOffline().Exceptions(t.Context(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(marks[0], func(m privacy.Mark) bool { return m.Kind == privacy.MarkWhitelist })
		if got != tt.granted {
			t.Errorf("%s: granted %v: %+v", said, got, marks[0])
		}
		if asked := slices.ContainsFunc(marks[0], func(m privacy.Mark) bool { return m.Kind == privacy.MarkReview }); !tt.granted && !asked {
			t.Errorf("%s: nobody is asked", said)
		}
	}
}
