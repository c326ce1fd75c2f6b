package engine_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

func m(kind privacy.MarkKind, value string, by privacy.MarkSource) privacy.Mark {
	return privacy.Mark{Kind: kind, Value: value, By: by}
}

// real is a trusted real statement of the owner with further marks.
func own(id, event, category string, marks ...privacy.Mark) privacy.Record {
	base := []privacy.Mark{
		m(privacy.MarkCategory, category, privacy.ByMachine), m(privacy.MarkEvent, event, privacy.ByMachine),
		m(privacy.MarkTruth, "real", privacy.ByMachine), m(privacy.MarkTrusted, "true", privacy.ByMachine),
	}
	return privacy.Record{ID: privacy.FactID(id), Text: id, OwnerSaid: true, Speaker: "Nora Quist", Subject: "Nora Quist", Marks: append(base, marks...)}
}

// coverOf is a trusted cover story of the owner.
func coverOf(id, event string, marks ...privacy.Mark) privacy.Record {
	r := own(id, event, "hobbies", marks...)
	r.Marks[2].Value = "cover"
	return r
}

// audienceOf returns who may know the fact with an id, in the order of the policy.
func audienceOf(t testing.TB, p *privacy.Policy, records []privacy.Record, rules []privacy.EventRule, id string) []string {
	t.Helper()
	j := privacy.NewJudge(p, engine.Effective(p, records, rules))
	var out []string
	for _, q := range p.People() {
		if j.VerdictOf(privacy.FactID(id), p.Recipient(q.Name)).Allow {
			out = append(out, string(q.ID))
		}
	}
	return out
}

func settings(s string) string { return worldPolicy + "settings: {" + s + "}\n" }

