package tools_test

//lint:file-ignore SA1019 clients of the handshake era are served too

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/tools"
)

// learningPolicy has a close category and an open one, into which words that nothing knows fall.
const learningPolicy = `version: 1
owner: {name: Ines Falk, aliases: [Ines]}
domains: [life]
groups:
  - {id: partner, tier: 1, domain: life}
  - {id: friends, tier: 3, domain: life}
people:
  - {name: Tomas, groups: [partner]}
  - {name: Greta Lind, groups: [friends]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "Illness, doctors, medicine"}
  - {id: hobby, name: Hobbies, level: 4, description: "Choir, sport, films, museums"}
`

// says proposes one lesson, resting on all that was said.
type says struct{ lesson engine.Lesson }

func (p says) Propose(_ context.Context, m evolve.Material) ([]evolve.Supplement, error) {
	var ids []int64
	for _, f := range m.Findings {
		ids = append(ids, f.Feedback)
	}
	return []evolve.Supplement{evolve.NewLesson(p.lesson, evolve.ByRule, ids...)}, nil
}

// waitingSupplement is a home in which a supplement waits for its owner. It closes today, so
// that nothing but its waiting says that the owner is to be asked.
func waitingSupplement(t *testing.T) (*agent.Agent, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(learningPolicy), 0o600); err != nil {
		t.Fatal(err)
	}
	a := reopen(t, dir)
	for _, text := range []string{"I had bodywork before the choir concert.", "I had bodywork behind the museum.", "I missed the choir rehearsal after bodywork."} {
		got, err := a.Remember(t.Context(), agent.RememberRequest{Text: text})
		if err != nil || len(got.Facts) != 1 {
			t.Fatalf("%q: %+v, %v", text, got, err)
		}
		if _, err := a.Feedback(t.Context(), agent.FeedbackRequest{Kind: "wrong-category", Fact: got.Facts[0].ID, Expected: "health", Origin: "command"}); err != nil {
			t.Fatal(err)
		}
	}
	word := says{engine.Lesson{Kind: engine.LessonWord, Lang: "en", Term: "bodywork", Of: "health"}}
	r, err := evolve.Run(t.Context(), a, evolve.RunOptions{Proposers: []evolve.Proposer{word}})
	if err != nil || len(r.Tried) != 1 || r.Tried[0].Status != evolve.Proposed {
		t.Fatalf("%+v, %v", r, err)
	}
	return a, r.Tried[0].ID
}

func statusOf(t *testing.T, a *agent.Agent, id string) evolve.Status {
	t.Helper()
	s, err := evolve.Find(t.Context(), a, id)
	if err != nil {
		t.Fatal(err)
	}
	return s.Status
}

// approvers run a test with a client of each era that can ask its user.
func approvers(t *testing.T, run func(t *testing.T, a *agent.Agent, id string, call toolCaller, u *user)) {
	t.Run("2026-07-28", func(t *testing.T) {
		a, id := waitingSupplement(t)
		u := &user{}
		run(t, a, id, official(t, officialClient(t, a, &mcp.ClientOptions{ElicitationHandler: officialElicit(u)})), u)
	})
	t.Run("2025-11-25", func(t *testing.T) {
		a, id := waitingSupplement(t)
		u := &user{}
		run(t, a, id, legacy(t, legacyClient(t, a, client.WithElicitationHandler(u))), u)
	})
}

// A supplement that opens nothing today still takes the owner's yes, after they read it.
func TestApproveAsksTheOwner(t *testing.T) {
	approvers(t, func(t *testing.T, a *agent.Agent, id string, call toolCaller, u *user) {
		_, listed, _ := call("review", map[string]any{"action": "waiting"})
		if !strings.Contains(listed, id) || !strings.Contains(listed, "bodywork") {
			t.Errorf("what waits isn't listed: %s", listed)
		}
		approve := map[string]any{"action": "approve", "supplement": id}
		u.answer = "cancel"
		if _, text, _ := call("review", approve); statusOf(t, a, id) != evolve.Proposed {
			t.Fatalf("in force without a yes: %s", text)
		}
		u.answer = "accept"
		raw, text, failed := call("review", approve)
		if failed || !strings.Contains(raw, `"applied":true`) || statusOf(t, a, id) != evolve.Active {
			t.Fatalf("after a yes: %s", text)
		}
		for _, question := range u.questions() {
			for _, want := range []string{id, "bodywork", "health", "Greta Lind", "somebody else wrote"} {
				if !strings.Contains(question, want) {
					t.Errorf("the question doesn't name %q: %s", want, question)
				}
			}
		}
		if _, text, failed := call("review", approve); !failed || !strings.Contains(text, "doesn't wait") {
			t.Errorf("what is in force is approved again: %s", text)
		}
	})
}

func TestApproveDeclined(t *testing.T) {
	approvers(t, func(t *testing.T, a *agent.Agent, id string, call toolCaller, u *user) {
		approve := map[string]any{"action": "approve", "supplement": id}
		for _, no := range []string{"decline", "accept"} { // after a no nobody is asked again
			u.answer = no
			raw, text, _ := call("review", approve)
			if strings.Contains(raw, `"applied":true`) || !strings.Contains(text, "declined") {
				t.Fatalf("%s: %s", no, text)
			}
		}
		if n := len(u.questions()); n != 1 {
			t.Errorf("the owner was asked %d times", n)
		}
		if got := statusOf(t, a, id); got != evolve.Proposed {
			t.Errorf("it is %s", got)
		}
	})
}

