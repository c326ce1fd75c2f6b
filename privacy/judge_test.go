package privacy_test

import (
	"testing"

	"github.com/epagent/epagent/privacy"
)

const smallPolicy = `version: 1
owner: {name: Owner}
groups:
  - {id: boss, tier: 1, domain: work}
  - {id: family, tier: 2, domain: life}
people:
  - {id: a-1, name: Ann, groups: [boss]}
  - {id: mum, name: Mum, groups: [family]}
categories:
  - {id: open, name: Open, level: 4, description: anything}
  - {id: kin, name: Kin, level: 2, domain: life, description: family}
`

func open(id privacy.FactID) privacy.Fact {
	return privacy.Fact{
		ID: id, Categories: []privacy.CategoryID{"open"}, Truth: privacy.Real, Trusted: true, Link: privacy.LinkConfirmed,
	}
}

// TestUnresolvedEntries: an entry that names nobody grants nothing on a whitelist
// and closes the fact on the other lists.
func TestUnresolvedEntries(t *testing.T) {
	p := mustParse(t, smallPolicy)
	white, black, reserved, group := open("white"), open("black"), open("reserved"), open("group")
	white.Whitelist = []privacy.Party{"Nobody"}
	black.Blacklist, black.Whitelist = []privacy.Party{"Nobody"}, []privacy.Party{"Mum"}
	reserved.Reserved = []privacy.Party{"Nobody"}
	group.Blacklist = []privacy.Party{"group:gone"}
	j := privacy.NewJudge(p, []privacy.Fact{white, black, reserved, group})
	ann, mum := p.Recipient("Ann"), p.Recipient("Mum")
	for id, want := range map[privacy.FactID]privacy.Reason{
		"white": privacy.ReasonDefault, "black": privacy.ReasonClosed,
		"reserved": privacy.ReasonClosed, "group": privacy.ReasonClosed,
	} {
		if got := j.VerdictOf(id, ann); got.Reason != want {
			t.Errorf("%s: got %s, want %s", id, got.Reason, want)
		}
	}
	if got := j.VerdictOf("black", mum); got.Reason != privacy.ReasonWhitelisted {
		t.Errorf("a closed fact's own whitelist: %s", got.Reason)
	}
	if got := j.Explain(1, ann); len(got.Label.Unresolved) != 1 || !got.Label.Closed {
		t.Errorf("explained as %+v", got.Label)
	}
}

// TestDuplicateIDs: of two facts with one id neither is judged, lends or sets a label.
func TestDuplicateIDs(t *testing.T) {
	p := mustParse(t, smallPolicy)
	lender, other := open("twin"), open("other")
	lender.Whitelist, lender.Event, other.Event = []privacy.Party{"Ann"}, "e", "e"
	other.Categories = []privacy.CategoryID{"kin"}
	j := privacy.NewJudge(p, []privacy.Fact{lender, open("twin"), other, open("")})
	ann := p.Recipient("Ann")
	for i, want := range []privacy.Reason{
		privacy.ReasonUnjudged, privacy.ReasonUnjudged, privacy.ReasonCrossDomain, privacy.ReasonUnjudged,
	} {
		if got := j.Verdict(i, ann); got.Allow || got.Reason != want {
			t.Errorf("fact %d: got %+v, want %s", i, got, want)
		}
	}
	if u := j.Unit([]privacy.FactID{"twin", "other"}, ann); u.Ceiling != (privacy.Label{}) || u.Allow {
		t.Errorf("unit: %+v", u)
	}
	if got := j.VerdictOf("twin", privacy.OwnerPrincipal()); !got.Allow {
		t.Errorf("the owner: %+v", got)
	}
}

// TestUnknownFacts: what isn't stored is unjudged, whoever asks.
func TestUnknownFacts(t *testing.T) {
	p := mustParse(t, smallPolicy)
	j := privacy.NewJudge(p, []privacy.Fact{open("f")})
	for _, r := range recipients(p) {
		for _, i := range []int{-1, 1, 1 << 40} {
			if v := j.Verdict(i, r); v != (privacy.Verdict{}) {
				t.Errorf("fact %d: %+v", i, v)
			}
			if j.Label(i) != (privacy.Label{}) || j.CategoryLabel(i) != (privacy.Label{}) || j.ID(i) != "" {
				t.Errorf("fact %d has a label or id", i)
			}
			if v := j.Audience(i, []privacy.Recipient{r}); v.Allow {
				t.Errorf("fact %d for an audience: %+v", i, v)
			}
		}
		if v := j.VerdictOf("g", r); v != (privacy.Verdict{}) {
			t.Errorf("an unknown id: %+v", v)
		}
	}
	none := privacy.NewJudge(nil, []privacy.Fact{open("f")})
	for _, r := range []privacy.Recipient{{}, p.Recipient("Ann")} {
		if v := none.Verdict(0, r); v.Allow {
			t.Errorf("without a policy: %+v", v)
		}
	}
}

