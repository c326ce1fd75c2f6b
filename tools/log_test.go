package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/epagent/epagent/agent"
)

// After logging/setLevel the owner hears what became of a call, and nothing of what it
// was about.
func TestLoggingTellsOutcomes(t *testing.T) {
	p := dial(t, &fakeVerbs{recall: func(_ context.Context, r agent.RecallRequest) (*agent.Recalled, error) {
		return &agent.Recalled{Query: r.Query}, nil
	}})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`)
	if m := p.receive(); m.Error != nil {
		t.Fatalf("%+v", m.Error)
	}
	p.send(callLine(2, "recall", `{"query":"`+canary+`"}`))
	told := false
	for {
		m := p.receive()
		if string(m.ID) == "2" {
			break
		}
		told = told || m.Method == "notifications/message"
	}
	if !told {
		t.Error("nothing was told of the call")
	}
	p.send(callLine(3, "recall", `{"nosuch":"`+canary+`"}`))
	_ = p.in.Close()
	refused := false
	for line := range p.lines {
		var n struct {
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(line, &n) != nil || n.Method != "notifications/message" {
			continue
		}
		refused = refused || bytes.Contains(n.Params, []byte(`"refused"`)) && bytes.Contains(n.Params, []byte(`"recall"`))
		if bytes.Contains(n.Params, []byte(canary)) {
			t.Errorf("a log line holds what was asked: %s", line)
		}
	}
	if !refused {
		t.Error("nothing was told of the refusal")
	}
}
