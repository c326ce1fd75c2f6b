package tools_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/tools"
)

// In the handshake era initialize comes first and once; a request of the stateless era
// names its version and comes at any time.
func TestOrderOfAConnection(t *testing.T) {
	const (
		early     = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		ping      = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
		stateless = `{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
		claimed   = `{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}}`
		again     = `{"jsonrpc":"2.0","id":6,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
		late      = `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`
	)
	first := strings.Replace(initialize, `"id":0`, `"id":5`, 1)
	server, err := tools.New(&fakeVerbs{}, tools.Options{Principal: tools.Owner()})
	if err != nil {
		t.Fatal(err)
	}
	var out syncBuffer
	lines := []string{early, ping, stateless, claimed, callLine(8, "recall", `{"query":"a"}`), first, again, late}
	if err := server.ServeStdio(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	got := map[string]message{}
	for line := range strings.Lines(out.String()) {
		m := parseMessage(t, []byte(line))
		got[string(m.ID)] = m
	}
	for id, word := range map[string]string{"1": "not initialized", "2": "", "3": "", "4": "not initialized", "5": "", "6": "already", "7": "", "8": "not initialized"} {
		m, there := got[id]
		switch {
		case !there:
			t.Errorf("%s is not answered", id)
		case word == "" && m.Error != nil:
			t.Errorf("%s: %+v", id, m.Error)
		case word != "" && (m.Error == nil || m.Error.Code != -32600 || !strings.Contains(m.Error.Message, word)):
			t.Errorf("%s: %+v %s, want -32600 and %q", id, m.Error, m.Result, word)
		}
	}
}
