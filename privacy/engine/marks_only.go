package engine

import (
	"slices"

	"github.com/epagent/epagent/privacy"
)

// onlyThose: "only X may know" is one word of the owner's with two sides. It closes
// the facts that its event has and will have (MARKS 3), and those it names go on
// hearing how the matter stands: without that, what moves on would be for nobody.
//
// It stays within what a link of the engine may lend (MARKS 6): from a fact whose
// label is at least as strict, on which the same words let X in, and only to a fact
// that nothing else closes. Where several words close the event, X must be let in by
// each of them.
func (d *derivation) onlyThose(i int, emit func(Explained)) {
	r, b := &d.records[i], &d.base[i]
	if b.gold || !b.trusted || b.truth != privacy.Real || b.event.Value == "" {
		return
	}
	if own, others := d.confidedAs(i); own != nil || len(others) > 0 {
		return
	}
	rules := d.rules[privacy.EventID(b.event.Value)]
	label, ok := d.computed(r)
	if !ok || ownClosing(r, rules) {
		return
	}
	var let []Explained
	closings := 0
	for _, rule := range rules {
		switch rule.Kind {
		case privacy.MarkBlacklist, privacy.MarkReserved:
			continue // deny anyway
		}
		named := d.named(i, label, rule)
		if closings++; closings == 1 {
			let = named
			continue
		}
		let = slices.DeleteFunc(let, func(e Explained) bool {
			return !slices.ContainsFunc(named, func(n Explained) bool { return n.Value == e.Value })
		})
	}
	for _, e := range let {
		emit(e)
	}
}

// ownClosing reports whether r is closed by itself, and not by words that close its
// whole event.
func ownClosing(r *privacy.Record, rules []privacy.EventRule) bool {
	return slices.ContainsFunc(r.Marks, func(m privacy.Mark) bool {
		return m.Kind == privacy.MarkClosed && m.Value != "false" && !slices.ContainsFunc(rules, func(rule privacy.EventRule) bool {
			return rule.Kind == privacy.MarkClosed && rule.By == m.By && rule.Turn == m.Turn && rule.Turn != ""
		})
	})
}

// named are those whom the words of a closing rule let in on another fact of the
// event, where that fact may lend to record i.
func (d *derivation) named(i int, label privacy.Label, rule privacy.EventRule) []Explained {
	if rule.By != privacy.BySpoken || rule.Turn == "" {
		return nil
	}
	var out []Explained
	for _, k := range d.saidWith[rule.Turn] {
		lender, b := &d.records[k], &d.base[k]
		if k == i || b.gold || !b.trusted || b.truth != privacy.Real || b.event.Value != string(rule.Event) {
			continue
		}
		strict, ok := d.computed(lender)
		if !ok || privacy.Meet(strict, label) != strict {
			continue
		}
		for j := range lender.Marks {
			m := &lender.Marks[j]
			if m.Kind == privacy.MarkWhitelist && m.By == privacy.BySpoken && m.Turn == rule.Turn && m.Rule != ruleClause {
				out = append(out, Explained{Effect: AddOwnWhitelist, Value: m.Value, Mark: *m, From: lender.ID})
			}
		}
	}
	return out
}

// computed is the label that the categories of r give; false without a category that
// the policy has, or where the owner set a label by hand.
func (d *derivation) computed(r *privacy.Record) (privacy.Label, bool) {
	if lastMark(r, privacy.MarkLabel) != nil {
		return privacy.Label{}, false
	}
	var out privacy.Label
	categories := d.categories(r)
	for n, m := range categories {
		c, ok := d.p.Category(privacy.CategoryID(m.Value))
		if !ok {
			return privacy.Label{}, false
		}
		if n == 0 {
			out = c.Label()
			continue
		}
		out = privacy.Meet(out, c.Label())
	}
	return out, len(categories) > 0
}

// linkWords notes by which words of the owner somebody is let in on record i.
func (d *derivation) linkWords(i int) {
	for k := range d.records[i].Marks {
		m := &d.records[i].Marks[k]
		if m.Kind == privacy.MarkWhitelist && m.By == privacy.BySpoken && m.Turn != "" && !slices.Contains(d.saidWith[m.Turn], i) {
			d.saidWith[m.Turn] = append(d.saidWith[m.Turn], i)
		}
	}
}