func TestEffective(t *testing.T) {
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	later := func(k privacy.Mark) privacy.Mark { k.At = at; return k }
	others := privacy.Record{ID: "f", Text: "claim", Speaker: "Kit", Subject: "Nora Quist", Marks: []privacy.Mark{
		m(privacy.MarkCategory, "hobbies", privacy.ByMachine), m(privacy.MarkTruth, "real", privacy.ByMachine)}}
	confided := func(id, speaker, subject string, ownerSaid bool, marks ...privacy.Mark) privacy.Record {
		r := own(id, "e", "hobbies", marks...)
		r.Speaker, r.Subject, r.OwnerSaid = speaker, subject, ownerSaid
		return r
	}
	everyone := []string{"pavel", "gerda", "olaf", "imke", "tuan", "rhea", "bf", "kit"}
	for _, tt := range []struct {
		name    string
		policy  string
		records []privacy.Record
		rules   []privacy.EventRule
		want    []string
	}{
		{name: "category decides", records: []privacy.Record{own("f", "e", "health")}, want: []string{"pavel"}},
		{name: "no category is for nobody", records: []privacy.Record{own("f", "e", "")}, want: nil},
		{name: "two machine categories meet", records: []privacy.Record{own("f", "e", "hobbies", m(privacy.MarkCategory, "health", privacy.ByMachine))}, want: []string{"pavel"}},
		{name: "a hand category replaces the machine's", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkCategory, "hobbies", privacy.ByHand))}, want: everyone},
		{name: "the later hand category replaces the earlier", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkCategory, "hobbies", privacy.ByHand), later(m(privacy.MarkCategory, "health", privacy.ByHand)))}, want: []string{"pavel"}},
		{name: "the last label wins", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkLabel, "L0", privacy.ByHand), m(privacy.MarkLabel, "L4", privacy.ByHand))}, want: everyone},
		{name: "a machine's label counts for nothing", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkLabel, "L4", privacy.ByMachine))}, want: []string{"pavel"}},
		{name: "an unreadable label is L0", records: []privacy.Record{own("f", "e", "hobbies", m(privacy.MarkLabel, "L9/anything", privacy.ByHand))}, want: nil},
		{name: "told by the owner", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkToldTo, "kit", privacy.ByTold))}, want: []string{"pavel", "kit"}},
		{name: "told is never lent", records: []privacy.Record{own("f", "e", "health"), own("g", "e", "health", m(privacy.MarkToldTo, "kit", privacy.ByTold))}, want: []string{"pavel"}},
		{name: "told ignored", policy: settings("told_by_owner: ignore"), records: []privacy.Record{own("f", "e", "health", m(privacy.MarkToldTo, "kit", privacy.ByTold))}, want: []string{"pavel"}},
		{name: "told asked", policy: settings("told_by_owner: ask"), records: []privacy.Record{own("f", "e", "health", m(privacy.MarkToldTo, "kit", privacy.ByTold))}, want: []string{"pavel"}},
		{name: "a spoken grant lends to a fact as strict", records: []privacy.Record{own("f", "e", "health"), own("g", "e", "health", m(privacy.MarkWhitelist, "kit", privacy.BySpoken))}, want: []string{"pavel", "kit"}},
		{name: "a machine's grant counts for nothing", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkWhitelist, "kit", privacy.ByMachine))}, want: []string{"pavel"}},
		{name: "closed keeps its own whitelist", records: []privacy.Record{own("f", "e", "hobbies", m(privacy.MarkClosed, "true", privacy.BySpoken), m(privacy.MarkWhitelist, "kit", privacy.BySpoken))}, want: []string{"kit"}},
		{name: "opened by hand", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkClosed, "true", privacy.BySpoken), m(privacy.MarkClosed, "false", privacy.ByHand))}, want: []string{"pavel"}},
		{name: "an event rule denies", records: []privacy.Record{own("f", "e", "health")}, rules: []privacy.EventRule{{ID: "r", Event: "e", Kind: privacy.MarkBlacklist, Value: "pavel"}}, want: nil},
		{name: "an event rule of another event", records: []privacy.Record{own("f", "e", "health")}, rules: []privacy.EventRule{{ID: "r", Event: "x", Kind: privacy.MarkBlacklist, Value: "pavel"}}, want: []string{"pavel"}},
		{name: "an event rule of an unknown kind closes", records: []privacy.Record{own("f", "e", "hobbies")}, rules: []privacy.EventRule{{ID: "r", Event: "e", Kind: "odd", Value: "x"}}, want: nil},
		{name: "untrusted is held", records: []privacy.Record{others}, want: nil},
		{name: "untrusted by the gate", policy: settings("untrusted: gate"), records: []privacy.Record{others}, want: everyone},
		{name: "untrusted attributed", policy: settings("untrusted: attribute"), records: []privacy.Record{others}, want: everyone},
		{name: "confirmed by hand", records: []privacy.Record{with(others, m(privacy.MarkTrusted, "true", privacy.ByHand))}, want: everyone},
		{name: "a machine cannot confirm", records: []privacy.Record{with(others, m(privacy.MarkTrusted, "true", privacy.ByMachine))}, want: nil},
		{name: "a cover is for those it was told to", records: []privacy.Record{coverOf("f", "e", m(privacy.MarkToldTo, "rhea", privacy.ByMachine))}, want: []string{"rhea"}},
		{name: "a cover by the gate", policy: settings("cover_audience: gate"), records: []privacy.Record{coverOf("f", "e", m(privacy.MarkToldTo, "rhea", privacy.ByMachine))}, want: everyone},
		{name: "who was lied to needs a whitelist", records: []privacy.Record{own("f", "e", "health"), coverOf("g", "e", m(privacy.MarkToldTo, "pavel", privacy.ByMachine))}, want: nil},
		{name: "covers name the real fact", records: []privacy.Record{own("f", "e", "health"), coverOf("g", "x", m(privacy.MarkToldTo, "pavel", privacy.ByMachine), m(privacy.MarkCovers, "f", privacy.ByHand))}, want: nil},
		{name: "covers name another fact", records: []privacy.Record{own("f", "e", "health"), coverOf("g", "e", m(privacy.MarkToldTo, "pavel", privacy.ByMachine), m(privacy.MarkCovers, "h", privacy.ByHand))}, want: []string{"pavel"}},
		{name: "told the truth after the cover", records: []privacy.Record{own("f", "e", "health", m(privacy.MarkToldTo, "pavel", privacy.ByTold)), coverOf("g", "e", m(privacy.MarkToldTo, "pavel", privacy.ByMachine))}, want: []string{"pavel"}},
		{name: "confided is closed but for its teller", records: []privacy.Record{confided("f", "Kit", "Kit Lowe", false, m(privacy.MarkConfided, "Kit", privacy.ByMachine))}, want: []string{"kit"}},
		{name: "the owner repeating it is closed too", records: []privacy.Record{confided("f", "Nora Quist", "Kit", true), confided("g", "Kit", "Kit Lowe", false, m(privacy.MarkConfided, "Kit", privacy.ByMachine))}, want: nil},
		{name: "about somebody else it is not", records: []privacy.Record{confided("f", "Nora Quist", "Rhea", true), confided("g", "Kit", "Kit Lowe", false, m(privacy.MarkConfided, "Kit", privacy.ByMachine))}, want: everyone},
		{name: "a category of confidences", records: []privacy.Record{with(confided("f", "Kit", "Kit Lowe", false), m(privacy.MarkCategory, "entrusted", privacy.ByMachine))}, want: []string{"kit"}},
		{name: "confirming is not permitting", records: []privacy.Record{confided("f", "Kit", "Kit Lowe", false, m(privacy.MarkConfided, "Kit", privacy.ByMachine), m(privacy.MarkTrusted, "true", privacy.ByHand))}, want: []string{"kit"}},
		{name: "both make it open", records: []privacy.Record{confided("f", "Kit", "Kit Lowe", false, m(privacy.MarkConfided, "Kit", privacy.ByMachine), m(privacy.MarkTrusted, "true", privacy.ByHand), m(privacy.MarkClosed, "false", privacy.ByHand))}, want: everyone},
		{name: "the person it is about", records: []privacy.Record{about(own("f", "e", "surprises"), "Olaf", "a party")}, want: without(everyone, "olaf")},
		{name: "named in it, about the owner", records: []privacy.Record{about(own("f", "e", "surprises"), "Nora Quist", "Nora plans a party for Olaf with Kit")}, want: without(everyone, "olaf", "kit")},
		{name: "the helper who was told", records: []privacy.Record{about(own("f", "e", "surprises", m(privacy.MarkToldTo, "kit", privacy.ByTold)), "Nora Quist", "Nora plans a party for Olaf with Kit")}, want: without(everyone, "olaf")},
		{name: "her husband is known by the note", records: []privacy.Record{about(own("f", "e", "surprises"), "Nora Quist", "Nora plans a party for her husband")}, want: without(everyone, "pavel")},
		{name: "gold is taken as it is", records: []privacy.Record{{ID: "f", Marks: []privacy.Mark{m(privacy.MarkCategory, "health", privacy.ByGold), m(privacy.MarkTruth, "cover", privacy.ByGold), m(privacy.MarkWhitelist, "kit", privacy.ByGold), m(privacy.MarkToldTo, "rhea", privacy.ByGold)}}}, want: []string{"pavel", "kit"}},
		{name: "gold is bound by an event rule", records: []privacy.Record{{ID: "f", Marks: []privacy.Mark{m(privacy.MarkCategory, "health", privacy.ByGold), m(privacy.MarkEvent, "e", privacy.ByGold)}}}, rules: []privacy.EventRule{{ID: "r", Event: "e", Kind: privacy.MarkClosed}}, want: nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := tt.policy
			if src == "" {
				src = worldPolicy
			}
			got := audienceOf(t, mustPolicy(t, src), tt.records, tt.rules, "f")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("audience (-want +got):\n%s", diff)
			}
		})
	}
}

