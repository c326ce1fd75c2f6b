package evolve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

func TestWordTerms(t *testing.T) {
	names := map[string]bool{"ines": true, "falk": true}
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"English", "I had bodywork at the clinic on Monday.", []string{"bodywork", "clinic"}},
		{"a name of the policy, in small letters", "met falk at the clinic", []string{"clinic", "met"}},
		{"words that say little", "Yesterday I took something new to the clinic", []string{"clinic"}},
		{"Chinese", "复查积水", []string{"复查", "复查积", "查积", "查积水", "积水"}},
		{"Chinese words that say little", "喜欢", nil},
		{"what looks like a Chinese name", "王小美", nil},
		{"how people are called", "阿珍", nil},
		{"numbers", "12 34", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, sortedKeys(wordTerms(tt.text, names)), cmp.Comparer(func(a, b []string) bool { return slices.Equal(a, b) })); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A piece of a word has always the rest of it beside it.
func TestStandsAlone(t *testing.T) {
	texts := []string{"我在医院复查。", "明天去复查膝盖", "下个月复查眼睛", "礼拜天复诊", "礼拜天休息"}
	for term, want := range map[string]bool{"复查": true, "拜天": false, "礼拜": false, "礼拜天": true, "没有": false} {
		if got := standsAlone(term, texts); got != want {
			t.Errorf("%s: %v, want %v", term, got, want)
		}
	}
}

// What the owner writes with a capital somewhere is a name where it is written small.
func TestCapitalsElsewhere(t *testing.T) {
	p, err := privacy.Parse("policy.yaml", []byte(`
owner: {name: Ines}
categories:
  - {id: health, name: Health, level: 1}
  - {id: club, name: Hobbies and the rowing club, level: 4}
`))
	if err != nil {
		t.Fatal(err)
	}
	m := Material{Policy: p, Budget: 20}
	for i, text := range []string{"bodywork with kowalski", "kowalski did bodywork", "more bodywork from kowalski after rowing", "I wrote to Kowalski about the rowing"} {
		f := LabelledFact{Fact: memory.Fact{Record: privacy.Record{ID: privacy.FactID(rune('a' + i)), Text: text}}, Categories: []privacy.CategoryID{"health"}}
		m.Facts = append(m.Facts, f)
	}
	l := newLearner(&m)
	for i := range l.all {
		if l.all[i].terms["kowalski"] {
			t.Errorf("a name may be learned from %q", l.all[i].text)
		}
	}
	if !l.elsewhere("rowing", "health") || l.elsewhere("bodywork", "health") {
		t.Error("words of other categories")
	}
}

// wrongly is material of one home in which each text was wrong, and should be of health.
func wrongly(t *testing.T, texts ...string) Material {
	t.Helper()
	p, err := privacy.Parse("policy.yaml", []byte(`
owner: {name: Ines}
categories:
  - {id: health, name: Health, level: 1, description: "Illness and doctors"}
  - {id: baby, name: Intimate health, level: 1, description: "Fertility, pregnancy"}
  - {id: club, name: Hobbies, level: 4}
`))
	if err != nil {
		t.Fatal(err)
	}
	m := Material{Policy: p, Budget: 40}
	for i, text := range texts {
		fact := memory.Fact{Record: privacy.Record{ID: privacy.FactID(fmt.Sprintf("f%d", i)), Text: text, OwnerSaid: true}}
		m.Facts = append(m.Facts, LabelledFact{Fact: fact})
		m.Findings = append(m.Findings, Finding{
			Feedback: int64(i + 1), Kind: "wrong-category", Stage: prompts.StageAnnotate, Language: "en",
			Trace: &Trace{Fact: &fact, Right: Right{Categories: []privacy.CategoryID{"health"}}},
		})
	}
	return m
}

func lessonsOf(t *testing.T, m Material, kind engine.LessonKind) map[string]string {
	t.Helper()
	list, err := NewRuleProposer().Propose(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, s := range list {
		if s.Lesson != nil && s.Lesson.Kind == kind {
			out[s.Lesson.Term] += s.Lesson.Of
		}
	}
	return out
}

// More that is right doesn't end the learning: where all is of one theme, there is
// nothing to tell a word from. A theme that another category has as well isn't meant.
func TestWordsOfOneTheme(t *testing.T) {
	few := []string{"The audiologist called.", "I went to the audiologist.", "My audiologist has a dog."}
	more := append(slices.Clone(few), "The periodontist called.", "I went to the periodontist.", "My periodontist has a cat.")
	for _, texts := range [][]string{few, more} {
		got := lessonsOf(t, wrongly(t, texts...), engine.LessonWord)
		if got["audiologist"] != "health" || len(texts) > 3 && got["periodontist"] != "health" {
			t.Errorf("of %d facts: %q", len(texts), got)
		}
	}
}

// A word that speaks of a theme already is no heading for another.
func TestHeadingsOfOtherThemes(t *testing.T) {
	l := learner{homes: 1}
	for _, name := range []string{"Family", "Oddments"} {
		s := shelf{category: privacy.Category{ID: privacy.CategoryID(name), Name: name}, language: "en"}
		for i := range 4 {
			s.facts = append(s.facts, &statement{language: "en", text: "We rent a flat and the landlord wants more."})
			s.wrong = append(s.wrong, int64(i+1))
			l.all = append(l.all, *s.facts[i])
		}
		l.shelves = append(l.shelves, s)
	}
	l.all = append(l.all, statement{language: "en", text: "I sang."}, statement{language: "en", text: "It rained."})
	for _, s := range l.headings("en") {
		if s.lesson.Term == "family" {
			t.Errorf("%+v", s.lesson)
		}
	}
}

func TestCalled(t *testing.T) {
	for name, want := range map[string]string{"Ines's reiki teacher": "Ines's", "kowalski99": "kowalski99", "my brother": "", "王小明": "王小明", "Anna Maria": "Anna Maria"} {
		if got := called(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
