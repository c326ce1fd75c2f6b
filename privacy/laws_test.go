package privacy_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

func TestMeetLaws(t *testing.T) { rapid.Check(t, propMeet) }

func FuzzMeetLaws(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propMeet)) }

func propMeet(t *rapid.T) {
	a, b, c := genLabel().Draw(t, "a"), genLabel().Draw(t, "b"), genLabel().Draw(t, "c")
	m := privacy.Meet(a, b)
	if m != privacy.Meet(b, a) || privacy.Meet(m, c) != privacy.Meet(a, privacy.Meet(b, c)) || privacy.Meet(a, a) != a {
		t.Fatalf("Meet breaks a law on %v, %v, %v", a, b, c)
	}
	if privacy.Meet(privacy.Label{}, a) != (privacy.Label{}) {
		t.Fatalf("meet of L0 and %v is not L0", a)
	}
}

// TestGateSound: whoever passes the gate of a meet passes those of both labels.
func TestGateSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		a, b := genLabel().Draw(t, "a"), genLabel().Draw(t, "b")
		m := privacy.Meet(a, b)
		w.facts = []privacy.Fact{{ID: "a", Label: &a}, {ID: "b", Label: &b}, {ID: "meet", Label: &m}}
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		for _, r := range recipients(p) {
			if j.VerdictOf("meet", r).Allow && !(j.VerdictOf("a", r).Allow && j.VerdictOf("b", r).Allow) {
				t.Fatalf("%q passes %s but not both %s and %s", r.Name(), m, a, b)
			}
		}
	})
}

// TestUnitSubset: a subset of an allowed unit is allowed; the empty one is not.
func TestUnitSubset(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		var all, some []privacy.FactID
		for _, f := range w.facts {
			all = append(all, f.ID)
			if rapid.Bool().Draw(t, "in the subset") {
				some = append(some, f.ID)
			}
		}
		for _, r := range recipients(p) {
			if len(some) > 0 && j.Unit(all, r).Allow && !j.Unit(some, r).Allow {
				t.Fatalf("%q may know all of %v but not %v", r.Name(), all, some)
			}
			if u := j.Unit(nil, r); u.Allow || u.Reason != privacy.ReasonEmpty {
				t.Fatalf("an empty unit: %+v", u)
			}
			if u := j.Unit(append(some, "not stored"), r); u.Allow || u.Ceiling != (privacy.Label{}) {
				t.Fatalf("a unit with an unknown fact: %+v", u)
			}
		}
	})
}

// tightenings are the edits that must never let anybody in. Each changes w and
// reports whether it found something to change.
var tightenings = map[string]func(t *rapid.T, w *world) bool{
	"deny": func(t *rapid.T, w *world) bool {
		f := &w.facts[rapid.IntRange(0, len(w.facts)-1).Draw(t, "fact")]
		f.Blacklist = append(f.Blacklist, w.genParty().Draw(t, "party"))
		return true
	},
	"reserve": func(t *rapid.T, w *world) bool {
		f := &w.facts[rapid.IntRange(0, len(w.facts)-1).Draw(t, "fact")]
		f.Reserved = append(f.Reserved, w.genParty().Draw(t, "party"))
		return true
	},
	"close": func(t *rapid.T, w *world) bool {
		w.facts[rapid.IntRange(0, len(w.facts)-1).Draw(t, "fact")].Closed = true
		return true
	},
	"forget": func(t *rapid.T, w *world) bool {
		i := rapid.IntRange(0, len(w.facts)-1).Draw(t, "fact")
		w.facts = slices.Delete(w.facts, i, i+1)
		return true
	},
	"join a category that only closes": func(t *rapid.T, w *world) bool {
		f := &w.facts[rapid.IntRange(0, len(w.facts)-1).Draw(t, "fact")]
		id := privacy.CategoryID(w.Categories[rapid.IntRange(0, len(w.Categories)-1).Draw(t, "category")].ID)
		if len(f.Categories) == 0 || slices.Contains(f.Categories, id) {
			return false
		}
		f.Categories, f.Joined = append(slices.Clone(f.Categories), id), append(slices.Clone(f.Joined), id)
		return true
	},
	"raise a tier": func(t *rapid.T, w *world) bool {
		g := &w.Groups[rapid.IntRange(0, len(w.Groups)-1).Draw(t, "group")]
		g.Tier++
		return g.Tier <= 4
	},
	"lower a level": func(t *rapid.T, w *world) bool {
		c := &w.Categories[rapid.IntRange(0, len(w.Categories)-1).Draw(t, "category")]
		c.Level--
		return c.Level >= 0
	},
	"remove a category from the policy": func(t *rapid.T, w *world) bool {
		i := rapid.IntRange(0, len(w.Categories)-1).Draw(t, "category")
		w.Categories = slices.Delete(w.Categories, i, i+1)
		return true
	},
}

