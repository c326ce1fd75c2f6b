package tools_test

import (
	"fmt"
	"strings"
	"testing"
)

// What the caller did wrong has the protocol's code for that, and is no internal error.
func TestCallersMistakes(t *testing.T) {
	a, _ := home(t)
	p := dial(t, a)
	for i, c := range []struct {
		method, params string
		code           int
	}{
		{"resources/read", `{"uri":"epagent://fact/nosuch"}`, -32002},
		{"resources/read", `{"uri":"epagent://group/nosuch"}`, -32002},
		{"resources/read", `{"uri":"epagent://category/nosuch"}`, -32002},
		{"resources/read", `{"uri":"epagent://ledger/none"}`, -32602},
		{"prompts/get", `{"name":"draft_reply","arguments":{"name":"Raj","mesage":"hi"}}`, -32602},
		{"prompts/get", `{"name":"review_new","arguments":{"name":"Raj"}}`, -32602},
		{"prompts/get", `{"name":"draft_reply","arguments":{"name":" "}}`, -32602},
	} {
		p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, 500+i, c.method, c.params))
		m := p.receive()
		if m.Error == nil || m.Error.Code != c.code {
			t.Errorf("%s %s: %+v, want code %d", c.method, c.params, m.Error, c.code)
		}
	}
	if r := p.call("review", `{"action":"decide","facts":["f1"]}`); !r.IsError || !strings.Contains(r.text(), "nothing to decide") {
		t.Errorf("nothing to decide: %s", r.text())
	}
}
