package privacy_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/epagent/epagent/privacy"
)

func TestNormalizeName(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"plain":             {"bo berg", "bo berg"},
		"case":              {"Bo BERG", "bo berg"},
		"white space":       {" Bo\t\u00a0 Berg\u3000", "bo berg"},
		"decomposed":        {"Zoe\u0308", "zoë"},
		"full width":        {"Ｚｏë", "zoë"},
		"sharp s":           {"STRAẞE", "strasse"},
		"final sigma":       {"ΣΟΦΟΣ", "σοφοσ"},
		"zero width space":  {"Zo\u200bë", "zoë"},
		"left-to-right":     {"\u200eZoë", "zoë"},
		"soft hyphen":       {"Zo\u00adë", "zoë"},
		"variation":         {"老\ufe00韩", "老韩"},
		"Mongolian":         {"a\u180eb", "ab"},
		"Hangul filler":     {"\u3164", ""},
		"tags":              {"a\U000E0041", "a"},
		"ligature":          {"ﬁona", "fiona"},
		"half-width kana":   {"ﾊﾅ", "ハナ"},
		"nothing":           {"", ""},
		"only ignorable":    {"\u200b\u200e", ""},
		"only white space":  {" \u3000 ", ""},
		"not UTF-8":         {"Jos\xe9", ""},
		"homoglyph differs": {"Zоë", "zоë"},
	}
	for name, tt := range tests {
		if got := privacy.NormalizeName(tt.in); got != tt.want {
			t.Errorf("%s: %+q gives %+q, want %+q", name, tt.in, got, tt.want)
		}
	}
}

// FuzzNormalizeName: the normal form is a fixed point, and canonically
// equivalent spellings have the same.
func FuzzNormalizeName(f *testing.F) {
	for _, seed := range []string{"Zoë Müller", "Zoe\u0308", "ＺＯＥ", "a\u0345\u0301", "İ", "ǰ", "\u1fb7\u0313", "老 韩", "ΐ", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := privacy.NormalizeName(s)
		if again := privacy.NormalizeName(n); again != n {
			t.Errorf("%+q gives %+q and then %+q", s, n, again)
		}
		if d := privacy.NormalizeName(norm.NFD.String(s)); d != n {
			t.Errorf("%+q gives %+q, decomposed %+q", s, n, d)
		}
		if strings.Contains(n, "  ") || strings.TrimSpace(n) != n {
			t.Errorf("%+q has loose blanks", n)
		}
	})
}

// TestOnePersonManySpellings: each spelling of a blacklisted person is that
// person, and a look-alike is nobody, to whom a blacklist says no as well.
func TestOnePersonManySpellings(t *testing.T) {
	p := mustParse(t, `version: 1
owner: {name: Ilse Brannock, aliases: [Ilse]}
groups: [{id: close, tier: 1, domain: any}]
people: [{name: Zoë Müller, aliases: [ＺＯＥ], groups: [close]}, {name: Corin, groups: [close]}]
categories: [{id: surprise, name: Surprises, level: 4, description: "parties"}]
`)
	judge := privacy.NewJudge(p, []privacy.Fact{
		{ID: "dinner", Categories: []privacy.CategoryID{"surprise"}, Blacklist: []privacy.Party{"Zoë Müller"}},
		{ID: "by-alias", Categories: []privacy.CategoryID{"surprise"}, Blacklist: []privacy.Party{"zoe"}},
	})
	zoe := p.Recipient("Zoë Müller")
	for _, spelling := range []string{
		norm.NFD.String("Zoë Müller"), "zoë  müller", "Ｚｏë Müller", "Zo\u200bë Müller", "\u200eZoë Müller", "ZOË MÜLLER", "zoe",
	} {
		r, err := p.Lookup(spelling)
		if err != nil || r != zoe || p.Recipient(spelling) != zoe {
			t.Errorf("%+q is %q: %v", spelling, r.Name(), err)
		}
		for _, id := range []privacy.FactID{"dinner", "by-alias"} {
			if v := judge.VerdictOf(id, r); v.Allow || v.Reason != privacy.ReasonBlacklisted {
				t.Errorf("%s for %+q: %+v", id, spelling, v)
			}
		}
	}
	for typed, candidate := range map[string]string{
		"Zоë Müller":    "Zoë Müller",    // Cyrillic o
		"Ζoë Müller":    "Zoë Müller",    // Greek Zeta
		"llse":          "Ilse",          // small l for capital I: the owner
		"1lse":          "Ilse",          // one
		"Ilse Вrannock": "Ilse Brannock", // Cyrillic Ve
		"С0rin":         "Corin",         // Cyrillic Es, zero
	} {
		r, err := p.Lookup(typed)
		var confusable *privacy.ConfusableError
		if !errors.As(err, &confusable) || !errors.Is(err, privacy.ErrConfusable) || confusable.Candidate != candidate {
			t.Errorf("%+q: got %v, want it mistaken for %s", typed, err, candidate)
		}
		if r != (privacy.Recipient{}) || p.Recipient(typed) != (privacy.Recipient{}) {
			t.Errorf("%+q is somebody", typed)
		}
		if v := judge.VerdictOf("dinner", p.Recipient(typed)); v.Reason != privacy.ReasonBlacklisted {
			t.Errorf("%+q may know: %+v", typed, v)
		}
	}
	for _, typed := range []string{"Philippa", "Zoe Muller", "李敏"} {
		if r, err := p.Lookup(typed); err != nil || r.Known() {
			t.Errorf("%q: %v %v, want an unknown person", typed, r.Name(), err)
		}
	}
	if _, err := p.Lookup("\u200b "); !errors.Is(err, privacy.ErrEmptyName) {
		t.Errorf("an invisible name: %v", err)
	}
}

// TestOwnerIsNoName: no name makes the owner, and the owner's name makes nobody.
func TestOwnerIsNoName(t *testing.T) {
	p := mustParse(t, goodPolicy)
	judge := privacy.NewJudge(p, []privacy.Fact{{ID: "secret"}})
	for _, name := range []string{"Ada Byron", "ada", "ＡＤＡ", "Old Flame", "", "owner"} {
		r := p.Recipient(name)
		if r != (privacy.Recipient{}) || r.IsOwner() || judge.Verdict(0, r).Allow {
			t.Errorf("%q is somebody", name)
		}
	}
	if r, err := p.Lookup("ADA"); err != nil || r.Known() || r.IsOwner() {
		t.Errorf("the owner's name typed: %v %v", r, err)
	}
	owner := privacy.OwnerPrincipal()
	if !owner.IsOwner() || owner.Known() || owner.Name() != "" || !judge.Verdict(0, owner).Allow {
		t.Error("the owner principal is not the owner")
	}
	if owner.Cap(1, true).IsOwner() || judge.Verdict(0, owner.Cap(1, true)).Allow {
		t.Error("a capped connection of the owner is the owner's")
	}
}