func with(r privacy.Record, marks ...privacy.Mark) privacy.Record {
	r.Marks = append(slices.Clone(r.Marks), marks...)
	return r
}

func about(r privacy.Record, subject, text string) privacy.Record {
	r.Subject, r.Text = subject, text
	return r
}

func without(list []string, less ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(less, s) })
}

func genMark() *rapid.Generator[privacy.Mark] {
	return rapid.Custom(func(t *rapid.T) privacy.Mark {
		kind := rapid.SampledFrom([]privacy.MarkKind{privacy.MarkCategory, privacy.MarkLabel, privacy.MarkEvent, privacy.MarkTruth, privacy.MarkTrusted,
			privacy.MarkWhitelist, privacy.MarkBlacklist, privacy.MarkReserved, privacy.MarkClosed, privacy.MarkToldTo, privacy.MarkCovers, privacy.MarkConfided}).Draw(t, "kind")
		people := []string{"pavel", "olaf", "rhea", "group:pod", "nobody known"}
		values := map[privacy.MarkKind][]string{
			privacy.MarkCategory: {"health", "hobbies", "surprises", "entrusted", "gone"},
			privacy.MarkLabel:    {"L0", "L2/work", "L4", "odd"}, privacy.MarkEvent: {"e1", "e2", ""},
			privacy.MarkTruth: {"real", "cover"}, privacy.MarkTrusted: {"true", "false"}, privacy.MarkClosed: {"true", "false"},
			privacy.MarkCovers: {"f0", "f1"},
		}[kind]
		if values == nil {
			values = people
		}
		return privacy.Mark{Kind: kind, Value: rapid.SampledFrom(values).Draw(t, "value"),
			By: rapid.SampledFrom([]privacy.MarkSource{privacy.ByMachine, privacy.ByExemplar, privacy.BySpoken, privacy.ByTold, privacy.ByHand, privacy.ByRule}).Draw(t, "by")}
	})
}

