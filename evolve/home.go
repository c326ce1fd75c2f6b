package evolve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

// TestFiles is the pattern of the files in the home folder that hold the policy's own
// tests, beside policy.yaml: they are kept cases.
const TestFiles = "*tests.yaml"

// Home is the owner's home as ground, at one moment: what was said and stored, the
// owner's feedback and decisions, and the tests beside the policy.
type Home struct {
	a      *agent.Agent
	replay *agent.Replayer
	tests  map[string]*privacy.Tests // by file
	ledger map[int64]*memory.LedgerEntry
	given  []memory.Feedback
	// dropped is when the owner took feedback back, by its number.
	dropped map[int64]time.Time
	facts   []memory.Fact
	at      map[privacy.FactID]int

	last    *agent.Replay // of the set that was replayed last
	lastKey string
}

var _ Ground = (*Home)(nil)

// OpenHome reads the home of an agent.
func OpenHome(ctx context.Context, a *agent.Agent) (*Home, error) {
	r, err := a.Replayer(ctx)
	if err != nil {
		return nil, err
	}
	h := &Home{a: a, replay: r, ledger: map[int64]*memory.LedgerEntry{}, facts: r.Facts(), at: map[privacy.FactID]int{}}
	for i := range h.facts {
		h.at[h.facts[i].ID] = i
	}
	if h.given, h.dropped, err = a.FeedbackEver(ctx); err != nil {
		return nil, err
	}
	entries, err := a.Ledger(ctx, memory.LedgerFilter{})
	if err != nil {
		return nil, err
	}
	for i := range entries {
		h.ledger[entries[i].ID] = &entries[i]
	}
	if h.tests, err = readTests(a.Home()); err != nil {
		return nil, err
	}
	h.supersede()
	return h, nil
}

func readTests(home string) (map[string]*privacy.Tests, error) {
	files, err := filepath.Glob(filepath.Join(home, TestFiles))
	if err != nil {
		return nil, err
	}
	out := map[string]*privacy.Tests{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		tests, err := privacy.ParseTests(filepath.Base(file), source)
		if err != nil {
			return nil, fmt.Errorf("the policy's tests are kept cases: %w", err)
		}
		out[filepath.Base(file)] = tests
	}
	return out, nil
}

// Policy returns the policy in force.
func (h *Home) Policy() *privacy.Policy { return h.replay.Policy() }

// Feedback returns all feedback, oldest first; what was said otherwise since is marked so.
func (h *Home) Feedback() []memory.Feedback { return h.given }

// fact returns a stored fact, nil for one that isn't there.
func (h *Home) fact(id privacy.FactID) *memory.Fact {
	if i, ok := h.at[id]; ok {
		return &h.facts[i]
	}
	return nil
}

// Cases are the kept cases: facts that the owner decided on, feedback that says what is
// right, and the policy's tests.
func (h *Home) Cases() []Case {
	var out []Case
	p := h.Policy()
	said := map[privacy.FactID]bool{}
	for i := range h.given {
		f := &h.given[i]
		if f.Status == memory.FeedbackSuperseded {
			continue
		}
		right := rightOf(p, f)
		fact := h.fact(f.Fact)
		entry := h.ledger[f.Entry]
		c := Case{ID: fmt.Sprintf("feedback %d", f.ID), Source: FromFeedback, Feedback: f.ID, Entry: f.Entry}
		if label, ok := right.label(p); ok && fact != nil && !said[f.Fact] && agent.FeedbackKind(f.Kind) == "wrong-category" {
			if by, decided := h.decided(fact); !decided || by == label || h.decidedBefore(fact, f.At) {
				c.Kind, c.Fact, c.Categories, c.Label = CaseLabel, f.Fact, right.Categories, &label
				said[f.Fact] = true
				out = append(out, c)
			}
			continue
		}
		if entry == nil || entry.Redacted {
			continue
		}
		c.Kind = CaseAnswer
		switch agent.FeedbackKind(f.Kind) {
		case "should-have-told":
			c.Tell = h.there(f.Fact)
		case "should-not-have-told", "cover-broken":
			if c.Keep = h.there(f.Fact); f.Fact == "" {
				c.Keep = slices.Clone(entry.Told)
			}
		}
		if len(c.Tell)+len(c.Keep) > 0 {
			out = append(out, c)
		}
	}
	for i := range h.facts {
		f := &h.facts[i]
		if label, ok := h.decided(f); ok && !said[f.ID] {
			c := Case{ID: "fact " + string(f.ID), Kind: CaseLabel, Source: FromReview, Fact: f.ID, Label: &label}
			for _, x := range h.given { // it is the target of feedback that the decision answered
				if x.Fact == f.ID && agent.FeedbackKind(x.Kind) == "wrong-category" && x.Status != memory.FeedbackSuperseded {
					c.Feedback = x.ID
				}
			}
			out = append(out, c)
		}
	}
	out = append(out, h.eventCases()...)
	files := make([]string, 0, len(h.tests))
	for file := range h.tests {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		for n := range h.tests[file].Len() {
			test := fmt.Sprintf("%s:%d", file, n)
			out = append(out, Case{ID: fmt.Sprintf("test %d of %s", n+1, file), Kind: CaseTest, Source: FromPolicy, Test: test})
		}
	}
	return out
}

