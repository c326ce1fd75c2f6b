package lexical_test

import (
	"testing"

	"github.com/epagent/epagent/memory/lexical"
)

// TestIndexFindsForms: a text is found by other forms of its words in its own
// language, and by names whatever the language of the question.
func TestIndexFindsForms(t *testing.T) {
	c := lexical.NewCorpus()
	for i, text := range []string{
		"Mia war am Freitag nach ihren beiden Operationen noch im Krankenhaus.",
		"Elle a acheté des voitures rouges pour les enfants et pour ses cousins dans la ville.",
		"Mia bought a red bicycle for the children.",
		"Die Häuser in der Straße sind alle neu und nicht mehr bewohnt.",
		"我们上周搬到了北京。",
	} {
		c.Add(lexical.Document{Key: string(rune('a' + i)), Terms: lexical.IndexTerms(text), Session: string(rune('a' + i))})
	}
	c.Settle()
	for _, tt := range []struct {
		question string
		want     int
	}{
		{"Welche Operation hatte sie?", 0}, {"voiture rouge", 1}, {"bicycles", 2}, {"Haus", 3}, {"搬到北京", 4}, {"ein Fahrrad, bicycle?", 2},
	} {
		s := c.Score(lexical.ReadQuestion(tt.question), nil, lexical.DefaultWeights)
		for i := range c.Len() {
			if found := s.Words[i] > 0; found != (i == tt.want) {
				t.Errorf("%q: document %d found %v", tt.question, i, found)
			}
		}
	}
}
