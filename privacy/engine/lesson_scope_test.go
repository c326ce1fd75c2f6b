package engine_test

import (
	"slices"
	"testing"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

func TestScope(t *testing.T) {
	policy := func(categories string) *privacy.Policy {
		t.Helper()
		p, err := privacy.Parse("policy.yaml", []byte("version: 1\nowner: {name: Ines Falk}\ndomains: [life]\ncategories:\n"+categories))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	health := "  - {id: health, name: Health, level: 1, domain: life, description: \"Illness, doctors, medicine, surgery, pain\"}\n"
	family := "  - {id: family, name: Family, level: 2, domain: life, description: \"Parents, relatives, their health and illness\"}\n"
	odd := "  - {id: odd, name: Ointments, level: 1, domain: life, description: \"Salves of all kinds\"}\n"
	ill := "  - {id: ill, name: Illness, level: 1, domain: life}\n"
	was := policy(health + family + odd)
	for _, c := range []struct {
		name   string
		kind   engine.LessonKind
		term   string
		scope  []privacy.CategoryID
		was    string
		now    string
		beyond []privacy.CategoryID
	}{
		{"the same", engine.LessonWord, "quillwork", []privacy.CategoryID{"health"}, health + family + odd, health + family + odd, nil},
		{"another one goes", engine.LessonWord, "quillwork", []privacy.CategoryID{"health"}, health + family + odd, health + odd, nil},
		{"it comes to another", engine.LessonWord, "quillwork", []privacy.CategoryID{"health"}, health + family + odd, family + odd, []privacy.CategoryID{"family"}},
		{"not of it", engine.LessonNoWord, "doctor", []privacy.CategoryID{"health"}, health + family + odd, family + odd, []privacy.CategoryID{"family"}},
		{"none is left", engine.LessonWord, "quillwork", []privacy.CategoryID{"health"}, health + family + odd, odd, nil},
		{"a heading", engine.LessonHeading, "ointments", []privacy.CategoryID{"ill", "odd"}, ill + odd, ill + odd, nil},
		{"a heading that finds another", engine.LessonHeading, "ointments", []privacy.CategoryID{"ill", "odd"},
			ill + odd, ill + "  - {id: other, name: Ointments, level: 3, domain: life}\n", []privacy.CategoryID{"other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := engine.Lesson{Kind: c.kind, Lang: "en", Term: c.term, Of: "health"}
			l := plain.Within(policy(c.was))
			if got := l.Scope.Categories(); !slices.Equal(got, c.scope) {
				t.Errorf("approved for %v, want %v", got, c.scope)
			}
			if l.Key() != plain.Key() {
				t.Error("the scope is part of what it says")
			}
			now := policy(c.now)
			if got := l.Outgrown(now); !slices.Equal(got, c.beyond) {
				t.Errorf("beyond it: %v, want %v", got, c.beyond)
			}
			if got := plain.Outgrown(now); len(got) > 0 {
				t.Errorf("bound to nothing, and beyond it: %v", got)
			}
		})
	}
	sign := engine.Lesson{Kind: engine.LessonSign, Lang: "en", Term: "amount", Of: "health"}
	if got := sign.Within(was); got.Scope != "" {
		t.Errorf("a sign is bound to %v", got.Scope.Categories())
	}
}