func genRecords() *rapid.Generator[[]privacy.Record] {
	return rapid.Custom(func(t *rapid.T) []privacy.Record {
		n := rapid.IntRange(1, 5).Draw(t, "records")
		out := make([]privacy.Record, n)
		for i := range out {
			out[i] = privacy.Record{
				ID: privacy.FactID([]string{"f0", "f1", "f2", "f3", "f4"}[i]), OwnerSaid: rapid.Bool().Draw(t, "owner"),
				Text:    rapid.SampledFrom([]string{"a party for Olaf", "a walk", "her husband is ill"}).Draw(t, "text"),
				Speaker: rapid.SampledFrom([]string{"Nora", "Kit", ""}).Draw(t, "speaker"), Subject: rapid.SampledFrom([]string{"Nora", "Kit", "Olaf", "a stranger", ""}).Draw(t, "subject"),
				Marks: rapid.SliceOfN(genMark(), 0, 6).Draw(t, "marks"),
			}
			out[i].Marks = append([]privacy.Mark{m(privacy.MarkTruth, "real", privacy.ByMachine), m(privacy.MarkTrusted, "true", privacy.ByMachine), m(privacy.MarkEvent, "e1", privacy.ByMachine)}, out[i].Marks...)
		}
		return out
	})
}

// TestDenyNeverWidens: adding a blacklist, reserved or closed mark, a confidence,
// or an event rule lets nobody in anywhere who wasn't in before.
func TestDenyNeverWidens(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords().Draw(t, "records")
		before := allowed(p, records, nil)
		i := rapid.IntRange(0, len(records)-1).Draw(t, "at")
		kind := rapid.SampledFrom([]privacy.MarkKind{privacy.MarkBlacklist, privacy.MarkReserved, privacy.MarkClosed, privacy.MarkConfided}).Draw(t, "deny")
		value := "true"
		if kind != privacy.MarkClosed {
			value = rapid.SampledFrom([]string{"rhea", "group:pod", "nobody known"}).Draw(t, "who")
		}
		by := rapid.SampledFrom([]privacy.MarkSource{privacy.ByMachine, privacy.BySpoken, privacy.ByHand}).Draw(t, "by")
		changed := slices.Clone(records)
		changed[i] = with(records[i], m(kind, value, by))
		var rules []privacy.EventRule
		if rapid.Bool().Draw(t, "rule") {
			rules = append(rules, privacy.EventRule{ID: "r", Event: "e1", Kind: kind, Value: value})
		}
		for pair := range allowed(p, changed, rules) {
			if kind == privacy.MarkConfided && pair.person == privacy.NormalizeName(value) {
				continue // the teller of a confidence may hear it
			}
			if !before[pair] {
				t.Fatalf("adding %s %s by %s to %s lets %s learn %s", kind, value, by, records[i].ID, pair.person, pair.fact)
			}
		}
	})
}

type pair struct {
	fact   privacy.FactID
	person string
}