func (h *Home) there(id privacy.FactID) []privacy.FactID {
	if h.fact(id) == nil {
		return nil
	}
	return []privacy.FactID{id}
}

// decided is the label that the owner gave a fact by hand: by a label, or by categories.
func (h *Home) decided(f *memory.Fact) (privacy.Label, bool) {
	var ids []privacy.CategoryID
	var label *privacy.Label
	for _, m := range f.Marks {
		if m.By != privacy.ByHand {
			continue
		}
		switch m.Kind {
		case privacy.MarkCategory:
			ids = append(ids, privacy.CategoryID(m.Value))
		case privacy.MarkLabel:
			if l, err := agent.ParseLabel(m.Value, h.Policy()); err == nil {
				label = &l
			}
		}
	}
	switch {
	case label != nil:
		return *label, true
	case len(ids) > 0:
		return h.decidedCategories(f, ids), true
	}
	return privacy.Label{}, false
}

// decidedCategories is the label of the categories of the latest decision.
func (h *Home) decidedCategories(f *memory.Fact, ids []privacy.CategoryID) privacy.Label {
	_, counted := h.replay.Counted(f.ID)
	if len(counted) > 0 && !slices.ContainsFunc(counted, func(c privacy.CategoryID) bool { return !slices.Contains(ids, c) }) {
		return labelOf(h.Policy(), counted)
	}
	return labelOf(h.Policy(), ids)
}

// Traces ties feedback to what it is about. What is about words of somebody else teaches
// nothing: of that no more is there than that it is so.
func (h *Home) Traces(ctx context.Context, set []Supplement, ids []int64) ([]*Trace, error) {
	now, err := h.run(ctx, set)
	if err != nil {
		return nil, err
	}
	var out []*Trace
	wrong := h.wrongEvents()
	for _, f := range h.given {
		if !slices.Contains(ids, f.ID) {
			continue
		}
		t := &Trace{Feedback: f, Entry: h.ledger[f.Entry], Right: rightOf(h.Policy(), &f)}
		if fact := h.fact(f.Fact); fact != nil {
			if agent.OfOthers(fact) {
				out = append(out, &Trace{Feedback: f, Others: true})
				continue
			}
			t.Fact = fact
			t.Label, t.Categories = now.Says(fact.ID)
			t.Language = fact.Language
			t.Right.Event = h.rightEvent(&f, wrong)
			if label, ok := h.decided(fact); ok && !t.Right.Known() && f.Kind == "wrong-category" {
				t.Right.Label = &label
				_, t.Right.Categories = h.replay.Counted(fact.ID)
			}
		}
		switch agent.FeedbackKind(f.Kind) {
		case "should-have-told":
			t.Right.Tell = h.there(f.Fact)
		case "should-not-have-told", "cover-broken":
			t.Right.Keep = h.there(f.Fact)
		}
		if t.Language == "" && t.Entry != nil {
			t.Language = lexical.Language(t.Entry.Question)
		}
		if t.Language == "" {
			t.Language = lexical.Language(f.Note + " " + f.Expected)
		}
		t.Language = lexical.Base(t.Language)
		out = append(out, t)
	}
	return out, nil
}

// Labelled are the stored facts in the owner's own words, with what counts for them.
func (h *Home) Labelled() []LabelledFact {
	var out []LabelledFact
	for i := range h.facts {
		if agent.OfOthers(&h.facts[i]) {
			continue
		}
		x := LabelledFact{Fact: h.facts[i], Decided: h.replay.Decided(h.facts[i].ID)}
		x.Label, x.Categories = h.replay.Counted(x.ID)
		out = append(out, x)
	}
	return out
}

