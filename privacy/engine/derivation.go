package engine

import (
	"slices"
	"time"

	"github.com/epagent/epagent/privacy"
)

// basis is what a record's own marks say before other records come in. It points
// into the record: a store has many.
type basis struct {
	event   *privacy.Mark // Value "" without one
	truthBy *privacy.Mark
	trustBy *privacy.Mark
	truth   privacy.Truth
	trusted bool
	gold    bool

	confided *privacy.Mark // what makes it a confidence (MARKS 9), nil if nothing does
}

// Marks that stand in for missing ones.
var (
	noEvent = &privacy.Mark{}
	noTruth = &privacy.Mark{Kind: privacy.MarkTruth, Rule: "missing"}
	noTrust = &privacy.Mark{Kind: privacy.MarkTrusted, Rule: "missing"}
)

// cover is a cover story as it bears on the real facts that it hides.
type cover struct {
	from   int
	toldTo []privacy.Mark
}

// confidence is a confided record as it bears on the facts of its event.
type confidence struct {
	from    int
	subject string // normalised; "" is everybody
	mark    privacy.Mark
}

// derivation holds the links between records that marks depend on.
type derivation struct {
	p        *privacy.Policy
	settings privacy.Settings
	deny     map[privacy.CategoryID][]privacy.Party
	secret   map[privacy.CategoryID]bool // categories with confidence: true
	records  []privacy.Record
	base     []basis

	rules       map[privacy.EventID][]privacy.EventRule
	coverOfFact map[privacy.FactID][]cover
	coverOfEv   map[privacy.EventID][]cover
	confided    map[privacy.EventID][]confidence
	saidWith    map[string][]int // by turn: the records that words of it let somebody in on
	names       *audience        // built on first use
	scratch     []*privacy.Mark  // of categories
}

func newDerivation(p *privacy.Policy, records []privacy.Record, rules []privacy.EventRule) *derivation {
	d := &derivation{
		p: p, settings: p.Settings(), records: records,
		base:        make([]basis, len(records)),
		deny:        map[privacy.CategoryID][]privacy.Party{},
		secret:      map[privacy.CategoryID]bool{},
		rules:       map[privacy.EventID][]privacy.EventRule{},
		coverOfFact: map[privacy.FactID][]cover{},
		coverOfEv:   map[privacy.EventID][]cover{},
		confided:    map[privacy.EventID][]confidence{},
		saidWith:    map[string][]int{},
	}
	for _, c := range p.Categories() {
		if len(c.Deny) > 0 {
			d.deny[c.ID] = c.Deny
		}
		if c.Confidence {
			d.secret[c.ID] = true
		}
	}
	for _, r := range rules {
		if r.Event != "" {
			d.rules[r.Event] = append(d.rules[r.Event], r)
		}
	}
	for i := range records {
		d.base[i] = baseOf(&records[i])
	}
	for i := range records {
		d.linkCover(i)
		d.linkConfidence(i)
		d.linkWords(i)
	}
	return d
}

// linkCover notes which real facts the cover story i hides (MARKS 7). Only the
// owner tells cover stories: what others claim reserves nothing.
func (d *derivation) linkCover(i int) {
	r, b := &d.records[i], d.base[i]
	if b.gold || b.truth != privacy.Cover || !b.trusted {
		return
	}
	c := cover{from: i, toldTo: marksOf(r, privacy.MarkToldTo)}
	if len(c.toldTo) == 0 {
		return
	}
	hides := marksOf(r, privacy.MarkCovers)
	for _, m := range hides {
		id := privacy.FactID(m.Value)
		d.coverOfFact[id] = append(d.coverOfFact[id], c)
	}
	if ev := privacy.EventID(b.event.Value); len(hides) == 0 && ev != "" {
		d.coverOfEv[ev] = append(d.coverOfEv[ev], c)
	}
}

// linkConfidence notes which facts the confidence i closes (MARKS 9). It ends
// when the owner opens i by hand.
func (d *derivation) linkConfidence(i int) {
	r, b := &d.records[i], d.base[i]
	m := d.confidenceOf(i)
	d.base[i].confided = m
	if m == nil || openedByHand(r) || b.event.Value == "" {
		return
	}
	ev := privacy.EventID(b.event.Value)
	d.confided[ev] = append(d.confided[ev], confidence{from: i, subject: d.subject(r), mark: *m})
}

