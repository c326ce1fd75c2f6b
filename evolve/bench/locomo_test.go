package bench_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
)

const small = `[{"sample_id": "c1", "conversation": {"speaker_a": "Ana", "speaker_b": "Ben",
  "session_2_date_time": "soon", "session_2": [{"speaker": "Ben", "text": "I moved to Lisbon."}],
  "session_1_date_time": "1:56 pm on 8 May, 2023",
  "session_1": [
    {"speaker": "Ana", "dia_id": "D1:1", "text": "What instrument do you play?"},
    {"speaker": "Ben", "dia_id": "D1:2", "text": "The cello, since I was nine."},
    {"speaker": "Cleo", "dia_id": "D1:3", "text": "", "blip_caption": "a photo of a cat"}],
  "session_7_date_time": "9:00 am on 1 June, 2023"},
  "qa": [
    {"question": "Which instrument does Ben play?", "answer": 9, "category": 1, "evidence": ["D:1:02; D1:1 D9:9", "D1:2"]},
    {"question": "Where did Ben move?", "category": 5, "evidence": ["D2:1", "D2:8"]},
    {"question": "Is it far?", "category": 3, "evidence": ["D"]},
    {"question": "Nothing?", "category": 3}]}]`

func TestReadLocomo(t *testing.T) {
	got, _, err := bench.ReadLocomo([]byte(small))
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	c := got[0]
	if len(c.Sessions) != 2 || c.Sessions[0].ID != "D1" || c.Sessions[0].When.Local != "2023-05-08T13:56:00" || !c.Sessions[1].When.IsZero() || c.Sessions[1].Turns[0].ID != "D2:1" {
		t.Errorf("sessions %+v", c.Sessions)
	}
	want := []bench.Question{
		{Text: "Which instrument does Ben play?", Category: 1, Evidence: []string{"D1:2", "D1:1"}, Sessions: []string{"D1"}},
		{Text: "Where did Ben move?", Category: 5, Evidence: []string{"D2:1"}, Sessions: []string{"D2"}},
		{Text: "Is it far?", Category: 3}, {Text: "Nothing?", Category: 3},
	}
	if diff := cmp.Diff(want, c.Questions); diff != "" {
		t.Errorf("questions (-want +got)\n%s", diff)
	}
	for _, bad := range []string{"", "[]", "{}", "7", `[{"conversation": {"session_1": 3}}]`, `[{"conversation": {"session_1": [{"dia_id": "D2:1"}]}}]`, `[{"conversation": {"session_1": [], "session_1_date_time": 3}}]`} {
		if _, _, err := bench.ReadLocomo([]byte(bad)); !errors.Is(err, bench.ErrFormat) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestReadLocomoOdd: what other writers of the format do is read, what can't be is
// named by sample and question, in words of its own.
func TestReadLocomoOdd(t *testing.T) {
	const turn = `"conversation":{"session_1":[{"speaker":"A","text":"The boat is blue."}]}`
	got, notes, err := bench.ReadLocomo([]byte(`[{"sample_id":"none","conversation":{},"qa":[]},
		{"sample_id":7,` + turn + `,"qa":[{"question":"Which?","category":"4","evidence":"D1:1"},{"question":"What?","evidence":["D1:1"]}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	wantNotes := []string{`sample 1 "none": it has no turns; skipped`, `sample 2 "7": questions without a category: 1; they count in no5 and all`}
	if diff := cmp.Diff(wantNotes, notes); diff != "" {
		t.Errorf("notes (-want +got)\n%s", diff)
	}
	want := []bench.Question{
		{Text: "Which?", Category: 4, Evidence: []string{"D1:1"}, Sessions: []string{"D1"}},
		{Text: "What?", Evidence: []string{"D1:1"}, Sessions: []string{"D1"}},
	}
	if diff := cmp.Diff(want, got[1].Questions); diff != "" || got[1].ID != "7" || len(got) != 2 {
		t.Errorf("%+v: questions (-want +got)\n%s", got, diff)
	}
	for bad, want := range map[string]string{
		`[{"sample_id":"c1",` + turn + `,"qa":[{"question":"Which?","category":"easy"}]}]`:               `sample 1 "c1": question 1: category: not a file of this benchmark: want a number from 1 to 5`,
		`[{"sample_id":"c1",` + turn + `,"qa":[{"question":"Which?","category":4,"evidence":{"a":1}}]}]`: `sample 1 "c1": question 1: evidence: not a file of this benchmark: want a list of turns, as in ["D1:3"]`,
		`[{"sample_id":"c1",` + turn + `,"qa":[7]}]`:                                                     `sample 1 "c1": question 1: not a file of this benchmark: want an object with question, category and evidence`,
		`[{"conversation": {"session_1": 3}}]`:                                                           `sample 1: session_1: not a file of this benchmark: want a list of turns with speaker, dia_id and text`,
		`[{"conv`:                                                                                        `not a file of this benchmark: it is no whole JSON file; get it again`,
	} {
		if _, _, err := bench.ReadLocomo([]byte(bad)); !errors.Is(err, bench.ErrFormat) || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", bad, err, want)
		}
	}
}

func FuzzReadLocomo(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{"conversation":{"session_1":[{"speaker":"A","text":"x"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, _, err := bench.ReadLocomo(data)
		if err != nil && !errors.Is(err, bench.ErrFormat) {
			t.Fatal(err)
		}
		for _, c := range got {
			for _, q := range c.Questions {
				if len(q.Evidence) > 0 && len(q.Sessions) == 0 {
					t.Fatal("evidence in no session")
				}
			}
		}
	})
}

// fixedRanker answers as it is told.
type fixedRanker struct{ turns, sessions []string }

func (r fixedRanker) Turns(context.Context, string, int) ([]string, error)    { return r.turns, nil }
func (r fixedRanker) Sessions(context.Context, string, int) ([]string, error) { return r.sessions, nil }
func (fixedRanker) Close() error                                              { return nil }

// TestLocomoScores: recall is the share of the evidence found, questions without
// evidence count nowhere, and the system doesn't see the questions.
func TestLocomoScores(t *testing.T) {
	c, _, err := bench.ReadLocomo([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	system := bench.System{Name: "fixed", Fill: func(_ context.Context, c bench.Conversation) (bench.Ranker, error) {
		if c.Questions != nil {
			t.Error("the system is shown the questions")
		}
		return fixedRanker{turns: []string{"D1:2", "D2:1", "D1:3", "D1:1"}, sessions: []string{"D2", "D1"}}, nil
	}}
	rows, err := bench.Locomo(t.Context(), c, []bench.System{system}, nil)
	if err != nil {
		t.Fatal(err)
	}
	type key struct{ part, level, category string }
	got := map[key]bench.Recall{}
	n := map[key]int{}
	for _, r := range rows {
		got[key{r.Part, r.Level, r.Category}], n[key{r.Part, r.Level, r.Category}] = r.Recall, r.N
	}
	for k, want := range map[key]bench.Recall{
		{"all", "turn", "1"}:      {1: 0.5, 3: 0.5, 5: 1, 10: 1},
		{"all", "turn", "5"}:      {1: 0, 3: 1, 5: 1, 10: 1},
		{"all", "turn", "no5"}:    {1: 0.5, 3: 0.5, 5: 1, 10: 1},
		{"1-5", "turn", "all"}:    {1: 0.25, 3: 0.75, 5: 1, 10: 1},
		{"1-5", "session", "all"}: {1: 0.5, 3: 1, 5: 1, 10: 1},
	} {
		if diff := cmp.Diff(want, got[k]); diff != "" {
			t.Errorf("%v (-want +got)\n%s", k, diff)
		}
	}
	if n[key{"all", "turn", "3"}] != 0 || n[key{"6-10", "turn", "all"}] != 0 || n[key{"all", "session", "all"}] != 2 {
		t.Errorf("questions %v", n)
	}
}

// locomoFile is the public data set, which may not be committed.
func locomoFile(t testing.TB) []bench.Conversation {
	t.Helper()
	dir := os.Getenv("EPAGENT_DATA")
	if dir == "" {
		t.Skip("EPAGENT_DATA names no folder of public data sets")
	}
	data, err := os.ReadFile(filepath.Join(dir, "locomo", "locomo10.json"))
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := bench.ReadLocomo(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func rowOf(t *testing.T, rows []bench.Row, part, level, category string) bench.Row {
	t.Helper()
	for _, r := range rows {
		if r.Part == part && r.Level == level && r.Category == category {
			return r
		}
	}
	t.Fatalf("no row %s %s %s", part, level, category)
	return bench.Row{}
}

// TestBM25OnLocomo: the baseline gives the published figures of plain BM25.
func TestBM25OnLocomo(t *testing.T) {
	rows, err := bench.Locomo(t.Context(), locomoFile(t), []bench.System{bench.BM25()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string][4]float64{bench.SessionLevel: {54.76, 73.85, 80.77, 88.71}, bench.TurnLevel: {24.37, 37.96, 43.78, 51.89}} {
		r := rowOf(t, rows, "all", level, "no5")
		for i, k := range bench.Ks {
			if math.Abs(100*r.Recall[k]-want[i]) > 0.006 || r.N != 1536 {
				t.Errorf("%s R@%d is %.2f of %d questions, want %.2f of 1536", level, k, 100*r.Recall[k], r.N, want[i])
			}
		}
	}
}

// TestSimpleOnLocomo: the product's own ranking doesn't fall behind what it reached.
func TestSimpleOnLocomo(t *testing.T) {
	open := func(s *memory.Store) memory.Host { return simple.New(s) }
	rows, err := bench.Locomo(t.Context(), locomoFile(t), []bench.System{bench.Hosted{Name: "simple", Open: open}.System()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for level, least := range map[string][4]float64{bench.SessionLevel: {66.1, 81.9, 86.5, 92.6}, bench.TurnLevel: {43.7, 64.9, 71.5, 79.5}} {
		for _, part := range []string{"all", "1-5", "6-10"} {
			t.Logf("%s %s %v", part, level, rowOf(t, rows, part, level, "no5").Recall)
		}
		r := rowOf(t, rows, "all", level, "no5")
		for i, k := range bench.Ks {
			if 100*r.Recall[k] < least[i] {
				t.Errorf("%s R@%d is %.2f, want at least %.2f", level, k, 100*r.Recall[k], least[i])
			}
		}
	}
}
