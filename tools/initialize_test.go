package tools_test

import (
	"context"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

// TestInitializeAsksNobody: the first answers of a connection need no verb of the
// agent, so nothing of what is stored is read for them (TestOpenReadsNoFacts), and a
// store of any size is answered for at once.
func TestInitializeAsksNobody(t *testing.T) {
	verbs := &fakeVerbs{
		remember: asksNobody[agent.RememberRequest, *agent.Remembered](t), recall: asksNobody[agent.RecallRequest, *agent.Recalled](t),
		disclose: asksNobody[agent.DiscloseRequest, *agent.Disclosure](t), partition: asksNobody[agent.PartitionRequest, *agent.Partition](t),
		readers: asksNobody[[]string, []agent.Reader](t), bound: asksNobody[agent.Binding, []agent.Reader](t),
	}
	for _, who := range []tools.Principal{tools.Owner(), tools.Bound(agent.Binding{People: []agent.BoundPerson{{Name: "Wilma"}}})} {
		server, err := tools.New(verbs, tools.Options{Principal: who})
		if err != nil {
			t.Fatal(err)
		}
		var out syncBuffer
		in := initialize + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":"list","method":"tools/list"}` + "\n"
		if err := server.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), `"serverInfo"`) || !strings.Contains(out.String(), `"inputSchema"`) {
			t.Errorf("%s: %s", who, out.String())
		}
	}
}

// asksNobody is a verb that no call may reach.
func asksNobody[In, Out any](t *testing.T) func(context.Context, In) (Out, error) {
	return func(context.Context, In) (Out, error) {
		t.Error("a verb was called")
		var none Out
		return none, errUnexpected
	}
}
