package engine

import (
	"github.com/epagent/epagent/privacy"
)

// marks emits the effective marks of record i, the rules of MARKS in order.
func (d *derivation) marks(i int, emit func(Explained)) {
	r, b := &d.records[i], &d.base[i]
	ev := privacy.EventID(b.event.Value)

	categories := d.categories(r)
	for _, m := range categories {
		if m.Value != "" {
			emit(Explained{Effect: SetCategory, Value: m.Value, Mark: *m})
		}
	}
	d.label(r, emit)
	if ev != "" {
		emit(Explained{Effect: SetEvent, Value: string(ev), Mark: *b.event})
	}
	emit(Explained{Effect: SetTruth, Value: b.truth.String(), Mark: *b.truthBy})
	trusted := "false"
	if b.trusted {
		trusted = "true"
	}
	emit(Explained{Effect: SetTrusted, Value: trusted, Mark: *b.trustBy})

	d.lists(i, emit)
	d.categoryDenies(r, categories, emit)
	for _, rule := range d.rules[ev] {
		d.eventRule(r, rule, emit)
	}
	d.onlyThose(i, emit)
	if b.gold {
		return
	}
	d.told(i, emit)
	d.covered(i, emit)
	d.heldBack(i, emit)
	d.confidences(i, emit)
}

// label: the owner's last label by hand stands in place of the computed one. A
// machine's label is not taken: it computes categories, not labels.
func (d *derivation) label(r *privacy.Record, emit func(Explained)) {
	var found *privacy.Mark
	for j := range r.Marks {
		if m := &r.Marks[j]; m.Kind == privacy.MarkLabel && (m.By == privacy.ByHand || m.By == privacy.ByGold) {
			found = m
		}
	}
	if found != nil {
		emit(Explained{Effect: SetLabel, Value: found.Value, Mark: *found})
	}
}

// lists takes over the record's own lists. Spoken grants count only on what
// rests on the owner's own words.
func (d *derivation) lists(i int, emit func(Explained)) {
	r, b := &d.records[i], &d.base[i]
	for k := range r.Marks {
		m := &r.Marks[k]
		switch m.Kind {
		case privacy.MarkWhitelist:
			if !grants(m.By) || m.By == privacy.ByTold && !b.gold || m.By == privacy.BySpoken && !b.trusted {
				continue // told ones: see told
			}
			effect := AddWhitelist
			if m.By == privacy.BySpoken && m.Rule == ruleClause {
				effect = AddOwnWhitelist // what X may be told is no reason to tell X the rest
			}
			emit(Explained{Effect: effect, Value: m.Value, Mark: *m})
		case privacy.MarkBlacklist:
			emit(Explained{Effect: AddBlacklist, Value: m.Value, Mark: *m})
		case privacy.MarkReserved:
			emit(Explained{Effect: AddReserved, Value: m.Value, Mark: *m})
		case privacy.MarkClosed:
			if openedByHand(r) || m.By == privacy.ByHand && m.Value == "false" {
				continue
			}
			emit(Explained{Effect: SetClosed, Value: "true", Mark: *m})
		}
	}
}

// categoryDenies: MARKS 10. "$subject" is the person whom the fact is about.
// Where that is the owner, or nobody whom the policy knows, everybody named in
// the statement needs a whitelist: one of them may be the one it is kept from.
func (d *derivation) categoryDenies(r *privacy.Record, categories []*privacy.Mark, emit func(Explained)) {
	for _, c := range categories {
		for _, party := range d.deny[privacy.CategoryID(c.Value)] {
			m := privacy.Mark{Kind: privacy.MarkBlacklist, Value: string(party), By: privacy.ByRule, Rule: "category " + c.Value}
			if party != privacy.SubjectParty {
				emit(Explained{Effect: AddBlacklist, Value: string(party), Mark: m})
				continue
			}
			if q, ok := d.p.Person(r.Subject); ok && r.Subject != "" {
				emit(Explained{Effect: AddBlacklist, Value: string(q.ID), Mark: m})
				continue
			}
			if r.Subject != "" && !d.p.IsOwner(r.Subject) {
				// Named, but nobody of the policy: an entry that resolves to nobody
				// closes the fact until the owner says who that is.
				emit(Explained{Effect: AddBlacklist, Value: r.Subject, Mark: m})
			}
			if d.names == nil {
				d.names = newAudience(d.p)
			}
			for _, id := range d.names.mentioned(r.Text) {
				emit(Explained{Effect: AddReserved, Value: string(id), Mark: m})
			}
		}
	}
}

