package agent_test

import (
	"context"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// now is the clock of the tests.
var now = time.Date(2026, 2, 20, 9, 0, 0, 0, time.FixedZone("CET", 3600))

// open opens an agent in a home of its own; policy "" writes none.
func open(t testing.TB, policy string) *agent.Agent {
	t.Helper()
	return openIn(t, t.TempDir(), policy)
}

func openIn(t testing.TB, home, policy string) *agent.Agent {
	t.Helper()
	if policy != "" {
		if _, err := agent.WritePolicy(home, []byte(policy)); err != nil {
			t.Fatal(err)
		}
	}
	a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return a
}

// disclose asks for people named as the channel knows them.
func disclose(t testing.TB, a *agent.Agent, question string, to ...string) *agent.Disclosure {
	t.Helper()
	readers, err := a.Readers(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	d, err := a.Disclose(t.Context(), agent.DiscloseRequest{Question: question, To: readers})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// fact is a stored fact with gold marks: they are taken as they are.
type fact struct {
	ID         privacy.FactID
	Text       string
	Categories []privacy.CategoryID
	Time       time.Time
	Event      string
	Truth      string
	Trusted    bool
	Whitelist  []string
	Blacklist  []string
	Canaries   []string // of attacks: strings that may occur in no answer
}

func (f fact) stored() memory.Fact {
	mark := func(kind privacy.MarkKind, value string) privacy.Mark {
		return privacy.Mark{Kind: kind, Value: value, By: privacy.ByGold}
	}
	out := memory.Fact{Record: privacy.Record{
		ID: f.ID, Text: f.Text, Session: "s", OwnerSaid: f.Trusted,
		SaidAt: privacy.At(f.Time), HappenedAt: privacy.At(f.Time),
	}, Sessions: []string{"s"}, ImportedAt: now}
	for _, c := range f.Categories {
		out.Marks = append(out.Marks, mark(privacy.MarkCategory, string(c)))
	}
	if f.Event != "" {
		out.Marks = append(out.Marks, mark(privacy.MarkEvent, f.Event))
	}
	out.Marks = append(out.Marks, mark(privacy.MarkTruth, f.Truth))
	if f.Trusted {
		out.Marks = append(out.Marks, mark(privacy.MarkTrusted, "true"))
	}
	for _, p := range f.Whitelist {
		out.Marks = append(out.Marks, mark(privacy.MarkWhitelist, p))
	}
	for _, p := range f.Blacklist {
		out.Marks = append(out.Marks, mark(privacy.MarkBlacklist, p))
	}
	return out
}

// tester is what testing.TB and rapid.T share.
type tester interface {
	Helper()
	Fatal(...any)
	Context() context.Context
}

// put stores facts in a session of their own.
func put(t tester, a *agent.Agent, facts ...fact) {
	t.Helper()
	batch := memory.Batch{Sessions: []memory.Session{{
		ID: "s", Conversation: "c", Participants: []string{"Owner"}, Start: privacy.At(now),
		Source: memory.Source{Name: "test", Format: "test"},
	}}}
	for _, f := range facts {
		batch.Facts = append(batch.Facts, f.stored())
	}
	if _, err := a.Store().Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}
