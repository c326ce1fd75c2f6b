package main

import (
	"bufio"
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
)

const walkPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines], language: en}
domains: [work, life]
groups:
  - {id: partner, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Tomas, groups: [partner]}
  - {name: Greta, groups: [friends]}
  - {name: Raj, groups: [friends]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "doctor, hospital, illness, operation", examples: ["I was at the hospital"]}
  - {id: sailing, name: Sailing, level: 3, domain: life, description: "boats, regattas, harbour", examples: ["We sailed to the island"]}
`

// walk remembers statements, goes through the review with the given lines of
// input, and returns what was shown.
func walk(t *testing.T, remember func(*agent.Agent), input ...string) (*agent.Agent, string) {
	t.Helper()
	home := t.TempDir()
	if _, err := agent.WritePolicy(home, []byte(walkPolicy)); err != nil {
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
	remember(a)
	queue, err := a.Review(t.Context(), agent.ReviewQuery{})
	if err != nil {
		t.Fatal(err)
	}
	policy, err := a.Policy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := &walker{
		agent: a, lines: bufio.NewReader(strings.NewReader(strings.Join(input, "\n") + "\n")), out: &out,
		categories: policy.Categories(), page: &page{width: 100},
	}
	if err := w.walk(t.Context(), queue, nil); err != nil {
		t.Fatal(err)
	}
	return a, out.String()
}

func say(t *testing.T, texts ...string) func(*agent.Agent) {
	return func(a *agent.Agent) {
		for _, text := range texts {
			remember(t, a, agent.RememberRequest{Text: text})
		}
	}
}

func remember(t *testing.T, a *agent.Agent, req agent.RememberRequest) {
	t.Helper()
	if _, err := a.Remember(t.Context(), req); err != nil {
		t.Fatal(err)
	}
}

// waits returns how many facts still wait, by group.
func waits(t *testing.T, a *agent.Agent) map[agent.ReviewGroup]int {
	t.Helper()
	queue, err := a.Review(context.WithoutCancel(t.Context()), agent.ReviewQuery{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[agent.ReviewGroup]int{}
	for _, n := range queue.Groups {
		if n.Facts > 0 {
			out[n.Group] = n.Facts
		}
	}
	return out
}

// TestWalk answers by each key and looks at what it did.
func TestWalk(t *testing.T) {
	const odd = "The zorbulator was frobnicated on Tuesday."
	for _, tt := range []struct {
		name     string
		remember func(*testing.T, *agent.Agent)
		input    []string
		shown    []string // in this order
		waits    int
	}{
		{name: "a number chooses a category, and what opens asks", input: []string{"2", "y"},
			shown: []string{"1 of 1", "guess: none", "This lets somebody learn more", "Greta may know", "label L3/life, 3 verdicts opened", "1 fact decided, 0 skipped"}},
		{name: "no is no", input: []string{"2", "n", "s"},
			shown: []string{"Agree?", "nothing was changed", "0 facts decided, 1 skipped"}, waits: 1},
		{name: "a name chooses too", input: []string{"Health", "y"},
			shown: []string{"Tomas may know", "label L1/life, 1 verdict opened"}},
		{name: "several categories", input: []string{"1+2", "y"},
			shown: []string{"label L1/life"}},
		{name: "enter without a guess does nothing", input: []string{"", "s"},
			shown: []string{"there is no guess to take"}, waits: 1},
		{name: "a label, asked for", input: []string{"l", "1/life", "y"},
			shown: []string{"label, such as", "label L1/life"}},
		{name: "a wrong label says what would be right", input: []string{"l 9", "s"},
			shown: []string{`label "9": want a level 0 to 4`}, waits: 1},
		{name: "allow one person", input: []string{"a Greta", "y"},
			shown: []string{"Greta may know", "label L0, 1 verdict opened"}},
		{name: "deny is no answer to what it is about", input: []string{"d Greta", "1", "y"},
			shown: []string{"It still waits: no category is sure", "label L1/life"}},
		{name: "nobody of that name", input: []string{"a Nobody", "s"},
			shown: []string{"not a person of the policy"}, waits: 1},
		{name: "closed", input: []string{"k"}, shown: []string{"label L0, 0 verdicts opened"}},
		{name: "not a fact", input: []string{"n"}, shown: []string{"is gone: it is no fact"}},
		{name: "help and nonsense", input: []string{"?", "blah", "q"},
			shown: []string{"[enter] take the guess", "1  health", "2  sailing", "[enter] take the guess", `"blah" is neither a key nor a category`}, waits: 1},
		{name: "the end of the input is the end", input: nil, shown: []string{"0 facts decided"}, waits: 1},
		{name: "the guess is taken, and shown with the evidence", input: []string{"", "y"},
			remember: func(t *testing.T, a *agent.Agent) { say(t, "The harbour was frobnicated.")(a) },
			shown:    []string{"you: The harbour was frobnicated.", "guess: sailing?, opens to Tomas, Greta, Raj", "label L3/life"}},
		{name: "others' words are held until confirmed", input: []string{"c", "2", "y"},
			remember: func(t *testing.T, a *agent.Agent) {
				remember(t, a, agent.RememberRequest{Text: odd, From: "Raj"})
			},
			shown: []string{"rests on somebody else's words", "Raj: The zorb", "It still waits: no category", "3 verdicts opened"}},
		{name: "a category doesn't confirm", input: []string{"2", "s"},
			remember: func(t *testing.T, a *agent.Agent) {
				remember(t, a, agent.RememberRequest{Text: odd, From: "Raj"})
			},
			shown: []string{"0 verdicts opened", "It still waits: rests on somebody else's words"}, waits: 1},
		{name: "those alike are asked once", input: []string{"2", "y", "y"},
			remember: func(t *testing.T, a *agent.Agent) {
				say(t, odd, "The zorbulator was frobnicated on Friday.", "The zorbulator was frobnicated on Sunday.")(a)
			},
			shown: []string{"other waiting facts are alike", "2 waiting facts are of the same kind", "open", "Decide the same on them?", "3 facts decided, 0 skipped"}},
		{name: "those alike left alone", input: []string{"2", "y", "n"},
			remember: func(t *testing.T, a *agent.Agent) {
				say(t, odd, "The zorbulator was frobnicated on Friday.")(a)
			},
			shown: []string{"1 waiting fact is of the same kind", "1 fact decided"}, waits: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out := walk(t, func(a *agent.Agent) {
				if tt.remember != nil {
					tt.remember(t, a)
				} else {
					say(t, odd)(a)
				}
			}, tt.input...)
			rest := out
			for _, want := range tt.shown {
				_, after, ok := strings.Cut(rest, want)
				if !ok {
					t.Fatalf("%q is missing, or not in this order, in:\n%s", want, out)
				}
				rest = after
			}
			n := 0
			for _, k := range waits(t, a) {
				n += k
			}
			if n != tt.waits {
				t.Errorf("%d facts wait, want %d; shown:\n%s", n, tt.waits, out)
			}
		})
	}
}

// TestWalkFeedback gives feedback on what is shown; what follows a kind that something may be
// right of is never a decision.
func TestWalkFeedback(t *testing.T) {
	const odd = "The zorbulator was frobnicated on Tuesday."
	for _, tt := range []struct {
		name  string
		input []string
		shown string
		want  string // what is right, of the one piece of feedback; "" for none
	}{
		{"in the line", []string{"w wrong-category = health", "s"}, "Noted as 1", "health"},
		{"without =", []string{"w wrong-category Health", "s"}, "Noted as 1", "health"},
		{"by number", []string{"w wrong-category 1+2", "s"}, "Noted as 1", "health, sailing"},
		{"on the next line", []string{"w wrong-category", "2", "s"}, "what is right", "sailing"},
		{"a key on the next line", []string{"w wrong-time", "q", "s"}, "Noted as 1", "q"},
		{"nothing on the next line", []string{"w wrong-category", "", "s"}, "nothing noted", ""},
		{"nothing of the policy", []string{"w wrong-category", "helth", "s"}, "no category or label", ""},
		{"no kind", []string{"w", "s"}, "say which kind", ""},
		{"about an answer", []string{"w too-vague", "s"}, "number of its entry", ""},
		{"the input ends", []string{"w wrong-category"}, "what is right", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out := walk(t, say(t, odd), tt.input...)
			if !strings.Contains(out, tt.shown) || !strings.Contains(out, "0 facts decided") {
				t.Errorf("%q, or that nothing was decided, is missing in:\n%s", tt.shown, out)
			}
			given, err := a.FeedbackGiven(t.Context())
			if err != nil || len(given) > 1 || (len(given) == 1) != (tt.want != "") || tt.want != "" && given[0].Expected != tt.want {
				t.Errorf("%+v, %v; want %q", given, err, tt.want)
			}
		})
	}
}

// TestWalkCleansText keeps control characters of a chat off the terminal.
func TestWalkCleansText(t *testing.T) {
	_, out := walk(t, func(a *agent.Agent) {
		remember(t, a, agent.RememberRequest{Text: "The zorb\x1b[31mulator was frobnicated.", From: "R\x1baj"})
	}, "q")
	if strings.Contains(out, "\x1b") {
		t.Errorf("an escape reached the terminal: %q", out)
	}
}