// confidenceOf returns the mark that makes record i a confidence: its own, or
// one made of a category that the policy declares to hold confidences.
func (d *derivation) confidenceOf(i int) *privacy.Mark {
	r := &d.records[i]
	if d.base[i].gold {
		return nil
	}
	if m := lastMark(r, privacy.MarkConfided); m != nil {
		return m
	}
	if len(d.secret) == 0 {
		return nil
	}
	for _, c := range d.categories(r) {
		if d.secret[privacy.CategoryID(c.Value)] {
			teller := r.Speaker
			if r.OwnerSaid {
				teller = ""
			}
			return &privacy.Mark{Kind: privacy.MarkConfided, Value: teller, By: privacy.ByRule, Rule: "category " + c.Value}
		}
	}
	return nil
}

// subject returns whom r is about in a form to compare: the id of a person of
// the policy, else the normalised name.
func (d *derivation) subject(r *privacy.Record) string {
	if r.Subject == "" {
		return ""
	}
	if q, ok := d.p.Person(r.Subject); ok {
		return string(q.ID)
	}
	return privacy.NormalizeName(r.Subject)
}

func baseOf(r *privacy.Record) basis {
	b := basis{gold: r.Gold(), event: noEvent, truthBy: noTruth, trustBy: noTrust}
	if m := lastMark(r, privacy.MarkEvent); m != nil {
		b.event = m
	}
	if b.gold && b.event.By != privacy.ByHand {
		m := *b.event
		m.By = privacy.ByGold // gold links are confirmed
		b.event = &m
	}
	if m := strictest(r, privacy.MarkTruth, privacy.Real.String()); m != nil {
		b.truthBy = m
		if m.Value == privacy.Real.String() {
			b.truth = privacy.Real
		}
	}
	if m := strictest(r, privacy.MarkTrusted, "true"); m != nil {
		b.trustBy = m
		// Only the owner's words or the owner's act make a fact trusted.
		b.trusted = m.Value == "true" && (r.OwnerSaid || m.By == privacy.ByHand || m.By == privacy.ByGold)
	}
	return b
}

// strictest returns the mark of a kind that decides: the owner's last hand mark,
// else any that does not say open, else the last; nil without one.
func strictest(r *privacy.Record, kind privacy.MarkKind, open string) *privacy.Mark {
	var found *privacy.Mark
	hand := false
	for i := range r.Marks {
		m := &r.Marks[i]
		switch {
		case m.Kind != kind:
		case m.By == privacy.ByHand:
			found, hand = m, true
		case !hand && (found == nil || found.Value == open):
			found = m
		}
	}
	return found
}

// lastMark returns the last hand mark of a kind, else the last one, nil without.
func lastMark(r *privacy.Record, kind privacy.MarkKind) *privacy.Mark {
	var found *privacy.Mark
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Kind == kind && (found == nil || m.By == privacy.ByHand || found.By != privacy.ByHand) {
			found = m
		}
	}
	return found
}

func marksOf(r *privacy.Record, kind privacy.MarkKind) []privacy.Mark {
	var out []privacy.Mark
	for i := range r.Marks {
		if r.Marks[i].Kind == kind {
			out = append(out, r.Marks[i])
		}
	}
	return out
}

// categories returns the category marks that count: those of the owner's last
// decision by hand (marks of one decision share their time), else all (MARKS 1:
// the label is the meet over every candidate). The list is good until the next call.
func (d *derivation) categories(r *privacy.Record) []*privacy.Mark {
	out := d.scratch[:0]
	var last time.Time
	hand := false
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Kind != privacy.MarkCategory {
			continue
		}
		out = append(out, m)
		if m.By == privacy.ByHand {
			hand = true
			if m.At.After(last) {
				last = m.At
			}
		}
	}
	d.scratch = out
	if !hand {
		return out
	}
	return slices.DeleteFunc(out, func(m *privacy.Mark) bool {
		return m.By != privacy.ByHand || !m.At.Equal(last)
	})
}

// releasedByHand reports whether the owner decided in the tool who may know r:
// by opening it, or by a label that lets somebody in. Confirming that r is true
// is another act (MARKS 9).
func releasedByHand(r *privacy.Record) bool {
	if openedByHand(r) {
		return true
	}
	open := false
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.By == privacy.ByHand && m.Kind == privacy.MarkLabel {
			open = parseLabel(m.Value).Level > privacy.L0
		}
	}
	return open
}

// openedByHand reports whether the owner's last word on closing r by hand is
// that it is not closed.
func openedByHand(r *privacy.Record) bool {
	opened := false
	for i := range r.Marks {
		m := &r.Marks[i]
		if m.Kind == privacy.MarkClosed && m.By == privacy.ByHand {
			opened = m.Value == "false"
		}
	}
	return opened
}

// grants reports whether a mark by source may let somebody in.
func grants(by privacy.MarkSource) bool {
	switch by {
	case privacy.BySpoken, privacy.ByHand, privacy.ByRule, privacy.ByGold, privacy.ByTold:
		return true
	default:
		return false
	}
}
