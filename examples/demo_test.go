package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/examples"
)

// demo imports the example into a fresh home, as the command does.
func demo(t *testing.T) *agent.Agent {
	t.Helper()
	example := examples.Mara()
	dir, home := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, example.Files); err != nil {
		t.Fatal(err)
	}
	source, err := fs.ReadFile(example.Files, agent.PolicyFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, agent.PolicyFile), source, 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := agent.Open(t.Context(), home, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	sessions := 0
	for _, pattern := range []string{"chats/*.txt", "notes/*.md"} {
		names, err := fs.Glob(example.Files, pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no %s in the example: %v", pattern, err)
		}
		for _, name := range names {
			report, err := a.Import(t.Context(), filepath.Join(dir, name), agent.ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Unknown) > 0 {
				t.Errorf("%s: the policy doesn't know %q", name, report.Unknown)
			}
			sessions += report.Sessions
		}
	}
	if sessions < 30 {
		t.Errorf("%d sessions; the example has more than thirty", sessions)
	}
	return a
}

// TestAnswers: who asks decides what the offline engine tells. Each case names
// words that the answer must hold and words that it must not.
func TestAnswers(t *testing.T) {
	a := demo(t)
	ask := func(question, name string) string {
		t.Helper()
		to, err := a.Readers(t.Context(), []string{name})
		if err != nil {
			t.Fatal(err)
		}
		d, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: question, To: to})
		if err != nil {
			t.Fatal(err)
		}
		return d.Answer
	}
	deflection := ask("Does Mara keep a llama in the bathtub?", "Bram Visser")
	away := examples.Mara().Question
	for _, tt := range []struct {
		question, to string
		holds        []string
		lacks        []string
	}{
		{away, "Elias Roth", []string{"biopsy"}, []string{"telescope", "Aarlo", "dentist"}},
		{away, "Henrik Solberg", []string{"day off", "Priya"}, []string{"biopsy", "hospital", "dentist", "telescope"}},
		{away, "Sofie Brandt", []string{"telescope"}, []string{"biopsy", "hospital", "dentist"}},
		{away, "Mei Kellner", nil, []string{"biopsy", "hospital", "dentist", "telescope", "day off"}},
		{"What is happening on 18 July?", "Elias Roth", nil, []string{"party", "boathouse"}},
		{"What is happening on 18 July?", "Dario Conti", []string{"surprise party", "boathouse"}, nil},
		{"What about the contract with Nordkyst?", "Henrik Solberg", nil, []string{"sign"}},
		{"What about the contract with Nordkyst?", "Elias Roth", []string{"sign the contract"}, nil},
		{"Did Mara lend Jakob 4,000 euros?", "Jakob Kellner", []string{"4,000"}, nil},
		{"Did Mara lend Jakob 4,000 euros?", "Elias Roth", nil, []string{"lent", "transfer", "pays"}},
		{"Did Mara lend Jakob 4,000 euros?", "Mei Kellner", nil, []string{"lent", "transfer", "pays"}},
		{"Is Sofie pregnant?", "Elias Roth", nil, []string{"pregnant", "weeks"}},
		{"When is the wedding?", "Mei Kellner", []string{"24 October"}, nil},
		{"When is the wedding?", "Henrik Solberg", nil, []string{"October", "town hall"}},
		{"When is the trip to Norway?", "Sofie Brandt", []string{"5 September"}, nil},
		{"What are Mara's favourite dishes?", "Somebody Unknown", []string{"dumplings"}, nil},
	} {
		t.Run(tt.to+": "+tt.question, func(t *testing.T) {
			answer := ask(tt.question, tt.to)
			for _, word := range tt.holds {
				if !strings.Contains(answer, word) {
					t.Errorf("%q isn't told: %s", word, answer)
				}
			}
			for _, word := range tt.lacks {
				if strings.Contains(answer, word) {
					t.Errorf("%q is told: %s", word, answer)
				}
			}
			if answer == deflection && len(tt.holds) > 0 {
				t.Error("deflected")
			}
			if len(tt.holds) == 0 && len(tt.lacks) == 0 {
				t.Error("a case that expects nothing")
			}
		})
	}
	if got := ask(away, "Mei Kellner"); got != deflection {
		t.Errorf("what hides something differs from what hides nothing:\n%s\n%s", got, deflection)
	}
}
