package agent_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

func askingAgent(t *testing.T, setting string) *agent.Agent {
	a := open(t, talkPolicy+"settings: {ask: "+setting+"}\n")
	put(t, a, talkFacts()...)
	return a
}

func asks(t *testing.T, a *agent.Agent) []agent.Asked {
	t.Helper()
	got, err := a.Asks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestAskSettings: what waits under each setting, and that whoever asks gets what
// a stranger to the matter gets.
func TestAskSettings(t *testing.T) {
	nothing := func(a *agent.Agent, who string) string {
		return disclose(t, a, "What about the submarine?", who).Answer
	}
	for _, tt := range []struct {
		setting, who, question string
		told, waits            []privacy.FactID
	}{
		{"never", "Tomas", "When is the knee operation?", []privacy.FactID{"f2"}, nil},
		{"never", "Raj", "Is there an offer from Kestrel?", nil, nil},
		{"sensitive", "Tomas", "When is the knee operation?", nil, []privacy.FactID{"f2"}},
		{"sensitive", "Raj", "Is there an offer from Kestrel?", nil, []privacy.FactID{"f3"}},
		{"sensitive", "Bo", "When does she fly to Porto?", []privacy.FactID{"f1"}, nil},
		{"sensitive", "Raj", "When does she fly to Porto?", nil, nil},
		{"always", "Bo", "When does she fly to Porto?", nil, []privacy.FactID{"f1"}},
		{"always", "Raj", "When does she fly to Porto?", nil, []privacy.FactID{"f1"}},
		{"always", "A Stranger", "When is the knee operation?", nil, []privacy.FactID{"f2"}},
	} {
		t.Run(tt.setting+" "+tt.who+" "+tt.question, func(t *testing.T) {
			a := askingAgent(t, tt.setting)
			d := disclose(t, a, tt.question, tt.who)
			if !slices.Equal(d.FactsTold, tt.told) {
				t.Errorf("told %v, want %v", d.FactsTold, tt.told)
			}
			if len(tt.told) == 0 && d.Answer != nothing(a, tt.who) {
				t.Errorf("a question that waits shows: %q", d.Answer)
			}
			var waits []privacy.FactID
			for _, q := range asks(t, a) {
				for _, f := range q.Facts {
					waits = append(waits, f.ID)
				}
				if !slices.Equal(q.To, []string{tt.who}) || q.Question != tt.question {
					t.Errorf("asked %+v", q)
				}
			}
			if !slices.Equal(waits, tt.waits) {
				t.Errorf("waits %v, want %v", waits, tt.waits)
			}
		})
	}
}

// TestAskAnswers: each answer becomes a line of the policy with its provenance, and
// the next question is answered by it.
func TestAskAnswers(t *testing.T) {
	for _, tt := range []struct {
		answer agent.AskAnswer
		told   bool
		line   string
	}{
		{agent.AskAnswer{Kind: agent.AskOnce}, true, "2026-02-21T08:00:00Z"},
		{agent.AskAnswer{Kind: agent.AskPerson}, true, "allow: [raj]"},
		{agent.AskAnswer{Kind: agent.AskGroup, Group: "team"}, true, `group:team`},
		{agent.AskAnswer{Kind: agent.AskNo}, false, "deny: [raj]"},
		{agent.AskAnswer{Kind: agent.AskSkip}, false, ""},
	} {
		t.Run(tt.answer.Kind, func(t *testing.T) {
			a := askingAgent(t, "sensitive")
			const question = "Is there an offer from Kestrel?"
			disclose(t, a, question, "Raj")
			disclose(t, a, question, "Raj")
			queue := asks(t, a)
			if len(queue) != 1 || queue[0].Times != 2 {
				t.Fatalf("waits %+v", queue)
			}
			if tt.told {
				plan, err := a.AnswerAsk(t.Context(), queue[0].ID, tt.answer, false)
				if !errors.Is(err, agent.ErrWidens) || plan == nil || len(plan.Shown) == 0 || len(asks(t, a)) != 1 {
					t.Fatalf("opened without agreement: %+v, %v", plan, err)
				}
			}
			if _, err := a.AnswerAsk(t.Context(), queue[0].ID, tt.answer, true); err != nil {
				t.Fatal(err)
			}
			if len(asks(t, a)) != 0 {
				t.Errorf("it still waits")
			}
			source, err := a.PolicyAt(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			provenance := "asked by Raj on 2026-02-20, answered: " + tt.answer.Kind
			if tt.line != "" && (!strings.Contains(string(source), tt.line) || !strings.Contains(string(source), provenance)) {
				t.Errorf("policy lacks %q or %q:\n%s", tt.line, provenance, source)
			}
			d := disclose(t, a, question, "Raj")
			if slices.Contains(d.FactsTold, "f3") != tt.told {
				t.Errorf("afterwards told %v", d.FactsTold)
			}
			if waits := len(asks(t, a)); tt.answer.Kind == agent.AskNo && waits > 0 {
				t.Errorf("after never, %d wait again", waits)
			}
		})
	}
}

// TestAskRefused: wrong answers, strangers, and what was forgotten.
func TestAskRefused(t *testing.T) {
	a := askingAgent(t, "sensitive")
	disclose(t, a, "Is there an offer from Kestrel?", "Some Caller")
	queue := asks(t, a)
	if len(queue) != 1 {
		t.Fatalf("waits %+v", queue)
	}
	id := queue[0].ID
	for _, tt := range []struct {
		id     string
		answer agent.AskAnswer
		want   error
	}{
		{"qnone", agent.AskAnswer{Kind: agent.AskPerson}, agent.ErrUnknownAsk},
		{id, agent.AskAnswer{Kind: "perhaps"}, agent.ErrDecision},
		{id, agent.AskAnswer{Kind: agent.AskPerson}, agent.ErrUnknownPerson},
		{id, agent.AskAnswer{Kind: agent.AskGroup, Group: "team"}, agent.ErrUnknownPerson},
	} {
		if _, err := a.AnswerAsk(t.Context(), tt.id, tt.answer, true); !errors.Is(err, tt.want) {
			t.Errorf("%s %+v: %v, want %v", tt.id, tt.answer, err, tt.want)
		}
	}
	if _, err := a.AnswerAsk(t.Context(), id, agent.AskAnswer{Kind: agent.AskNo}, true); err != nil {
		t.Fatal(err)
	}
	disclose(t, a, "Is there an offer from Kestrel?", "Some Caller")
	if got := asks(t, a); len(got) != 0 {
		t.Errorf("after never it waits again: %+v", got)
	}
	disclose(t, a, "Is there an offer from Kestrel?", "Raj")
	if len(asks(t, a)) != 1 {
		t.Fatal("Raj's question doesn't wait")
	}
	if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{"f3"}}); err != nil {
		t.Fatal(err)
	}
	if left, err := a.Store().Asks(t.Context(), false); err != nil || len(left) != 0 {
		t.Errorf("after forgetting: %+v, %v", left, err)
	}
}

// TestAskTold: after the first time a matter isn't asked about again.
func TestAskTold(t *testing.T) {
	a := askingAgent(t, "sensitive")
	disclose(t, a, "When is the knee operation?", "Tomas")
	if _, err := a.AnswerAsk(t.Context(), asks(t, a)[0].ID, agent.AskAnswer{Kind: agent.AskPerson}, true); err != nil {
		t.Fatal(err)
	}
	if d := disclose(t, a, "When is the knee operation?", "Tomas"); !slices.Contains(d.FactsTold, "f2") {
		t.Fatalf("told %v", d.FactsTold)
	}
	more := fact{ID: "f9", Text: "Ines has a cough since Monday.", Categories: []privacy.CategoryID{"health"}, Time: now, Truth: "real", Trusted: true}
	if _, err := a.Store().Apply(t.Context(), memory.Batch{Facts: []memory.Fact{more.stored()}}); err != nil {
		t.Fatal(err)
	}
	if d := disclose(t, a, "Does she still have that cough?", "Tomas"); !slices.Contains(d.FactsTold, "f9") {
		t.Errorf("asked again about the same matter: %v, waits %+v", d.FactsTold, asks(t, a))
	}
}
