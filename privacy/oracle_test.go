package privacy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
)

// oracle judges by reading CALCULUS and MARKS 6 word by word, with maps and
// loops and no thought of speed. It shares nothing with the judge but Meet.
type oracle struct {
	p     *privacy.Policy
	facts []privacy.Fact
}

func (o oracle) names(list []privacy.Party, id privacy.PersonID) bool {
	return slices.ContainsFunc(list, func(party privacy.Party) bool {
		people, _ := o.p.Resolve(party)
		return slices.Contains(people, id)
	})
}

func (o oracle) closed(f privacy.Fact) bool {
	for _, party := range slices.Concat(f.Blacklist, f.Reserved) {
		if _, ok := o.p.Resolve(party); !ok {
			return true
		}
	}
	return f.Closed
}

func (o oracle) computed(f privacy.Fact) privacy.Label {
	if len(f.Categories) == 0 {
		return privacy.Label{}
	}
	ceiling := privacy.Label{Level: privacy.L4}
	for _, id := range f.Categories {
		c, ok := o.p.Category(id)
		if !ok {
			return privacy.Label{}
		}
		ceiling = privacy.Meet(ceiling, privacy.Label{Level: c.Level, Domain: c.Domain})
	}
	return ceiling
}

func (o oracle) label(f privacy.Fact) privacy.Label {
	computed := o.computed(f)
	within := func(a, b privacy.Label) bool { return privacy.Meet(a, b) == a }
	switch {
	case o.closed(f):
		return privacy.Label{}
	case f.Label == nil:
		return computed
	case f.LabelWas != nil && !within(*f.LabelWas, computed) && !within(*f.Label, computed):
		return privacy.Meet(*f.Label, computed)
	default:
		return *f.Label
	}
}

func (o oracle) whitelisted(f privacy.Fact, id privacy.PersonID) bool {
	if o.names(f.Whitelist, id) || o.names(f.OwnWhitelist, id) {
		return true
	}
	if o.closed(f) || f.Event == "" {
		return false
	}
	for _, g := range o.facts {
		if g.ID == f.ID || g.Event != f.Event || g.Truth != privacy.Real || !g.Trusted || o.closed(g) {
			continue
		}
		if g.Link != privacy.LinkConfirmed || f.Link != privacy.LinkConfirmed {
			strictEnough := privacy.Meet(o.label(g), o.label(f)) == o.label(g)
			if !strictEnough || f.Label != nil || len(f.Categories) == 0 || !f.Trusted {
				continue
			}
		}
		if o.names(g.Whitelist, id) && !o.names(g.Blacklist, id) {
			return true
		}
	}
	return false
}

func (o oracle) gate(l privacy.Label, id privacy.PersonID) privacy.Reason {
	if l.Level == privacy.L0 {
		return privacy.ReasonLevel0
	}
	person, known := o.p.Person(string(id))
	if !known || len(person.Groups) == 0 {
		switch {
		case l.Domain != "":
			return privacy.ReasonCrossDomain
		case l.Level == privacy.L4:
			return privacy.ReasonDefault
		default:
			return privacy.ReasonDeeper
		}
	}
	compatible := false
	for _, gid := range person.Groups {
		g, _ := o.p.Group(gid)
		if l.Domain != "" && g.Domain != "" && g.Domain != l.Domain {
			continue
		}
		compatible = true
		if int(g.Tier) <= int(l.Level) {
			return privacy.ReasonDefault
		}
	}
	if compatible {
		return privacy.ReasonDeeper
	}
	return privacy.ReasonCrossDomain
}

// verdict is the reason for a known (id) or unknown ("") person.
func (o oracle) verdict(f privacy.Fact, l privacy.Label, id privacy.PersonID) privacy.Reason {
	switch {
	case id == "" && len(f.Blacklist) > 0, id != "" && o.names(f.Blacklist, id):
		return privacy.ReasonBlacklisted
	case id != "" && o.whitelisted(f, id):
		return privacy.ReasonWhitelisted
	case o.closed(f):
		return privacy.ReasonClosed
	case id != "" && o.names(f.Reserved, id):
		return privacy.ReasonReserved
	default:
		return o.gate(l, id)
	}
}

// TestOracle compares the compiled judge with the plain reading of the rules,
// for single facts and for units.
func TestOracle(t *testing.T) { rapid.Check(t, propOracle) }

func FuzzOracle(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propOracle)) }

func propOracle(t *rapid.T) {
	w := genWorld().Draw(t, "world")
	p := w.policy()
	o := oracle{p, w.facts}
	j := privacy.NewJudge(p, w.facts)
	everybody := []privacy.Recipient{{}}
	for _, x := range p.People() {
		everybody = append(everybody, p.Recipient(x.Aliases[0]))
	}
	unit := rapid.SliceOf(rapid.IntRange(0, len(w.facts)-1)).Draw(t, "unit")
	for _, r := range everybody {
		for i, f := range w.facts {
			if got, want := j.Label(i), o.label(f); got != want {
				t.Fatalf("label of %s: got %s, want %s", f.ID, got, want)
			}
			want := o.verdict(f, o.label(f), r.ID())
			if got := j.Verdict(i, r); got.Reason != want || got.Allow != want.Allows() {
				t.Fatalf("%s for %q: got %v %s, want %s", f.ID, r.Name(), got.Allow, got.Reason, want)
			}
		}
		ids := make([]privacy.FactID, len(unit))
		ceiling := privacy.Label{}
		for k, i := range unit {
			ids[k] = w.facts[i].ID
			ceiling = o.label(w.facts[i])
		}
		for _, i := range unit {
			ceiling = privacy.Meet(ceiling, o.label(w.facts[i]))
		}
		got := j.Unit(ids, r)
		all := len(unit) > 0
		for k, i := range unit {
			want := o.verdict(w.facts[i], ceiling, r.ID())
			all = all && want.Allows()
			if got.Verdicts[k].Reason != want {
				t.Fatalf("%s in a unit under %s for %q: got %s, want %s", ids[k], ceiling, r.Name(), got.Verdicts[k].Reason, want)
			}
		}
		if got.Allow != all || got.Ceiling != ceiling {
			t.Fatalf("unit %v for %q: got %v under %s, want %v under %s", ids, r.Name(), got.Allow, got.Ceiling, all, ceiling)
		}
	}
}