// TestTighteningNeverWidens takes each tightening edit on random worlds. An edit
// of categories is taken with links that the owner confirmed; see
// TestEngineLinkEdge for the others.
func TestTighteningNeverWidens(t *testing.T) {
	for name, edit := range tightenings {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := genWorld().Draw(t, "world")
				if name == "lower a level" || name == "remove a category from the policy" {
					for i := range w.facts {
						w.facts[i].Link = privacy.LinkConfirmed
					}
				}
				after := w.clone()
				if !edit(t, after) {
					t.Skip("nothing to tighten")
				}
				mustNotWiden(t, w, after)
			})
		})
	}
}

func mustNotWiden(t *rapid.T, before, after *world) {
	j, k := before.judge(), after.judge()
	// k re-resolves the recipients of j's policy, which is what a changed file does.
	rs := recipients(j.Policy())
	for _, r := range rs {
		for i := range k.Len() {
			id := k.ID(i)
			if was, now := j.VerdictOf(id, r), k.VerdictOf(id, r); now.Allow && !was.Allow {
				t.Fatalf("%s for %q: %s, before %s", id, r.Name(), now.Reason, was.Reason)
			}
		}
	}
}

// TestEngineLinkEdge holds the one exception that the package page names: over a
// link of the engine, lowering the lender's level can turn lending on.
func TestEngineLinkEdge(t *testing.T) {
	w := &world{
		Groups:     []worldGroup{{ID: "g", Tier: 4, Domain: "any"}},
		People:     []worldPerson{{Name: "Ann", Groups: []string{"g"}}},
		Categories: []worldCategory{{ID: "lender", Name: "lender", Level: 3}, {ID: "borrower", Name: "borrower", Level: 2}},
	}
	base := privacy.Fact{Event: "e", Truth: privacy.Real, Trusted: true}
	lender, borrower := base, base
	lender.ID, lender.Categories, lender.Whitelist = "lender", []privacy.CategoryID{"lender"}, []privacy.Party{"Ann"}
	borrower.ID, borrower.Categories = "borrower", []privacy.CategoryID{"borrower"}
	w.facts = []privacy.Fact{lender, borrower}
	ann := func(w *world) privacy.Verdict {
		j := w.judge()
		return j.VerdictOf("borrower", j.Policy().Recipient("Ann"))
	}
	if v := ann(w); v.Allow {
		t.Errorf("a looser lender over an engine link: %s", v.Reason)
	}
	w.Categories[0].Level = 2
	if v := ann(w); v.Reason != privacy.ReasonWhitelisted {
		t.Errorf("an equally strict lender over an engine link: %s", v.Reason)
	}
	w.facts[1].Label = &privacy.Label{Level: privacy.L2}
	if v := ann(w); v.Allow {
		t.Errorf("a hand-labelled borrower over an engine link: %s", v.Reason)
	}
	w.facts[0].Link, w.facts[1].Link = privacy.LinkConfirmed, privacy.LinkConfirmed
	if v := ann(w); v.Reason != privacy.ReasonWhitelisted {
		t.Errorf("a confirmed link: %s", v.Reason)
	}
}

// TestUntrustedChangesNothingElse: a fact that is untrusted or a cover story
// changes no other fact's verdict.
func TestUntrustedChangesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		f := w.genFact(t, "new")
		if f.Trusted && f.Truth == privacy.Real {
			f.Trusted = false
		}
		before := privacy.NewJudge(p, w.facts)
		after := privacy.NewJudge(p, append([]privacy.Fact{f}, w.facts...))
		for _, r := range recipients(p) {
			for _, g := range w.facts {
				if was, now := before.VerdictOf(g.ID, r), after.VerdictOf(g.ID, r); was != now {
					t.Fatalf("%s for %q: %s, before %s", g.ID, r.Name(), now.Reason, was.Reason)
				}
			}
		}
	})
}

// TestStoreOrder: the order of the facts changes no verdict and no explanation.
func TestStoreOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		shuffled := rapid.Permutation(w.facts).Draw(t, "shuffled")
		j, k := privacy.NewJudge(p, w.facts), privacy.NewJudge(p, shuffled)
		for _, r := range recipients(p) {
			for _, f := range w.facts {
				if a, b := j.VerdictOf(f.ID, r), k.VerdictOf(f.ID, r); a != b {
					t.Fatalf("%s for %q: %s in one order, %s in another", f.ID, r.Name(), a.Reason, b.Reason)
				}
				a, _ := j.Index(f.ID)
				b, _ := k.Index(f.ID)
				if x, y := text(t, j.Explain(a, r)), text(t, k.Explain(b, r)); x != y {
					t.Fatalf("explained in two ways:\n%s\n%s", x, y)
				}
			}
		}
	})
}

