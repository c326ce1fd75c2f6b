package agent

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// ReviewGroup is why a fact waits for the owner. A fact is in one group only.
type ReviewGroup string

// The groups, in the order in which the queue shows them: what rests on the
// owner's own words comes first, so that an imported chat full of what others say
// doesn't drown it.
const (
	ReviewUnsure        ReviewGroup = "unsure"        // a guess that is in doubt, or a question that only the owner can answer
	ReviewNewCategory   ReviewGroup = "new-category"  // it may belong to a category that was added later
	ReviewUncategorised ReviewGroup = "uncategorised" // no category: for nobody until there is one (MARKS 1)
	ReviewUntrusted     ReviewGroup = "untrusted"     // it rests on somebody else's words (MARKS 8)
)

// ReviewGroups lists every group in the order of the queue.
func ReviewGroups() []ReviewGroup {
	return []ReviewGroup{ReviewUnsure, ReviewNewCategory, ReviewUncategorised, ReviewUntrusted}
}

// The rules that review marks name.
const (
	ruleCategory    = "MARKS 1"
	ruleToldAsk     = "MARKS 5"
	ruleUntrusted   = "MARKS 8"
	ruleTaught      = "MARKS 12"
	ruleException   = "exceptions" // what somebody said about who may know, where it isn't clear
	ruleNewCategory = "new category"
)

// audienceKinds are the marks by which the owner says who may know, whatever the
// fact is about.
var audienceKinds = []privacy.MarkKind{privacy.MarkLabel, privacy.MarkClosed, privacy.MarkWhitelist}

// answers reports whether a mark by hand answers a question of the queue. Each
// question wants its own answer: a category says nothing about whether somebody
// else's words are true, nor whether a confidence may be told.
func answers(question, hand *privacy.Mark) bool {
	switch question.Rule {
	case ruleCategory:
		return hand.Kind == privacy.MarkCategory || slices.Contains(audienceKinds, hand.Kind)
	case ruleUntrusted:
		return hand.Kind == privacy.MarkTrusted || slices.Contains(audienceKinds, hand.Kind)
	case ruleToldAsk, ruleException:
		return hand.Kind == privacy.MarkBlacklist || slices.Contains(audienceKinds, hand.Kind)
	default:
		return true
	}
}

// openQuestions returns the review marks of a fact that no act of the owner has
// answered since, in their order. A question that the settings no longer ask is
// not open.
func openQuestions(r *privacy.Record, s privacy.Settings) []privacy.Mark {
	var out []privacy.Mark
	for i := range r.Marks {
		q := &r.Marks[i]
		switch {
		case q.Kind != privacy.MarkReview,
			q.Rule == ruleUntrusted && s.Untrusted != privacy.UntrustedHold,
			q.Rule == ruleToldAsk && s.ToldByOwner != privacy.ToldAsk:
			continue
		}
		answered := slices.ContainsFunc(r.Marks[i+1:], func(m privacy.Mark) bool {
			return m.By == privacy.ByHand && answers(q, &m)
		})
		if !answered {
			out = append(out, *q)
		}
	}
	return out
}

// waiting is a fact of the queue: why it waits.
type waiting struct {
	index     int // in world.facts
	group     ReviewGroup
	questions []privacy.Mark
}

// why tells the questions in words.
func (x *waiting) why() string {
	words := make([]string, 0, len(x.questions))
	for _, q := range x.questions {
		if !slices.Contains(words, q.Value) {
			words = append(words, q.Value)
		}
	}
	return strings.Join(words, "; ")
}

// asks reports whether a question of this rule is open.
func (x *waiting) asks(rule string) bool {
	return slices.ContainsFunc(x.questions, func(q privacy.Mark) bool { return q.Rule == rule })
}

// queue returns the facts that wait for the owner, in the order of the store.
func (w *world) queue() []waiting {
	var out []waiting
	for i := range w.facts {
		if x, waits := w.waits(i); waits {
			out = append(out, x)
		}
	}
	return out
}

// waits reports whether the fact at i waits for the owner.
func (w *world) waits(i int) (waiting, bool) {
	r, mark := &w.facts[i].Record, &w.marks[i]
	x := waiting{index: i, questions: openQuestions(r, w.policy.Settings())}
	if q, ok := w.undecided(i); ok {
		x.questions = append(x.questions, q)
	}
	switch {
	case len(x.questions) == 0:
		return x, false
	case !mark.Trusted:
		x.group = ReviewUntrusted
	case x.asks(ruleNewCategory):
		x.group = ReviewNewCategory
	case len(mark.Categories) == 0:
		x.group = ReviewUncategorised
	default:
		x.group = ReviewUnsure
	}
	return x, true
}

// undecided is the question for a fact of the owner's own words that the annotator
// put into several categories with different labels, for want of a clear best one.
// Nobody learns too much by that, since the strictest counts; but where it was one
// of them, too few may know.
func (w *world) undecided(i int) (privacy.Mark, bool) {
	r, mark := &w.facts[i].Record, &w.marks[i]
	if !mark.Trusted || r.Gold() || len(mark.Categories) < 2 {
		return privacy.Mark{}, false
	}
	var ids []string
	labels := map[privacy.Label]bool{}
	for _, m := range r.Marks {
		switch {
		case m.By == privacy.ByHand && (m.Kind == privacy.MarkCategory || slices.Contains(audienceKinds, m.Kind)):
			return privacy.Mark{}, false
		case m.Kind == privacy.MarkCategory:
			if c, ok := w.policy.Category(privacy.CategoryID(m.Value)); ok && !slices.Contains(ids, m.Value) {
				ids = append(ids, m.Value)
				labels[c.Label()] = true
			}
		}
	}
	if len(labels) < 2 {
		return privacy.Mark{}, false
	}
	slices.Sort(ids)
	return privacy.Mark{
		Kind: privacy.MarkReview, Value: "several categories are near: " + strings.Join(ids, ", "),
		By: privacy.ByMachine, Rule: ruleCategory,
	}, true
}