// Forbidden is what no supplement of this home may hold.
func (h *Home) Forbidden(ctx context.Context) (*Forbidden, error) {
	var names, wrote []string
	seen, _, err := h.a.People(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range seen {
		names = append(append(names, p.Name), p.Handles...)
	}
	about := map[privacy.FactID][]int64{}
	for _, f := range h.given {
		if f.Fact != "" {
			about[f.Fact] = append(about[f.Fact], f.ID)
		}
	}
	for _, e := range h.ledger {
		wrote = append(wrote, e.Question)
	}
	for i := range h.facts {
		names = append(names, h.facts[i].Speaker, called(h.facts[i].Subject))
		if agent.OfOthers(&h.facts[i]) {
			wrote = append(wrote, h.facts[i].Text)
		}
	}
	out := NewForbidden(h.Policy(), names, wrote)
	for i := range h.facts {
		out.AddFact(h.facts[i].Text, about[h.facts[i].ID]...)
	}
	return out, nil
}

// run replays a set, or gives the replay that was made last.
func (h *Home) run(ctx context.Context, set []Supplement) (*agent.Replay, error) {
	l, err := marking(set)
	if err != nil {
		return nil, err
	}
	if h.last != nil && h.lastKey == l.Version {
		return h.last, nil
	}
	r, err := h.replay.Run(ctx, l)
	if err != nil {
		return nil, err
	}
	h.last, h.lastKey = r, l.Version
	return r, nil
}

// wayOut are the stages that word an answer: their notes show in answers alone.
var wayOut = []prompts.Name{prompts.StageQueryUnits, prompts.StageProject, prompts.StageRespond}

// Replay implements [Ground].
func (h *Home) Replay(ctx context.Context, set []Supplement, cases []Case, budget int) (*Replay, error) {
	l, err := Learned(set)
	if err != nil {
		return nil, err
	}
	out := &Replay{Judges: map[string]*privacy.Judge{}}
	asks := slices.ContainsFunc(set, func(s Supplement) bool { return s.Lesson == nil && slices.Contains(wayOut, s.Stage) })
	marks, err := marking(set)
	if err != nil {
		return nil, err
	}
	calls := 0
	if h.last == nil || h.lastKey != marks.Version {
		calls = h.replay.CallsNeeded()
	}
	if asks && h.a.ModelName() != "" {
		for _, c := range cases {
			calls += 4 * cmp.Compare(len(c.Tell)+len(c.Keep), 0)
		}
	}
	if calls > budget {
		return nil, fmt.Errorf("%w: a replay needs up to %d, and %d are left", ErrBudget, calls, budget)
	}
	out.Calls = calls
	r, err := h.run(ctx, set)
	if err != nil {
		return nil, err
	}
	out.Judges[""], out.Judges[alone] = r.Judge, r.Alone
	var wrong map[privacy.FactID]bool
	if slices.ContainsFunc(cases, func(c Case) bool { return c.Kind == CaseEvent }) {
		if out.Events, err = h.replay.Coreferred(ctx, r, l.Lessons); err != nil {
			return nil, err
		}
		out.Judges[alone], wrong = out.Events.Judge, h.wrongEvents()
	}
	tests := map[string]bool{}
	for file, t := range h.tests {
		for n, result := range r.Test(t) {
			tests[fmt.Sprintf("%s:%d", file, n)] = result.Pass
		}
	}
	for i := range cases {
		c := &cases[i]
		result := Result{Case: c.ID}
		switch c.Kind {
		case CaseLabel:
			var label privacy.Label
			label, result.Placed = r.Says(c.Fact)
			result.Right, result.Open = label == *c.Label, privacy.Meet(label, *c.Label) != label
		case CaseAnswer:
			if result, err = h.answer(ctx, r, l, c, asks && h.a.ModelName() != ""); err != nil {
				return nil, err
			}
		case CaseTest:
			result.Right = tests[c.Test]
		case CaseEvent:
			result.Right = c.Event.holds(c.Fact, out.Events, wrong)
		}
		out.Results = append(out.Results, result)
	}
	return out, nil
}

// answer says whether a question is answered as is right: by who is let in, and where
// notes word answers, by what is told.
func (h *Home) answer(ctx context.Context, r *agent.Replay, l agent.Learned, c *Case, ask bool) (Result, error) {
	out := Result{Case: c.ID}
	entry := h.ledger[c.Entry]
	if entry == nil {
		return out, nil
	}
	in := func(id privacy.FactID) bool { return r.LetsIn(id, entry.To) }
	told := in
	if ask && entry.Question != "" {
		reply, err := h.replay.Ask(ctx, l, entry.Question, entry.To)
		if errors.Is(err, context.Canceled) {
			return out, err
		}
		told = func(id privacy.FactID) bool { return err == nil && slices.Contains(reply.Told, id) }
	}
	out.Open = slices.ContainsFunc(c.Keep, in)
	out.Right = !out.Open && !slices.ContainsFunc(c.Keep, told) &&
		!slices.ContainsFunc(c.Tell, func(id privacy.FactID) bool { return !in(id) || !told(id) })
	return out, nil
}
