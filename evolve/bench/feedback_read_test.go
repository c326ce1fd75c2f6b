package bench_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
)

func failedItems() []bench.FeedbackItem {
	was, right := privacy.Label{Level: privacy.L4}, privacy.Label{Level: privacy.L1, Domain: "life"}
	return []bench.FeedbackItem{
		{
			Script: "one", Task: bench.TaskLabel, Item: "f1", Kind: "wrong-category", Stage: "annotate", Reason: "its label is another", Language: "en",
			Fact: "f1", Text: "Nora had bodywork <before> the choir concert.",
			Was:   bench.Judgements{Categories: []privacy.CategoryID{"hobby"}, Label: &was},
			Right: bench.Judgements{Categories: []privacy.CategoryID{"health"}, Label: &right},
		},
		{
			Script: "one", Task: bench.TaskWho, Item: "q1", Kind: "should-not-have-told", Stage: "query_units", Reason: "fewer facts", Language: "en",
			Question: "Who may know when the concert is?", To: []string{"Ola"}, Was: bench.Judgements{People: []string{"Ola"}},
		},
	}
}

func written(t testing.TB, items []bench.FeedbackItem) string {
	t.Helper()
	var b bytes.Buffer
	if err := bench.WriteFeedback(&b, items); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What was written is read; what wasn't is refused by its line, and no text of it is told.
func TestReadFeedback(t *testing.T) {
	good := written(t, failedItems())
	got, err := bench.ReadFeedback(strings.NewReader(good))
	if diff := cmp.Diff(failedItems(), got); err != nil || diff != "" {
		t.Fatalf("%v (-want +got):\n%s", err, diff)
	}
	if got, err := bench.ReadFeedback(strings.NewReader("")); err != nil || len(got) != 0 {
		t.Errorf("a run without failures: %v, %v", got, err)
	}
	label, who, _ := strings.Cut(good, "\n")
	who = strings.TrimSpace(who)
	swap := func(line, old, by string) string {
		t.Helper()
		if !strings.Contains(line, old) {
			t.Fatalf("%q isn't there", old)
		}
		return strings.Replace(line, old, by, 1)
	}
	for _, tt := range []struct{ name, line, want string }{
		{"no JSON", "bodywork", "no object"},
		{"blank", "", "no object"},
		{"a list", "[" + label + "]", "no object"},
		{"two objects", label + label, "more than one"},
		{"another field", swap(label, `"script"`, `"secret":"x","script"`), "no object"},
		{"no script", swap(label, `"script":"one"`, `"script":""`), "script"},
		{"a script of two lines", swap(label, `"script":"one"`, `"script":"one\ntwo"`), "script"},
		{"another task", swap(label, `"t1"`, `"t9"`), "task"},
		{"another kind", swap(label, "wrong-category", "wrong-mood"), "kind"},
		{"another stage", swap(label, `"annotate"`, `"frob"`), "stage"},
		{"another language", swap(label, `"language":"en"`, `"language":"zh"`), "language"},
		{"no text", swap(label, `"fact":"f1",`, ""), "fact, text"},
		{"a label of no form", swap(label, `"level":1`, `"level":9`), "no object"},
		{"no right label", swap(label, `,"label":{"level":1,"domain":"life"}`, ""), "was, right"},
		{"nothing failed", swap(label, `{"level":4,"domain":null}`, `{"level":1,"domain":"life"}`), "was, right"},
		{"a label with a question", swap(label, `"text"`, `"question":"?","text"`), "question"},
		{"nobody asked", swap(who, `"to":["Ola"],`, ""), "question, to"},
		{"no UTF-8", swap(label, "bodywork", "body\xffwork"), "no UTF-8"},
		{"twice", who, "the same item as in line 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bench.ReadFeedback(strings.NewReader(who + "\n" + tt.line + "\n"))
			if !errors.Is(err, bench.ErrFeedbackFile) || got != nil {
				t.Fatalf("%v, %v", got, err)
			}
			if text := err.Error(); !strings.Contains(text, "line 2: ") || !strings.Contains(text, tt.want) || strings.Contains(text, "bodywork") {
				t.Errorf("want line 2 and %q: %s", tt.want, text)
			}
		})
	}
	many := strings.Repeat("x\n", 30)
	if _, err := bench.ReadFeedback(strings.NewReader(many)); err == nil || !strings.Contains(err.Error(), "and 20 more") {
		t.Errorf("30 wrong lines: %v", err)
	}
	for name, big := range map[string]string{"bytes": strings.Repeat("x", 8<<20+1), "lines": strings.Repeat("\n", 5001)} {
		if _, err := bench.ReadFeedback(strings.NewReader(big)); !errors.Is(err, bench.ErrFeedbackFile) || !strings.Contains(err.Error(), "more than") {
			t.Errorf("too many %s: %.100v", name, err)
		}
	}
}

// What is read at all is what would be written again.
func FuzzReadFeedback(f *testing.F) {
	good := written(f, failedItems())
	for _, seed := range []string{good, "", "{}", "\n", good + good, strings.ReplaceAll(good, "en", "zh"), `{"script":null}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		items, err := bench.ReadFeedback(bytes.NewReader(source))
		if err != nil {
			return
		}
		first := written(t, items)
		again, err := bench.ReadFeedback(strings.NewReader(first))
		if err != nil || written(t, again) != first {
			t.Errorf("%v: %q became %q", err, first, written(t, again))
		}
	})
}
