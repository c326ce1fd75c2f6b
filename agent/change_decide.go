package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// previewDecision plans an answer to facts. What is more than a tightening needs the
// owner, also where nobody is let in by it today: a fact that is closed or not
// confirmed may be opened one day, and somebody may come to stand there. What nobody
// was asked for teaches the annotator nothing: an exemplar stands in place of what
// the annotator would say of every text like it, which may be stricter than what it
// says of this one.
func (a *Agent) previewDecision(ctx context.Context, p *Proposal) error {
	c := &p.Change
	if c.Decision == nil {
		return fmt.Errorf("decision: %w", ErrEmpty)
	}
	d := *c.Decision
	before, err := a.current(ctx)
	if err != nil {
		return err
	}
	decided, err := a.decide(ctx, c.Facts, d, decideDry)
	if err != nil {
		return err
	}
	p.Decided = decided
	p.opens(decided.Widened, decided.Loosened)
	p.Closes = pairsClose(decided.Narrowed)
	for _, e := range decided.Edits {
		if d.NotFact {
			p.Notes = append(p.Notes, fmt.Sprintf("%s is no fact: it goes", e.Fact))
			continue
		}
		p.subjects = append(p.subjects, e.Fact)
		if d.Confirm {
			p.Opens = append(p.Opens, fmt.Sprintf("%s counts as true, as if the owner had said it", e.Fact))
		}
		p.Opens = append(p.Opens, loosensFact(before, decided.after, e.Fact, d)...)
		for _, party := range d.Allow {
			p.Opens = append(p.Opens, fmt.Sprintf("%s may know %s, whatever its label", party, e.Fact))
		}
	}
	mode := decideAgreed
	switch teaches := d.NotFact || len(d.Categories) > 0; {
	case !teaches:
	case len(p.Opens) == 0:
		mode = decideUntaught
		p.Notes = append(p.Notes, "nothing is taught by it, since the owner wasn't asked: what is like it is judged as before")
	case d.NotFact:
		p.Opens = append(p.Opens, "what is like it is no fact either")
	default:
		p.Opens = append(p.Opens, fmt.Sprintf("what is like it is put into %s too, whatever else it says", categoryList(d.Categories)))
	}
	p.apply = func(ctx context.Context, _ func(int, int)) error {
		done, err := a.decide(ctx, c.Facts, d, mode)
		if done != nil {
			p.Decided = done
		}
		return err
	}
	return nil
}

// loosensFact says what of a decision is not plainly a tightening of one fact, a line
// each. It looks past what keeps the fact closed: its label as it counts, as it would
// count if the fact were open, and that of its categories alone may none of them
// become looser, and nothing goes that kept it from somebody.
func loosensFact(before, after *world, id privacy.FactID, d Decision) []string {
	i, ok := before.judge.Index(id)
	j, stays := after.judge.Index(id)
	if !ok || !stays {
		return nil
	}
	old, now := before.marks[before.byID[id]], after.marks[after.byID[id]]
	b, is := before.judge, after.judge
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch {
	case looser(b.Label(i), is.Label(j)):
		say("the label of %s becomes %s, it was %s", id, is.Label(j), b.Label(i))
	case len(old.Categories) == 0 && len(d.Categories) > 0:
		say("%s was in no category, and for nobody; its label is %s as soon as nothing else closes it", id, is.LabelIfOpen(j))
	case looser(b.LabelIfOpen(i), is.LabelIfOpen(j)):
		say("the label of %s would be %s as soon as nothing else closes it, it was %s", id, is.LabelIfOpen(j), b.LabelIfOpen(i))
	case looser(b.CategoryLabel(i), is.CategoryLabel(j)):
		say("the categories of %s would give it %s as soon as no label of its own stands, they gave %s", id, is.CategoryLabel(j), b.CategoryLabel(i))
	case d.Label != nil && d.Label.Level > privacy.L0 && b.Label(i) == privacy.Label{}:
		say("%s has the label %s by the owner's hand, as soon as nothing else closes it", id, *d.Label)
	}
	if len(d.Categories) > 0 {
		out = append(out, dropsCategories(before, id, old.Categories, now.Categories)...)
		out = append(out, turnsRules(before, id, old.Rules, now.Rules)...)
	}
	return out
}

// looser reports whether anybody who passes is may not have passed was.
func looser(was, is privacy.Label) bool { return privacy.Meet(is, was) != is }

// dropsCategories says what kept a fact from somebody by a category that it leaves,
// beside the label of that.
func dropsCategories(w *world, id privacy.FactID, was, is []privacy.CategoryID) []string {
	var denied []privacy.Party
	confided := false
	for _, c := range is {
		category, _ := w.policy.Category(c)
		denied = append(denied, category.Deny...)
		confided = confided || category.Confidence
	}
	var out []string
	for _, c := range was {
		category, there := w.policy.Category(c)
		if !there || slices.Contains(is, c) {
			continue
		}
		lost := slices.ContainsFunc(category.Deny, func(p privacy.Party) bool { return !slices.Contains(denied, p) })
		combined := slices.ContainsFunc(w.policy.Combinations(), func(x privacy.Combination) bool { return slices.Contains(x.Categories, c) })
		if lost || combined || category.Confidence && !confided {
			out = append(out, fmt.Sprintf("%s leaves the category %s, which keeps more from people than its label does", id, c))
		}
	}
	return out
}

// turnsRules says which rules of the policy no longer deny a fact, or allow it from now on.
func turnsRules(w *world, id privacy.FactID, was, is []privacy.RuleID) []string {
	var out []string
	for _, r := range w.policy.Rules() {
		before, after := slices.Contains(was, r.ID), slices.Contains(is, r.ID)
		switch {
		case before == after || r.Ended(w.now):
		case before && r.Denies():
			out = append(out, fmt.Sprintf("the rule %s no longer denies %s to %s", r.ID, id, parties(r.Deny)))
		case after && !r.Denies():
			out = append(out, fmt.Sprintf("the rule %s allows %s to %s", r.ID, id, parties(r.Allow)))
		}
		for _, x := range w.policy.Combinations() {
			if before && !after && slices.Contains(x.Rules, r.ID) {
				out = append(out, fmt.Sprintf("%s is no longer part of the combination %s", id, x.ID))
			}
		}
	}
	return out
}

func categoryList(ids []privacy.CategoryID) string {
	var words []string
	for _, id := range ids {
		words = append(words, string(id))
	}
	return strings.Join(words, ", ")
}
