package evolve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// change makes a change of what is in force, by the owner's word.
func (h *home) change(c agent.LearnedChange) *agent.Proposal {
	h.t.Helper()
	change := agent.Change{Kind: agent.ChangeLearned, Learned: &c}
	p, err := h.Propose(h.t.Context(), change, nil)
	if errors.Is(err, agent.ErrConsent) {
		p, err = h.Agree(h.t.Context(), change, p.Key, nil)
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return p
}

// put stores supplements, as what nobody has judged yet.
func (h *home) put(list ...evolve.Supplement) {
	h.t.Helper()
	var out []memory.StoredSupplement
	for _, s := range list {
		lesson, err := json.Marshal(s.Lesson)
		if err != nil {
			h.t.Fatal(err)
		}
		out = append(out, memory.StoredSupplement{
			ID: s.ID, Stage: string(s.Stage), Language: s.Language, Lesson: lesson, Author: s.Author, At: h.Now(), Status: string(evolve.Proposed),
		})
	}
	if err := h.Evolution().PutSupplements(h.t.Context(), out...); err != nil {
		h.t.Fatal(err)
	}
}

// What a supplement gave a fact that came in while it was in force goes with it, and the
// fact names the supplement until then.
func TestLaterFactsGoBack(t *testing.T) {
	h := newHome(t, agent.Options{}, otherTexts...)
	word := lesson("bodywork", "health")
	h.put(word)
	h.change(agent.LearnedChange{Add: []string{word.ID}})
	for _, text := range slices.Concat(openTexts, closedTexts) {
		h.remember(text)
		if got := h.label(text); got != "L1/life" {
			t.Errorf("%q is %s with it", text, got)
		}
		view, err := h.Fact(t.Context(), h.facts[text])
		if err != nil || !slices.ContainsFunc(view.Fact.Marks, func(m privacy.Mark) bool { return m.Rule == "supplement "+word.ID }) {
			t.Errorf("%q doesn't name the supplement: %+v, %v", text, view.Fact.Marks, err)
		}
	}
	change := agent.Change{Kind: agent.ChangeLearned, Learned: &agent.LearnedChange{Drop: []string{word.ID}}}
	p, err := h.Propose(t.Context(), change, nil)
	if !errors.Is(err, agent.ErrConsent) || len(p.Learned.Now.Shown) == 0 || len(p.Learned.Now.Hidden) == 0 {
		t.Fatalf("what opens by going back isn't asked about: %v, %+v", err, p)
	}
	h.change(*change.Learned)
	fresh := newHome(t, agent.Options{}, otherTexts...)
	for _, text := range slices.Concat(openTexts, closedTexts) {
		fresh.remember(text)
		if got, want := h.label(text), fresh.label(text); got != want {
			t.Errorf("%q is %s after going back, and %s where nothing was learned", text, got, want)
		}
	}
}

// Whatever was in force when a fact came in, and in whatever order, its marks are those of
// what is in force now.
func TestLabelsAreOfWhatIsInForce(t *testing.T) {
	var all []evolve.Supplement
	for _, l := range []engine.Lesson{
		{Kind: engine.LessonWord, Lang: "en", Term: "bodywork", Of: "health"},
		{Kind: engine.LessonWord, Lang: "en", Term: "choir", Of: "health"},
		{Kind: engine.LessonNoWord, Lang: "en", Term: "museum", Of: "leisure"},
		{Kind: engine.LessonSign, Lang: "en", Term: "amount", Of: "health"},
	} {
		all = append(all, evolve.NewLesson(l, evolve.ByRule))
	}
	texts := slices.Concat(openTexts, closedTexts, paidTexts, otherTexts)
	said := func(h *home) map[string]string {
		out := map[string]string{}
		for text, id := range h.facts {
			view, err := h.Fact(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, m := range view.Fact.Marks {
				if m.Kind == privacy.MarkCategory || m.Kind == privacy.MarkReview {
					list = append(list, fmt.Sprint(m.Kind, m.Value, m.By))
				}
			}
			slices.Sort(list)
			out[text] = fmt.Sprint(view.Label, list)
		}
		return out
	}
	for seed := range uint64(6) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		h := newHome(t, agent.Options{})
		h.put(all...)
		var in []string
		toggle := func(id string) {
			if slices.Contains(in, id) {
				h.change(agent.LearnedChange{Drop: []string{id}})
				in = slices.DeleteFunc(in, func(x string) bool { return x == id })
			} else {
				h.change(agent.LearnedChange{Add: []string{id}})
				in = append(in, id)
			}
		}
		left := make([]string, 6)
		for i, at := range rnd.Perm(len(texts))[:len(left)] {
			left[i] = texts[at]
		}
		for _, text := range left {
			for range rnd.IntN(3) {
				toggle(all[rnd.IntN(len(all))].ID)
			}
			h.remember(text)
		}
		toggle(all[rnd.IntN(len(all))].ID)
		fresh := newHome(t, agent.Options{}, left...)
		if len(in) > 0 {
			fresh.put(all...)
			fresh.change(agent.LearnedChange{Add: in})
		}
		if d := cmp.Diff(said(fresh), said(h)); d != "" {
			t.Errorf("seed %d, in force %v (-at once +by the way):\n%s", seed, in, d)
		}
		if len(in) > 0 {
			zero := int64(0)
			h.change(agent.LearnedChange{To: &zero})
		}
		if d := cmp.Diff(said(newHome(t, agent.Options{}, left...)), said(h)); d != "" {
			t.Errorf("seed %d, with nothing in force any more (-never +again):\n%s", seed, d)
		}
	}
}

// Forgetting what a supplement rests on takes what it opened back, shows that before, and
// opens nothing.
func TestForgettingTheEvidence(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(closedTexts, openTexts, otherTexts)...)
	for _, text := range closedTexts {
		h.wrong(text, "health")
	}
	id := h.run(bodywork()).Tried[0].ID
	h.approve(id)
	later := "I had bodywork on the balcony."
	h.remember(later)
	for _, text := range append(slices.Clone(openTexts), later) {
		if got := h.label(text); got != "L1/life" {
			t.Fatalf("%q is %s with it", text, got)
		}
	}
	req := agent.ForgetRequest{Facts: []privacy.FactID{h.facts[closedTexts[0]]}}
	if _, err := h.Forget(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	s, err := evolve.Find(t.Context(), h.Agent, id)
	if err != nil || len(s.Evidence) != 1 || h.label(later) != "L1/life" {
		t.Fatalf("part of its evidence is forgotten: %+v, %v, a later fact is %s", s, err, h.label(later))
	}
	req = agent.ForgetRequest{Facts: []privacy.FactID{h.facts[closedTexts[1]]}, DryRun: true}
	would, err := h.Forget(t.Context(), req)
	if err != nil || !slices.Equal(would.Supplements, []string{id}) || !slices.Equal(would.Relabelled, []privacy.FactID{h.facts[later]}) {
		t.Fatalf("dry: %+v, %v", would, err)
	}
	if got := h.label(later); got != "L1/life" {
		t.Fatalf("a dry run made a later fact %s", got)
	}
	req.DryRun = false
	if done, err := h.Forget(t.Context(), req); err != nil || !slices.Equal(done.Relabelled, would.Relabelled) {
		t.Fatalf("%+v, %v", done, err)
	}
	if got := h.label(later); got != "L0" {
		t.Errorf("what it opened is %s", got)
	}
	for _, text := range openTexts {
		if got := h.label(text); got != "L1/life" {
			t.Errorf("%q is %s: forgetting opened it", text, got)
		}
	}
	if _, err := evolve.Find(t.Context(), h.Agent, id); !errors.Is(err, evolve.ErrUnknown) {
		t.Errorf("%v, want ErrUnknown", err)
	}
	// Its id is that of its content, and could be guessed and tested.
	view, err := h.Fact(t.Context(), h.facts[openTexts[0]])
	if err != nil || !slices.ContainsFunc(view.Fact.Marks, func(m privacy.Mark) bool {
		return strings.HasPrefix(m.Rule, "supplement "+memory.ForgottenSupplement)
	}) {
		t.Errorf("what stays closed has no such mark: %+v, %v", view, err)
	}
	files, err := filepath.Glob(filepath.Join(h.Home(), agent.DatabaseFile+"*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if source, err := os.ReadFile(file); err != nil || bytes.Contains(source, []byte(id)) {
			t.Errorf("%s holds the id of what was forgotten: %v", filepath.Base(file), err)
		}
	}
}
