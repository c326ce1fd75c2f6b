package memory_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
)

// What somebody says of themselves is a fact, whatever the language of the talk around
// it, and also where it is glued to a word about who may know.
func TestExtractEveryStatement(t *testing.T) {
	for _, tt := range []struct {
		say  string
		want []string
	}{
		{"Tell nobody, but I pay 900 euros for the flat.", []string{"Ines pays 900 euros for the flat."}},
		{"Please tell no one, but I sold the boat.", []string{"Ines sold the boat."}},
		{"Let nobody know: I failed the exam in Ghent.", []string{"Ines failed the exam in Ghent."}},
		{"Say nothing to Bo, I bought a guitar in Ghent.", []string{"Ines bought a guitar in Ghent."}},
		{"Don't repeat this, but my boss is leaving the firm.", []string{"Ines's boss is leaving the firm."}},
		{"I sold the boat, but tell nobody.", []string{"Ines sold the boat."}},
		{"Never mention Bo to my aunt.", nil},
		{"Tell nobody!", nil},
		{"Say nothing.", nil},
		{"Ich lebe jetzt in Wien.", []string{"Ines: Ich lebe jetzt in Wien."}},
		{"Wir haben ein Boot gekauft.", []string{"Ines: Wir haben ein Boot gekauft."}},
		{"Das war gut.", nil},
		{"Ich auch nicht.", nil},
	} {
		t.Run(tt.say, func(t *testing.T) {
			s := dialogue("Tomas", memory.Turn{Text: "I was at the library with my sister yesterday and we had a look at the new books."}, memory.Turn{Text: tt.say})
			var texts []string
			for _, r := range extract(t, s, memory.ExtractOptions{Owner: "Ines", OwnerKnown: true}) {
				if slices.Contains(r.Evidence, s.Turns[1].ID) {
					texts = append(texts, r.Text)
				}
			}
			if diff := cmp.Diff(tt.want, texts); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
