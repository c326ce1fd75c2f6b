package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
)

// An address may hold the letters of a name as they are, and nobody waits for changes
// of what isn't there.
func TestAddresses(t *testing.T) {
	a, dir := home(t)
	named := strings.Replace(policy, "people:\n", "people:\n  - {name: 周琳, groups: [close]}\n", 1)
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(named), 0o600); err != nil {
		t.Fatal(err)
	}
	p := dial(t, a)
	ask := func(method, uri string) message {
		p.send(`{"jsonrpc":"2.0","id":9,"method":"` + method + `","params":` + toJSON(map[string]string{"uri": uri}) + `}`)
		return p.receive()
	}
	for _, uri := range []string{"epagent://person/周琳", "epagent://person/%E5%91%A8%E7%90%B3", "epagent://person/Wilma Okoro", "epagent://person/Zoë"} {
		if m := ask("resources/read", uri); m.Error != nil {
			t.Errorf("%s: %+v", uri, m.Error)
		}
	}
	for _, uri := range []string{"epagent://policy", "epagent://ledger", "epagent://ledger/2", "epagent://person/周琳", "epagent://group/team"} {
		if m := ask("resources/subscribe", uri); m.Error != nil {
			t.Errorf("subscribe %s: %+v", uri, m.Error)
		}
	}
	for _, uri := range []string{"https://example.org/", "file:///etc/passwd", "epagent://nosuch", "epagent://fact/nosuch", "epagent://group/nosuch", "epagent://person/", "epagent://session/x/y"} {
		if m := ask("resources/subscribe", uri); m.Error == nil || m.Error.Code != -32002 && m.Error.Code != -32602 {
			t.Errorf("subscribe %s: %+v %s", uri, m.Error, m.Result)
		}
	}
}
