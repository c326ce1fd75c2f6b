package lexical_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory/lexical"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"stems and stop words", "She was walking her dogs", []string{"walk", "dog"}},
		{"possessive", "Ines’s sister's flat", []string{"ine", "sister", "flat"}},
		{"numbers", "84,000 a year, 0.2% and 3.5 km", []string{"84000", "year", "0.2", "3.5", "km"}},
		{"diacritics", "Malmö, Zoë, Ｚｏｅ", []string{"malmo", "zoe", "zoe"}},
		{"Chinese bigrams, particles cut", "我明天去北京看病了", []string{"明天", "天去", "去北", "北京", "京看", "看病"}},
		{"one character", "猫", []string{"猫"}},
		{"mixed", "周五去IKEA买桌子", []string{"周五", "五去", "ikea", "买桌", "桌子"}},
		{"invisible characters", "Zo\u200be", []string{"zoe"}},
		{"nothing", "  … !", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lexical.Terms(tt.in)); diff != "" {
				t.Errorf("Terms(%q) (-want +got)\n%s", tt.in, diff)
			}
		})
	}
}

func TestTermsMeetAcrossForms(t *testing.T) {
	// What a person types and what the store holds must meet on a term.
	pairs := [][2]string{
		{"operations", "operation"}, {"moved", "moving"}, {"Zoe\u0308", "Zoë"}, {"１２", "12"}, {"Geburtstag", "geburtstag"},
	}
	for _, p := range pairs {
		if a, b := lexical.Terms(p[0]), lexical.Terms(p[1]); !cmp.Equal(a, b) {
			t.Errorf("%q → %v, %q → %v", p[0], a, p[1], b)
		}
	}
}

func TestLanguage(t *testing.T) {
	tests := map[string]string{
		"What is new with Ines?":                  "en",
		"Wo war sie am Wochenende?":               "de",
		"她上周末在哪里？":                                "zh",
		"她下周去IKEA买桌子":                             "zh",
		"二月十四号她在哪个城市? ok":                         "zh",
		"彼女はどこにいますか":                              "ja",
		"Где она была?":                           "ru",
		"والآن بالعربية: مع من سافرت؟":            "ar",
		"Was isst sie eigentlich gern zum Kaffee": "de",
		"où est-elle quand il est dans la ville":  "fr",
		"":        "en",
		"12:30 😀": "en",
	}
	for in, want := range tests {
		if got := lexical.Language(in); got != want {
			t.Errorf("Language(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"I went. He stayed!", []string{"I went.", "He stayed!"}},
		{"Dr. Amaral said 0.2% is fine. OK?", []string{"Dr. Amaral said 0.2% is fine.", "OK?"}},
		{"See example.org. J. Smith comes at 5 p.m. on Friday. Bye", []string{"See example.org.", "J. Smith comes at 5 p.m. on Friday.", "Bye"}},
		{"没事。明天见！好吗？", []string{"没事。", "明天见！", "好吗？"}},
		{"one\ntwo\r\nthree", []string{"one", "two", "three"}},
		{"He said “no.” Then left", []string{"He said “no.”", "Then left"}},
		{"so… no", []string{"so…", "no"}},
		{"", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, lexical.Sentences(tt.in)); diff != "" {
			t.Errorf("Sentences(%q) (-want +got)\n%s", tt.in, diff)
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"A. b. C?!", "没。a.b", "\xff.\n", "Dr. X", "…"} {
		f.Add(s)
	}
	squeeze := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// Bytes on both sides of a cut could join to another character; importers
		// refuse or repair invalid text before it gets here.
		s = strings.ToValidUTF8(s, "\ufffd")
		if got := squeeze(strings.Join(lexical.Sentences(s), "")); got != squeeze(s) {
			t.Fatalf("lost or changed something: %q became %q", squeeze(s), got)
		}
		lexical.Language(s)
		for _, w := range lexical.Terms(s) {
			if w == "" {
				t.Fatal("empty term")
			}
		}
	})
}

func BenchmarkTerms(b *testing.B) {
	const text = "On 11 February 2025 Kitefield offered Ilse the post of lead product designer from 1 April, wanting an answer by 28 February."
	b.ReportAllocs()
	for b.Loop() {
		lexical.Terms(text)
	}
}