// Where the client can't ask, the change waits, and is done by the owner's word alone; once
// the supplement is declined, not even by that.
func TestApproveWithoutElicitation(t *testing.T) {
	for name, declined := range map[string]bool{"agreed": false, "declined meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			a, id := waitingSupplement(t)
			call := legacy(t, legacyClient(t, a))
			approve := map[string]any{"action": "approve", "supplement": id}
			raw, text, failed := call("review", approve)
			var out struct {
				Applied bool
				Waits   int64
			}
			if err := json.Unmarshal([]byte(raw), &out); err != nil || failed || out.Applied || out.Waits == 0 {
				t.Fatalf("%s, %v", text, err)
			}
			if _, again, _ := call("review", approve); !strings.Contains(again, "waits for the owner") {
				t.Errorf("asked again: %s", again)
			}
			waiting, err := a.Waiting(t.Context())
			if err != nil || len(waiting) != 1 || waiting[0].ID != out.Waits || len(waiting[0].Supplements) != 1 || waiting[0].Supplements[0] != id {
				t.Fatalf("%+v, %v", waiting, err)
			}
			if opens := strings.Join(waiting[0].Opens, "\n"); !strings.Contains(opens, "bodywork") {
				t.Errorf("the owner isn't shown what it says: %s", opens)
			}
			if got := statusOf(t, a, id); got != evolve.Proposed {
				t.Fatalf("it is %s before the owner agreed", got)
			}
			if declined {
				s, err := evolve.Find(t.Context(), a, id)
				if err != nil {
					t.Fatal(err)
				}
				if err := evolve.Decline(t.Context(), a, s); err != nil {
					t.Fatal(err)
				}
				if _, err := a.Settle(t.Context(), out.Waits, true, waiting[0].Key, nil); !errors.Is(err, agent.ErrNotProposed) {
					t.Errorf("what the owner declined comes in force by an older change: %v", err)
				}
				if now, err := a.Waiting(t.Context()); err != nil || len(now) != 1 || now[0].Fault == "" {
					t.Errorf("%+v, %v", now, err)
				}
				return
			}
			if _, err := a.Settle(t.Context(), out.Waits, true, waiting[0].Key, nil); err != nil {
				t.Fatal(err)
			}
			if got := statusOf(t, a, id); got != evolve.Active {
				t.Errorf("after the owner's word it is %s", got)
			}
		})
	}
}

// What the check of supplements refuses by now isn't put to the owner at all; nor is what
// nobody knows.
func TestApproveChecksFirst(t *testing.T) {
	approvers(t, func(t *testing.T, a *agent.Agent, id string, call toolCaller, u *user) {
		u.answer = "accept"
		for _, tt := range []struct {
			arguments map[string]any
			want      string
		}{
			{map[string]any{"action": "approve"}, "missing"},
			{map[string]any{"action": "approve", "supplement": "s00000000000"}, "no supplement"},
		} {
			if _, text, failed := call("review", tt.arguments); !failed || !strings.Contains(text, tt.want) {
				t.Errorf("%v: %s", tt.arguments, text)
			}
		}
		// Somebody is called so, as it turns out.
		named := strings.Replace(learningPolicy, "people:\n", "people:\n  - {name: Bodywork, groups: [friends]}\n", 1)
		change := agent.Change{Kind: agent.ChangePolicy, Source: named}
		p, err := a.Preview(t.Context(), change)
		if err == nil {
			_, err = a.Agree(t.Context(), change, p.Key, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, text, failed := call("review", map[string]any{"action": "approve", "supplement": id})
		if !failed || !strings.Contains(text, "holds what none may") || statusOf(t, a, id) != evolve.Proposed {
			t.Errorf("a supplement that names somebody: %s", text)
		}
		if asked := u.questions(); len(asked) != 0 {
			t.Errorf("the owner was asked: %q", asked)
		}
	})
}

// What turns out unfit while the owner reads isn't put in force by their yes.
func TestApproveChecksAfterTheYes(t *testing.T) {
	a, id := waitingSupplement(t)
	session := officialClient(t, a, &mcp.ClientOptions{ElicitationHandler: func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		named := strings.Replace(learningPolicy, "people:\n", "people:\n  - {name: Bodywork, groups: [partner]}\n", 1)
		if err := os.WriteFile(filepath.Join(a.Home(), agent.PolicyFile), []byte(named), 0o600); err != nil {
			return nil, err
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"agree": true}}, nil
	}})
	_, text, failed := official(t, session)("review", map[string]any{"action": "approve", "supplement": id})
	if !failed || !strings.Contains(text, "holds what none may") || statusOf(t, a, id) != evolve.Proposed {
		t.Errorf("it is %s: %s", statusOf(t, a, id), text)
	}
}

// Somebody else's connection approves nothing: it has no such tool.
func TestRecipientApprovesNothing(t *testing.T) {
	a, id := waitingSupplement(t)
	s, err := tools.New(a, tools.Options{
		Principal:   tools.Bound(agent.Binding{People: []agent.BoundPerson{{Name: "Greta Lind"}}}),
		Supplements: evolve.Approvals{Agent: a},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out syncBuffer
	in := initialize + "\n" + callLine(2, "review", toJSON(map[string]any{"action": "approve", "supplement": id}))
	if err := s.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	refused := false
	for line := range strings.Lines(out.String()) {
		if m := parseMessage(t, []byte(line)); string(m.ID) == "2" {
			refused = m.Error != nil
		}
	}
	if !refused || strings.Contains(out.String(), "bodywork") {
		t.Errorf("a recipient's call of review: %s", out.String())
	}
	if got := statusOf(t, a, id); got != evolve.Proposed {
		t.Errorf("it is %s", got)
	}
}
