package evolve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

func kindOf(t *Trace) agent.FeedbackKind { return agent.FeedbackKind(t.Feedback.Kind) }

// ruleProposer proposes words of themes that several wrongly placed facts share.
type ruleProposer struct{}

// NewRuleProposer returns the proposals by rule.
func NewRuleProposer() Proposer { return ruleProposer{} }

// wordFacts is how many wrong facts must share a word.
const wordFacts = 2

// Propose implements [Proposer].
func (ruleProposer) Propose(_ context.Context, m Material) ([]Supplement, error) {
	themes := engine.CategoryThemes(m.Policy)
	type key struct{ language, word, theme string }
	found := map[key][]int64{}
	for _, f := range m.Findings {
		if f.Stage != prompts.StageAnnotate || f.Trace == nil || f.Trace.Fact == nil {
			continue
		}
		for word := range words(f.Trace.Fact.Text) {
			for _, c := range f.Trace.Right.Categories {
				for _, t := range themes[c] {
					k := key{f.Language, word, t}
					found[k] = append(found[k], f.Feedback)
				}
			}
		}
	}
	in, with := map[key]int{}, map[key]int{}
	for i := range m.Facts {
		f := &m.Facts[i]
		for word := range words(f.Text) {
			k := key{f.Language, word, ""}
			with[k]++
			for _, c := range f.Categories {
				for _, t := range themes[c] {
					in[key{f.Language, word, t}]++
				}
			}
		}
	}
	type scored struct {
		s    Supplement
		n    int
		word string
	}
	var out []scored
	for k, ids := range found {
		others := with[key{k.language, k.word, ""}] - max(in[k], len(ids))
		if len(ids) < wordFacts || others*4 > len(ids) {
			continue
		}
		l := engine.Lesson{Kind: engine.LessonWord, Lang: k.language, Term: k.word, Of: k.theme}
		if l.Validate() == nil {
			out = append(out, scored{NewLesson(l, ByRule, ids...), len(ids), k.word + k.theme})
		}
	}
	slices.SortFunc(out, func(a, b scored) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.word, b.word)) })
	var list []Supplement
	for _, x := range out[:min(len(out), max(m.Budget, 0))] {
		list = append(list, x.s)
	}
	return list, nil
}

// words are the words of a text that may be learned.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range lexical.Words(strings.ToLower(text)) {
		if len(w) > 3 && !lexical.IsStopWord(w) {
			out[w] = true
		}
	}
	return out
}