// TestOwnWhitelist: what is granted on a fact alone counts there, closed or not,
// and is never lent.
func TestOwnWhitelist(t *testing.T) {
	p := mustParse(t, smallPolicy)
	told, twin, closed := open("told"), open("twin"), open("closed")
	for _, f := range []*privacy.Fact{&told, &twin, &closed} {
		f.Categories, f.Event = []privacy.CategoryID{"kin"}, "e"
	}
	told.OwnWhitelist, closed.OwnWhitelist, closed.Closed = []privacy.Party{"Ann"}, []privacy.Party{"Ann"}, true
	j := privacy.NewJudge(p, []privacy.Fact{told, twin, closed})
	ann := p.Recipient("Ann")
	for id, want := range map[privacy.FactID]privacy.Reason{
		"told": privacy.ReasonWhitelisted, "twin": privacy.ReasonCrossDomain, "closed": privacy.ReasonWhitelisted,
	} {
		if got := j.VerdictOf(id, ann); got.Reason != want {
			t.Errorf("%s: got %s, want %s", id, got.Reason, want)
		}
	}
}

// TestHandLabelLapses: a hand label stands until a category is tightened beyond it.
func TestHandLabelLapses(t *testing.T) {
	label := func(level privacy.Level, domain privacy.Domain) *privacy.Label {
		return &privacy.Label{Level: level, Domain: domain}
	}
	tests := map[string]struct{ hand, was, want *privacy.Label }{ // computed: L2/life
		"not known":          {label(4, ""), nil, label(4, "")},
		"nothing changed":    {label(4, ""), label(2, "life"), label(4, "")},
		"category loosened":  {label(4, ""), label(1, "life"), label(4, "")},
		"category tightened": {label(4, ""), label(3, "life"), label(2, "life")},
		"domain added":       {label(3, ""), label(2, ""), label(2, "life")},
		"still stricter":     {label(1, "life"), label(3, "life"), label(1, "life")},
		"neither":            {label(3, "work"), label(3, ""), label(0, "")},
		"L0 by hand":         {label(0, "life"), label(3, ""), label(0, "")},
	}
	p := mustParse(t, smallPolicy)
	for name, tt := range tests {
		f := open("f")
		f.Categories, f.Label, f.LabelWas = []privacy.CategoryID{"kin"}, tt.hand, tt.was
		if got := privacy.NewJudge(p, []privacy.Fact{f}).Label(0); got != *tt.want {
			t.Errorf("%s: got %s, want %s", name, got, *tt.want)
		}
	}
}

// TestOtherPolicy: a recipient of another policy is the same person only where
// id and name agree, and otherwise unknown.
func TestOtherPolicy(t *testing.T) {
	const head = "version: 1\nowner: {name: Owner}\ngroups: [{id: close, tier: 1, domain: any}]\n" +
		"categories: [{id: kin, name: Kin, level: 1, description: family}]\n"
	f := privacy.Fact{ID: "f", Categories: []privacy.CategoryID{"kin"}}
	ann := mustParse(t, smallPolicy).Recipient("Ann")
	tests := map[string]struct {
		people string
		want   bool
	}{
		"same":       {"people: [{id: a-1, name: Ann, groups: [close]}]", true},
		"renamed":    {"people: [{id: a-1, name: Anne, aliases: [Ann], groups: [close]}]", true},
		"other id":   {"people: [{id: a-2, name: Ann, groups: [close]}]", false},
		"id moved":   {"people: [{id: a-1, name: Eve, groups: [close]}]", false},
		"name moved": {"people: [{id: a-1, name: Eve, groups: []}, {id: a-2, name: Ann, groups: [close]}]", false},
		"gone":       {"people: []", false},
	}
	for name, tt := range tests {
		j := privacy.NewJudge(mustParse(t, head+tt.people+"\n"), []privacy.Fact{f})
		if got := j.Verdict(0, ann); got.Allow != tt.want {
			t.Errorf("%s: got %+v, want allow %v", name, got, tt.want)
		}
	}
}

// TestFactsAreCopied: changing a fact after compiling changes no verdict.
func TestFactsAreCopied(t *testing.T) {
	p := mustParse(t, smallPolicy)
	facts := []privacy.Fact{open("f")}
	facts[0].Blacklist = []privacy.Party{"Ann"}
	j := privacy.NewJudge(p, facts)
	facts[0].Blacklist[0], facts[0].Categories[0] = "Mum", "none"
	if v := j.Verdict(0, p.Recipient("Ann")); v.Reason != privacy.ReasonBlacklisted {
		t.Errorf("got %+v", v)
	}
	if e := j.Explain(0, p.Recipient("Ann")); len(e.Blacklist) != 1 || e.Blacklist[0] != "Ann" {
		t.Errorf("explained by %v", e.Blacklist)
	}
}

// TestReasons: every reason has a word of its own that reads back.
func TestReasons(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range privacy.Reasons() {
		word, err := r.MarshalText()
		if err != nil || len(word) == 0 || seen[string(word)] || string(word) != r.String() {
			t.Errorf("reason %d: %q, %v", r, word, err)
		}
		seen[string(word)] = true
		var back privacy.Reason
		if err := back.UnmarshalText(word); err != nil || back != r {
			t.Errorf("%q reads as %v, %v", word, back, err)
		}
	}
	var r privacy.Reason
	if err := r.UnmarshalText([]byte("maybe")); err == nil {
		t.Error("an unknown word reads as a reason")
	}
	if got := privacy.Reason(200); got.String() != "unjudged" || got.Allows() {
		t.Errorf("no reason at all: %s", got)
	}
	if v := (privacy.Verdict{}); v.Allow || v.Reason != privacy.ReasonUnjudged {
		t.Errorf("the zero verdict: %+v", v)
	}
}
