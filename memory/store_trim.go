package memory

import (
	"slices"

	"github.com/epagent/epagent/privacy"
)

// What forgetting does to the facts that stay.

// trimKept takes the forgotten sources out of the facts that stay.
func (f *forgetter) trimKept(Forget) error {
	for i := range f.facts {
		fact := &f.facts[i]
		if f.doomed[fact.ID] != nil {
			continue
		}
		if next, lost := f.trimmed(fact); lost {
			f.done.Kept = append(f.done.Kept, fact.ID)
			writeFactRow(f.tx, &next) // what it was is forgotten
		}
	}
	for ref := range f.turns {
		f.tx.exec("UPDATE event_rules SET turn = '' WHERE turn = ?", ref.id)
	}
	return f.tx.err
}

// trimmed returns fact without the forgotten sources, and whether it had any.
func (f *forgetter) trimmed(fact *Fact) (Fact, bool) {
	next := *fact
	sessions := fact.allSessions()
	lost := func(turn string) bool { return f.gone(sessions, turn) }
	next.Evidence = slices.DeleteFunc(slices.Clone(fact.Evidence), lost)
	next.Sessions = slices.DeleteFunc(slices.Clone(sessions), func(id string) bool { return f.sessions[id] })
	next.Session = ""
	if len(next.Sessions) > 0 {
		next.Session = next.Sessions[0]
	}
	next.Marks = keptMarks(fact.Marks, lost)
	next.Marks = slices.DeleteFunc(next.Marks, func(m privacy.Mark) bool {
		return m.Kind == privacy.MarkCovers && f.doomed[privacy.FactID(m.Value)] != nil
	})
	return next, len(next.Evidence) < len(fact.Evidence) || len(next.Sessions) < len(sessions) || !slices.Equal(next.Marks, fact.Marks)
}

// trimPast does the same to what the facts that stay were before. A past that was
// said by, about or by way of nobody else than the forgotten goes altogether; one
// whose words tell of it gets the present words.
func (f *forgetter) trimPast(Forget) error {
	present := make(map[privacy.FactID]string, len(f.facts))
	for i := range f.facts {
		present[f.facts[i].ID] = f.facts[i].Text
	}
	for i := range f.past {
		past := &f.past[i]
		if f.doomed[past.ID] != nil {
			continue
		}
		if f.people[foldName(past.Speaker)] || f.people[foldName(past.Subject)] || f.restsOnGone(&past.Fact) {
			f.cut = true
			f.tx.exec("DELETE FROM fact_history WHERE id = ? AND since = ?", string(past.ID), past.since)
			continue
		}
		next, lost := f.trimmed(&past.Fact)
		if next.Text != present[past.ID] && f.tells(next.Text) {
			next.Text, lost = present[past.ID], true
		}
		if lost {
			f.cut = true
			f.tx.exec("UPDATE fact_history SET text = ?, "+factSet+" WHERE id = ? AND since = ?",
				append(factValues(&next)[1:], string(past.ID), past.since)...)
		}
	}
	return f.tx.err
}

// keptMarks returns the marks without what rested on a lost turn: a grant goes, a
// restriction stays without its turn. So does a category, whose loss could widen
// a meet. A review note may quote and goes.
func keptMarks(marks []privacy.Mark, lost func(turn string) bool) []privacy.Mark {
	out := make([]privacy.Mark, 0, len(marks))
	for _, m := range marks {
		if m.Turn != "" && lost(m.Turn) {
			switch m.Kind {
			case privacy.MarkWhitelist, privacy.MarkTrusted, privacy.MarkReview:
				continue
			case privacy.MarkTruth:
				if m.Value == privacy.Real.String() {
					continue
				}
			}
			m.Turn = ""
		}
		out = append(out, m)
	}
	return out
}
