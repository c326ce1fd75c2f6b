package evolve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
)

func kindOf(t *Trace) agent.FeedbackKind { return agent.FeedbackKind(t.Feedback.Kind) }

// ruleProposer makes candidates by counting: what facts of one theme share and others
// don't, and which way the annotator errs.
type ruleProposer struct{}

// NewRuleProposer returns the proposals by rule. They are in the order in which they are
// worth trying: signs, bounds that close, headings, words, bounds that open, bounds on
// joining events; with stages on a model notes come first.
func NewRuleProposer() Proposer { return ruleProposer{} }

// Propose implements [Proposer]. With facts of several homes a word has to be shared by
// two of them, since it is to hold for others.
func (ruleProposer) Propose(ctx context.Context, m Material) ([]Supplement, error) {
	l := newLearner(&m)
	found := l.wholes(m.Findings)
	for _, language := range l.languages() {
		closing, opening := l.bounds(language)
		for _, list := range [][]scoredLesson{l.signs(language), closing, l.headings(language), l.words(language), opening} {
			found = append(found, list...)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	found = append(found, l.links(m.Findings)...)
	known := map[string]Supplement{}
	for _, s := range m.Existing {
		known[s.ID] = s
	}
	var out []Supplement
	add := func(s Supplement) {
		if x, ok := known[s.ID]; (!ok || again(x, s)) && len(out) < m.Budget {
			known[s.ID] = s
			out = append(out, s)
		}
	}
	if m.Model {
		for _, s := range l.notes(found) {
			add(s)
		}
	}
	for _, f := range found {
		s := NewLesson(f.lesson, ByRule, f.evidence...)
		s.Parents = insteadOf(f.lesson, found)
		add(s)
	}
	return out, nil
}

// statement is a fact as something is learned from it.
type statement struct {
	home, language, text string
	right                []privacy.CategoryID // categories that it should have
	label                privacy.Label        // of those
	themes               map[string]bool      // what they are about
	terms                map[string]bool      // that may be learned
	feedback             int64                // that says that the annotator was wrong; 0 none
	was                  privacy.Label        // what the annotator said, where it was wrong
	had                  []privacy.CategoryID
}

// learner holds what proposals are counted from.
type learner struct {
	all     []statement
	shelves []shelf
	names   map[string]map[string]bool // home → words of names
	homes   int
}

func newLearner(m *Material) *learner {
	l := &learner{names: map[string]map[string]bool{}}
	var lessons []engine.Lesson
	for _, s := range m.Existing {
		if s.Status == Active && s.Lesson != nil {
			lessons = append(lessons, *s.Lesson)
		}
	}
	policies := m.Policies
	if len(policies) == 0 {
		policies = map[string]*privacy.Policy{"": m.Policy}
	}
	themes := map[string]map[privacy.CategoryID][]string{}
	for home, p := range policies {
		if p == nil {
			continue
		}
		l.homes++
		themes[home], l.names[home] = engine.CategoryThemes(p, lessons...), nameWords(p)
	}
	add := func(home, text string, right []privacy.CategoryID, label privacy.Label) *statement {
		s := statement{home: home, language: lexical.Base(lexical.Language(text)), text: text, right: right, label: label, themes: map[string]bool{}, terms: wordTerms(text, l.names[home])}
		for _, c := range right {
			for _, t := range mostlyOf(themes[home], c, right) {
				s.themes[t] = true
			}
		}
		l.all = append(l.all, s)
		return &l.all[len(l.all)-1]
	}
	wrong := map[string]*Finding{}
	for i := range m.Findings {
		f := &m.Findings[i]
		if f.Stage == prompts.StageAnnotate && f.Trace != nil && f.Trace.Fact != nil && len(f.Trace.Right.Categories) > 0 {
			wrong[f.Home+"\x00"+string(f.Trace.Fact.ID)] = f
		}
	}
	take := func(home string, fact privacy.FactID, text string, right []privacy.CategoryID) {
		p := policies[home]
		if p == nil {
			return
		}
		key := home + "\x00" + string(fact)
		f := wrong[key]
		delete(wrong, key)
		if f != nil {
			right = f.Trace.Right.Categories
		}
		s := add(home, text, right, labelOf(p, right))
		if f != nil {
			s.feedback, s.was, s.had = f.Feedback, f.Trace.Label, f.Trace.Categories
		}
	}
	for i := range m.Facts {
		f := &m.Facts[i]
		take(f.Home, f.ID, f.Text, f.Categories)
	}
	for _, key := range sortedKeys(wrong) { // facts that aren't among those stored
		home, _, _ := strings.Cut(key, "\x00")
		take(home, wrong[key].Trace.Fact.ID, wrong[key].Trace.Fact.Text, nil)
	}
	l.dropCapitals()
	for _, home := range sortedKeys(policies) {
		if p := policies[home]; p != nil {
			for _, c := range p.Categories() {
				l.shelves = append(l.shelves, l.shelf(home, c, themes[home][c.ID]))
			}
		}
	}
	return l
}

// mostlyOf are the themes of category c that no category beside right has, too; all of
// its themes where each is shared. What is learned for a theme goes to all of its categories.
func mostlyOf(themes map[privacy.CategoryID][]string, c privacy.CategoryID, right []privacy.CategoryID) []string {
	var out []string
	for _, t := range themes[c] {
		shared := false
		for other, list := range themes {
			shared = shared || !slices.Contains(right, other) && slices.Contains(list, t)
		}
		if !shared {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return themes[c]
	}
	return out
}

// dropCapitals takes from what may be learned the words that some statement of their home
// writes with a capital within a sentence: names are written small as well.
func (l *learner) dropCapitals() {
	names := map[string]map[string]bool{}
	for i := range l.all {
		s := &l.all[i]
		if names[s.home] == nil {
			names[s.home] = map[string]bool{}
		}
		for _, w := range capitals(s.text) {
			names[s.home][w] = true
		}
	}
	for i := range l.all {
		s := &l.all[i]
		for w := range s.terms {
			if names[s.home][w] {
				delete(s.terms, w)
			}
		}
	}
}

// languages are those of facts that were wrong.
func (l *learner) languages() []string {
	var out []string
	for i := range l.all {
		if s := &l.all[i]; s.feedback != 0 && !slices.Contains(out, s.language) {
			out = append(out, s.language)
		}
	}
	slices.Sort(out)
	return out
}

// enoughHomes reports whether what so many homes share may hold for others.
func (l *learner) enoughHomes(n int) bool { return n >= min(2, l.homes) }

// scoredLesson is a lesson with how much speaks for it.
type scoredLesson struct {
	lesson   engine.Lesson
	homes    int
	support  int // facts
	odds     float64
	evidence []int64
}

// ordered sorts what was found, the best first, and keeps the good ones.
func ordered(list []scoredLesson) []scoredLesson {
	list = slices.DeleteFunc(list, func(s scoredLesson) bool { return s.lesson.Validate() != nil })
	slices.SortFunc(list, func(a, b scoredLesson) int {
		return cmp.Or(cmp.Compare(b.homes, a.homes), cmp.Compare(b.support, a.support), cmp.Compare(b.odds, a.odds), strings.Compare(a.lesson.Key(), b.lesson.Key()))
	})
	return list
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
