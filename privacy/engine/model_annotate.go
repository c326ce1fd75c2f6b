package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// How the categories of a model count (MARKS 1). A model's scores are not those of
// the offline classifier, so they have defaults of their own; the settings of the
// policy replace both.
const (
	modelThreshold = 0.5
	modelMargin    = 0.3
)

const ruleModel = "MARKS 1, by model"

// Annotate implements [Annotator]. The drafts go to the model in batches within the
// token budget. What it says counts as follows, whatever it says:
//
//   - The label is the meet over every category within the margin of the best; below
//     the threshold, and for a category that the policy doesn't have, there is none,
//     and a review.
//   - A category that the offline classifier is sure of and that is stricter joins,
//     so that a text that talks a model into a loose category gains nothing.
//   - Truth, trust and confidences are those of the offline stage; a model can only
//     add that something is a cover story, by the owner's own words.
//   - The owner's decisions come before it (MARKS 12).
//
// A reply that can't be used gives its drafts no category and a review. A model that
// can't be reached is OnError's.
func (m *Model) Annotate(ctx context.Context, p *privacy.Policy, s Session, exemplars []Exemplar) ([][]privacy.Mark, error) {
	offline, err := m.off.Annotate(ctx, p, s, exemplars)
	if err != nil || len(s.Drafts) == 0 {
		return offline, err
	}
	c := m.off.compile(p)
	taught := newTaught(exemplars)
	out := make([][]privacy.Mark, len(s.Drafts))
	spoken := make([]spokenDraft, len(s.Drafts))
	for _, batch := range m.batches(s.Drafts) {
		reply, err := m.annotate(ctx, p, s, batch)
		if errors.Is(err, ErrModel) {
			noteDegraded(ctx, Degraded{Stage: "annotate", Why: err})
			reply = nil // no category: L0 and a review
		} else if err != nil {
			if err := m.FallBack(ctx, "annotate", err); err != nil {
				return nil, err
			}
			for _, i := range batch {
				out[i] = offline[i]
			}
			continue
		}
		for _, i := range batch {
			d := reply[string(s.Drafts[i].ID)]
			out[i] = append(c.modelCategories(s.Drafts[i].Text, d, taught), exceptCategories(offline[i])...)
			if d != nil {
				cover, told := coverBy(p, s, d.Cover)
				out[i] = append(out[i], cover...)
				spoken[i] = spokenDraft{exceptions: d.Exceptions, told: told}
			}
		}
	}
	m.mu.Lock()
	m.spoken[s.ID] = spoken
	m.mu.Unlock()
	return out, nil
}

// batches cuts drafts into runs within the budget.
func (m *Model) batches(drafts []privacy.Record) [][]int {
	var out [][]int
	used := 0
	for i := range drafts {
		n := tokens(drafts[i].Text) + 12 // and what stands around it
		if len(out) == 0 || used+n > m.opts.Budget {
			out, used = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], i)
		used += n
	}
	return out
}

// annotate calls the model for one batch: the drafts, and the turns that they rest
// on with those beside them.
func (m *Model) annotate(ctx context.Context, p *privacy.Policy, s Session, batch []int) (map[string]*AnnotatedDraft, error) {
	in := AnnotateCall{Owner: p.Owner().Name, Categories: policyCategories(p), Turns: []SpokenText{}}
	near := map[string]bool{}
	for _, i := range batch {
		d := &s.Drafts[i]
		in.Drafts = append(in.Drafts, NamedText{ID: string(d.ID), Text: d.Text, When: d.HappenedAt.Date()})
		for _, id := range d.Evidence {
			near[id] = true
		}
	}
	in.Language = lexical.Language(in.Drafts[0].Text)
	for i := range s.Utterances {
		beside := near[s.Utterances[i].ID] || i > 0 && near[s.Utterances[i-1].ID] || i+1 < len(s.Utterances) && near[s.Utterances[i+1].ID]
		if u := &s.Utterances[i]; beside {
			in.Turns = append(in.Turns, SpokenText{ID: u.ID, Speaker: u.Speaker, Owner: u.Owner, Text: u.Text})
		}
	}
	reply, err := m.calls.Annotate(ctx, in)
	if err != nil {
		return nil, err
	}
	out := map[string]*AnnotatedDraft{}
	for i := range reply.Drafts {
		d := &reply.Drafts[i]
		if !slices.ContainsFunc(in.Drafts, func(x NamedText) bool { return x.ID == d.ID }) || out[d.ID] != nil {
			return nil, unusable("it names a draft that it wasn't given, or one twice")
		}
		out[d.ID] = d
	}
	return out, nil
}

