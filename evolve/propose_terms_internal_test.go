package evolve

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
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
