package lexical_test

import (
	"testing"

	"github.com/epagent/epagent/memory/lexical"
)

// TestShortQuestions: one word that another language has as well makes no language.
func TestShortQuestions(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"dentist in Assen on 9 June", "en"},
		{"Did he see me on Friday?", "en"},
		{"ferry on Sunday", "en"},
		{"La Paz", "en"},
		{"El Hierro in July", "en"},
		{"Wo wohnt Ines?", "de"},
		{"Ist sie krank?", "de"},
		{"Wann fährt der Zug?", "de"},
		{"Missä hän asuu?", "fi"},
		{"Où est la gare et quand part le train ?", "fr"},
		{"Waar woont Ines?", "nl"},
		{"她住在哪里？", "zh"},
		{"", "en"},
	} {
		if got := lexical.Language(tt.text); got != tt.want {
			t.Errorf("Language(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
