package lexical

import (
	"slices"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, tt := range []struct {
		text          string
		bare, spelled []string
	}{
		{"84,000 euros at 09:30", []string{"84", "0", "9", "30"}, nil},
		{"two dogs, drei Katzen and twelve eggs", nil, []string{"2", "3", "12"}},
		{"我有两个孩子，十点见", nil, []string{"2", "10"}},
		{"０３ rooms", []string{"3"}, nil},
		{"none", nil, nil},
	} {
		if got := Numbers(tt.text, false); !slices.Equal(got, tt.bare) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.bare)
		}
		for _, n := range slices.Concat(tt.bare, tt.spelled) {
			if got := Numbers(tt.text, true); !slices.Contains(got, n) {
				t.Errorf("%q: %v lacks %s", tt.text, got, n)
			}
		}
	}
}

func TestCapitals(t *testing.T) {
	for text, want := range map[string][]string{
		"Berta moved to New York in May.":                                      {"berta", "new", "york"},
		"The doctor met Anna-Lena Østerby":                                     {"anna", "lena", fold("Østerby")},
		"Die Ärztin hat einen Termin und das ist gut so, weil Ines krank ist.": nil,
		"我在北京":       nil,
		"I am on TV": {"tv"},
	} {
		if got := Capitals(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