// modelCategories are the category marks of one draft, or a review.
func (c *compiled) modelCategories(text string, d *AnnotatedDraft, taught *taught) []privacy.Mark {
	near := taught.nearest(text)
	if decided := c.classifier.sameMarks(near); len(decided) > 0 {
		return decided
	}
	if d == nil {
		return []privacy.Mark{review("the model's answer could not be used")}
	}
	var out []privacy.Mark
	add := func(id privacy.CategoryID, by privacy.MarkSource, rule string, score float64) {
		if !slices.ContainsFunc(out, func(m privacy.Mark) bool { return m.Value == string(id) }) {
			out = append(out, privacy.Mark{Kind: privacy.MarkCategory, Value: string(id), By: by, Rule: rule, Score: round(score)})
		}
	}
	threshold, margin := c.modelBounds()
	scores := slices.Clone(d.Categories)
	slices.SortStableFunc(scores, func(a, b CategoryScore) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	for _, x := range scores {
		if _, known := c.classifier.p.Category(privacy.CategoryID(x.ID)); !known || !(x.Score >= 0 && x.Score <= 1) {
			return []privacy.Mark{review("the model named a category that the policy doesn't have")}
		}
	}
	if len(scores) == 0 || scores[0].Score < threshold {
		return []privacy.Mark{review("no category is sure")}
	}
	for _, x := range scores {
		if x.Score >= scores[0].Score-margin {
			add(privacy.CategoryID(x.ID), privacy.ByMachine, ruleModel, x.Score)
		}
	}
	level, _ := c.classifier.labelOf(scoredOf(out))
	chosen, _ := c.classifier.choose(text, noTalk)
	for _, x := range chosen {
		if x.level < level {
			add(x.id, privacy.ByMachine, "MARKS 1", x.score)
		}
	}
	for _, n := range near {
		if _, known := c.classifier.p.Category(n.exemplar.Category); known && n.sim >= nearFact && !n.exemplar.NotFact {
			add(n.exemplar.Category, privacy.ByExemplar, "MARKS 12, from "+string(n.exemplar.Fact), n.sim)
		}
	}
	return out
}

// modelBounds are the threshold and the margin that count.
func (c *compiled) modelBounds() (threshold, margin float64) {
	threshold, margin = modelThreshold, modelMargin
	if s := c.classifier.p.Settings(); s.LabelThreshold > 0 {
		threshold = s.LabelThreshold
	}
	if s := c.classifier.p.Settings(); s.LabelMargin > 0 {
		margin = s.LabelMargin
	}
	return threshold, margin
}

func scoredOf(marks []privacy.Mark) []scored {
	out := make([]scored, len(marks))
	for i, m := range marks {
		out[i] = scored{id: privacy.CategoryID(m.Value)}
	}
	return out
}

// exceptCategories are the marks of the offline stage that are not about
// categories: truth, trust, confidences, and their reviews.
func exceptCategories(marks []privacy.Mark) []privacy.Mark {
	return slices.DeleteFunc(slices.Clone(marks), func(m privacy.Mark) bool {
		return m.Kind == privacy.MarkCategory || m.Kind == privacy.MarkReview && (m.Rule == "MARKS 1" || m.Rule == "MARKS 12")
	})
}

// coverBy are the marks of a cover story that a model found, with whom it was told
// to. It counts only by the owner's own words, and only adds: what the offline stage
// holds to be a cover stays one.
func coverBy(p *privacy.Policy, s Session, e *Evidence) ([]privacy.Mark, []privacy.PersonID) {
	if e == nil {
		return nil, nil
	}
	u, ok := ownersSpan(s, *e)
	if !ok {
		return nil, nil
	}
	return []privacy.Mark{{Kind: privacy.MarkTruth, Value: privacy.Cover.String(), By: privacy.ByMachine, Rule: "MARKS 7, by model", Turn: u.ID}}, listeners(p, u)
}

// ownersSpan returns the utterance of the owner's in which a span stands as the
// owner's own words: outside of what is quoted.
func ownersSpan(s Session, e Evidence) (*Utterance, bool) {
	span := foldText(strings.Join(strings.Fields(e.Span), " "))
	if span == "" {
		return nil, false
	}
	for i := range s.Utterances {
		u := &s.Utterances[i]
		if u.ID == e.Turn && u.Owner && strings.Contains(foldText(strings.Join(strings.Fields(ownWords(u.Text)), " ")), span) {
			return u, true
		}
	}
	return nil, false
}
