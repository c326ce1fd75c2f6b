package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// The answers of the owner to a question that waits.
const (
	AskOnce   = "once"   // these people may know these facts, for a day
	AskPerson = "always" // they may from now on
	AskGroup  = "group"  // a group of theirs may from now on
	AskNo     = "never"  // they may not, whatever the labels say
	AskSkip   = "skip"   // no decision: the rules go on as they are
)

// The reasons why a question waits, in words.
const (
	whyFirst     = "asked for the first time"
	whyUndecided = "nobody has decided who may know it"
)

// park keeps back for the owner what the settings want asked first, and notes what
// the question touched that nobody has decided on (policy setting `ask`). The
// readers get what they would get if it were denied; whether something waits shows
// in nothing that they see, and is written together with the ledger entry.
//
// What the owner has decided by name is never asked again: a whitelist, a
// blacklist, a reserved or a closed fact of the owner's own words.
func (a *Agent) park(ctx context.Context, t *turn) error {
	setting := t.world.policy.Settings().Ask
	if t.owner || setting == privacy.AskNever || setting == "" {
		return nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return err
	}
	refused, err := a.refused(ctx, t.names)
	if err != nil {
		return err
	}
	deep := func(id privacy.FactID) bool {
		return setting == privacy.AskAlways || t.world.label(id).Level <= privacy.L1
	}
	ask := &memory.Ask{To: t.names, Question: t.request.Question, At: a.opts.Now()}
	for i := range t.judged {
		j := &t.judged[i]
		if j.verdict.Allow && deep(j.id) && t.world.askFirst(j.id, t, entries) {
			j.verdict, j.why = privacy.Verdict{}, "ask: "+whyFirst+"; it waits in your review"
			ask.Facts, ask.Why = append(ask.Facts, j.id), whyFirst
		}
	}
	undecided, err := t.world.undecidedFacts(ctx, t, deep)
	if err != nil {
		return err
	}
	if len(undecided) > 0 && len(ask.Facts) == 0 {
		ask.Why = whyUndecided
	}
	ask.Facts = append(ask.Facts, undecided...)
	ask.Facts = slices.DeleteFunc(ask.Facts, func(id privacy.FactID) bool { return refused[id] })
	if len(ask.Facts) == 0 {
		return nil
	}
	slices.Sort(ask.Facts)
	ask.Facts = slices.Compact(ask.Facts)
	parts := append([]string{"ask", strings.Join(t.names, "\x00")}, idTexts(ask.Facts)...)
	ask.ID = "q" + shortHash(parts...)
	t.ask = ask
	return nil
}

// askFirst reports whether a fact that may be told is to be asked about before: it
// is only its label that lets a reader in, not everybody, and nothing of its
// matter (a category) was told to that reader before.
func (w *world) askFirst(id privacy.FactID, t *turn, entries []memory.LedgerEntry) bool {
	i, ok := w.judge.Index(id)
	if !ok || w.label(id) == (privacy.Label{Level: privacy.L4}) {
		return false
	}
	mark, _ := w.mark(id)
	for n, r := range t.to {
		if w.judge.Verdict(i, r).Reason == privacy.ReasonDefault && !w.toldOf(mark.Categories, t.names[n], r.Known(), entries) {
			return true
		}
	}
	return false
}

// waitsFor says that a reader whom the verdict lets in gets a fact only after the
// owner's word, and why; "" where they get it at once.
func (a *Agent) waitsFor(ctx context.Context, w *world, id privacy.FactID, r privacy.Recipient) (string, error) {
	setting := w.policy.Settings().Ask
	if setting == privacy.AskNever || setting == "" || setting != privacy.AskAlways && w.label(id).Level > privacy.L1 {
		return "", nil
	}
	entries, err := a.store.Ledger(ctx, memory.LedgerFilter{})
	if err != nil || !w.askFirst(id, &turn{to: []privacy.Recipient{r}, names: []string{r.Name()}}, entries) {
		return "", err
	}
	return whyFirst + ": it waits for your word first (ask: " + string(setting) + ")", nil
}

// toldOf reports whether somebody was told something of one of the categories. Of
// somebody whom the policy doesn't know a name says nothing.
func (w *world) toldOf(categories []privacy.CategoryID, name string, known bool, entries []memory.LedgerEntry) bool {
	if !known {
		return false
	}
	shares := func(list []privacy.CategoryID) bool {
		return slices.ContainsFunc(list, func(c privacy.CategoryID) bool { return slices.Contains(categories, c) })
	}
	for _, e := range entries {
		if !toldAll(e, []string{name}) {
			continue
		}
		for _, id := range e.Told {
			if mark, ok := w.mark(id); ok && shares(mark.Categories) {
				return true
			}
		}
		if slices.ContainsFunc(e.Traces, func(x memory.Trace) bool { return x.Told && shares(x.Categories) }) {
			return true
		}
	}
	return false
}

// undecidedFacts are those that the question asks for, that its readers are denied,
// and on which the owner has said nothing by name. They are found offline, whatever
// the stages are: no model sees them.
func (w *world) undecidedFacts(ctx context.Context, t *turn, deep func(privacy.FactID) bool) ([]privacy.FactID, error) {
	var all []engine.Ranked
	for _, hit := range t.considered {
		if fact, ok := w.fact(hit.Fact); ok {
			all = append(all, engine.Ranked{Record: fact.Record, Score: hit.Score})
		}
	}
	units, err := engine.NewOffline().Units(ctx, t.asked, all)
	if err != nil {
		return nil, err
	}
	var out []privacy.FactID
	for _, id := range units.Facts {
		if !w.audience(id, t.to).Allow && (deep(id) || w.open(id)) && !w.decidedByName(id, t.to) {
			out = append(out, id)
		}
	}
	return out, nil
}

// open reports whether a fact waits for the owner anyway.
func (w *world) open(id privacy.FactID) bool {
	i, ok := w.byID[id]
	if !ok {
		return false
	}
	_, waits := w.waits(i)
	return waits
}

// decidedByName reports whether the owner's own words or acts say of a fact that
// these readers may not know it.
func (w *world) decidedByName(id privacy.FactID, to []privacy.Recipient) bool {
	i, ok := w.judge.Index(id)
	if !ok {
		return true
	}
	for _, r := range to {
		switch w.judge.Verdict(i, r).Reason {
		case privacy.ReasonBlacklisted, privacy.ReasonReserved, privacy.ReasonCapped, privacy.ReasonCombination:
			return true
		case privacy.ReasonClosed:
			fact, _ := w.fact(id)
			if slices.ContainsFunc(fact.Marks, func(m privacy.Mark) bool {
				return m.Kind == privacy.MarkClosed && (m.By == privacy.BySpoken || m.By == privacy.ByHand)
			}) {
				return true
			}
		}
	}
	return false
}

// refused are the facts that the owner once refused these very people and that no
// rule can deny them by name, since the policy doesn't know them.
func (a *Agent) refused(ctx context.Context, names []string) (map[privacy.FactID]bool, error) {
	asks, err := a.store.Asks(ctx, false)
	out := map[privacy.FactID]bool{}
	for _, ask := range asks {
		if ask.Answer == AskNo && slices.Equal(ask.To, names) {
			for _, id := range ask.Facts {
				out[id] = true
			}
		}
	}
	return out, err
}

func idTexts(ids []privacy.FactID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}
