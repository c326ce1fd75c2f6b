package evolve_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
)

// scriptItems are failed items of two scripts, in which bodywork is illness.
func scriptItems(categories ...privacy.CategoryID) []bench.FeedbackItem {
	was, right := privacy.Label{Level: privacy.L4}, privacy.Label{Level: privacy.L1, Domain: "life"}
	var out []bench.FeedbackItem
	for _, x := range []struct{ script, id, text string }{
		{"one", "f1", "Nora had bodywork before the choir concert."}, {"one", "f2", "Nora had bodywork behind the museum."},
		{"two", "f1", "Ruben missed the choir rehearsal after bodywork."}, {"two", "f2", "Ruben needs bodywork before the museum tour."},
	} {
		out = append(out, bench.FeedbackItem{
			Script: x.script, Task: bench.TaskLabel, Item: x.id, Kind: "wrong-category", Stage: "annotate", Reason: "its label is another", Language: "en",
			Fact: privacy.FactID(x.id), Text: x.text,
			Was:   bench.Judgements{Categories: []privacy.CategoryID{"hobby"}, Label: &was},
			Right: bench.Judgements{Categories: categories, Label: &right},
		})
	}
	return out
}

func fileOf(t *testing.T, items []bench.FeedbackItem) string {
	t.Helper()
	var b bytes.Buffer
	if err := bench.WriteFeedback(&b, items); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// termOf is the candidate for a word, among those of a report.
func termOf(t *testing.T, r *evolve.ScriptsReport, term string) evolve.Supplement {
	t.Helper()
	at := slices.IndexFunc(r.Supplements, func(s evolve.Supplement) bool { return s.Lesson != nil && s.Lesson.Term == term })
	if at < 0 {
		t.Fatalf("no candidate for %q: %+v", term, r.Supplements)
	}
	return r.Supplements[at]
}

// Scripts teach candidates that name them, and nothing of their texts comes into the home:
// no fact, no feedback, no kept case. The home's own cases bear the candidates out.
func TestImportScripts(t *testing.T) {
	h := newHome(t, agent.Options{}, slices.Concat(openTexts[:2], otherTexts)...)
	r, err := evolve.ImportScripts(t.Context(), h.Agent, strings.NewReader(fileOf(t, scriptItems("health"))))
	if err != nil || r.Items != 4 || r.Used != 4 || !slices.Equal(r.Scripts, []string{"one", "two"}) {
		t.Fatalf("%+v, %v", r, err)
	}
	word := termOf(t, r, "bodywork")
	if word.Status != evolve.Candidate || len(word.Evidence) != 0 || word.Author != "rule of scripts: one/f1, one/f2, two/f1, two/f2" {
		t.Errorf("%+v", word)
	}
	for _, s := range r.Supplements {
		if says := strings.ToLower(s.Says()); strings.Contains(says, "nora") || strings.Contains(says, "ruben") {
			t.Errorf("a script's name is in %q", says)
		}
	}
	facts, err := h.Facts(t.Context())
	if err != nil || len(facts) != 5 {
		t.Errorf("%d facts, %v", len(facts), err)
	}
	if given, err := h.FeedbackGiven(t.Context()); err != nil || len(given) != 0 {
		t.Errorf("feedback %+v, %v", given, err)
	}
	ground, err := evolve.OpenHome(t.Context(), h.Agent)
	if err != nil || len(ground.Cases()) != 0 {
		t.Errorf("cases %+v, %v", ground.Cases(), err)
	}

	// Again it is known; and what no case of the home speaks for is not taken.
	if r, err = evolve.ImportScripts(t.Context(), h.Agent, strings.NewReader(fileOf(t, scriptItems("health")))); err != nil || termOf(t, r, "bodywork").Reason == "" {
		t.Errorf("%+v, %v", r, err)
	}
	other := newHome(t, agent.Options{}, otherTexts...)
	if _, err := evolve.ImportScripts(t.Context(), other.Agent, strings.NewReader(fileOf(t, scriptItems("health")))); err != nil {
		t.Fatal(err)
	}
	for _, s := range other.run(evolve.RunOptions{}).Tried {
		if s.Status != evolve.Refused {
			t.Errorf("without a case of the home: %+v", s)
		}
	}

	for _, text := range openTexts[:2] {
		h.wrong(text, "health")
	}
	tried := h.run(evolve.RunOptions{}).Tried
	at := slices.IndexFunc(tried, func(s evolve.Supplement) bool { return s.ID == word.ID })
	if at < 0 || tried[at].Status != evolve.Proposed || tried[at].Author != word.Author {
		t.Errorf("%+v", tried)
	}
}

// What is right for categories of another policy says nothing here; and a file with one wrong
// line leaves nothing behind.
func TestImportScriptsRefuses(t *testing.T) {
	h := newHome(t, agent.Options{}, otherTexts...)
	for _, category := range []privacy.CategoryID{"wellness", "hobby"} { // not there; with another label
		r, err := evolve.ImportScripts(t.Context(), h.Agent, strings.NewReader(fileOf(t, scriptItems(category))))
		if err != nil || r.Used != 0 || r.Foreign != 4 || len(r.Supplements) != 0 {
			t.Errorf("%s: %+v, %v", category, r, err)
		}
	}
	named := scriptItems("health")
	named[0].Right.People = []string{"Bodywork"}
	r, err := evolve.ImportScripts(t.Context(), h.Agent, strings.NewReader(fileOf(t, named)))
	if err != nil {
		t.Fatal(err)
	}
	if s := termOf(t, r, "bodywork"); s.Status != evolve.Refused || !strings.Contains(s.Reason, evolve.ErrName.Error()) {
		t.Errorf("somebody of a script is named: %+v", s)
	}
	before, err := evolve.List(t.Context(), h.Agent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := evolve.ImportScripts(t.Context(), h.Agent, strings.NewReader(fileOf(t, scriptItems("health"))+"{}\n")); !errors.Is(err, bench.ErrFeedbackFile) || !strings.Contains(err.Error(), "line 5: ") {
		t.Errorf("%v", err)
	}
	if after, err := evolve.List(t.Context(), h.Agent); err != nil || len(after) != len(before) {
		t.Errorf("%d supplements after a wrong file, %d before, %v", len(after), len(before), err)
	}
}