// TestJudgeTwice: the same policy and facts give the same bytes.
func TestJudgeTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		first, second := w.judge(), w.judge()
		for i := range first.Len() {
			for n, r := range recipients(first.Policy()) {
				s := recipients(second.Policy())[n]
				if a, b := text(t, first.Explain(i, r)), text(t, second.Explain(i, s)); a != b {
					t.Fatalf("judged twice:\n%s\n%s", a, b)
				}
			}
		}
	})
}

// TestCap: a cap never lets anybody in, says so exactly where it is what denied,
// and two caps are no looser than either.
func TestCap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		tier := privacy.Tier(rapid.IntRange(0, 5).Draw(t, "tier"))
		keep := rapid.Bool().Draw(t, "keep")
		for _, r := range recipients(p) {
			for i := range j.Len() {
				free, capped := j.Verdict(i, r), j.Verdict(i, r.Cap(tier, keep))
				if capped.Allow && !free.Allow {
					t.Fatalf("a cap lets %q know fact %d", r.Name(), i)
				}
				if free.Allow && !capped.Allow && capped.Reason != privacy.ReasonCapped {
					t.Fatalf("denied by a cap as %s", capped.Reason)
				}
				if !free.Allow && capped != free {
					t.Fatalf("denied without the cap as %s and with it as %s", free.Reason, capped.Reason)
				}
				twice := j.Verdict(i, r.Cap(tier, keep).Cap(2, true))
				if twice.Allow && !(capped.Allow && j.Verdict(i, r.Cap(2, true)).Allow) {
					t.Fatal("a second cap lets in")
				}
			}
		}
	})
}

// TestAudience: a message is allowed exactly if each reader is, and somebody reads it.
func TestAudience(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		readers := rapid.SliceOfN(rapid.SampledFrom(recipients(p)), 0, 4).Draw(t, "readers")
		for i := range j.Len() {
			want := len(readers) > 0
			for _, r := range readers {
				want = want && j.Verdict(i, r).Allow
			}
			got := j.Audience(i, readers)
			if got.Allow != want || got.Allow != got.Reason.Allows() {
				t.Fatalf("got %+v, want allow %v", got, want)
			}
		}
	})
}

// TestExplain: the explanation's verdict is the judge's, its last step and only
// that one decided, and the word of that step fits the reason.
func TestExplain(t *testing.T) {
	rules := map[privacy.Reason][]string{
		privacy.ReasonOwner:       {"owner"},
		privacy.ReasonBlacklisted: {"blacklist"},
		privacy.ReasonWhitelisted: {"whitelist", "cap"},
		privacy.ReasonClosed:      {"closed"},
		privacy.ReasonReserved:    {"reserved"},
		privacy.ReasonDefault:     {"gate", "cap"},
		privacy.ReasonLevel0:      {"gate"},
		privacy.ReasonCrossDomain: {"gate"},
		privacy.ReasonDeeper:      {"gate"},
		privacy.ReasonCapped:      {"cap"},
		privacy.ReasonUnjudged:    {"judged"},
	}
	rapid.Check(t, func(t *rapid.T) {
		w := genWorld().Draw(t, "world")
		if rapid.IntRange(0, 4).Draw(t, "twin") == 0 {
			w.facts = append(w.facts, w.facts[0])
		}
		p := w.policy()
		j := privacy.NewJudge(p, w.facts)
		for _, r := range recipients(p) {
			for i := -1; i <= j.Len(); i++ {
				e := j.Explain(i, r)
				if e.Verdict != j.Verdict(i, r) {
					t.Fatalf("explained as %+v, judged as %+v", e.Verdict, j.Verdict(i, r))
				}
				for n, step := range e.Steps {
					if step.Decided != (n == len(e.Steps)-1) {
						t.Fatalf("step %d of %+v", n, e.Steps)
					}
				}
				if last := e.Steps[len(e.Steps)-1].Rule; !slices.Contains(rules[e.Verdict.Reason], last) {
					t.Fatalf("%s decided by %s", e.Verdict.Reason, last)
				}
				if listed := e.Verdict.Reason == privacy.ReasonWhitelisted; listed && len(e.Whitelist) == 0 {
					t.Fatal("whitelisted by no entry")
				}
				if e.Label.Label != j.Label(i) || e.Label.Computed != j.CategoryLabel(i) {
					t.Fatalf("label explained as %+v", e.Label)
				}
			}
		}
	})
}

func text(t *rapid.T, v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