func allowed(p *privacy.Policy, records []privacy.Record, rules []privacy.EventRule) map[pair]bool {
	j := privacy.NewJudge(p, engine.Effective(p, records, rules))
	out := map[pair]bool{}
	for i, r := range records {
		for _, q := range p.People() {
			if j.Verdict(i, p.Recipient(q.Name)).Allow {
				out[pair{r.ID, string(q.ID)}] = true
			}
		}
		if j.Verdict(i, p.Recipient("a stranger at the door")).Allow {
			out[pair{r.ID, "stranger"}] = true
		}
	}
	return out
}

// TestEffectiveIgnoresOrder: each fact is derived alike whatever the order of
// the records.
func TestEffectiveIgnoresOrder(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords().Draw(t, "records")
		shuffled := rapid.Permutation(records).Draw(t, "shuffled")
		byID := map[privacy.FactID]privacy.Fact{}
		for _, f := range engine.Effective(p, records, nil) {
			byID[f.ID] = f
		}
		for _, f := range engine.Effective(p, shuffled, nil) {
			if diff := cmp.Diff(byID[f.ID], f); diff != "" {
				t.Fatalf("%s depends on the order (-one +other):\n%s", f.ID, diff)
			}
		}
	})
}

// TestWhyIsEffective: folding what Why tells gives the fact that is judged.
func TestWhyIsEffective(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	rapid.Check(t, func(t *rapid.T) {
		records := genRecords().Draw(t, "records")
		for i, f := range engine.Effective(p, records, nil) {
			closed, blacklisted := false, map[string]bool{}
			for _, e := range engine.Why(p, records, nil, records[i].ID) {
				closed = closed || e.Effect == engine.SetClosed
				if e.Effect == engine.AddBlacklist {
					blacklisted[e.Value] = true
				}
			}
			if closed != f.Closed || len(blacklisted) != len(f.Blacklist) {
				t.Fatalf("why tells closed %v and %d denied, the fact has %v and %v", closed, len(blacklisted), f.Closed, f.Blacklist)
			}
		}
	})
	if got := engine.Why(p, nil, nil, "none"); got != nil {
		t.Errorf("why of no record: %v", got)
	}
}

func BenchmarkEffective(b *testing.B) {
	p := mustPolicy(b, worldPolicy)
	records := make([]privacy.Record, 10_000)
	for i := range records {
		records[i] = own("f"+string(rune('0'+i%10)), "e"+string(rune('0'+i%97)), "health", m(privacy.MarkToldTo, "kit", privacy.ByTold))
	}
	b.ReportAllocs()
	for b.Loop() {
		engine.Effective(p, records, nil)
	}
}

// TestLabelWas: a label by hand carries the label that it was set over; what can't
// be read is as if it wasn't there.
func TestLabelWas(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	for rule, want := range map[string]*privacy.Label{
		"over L2/work": {Level: privacy.L2, Domain: "work"},
		"over L4":      {Level: privacy.L4},
		"over L0":      {},
		"":             nil,
		"L2/work":      nil,
		"over L7":      nil,
		"over L2/":     nil,
		"over ":        nil,
	} {
		hand := m(privacy.MarkLabel, "L3", privacy.ByHand)
		hand.Rule = rule
		f := engine.Effective(p, []privacy.Record{own("f", "e", "health", hand)}, nil)[0]
		if diff := cmp.Diff(want, f.LabelWas); diff != "" {
			t.Errorf("rule %q (-want +got):\n%s", rule, diff)
		}
		if f.Label == nil || *f.Label != (privacy.Label{Level: privacy.L3}) {
			t.Errorf("rule %q: label %v, want L3", rule, f.Label)
		}
	}
	// A later label without one takes the earlier one's away.
	first, later := m(privacy.MarkLabel, "L3", privacy.ByHand), m(privacy.MarkLabel, "L2", privacy.ByHand)
	first.Rule = "over L1/life"
	if f := engine.Effective(p, []privacy.Record{own("f", "e", "health", first, later)}, nil)[0]; f.LabelWas != nil {
		t.Errorf("the later label was set over %v, want nothing", f.LabelWas)
	}
}