// eventRule: MARKS 3. What the owner said about the event binds each of its
// facts, gold ones too. An unknown kind of rule closes.
func (d *derivation) eventRule(r *privacy.Record, rule privacy.EventRule, emit func(Explained)) {
	m := privacy.Mark{Kind: rule.Kind, Value: rule.Value, By: rule.By, Rule: "event rule " + rule.ID, Turn: rule.Turn, At: rule.At}
	switch rule.Kind {
	case privacy.MarkBlacklist:
		emit(Explained{Effect: AddBlacklist, Value: rule.Value, Mark: m})
	case privacy.MarkReserved:
		emit(Explained{Effect: AddReserved, Value: rule.Value, Mark: m})
	default:
		if rule.By == privacy.ByHand || !openedByHand(r) {
			emit(Explained{Effect: SetClosed, Value: "true", Mark: m})
		}
	}
}

// told: MARKS 5. Who heard the owner say what is so may hear it again, on that
// fact alone. That the owner passed a confidence on once is no decision that it may
// be told (MARKS 9).
func (d *derivation) told(i int, emit func(Explained)) {
	b := &d.base[i]
	if d.settings.ToldByOwner != privacy.ToldGrant || !b.trusted || b.truth != privacy.Real || !d.records[i].OwnerSaid {
		return
	}
	if own, others := d.confidedAs(i); own != nil || len(others) > 0 {
		return
	}
	for k := range d.records[i].Marks {
		m := &d.records[i].Marks[k]
		if m.Rule == privacy.RulePassedOn {
			continue // that the owner said so is somebody else's word
		}
		if m.Kind == privacy.MarkToldTo || m.Kind == privacy.MarkWhitelist && m.By == privacy.ByTold {
			emit(Explained{Effect: AddOwnWhitelist, Value: m.Value, Mark: *m})
		}
	}
}

// covered: MARKS 7, both sides. A cover story is for those it was told to; they
// in turn need a whitelist for what it hides.
func (d *derivation) covered(i int, emit func(Explained)) {
	r, b := &d.records[i], &d.base[i]
	if b.truth == privacy.Cover {
		if d.settings.CoverAudience == privacy.CoverGate {
			return
		}
		emit(Explained{Effect: SetClosed, Value: "true", Mark: privacy.Mark{
			Kind: privacy.MarkClosed, Value: "true", By: privacy.ByRule, Rule: "cover_audience: told"}})
		if b.trusted {
			for _, m := range marksOf(r, privacy.MarkToldTo) {
				emit(Explained{Effect: AddOwnWhitelist, Value: m.Value, Mark: m})
			}
		}
		return
	}
	reserve := func(covers []cover) {
		for _, c := range covers {
			for _, m := range c.toldTo {
				emit(Explained{Effect: AddReserved, Value: m.Value, Mark: m, From: d.records[c.from].ID})
			}
		}
	}
	reserve(d.coverOfFact[r.ID])
	if b.event.Value != "" {
		reserve(d.coverOfEv[privacy.EventID(b.event.Value)])
	}
}

// heldBack: MARKS 8. What rests on somebody else's word waits for the owner.
func (d *derivation) heldBack(i int, emit func(Explained)) {
	if d.base[i].trusted {
		return
	}
	switch d.settings.Untrusted {
	case privacy.UntrustedGate, privacy.UntrustedAttribute:
	default:
		emit(Explained{Effect: SetClosed, Value: "true", Mark: privacy.Mark{
			Kind: privacy.MarkClosed, Value: "true", By: privacy.ByRule, Rule: "untrusted: hold"}})
	}
}

// confidences: MARKS 9. A confidence closes every fact of its event about its
// subject, whoever repeats it; the teller may hear their own words.
func (d *derivation) confidences(i int, emit func(Explained)) {
	r := &d.records[i]
	closed := func(m privacy.Mark, from privacy.FactID) {
		emit(Explained{Effect: SetClosed, Value: "true", Mark: m, From: from})
		if m.Value != "" && !r.OwnerSaid && d.samePerson(r.Speaker, m.Value) {
			emit(Explained{Effect: AddOwnWhitelist, Value: m.Value, Mark: m, From: from})
		}
	}
	own, others := d.confidedAs(i)
	if own != nil {
		closed(*own, "")
	}
	for _, c := range others {
		closed(c.mark, d.records[c.from].ID)
	}
}

// confidedAs returns what makes record i a confidence: its own mark, and the
// confidences of its event about its subject. Nothing once the owner let somebody
// in by hand.
func (d *derivation) confidedAs(i int) (own *privacy.Mark, others []confidence) {
	r, b := &d.records[i], &d.base[i]
	if releasedByHand(r) {
		return nil, nil
	}
	all := d.confided[privacy.EventID(b.event.Value)]
	if len(all) == 0 {
		return b.confided, nil
	}
	subject := d.subject(r)
	for _, c := range all {
		if c.from != i && (subject == "" || c.subject == "" || c.subject == subject) {
			others = append(others, c)
		}
	}
	return b.confided, others
}

// samePerson reports whether two names, or ids, are one person's.
func (d *derivation) samePerson(a, b string) bool {
	if privacy.NormalizeName(a) == privacy.NormalizeName(b) {
		return true
	}
	p, ok := d.p.Person(a)
	q, also := d.p.Person(b)
	return ok && also && p.ID == q.ID
}
