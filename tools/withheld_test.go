package tools_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/tools"
)

// A recipient reads the same of what they may not know, and of a policy that is broken
// or gone: over both transports and in both eras. The ledger has it.
func TestNoPolicyLooksLikeADenial(t *testing.T) {
	a, dir := home(t)
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I am pregnant, and the doctor found a lump."}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I play tennis on Mondays."}); err != nil {
		t.Fatal(err)
	}
	h := serve(t, a, tools.HTTPOptions{Tokens: threeTokens()})
	file := filepath.Join(dir, agent.PolicyFile)
	stdio := func(question string) []byte {
		t.Helper()
		server, err := tools.New(a, tools.Options{Principal: tools.Bound(agent.Binding{People: []agent.BoundPerson{{Name: "Raj Pillai"}}})})
		if err != nil {
			t.Fatal(err)
		}
		var out syncBuffer
		in := initialize + "\n" + callLine(2, "disclose", toJSON(map[string]string{"question": question}))
		if err := server.ServeStdio(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if m := parseMessage(t, []byte(line)); string(m.ID) == "2" {
				return m.Result
			}
		}
		t.Fatalf("no answer: %s", out.String())
		return nil
	}
	both(t, h, "raj", func(t *testing.T, c *caller) {
		asked := func(question string) []byte {
			return c.request("tools/call", `{"name":"disclose","arguments":`+toJSON(map[string]string{"question": question})+`}`).message(t).Result
		}
		if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
			t.Fatal(err)
		}
		if tennis := asked("Does Ines play tennis?"); !bytes.Contains(tennis, []byte("Mondays")) {
			t.Fatalf("nothing is told at all: %s", tennis)
		}
		denied, lines := asked("Is Ines pregnant?"), stdio("Is Ines pregnant?")
		if len(denied) == 0 || bytes.Contains(denied, []byte(`"isError":true`)) || !bytes.Contains(denied, []byte("ask Ines")) {
			t.Fatalf("the denial: %s", denied)
		}
		broken := func() error { return os.WriteFile(file, []byte("rubbish: ["), 0o600) }
		gone := func() error { return os.Remove(file) }
		for name, harm := range map[string]func() error{"broken": broken, "gone": gone} {
			if err := os.WriteFile(file, []byte(policy), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := harm(); err != nil {
				t.Fatal(err)
			}
			for _, question := range []string{"Is Ines pregnant?", "Does Ines play tennis?"} {
				if got := asked(question); !bytes.Equal(got, denied) {
					t.Errorf("%s, %s over HTTP:\n%s\nwant\n%s", name, question, got, denied)
				}
				if got := stdio(question); !bytes.Equal(got, lines) {
					t.Errorf("%s, %s over stdio:\n%s\nwant\n%s", name, question, got, lines)
				}
			}
			entries, err := a.Ledger(t.Context(), memory.LedgerFilter{})
			if err != nil || len(entries) == 0 {
				t.Fatal(err)
			}
			if e := entries[len(entries)-1]; e.Action != string(agent.Deflected) || e.Policy != "" || len(e.Told)+len(e.Permitted) > 0 || e.To[0] != "Raj Pillai" {
				t.Errorf("%s: the ledger has %+v", name, e)
			}
		}
	})
}
