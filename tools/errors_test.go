package tools_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/tools"
)

const canary = "canary-4417"

// An error from inside reaches the client as a text of the table, whatever it says.
func TestErrorsStopAtTheBorder(t *testing.T) {
	cases := []struct {
		name string
		err  error
		want string
	}{
		{"no policy", agent.ErrNoPolicy, "epagent init"},
		{"broken policy", agent.ErrPolicyBroken, "policy check"},
		{"not recorded", agent.ErrNotRecorded, "ledger"},
		{"unknown fact", agent.ErrUnknownFact, "no fact"},
		{"blank", agent.ErrEmpty, "blank"},
		{"blank name", privacy.ErrEmptyName, "blank"},
		{"busy", memory.ErrBusy, "try again"},
		{"full", memory.ErrFull, "disk"},
		{"damaged", memory.ErrDamaged, "backup"},
		{"cancelled", context.Canceled, "cancelled"},
		{"two faults", errors.Join(errors.New(canary), memory.ErrReadOnly), "writable"},
		{"anything else", errors.New("sql: near " + canary), "internal error, see the server's log"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := dial(t, &fakeVerbs{recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) {
				return nil, fmt.Errorf("node recall of %s: %w", canary, c.err)
			}})
			got := p.call("recall", `{"query":"a"}`)
			if !got.IsError || !strings.Contains(got.text(), c.want) {
				t.Errorf("isError %v: %q, want %q", got.IsError, got.text(), c.want)
			}
			if strings.Contains(got.text(), canary) {
				t.Errorf("the client reads the error: %q", got.text())
			}
			if strings.Contains(p.log.String(), canary) {
				t.Errorf("the log tells the error above debug level: %s", p.log)
			}
		})
	}
}

func TestPanicsStopAtTheBorder(t *testing.T) {
	p := dial(t, &fakeVerbs{recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) {
		panic(canary)
	}})
	got := p.call("recall", `{"query":"a"}`)
	if !got.IsError || got.text() != "internal error, see the server's log" {
		t.Errorf("isError %v: %q", got.IsError, got.text())
	}
	if log := p.log.String(); strings.Contains(log, canary) || !strings.Contains(log, "panicked") {
		t.Errorf("log: %s", log)
	}
	if got := p.call("partition", ""); !strings.Contains(got.text(), "topic") {
		t.Errorf("the next call: %s", got.text())
	}
}

// Debugging shows the cause, on the log and nowhere else.
func TestDebugShowsTheCause(t *testing.T) {
	p := dialLevel(t, &fakeVerbs{recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) {
		return nil, errors.New("disk said " + canary)
	}}, slog.LevelDebug)
	if got := p.call("recall", `{"query":"a"}`); strings.Contains(got.text(), canary) {
		t.Errorf("the client reads the error: %q", got.text())
	}
	if !strings.Contains(p.log.String(), canary) {
		t.Error("a debug log does not tell the cause")
	}
}

// A name that can be mistaken for somebody's is refused before anything is done.
func TestConfusableNames(t *testing.T) {
	verbs := &fakeVerbs{readers: func(_ context.Context, names []string) ([]agent.Reader, error) {
		return nil, fmt.Errorf("look up: %w", &privacy.ConfusableError{Name: names[0], Candidate: "Zoë Müller"})
	}}
	p := dial(t, verbs)
	name := toJSON("Z\u043eë Müller")
	for tool, arguments := range map[string]string{
		"disclose": `{"question":"a","to":[` + name + `]}`,
		"recall":   `{"query":"a","as":[` + name + `]}`,
		"remember": `{"text":"a","to":[` + name + `]}`,
	} {
		got := p.call(tool, arguments)
		if !got.IsError || !strings.Contains(got.text(), `"Zoë Müller"`) || !strings.Contains(got.text(), `\u043e`) {
			t.Errorf("%s: isError %v: %s", tool, got.IsError, got.text())
		}
	}
}

// Fewer readers than names would let the rest decide alone.
func TestEveryNameHasAReader(t *testing.T) {
	p := dial(t, &fakeVerbs{readers: func(context.Context, []string) ([]agent.Reader, error) { return nil, nil }})
	for tool, arguments := range map[string]string{
		"disclose": `{"question":"a","to":["Bo"]}`,
		"recall":   `{"query":"a","as":["Bo"]}`,
	} {
		if got := p.call(tool, arguments); !got.IsError || got.text() != "internal error, see the server's log" {
			t.Errorf("%s: isError %v: %s", tool, got.IsError, got.text())
		}
	}
}

func TestNoServerForNobody(t *testing.T) {
	if _, err := tools.New(&fakeVerbs{}, tools.Options{}); !errors.Is(err, tools.ErrNoPrincipal) {
		t.Errorf("New without a principal: %v, want ErrNoPrincipal", err)
	}
	if _, err := tools.New(nil, tools.Options{Principal: tools.Owner()}); err == nil {
		t.Error("New without an agent succeeds")
	}
}
