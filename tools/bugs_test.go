package tools_test

//lint:file-ignore SA1019 clients of the handshake era, and what they lend, are served too

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mark3 "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

// Faults that other servers had, each as it would look here. Over stdio, B01 is
// TestParallelCalls, B02 TestOutputIsProtocolOnly, B03 TestLongTexts, TestLongLines
// and TestRecallIsBounded.

// B01: sessions at once over HTTP lose nothing.
func TestB01ParallelSessionsLoseNothing(t *testing.T) {
	a, dir := home(t)
	h := serve(t, a, tools.HTTPOptions{Tokens: threeTokens()})
	const sessions, each = 8, 6
	var wg sync.WaitGroup
	for s := range sessions {
		c := h.dial("owner")
		wg.Go(func() {
			for k := range each {
				n := s*each + k + 1
				if r := c.tool("remember", toJSON(map[string]string{"text": note(n), "speaker": "owner"})); r.IsError {
					t.Errorf("note %d: %s", n, r.text())
				}
				if r := c.tool("recall", toJSON(map[string]string{"query": "locker"})); r.IsError {
					t.Errorf("recall: %s", r.text())
				}
			}
		})
	}
	wg.Wait()
	p := dial(t, reopen(t, dir))
	for n := 1; n <= sessions*each; n++ {
		found := 0
		for _, fact := range factsOf(t, p.call("recall", toJSON(map[string]any{"query": fmt.Sprintf("locker in room %d has code %d", n, n*7), "limit": 50}))).Facts {
			if strings.Contains(fact.Text+".", fmt.Sprintf("code %d.", n*7)) {
				found++
			}
		}
		if found != 1 {
			t.Errorf("note %d is there %d times, want once", n, found)
		}
	}
}

// B02: whatever state the home is in and whatever is logged, the output is protocol,
// and private text is on the log at debug level only.
func TestB02NothingElseOnOutput(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
		dir := t.TempDir() // with nothing in it
		p := dialLevel(t, reopen(t, dir), level)
		text := "Canarywood said:\n{\"jsonrpc\":\"2.0\",\"id\":1}"
		p.call("remember", toJSON(map[string]string{"text": text, "speaker": "owner"}))
		p.call("disclose", `{"question":"Canarywood?","to":["Bo"]}`) // fails: there is no policy
		p.call("policy", `{"action":"why","fact":"Canarywood","people":["Bo"]}`)
		p.call("policy", `{"action":"apply","source":"Canarywood: ["}`)
		p.call("review", `{"action":"decide","facts":["Canarywood"],"confirm":true}`)
		p.call("ledger", `{"to":"Canarywood"}`)
		if err := p.end(); err != nil {
			t.Fatal(err)
		}
		for line := range p.lines { // what is left; call parsed the rest
			parseMessage(t, line)
		}
		if level == slog.LevelInfo && strings.Contains(p.log.String(), "Canarywood") {
			t.Errorf("the log tells what was said: %s", p.log.String())
		}
	}
}

// B03: a line of 5 MiB in a file is refused or stored whole, and the session lives on.
func TestB03LongLineInAFile(t *testing.T) {
	a, _ := home(t)
	root := t.TempDir()
	path := filepath.Join(root, "notes.txt")
	text := "[01.03.26, 09:30:00] Raj: " + strings.Repeat("很安静🪴 ", (5<<20)/len("很安静🪴 ")) + "the spare key is under the third pot\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	call := official(t, officialClient(t, a, nil, root))
	_, answer, isError := call("import", map[string]any{"path": path})
	raw, _, _ := call("recall", map[string]any{"query": "where is the spare key, under which pot?", "limit": 50})
	switch found := strings.Contains(raw, "spare key is under the third pot"); {
	case isError && !strings.Contains(answer, "long") && !strings.Contains(answer, "large"):
		t.Errorf("refused without a reason: %s", answer)
	case !isError && !found:
		t.Errorf("taken, and its end is lost: %s", answer)
	}
	if _, text, isError := call("recall", map[string]any{"query": "anything"}); isError {
		t.Errorf("the next call: %s", text)
	}
}

// B04: every tool answers every kind of wrong arguments with a tool error, and every
// result fits the schema that a client was shown.
func TestB04Schemas(t *testing.T) {
	a, _ := home(t)
	p := dial(t, a)
	tools, _ := listTools(t, p)
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range tools {
		schemas[tool.Name] = compile(t, tool.Name, tool.OutputSchema)
		if len(tool.Description) == 0 {
			t.Errorf("%s has no description", tool.Name)
		}
		var input struct {
			Properties map[string]struct{ Type string } `json:"properties"`
		}
		if err := json.Unmarshal(tool.InputSchema, &input); err != nil {
			t.Fatal(err)
		}
		wrong := []string{`[]`, `"x"`, `7`, `{"no_such_argument":1}`}
		for name, property := range input.Properties {
			for _, value := range []string{`{"a":1}`, `[[1]]`, `"\u0000"`} {
				wrong = append(wrong, fmt.Sprintf(`{%q:%s}`, name, value))
			}
			if property.Type != "string" {
				wrong = append(wrong, fmt.Sprintf(`{%q:"7"}`, name))
			}
		}
		for _, arguments := range append(wrong, "", "null") {
			r := p.call(tool.Name, arguments)
			// Only a tool that needs nothing takes no arguments.
			if !r.IsError && !(tool.Name == "ledger" && (arguments == "" || arguments == "null")) {
				t.Errorf("%s %s is taken: %s", tool.Name, arguments, r.text())
			}
			if strings.Contains(r.text(), "internal error") {
				t.Errorf("%s %s: %s", tool.Name, arguments, r.text())
			}
		}
	}
	remembered := p.call("remember", `{"text":"I play tennis on Mondays.","speaker":"owner"}`)
	var stored struct {
		Facts []struct{ ID string }
	}
	if err := json.Unmarshal(remembered.Structured, &stored); err != nil || len(stored.Facts) == 0 {
		t.Fatal(remembered.text())
	}
	id := stored.Facts[0].ID
	for _, c := range []struct{ tool, arguments string }{
		{"remember", `{"text":"Raj may know that I swim.","speaker":"owner"}`},
		{"recall", `{"query":"tennis"}`},
		{"disclose", `{"question":"Does Ines play tennis?","to":["Raj"]}`},
		{"partition", `{"topic":"tennis"}`},
		{"policy", toJSON(map[string]any{"action": "why", "fact": id, "people": []string{"Raj"}})},
		{"policy", toJSON(map[string]any{"action": "who", "fact": id})},
		{"policy", `{"action":"who","fact":"tennis"}`},
		{"policy", `{"action":"knows","people":["Raj"]}`},
		{"policy", `{"action":"show"}`},
		{"policy", `{"action":"history"}`},
		{"policy", toJSON(map[string]any{"action": "plan", "source": policy})},
		{"policy", toJSON(map[string]any{"action": "allow", "people": []string{"Raj"}, "categories": []string{"health"}, "until": "2030-01-01"})},
		{"policy", toJSON(map[string]any{"action": "deny", "people": []string{"Raj"}, "fact": id})},
		{"review", `{"action":"list"}`},
		{"review", `{"action":"waiting"}`},
		{"review", toJSON(map[string]any{"action": "decide", "facts": []string{id}, "close": true})},
		{"review", toJSON(map[string]any{"action": "feedback", "kind": "wrong-time", "facts": []string{id}})},
		{"review", toJSON(map[string]any{"action": "feedback", "kind": "cover-broken", "entry": 1})},
		{"ledger", `{"to":"Raj","since":"2020-01-01","page":1}`},
		{"import", `{"action":"reindex"}`},
		{"forget", toJSON(map[string]any{"facts": []string{id}, "dry_run": true})},
		{"forget", toJSON(map[string]any{"facts": []string{id}})},
	} {
		r := p.call(c.tool, c.arguments)
		if r.IsError {
			t.Errorf("%s %s: %s", c.tool, c.arguments, r.text())
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(r.Structured)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schemas[c.tool].Validate(value); err != nil {
			t.Errorf("%s %s breaks its schema: %v", c.tool, c.arguments, err)
		}
		if strings.TrimSpace(r.text()) == "" {
			t.Errorf("%s %s: no text", c.tool, c.arguments)
		}
	}
}

// B05: every form of a name is the person, also in rules; one that only looks like
// it is refused, and two people of one name are no policy.
func TestB05Names(t *testing.T) {
	a, _ := home(t)
	p := dial(t, a)
	p.call("remember", `{"text":"I play tennis on Mondays.","speaker":"owner"}`)
	for i, name := range []string{"Zoe\u0308 Mu\u0308ller", "zoë  müller", "Ｚｏë Müller", "Zoë\u200b Müller", "Zoë\u200e Müller", "ZOË MÜLLER"} {
		category := []string{"leisure", "health"}[i%2]
		if r := p.call("policy", toJSON(map[string]any{"action": "deny", "people": []string{name}, "categories": []string{category}})); r.IsError && !strings.Contains(r.text(), "there already") {
			t.Errorf("%+q: %s", name, r.text())
		}
		got := p.call("policy", toJSON(map[string]any{"action": "knows", "people": []string{name}}))
		if got.IsError || strings.Contains(got.text(), "tennis") {
			t.Errorf("%+q: %s", name, got.text())
		}
	}
	for _, c := range []struct{ tool, arguments string }{
		{"policy", toJSON(map[string]any{"action": "knows", "people": []string{"Z\u043eë Müller"}})},
		{"policy", toJSON(map[string]any{"action": "deny", "people": []string{"Z\u043eë Müller"}, "categories": []string{"leisure"}})},
		{"remember", toJSON(map[string]any{"text": "Hello.", "speaker": "Z\u043eë Müller"})},
		{"ledger", toJSON(map[string]any{"to": "Z\u043eë Müller"})},
		{"forget", toJSON(map[string]any{"person": "Z\u043eë Müller"})},
	} {
		if r := p.call(c.tool, c.arguments); !r.IsError || !strings.Contains(r.text(), "Zoë Müller") {
			t.Errorf("%s %s: %s", c.tool, c.arguments, r.text())
		}
	}
	double := policy[:strings.Index(policy, "categories:")] + "  - {name: \"ZOE\u0308 MU\u0308LLER\"}\n" + policy[strings.Index(policy, "categories:"):]
	if r := p.call("policy", toJSON(map[string]any{"action": "plan", "source": double})); !r.IsError || !strings.Contains(r.text(), "Zoë Müller") {
		t.Errorf("two people of one name: %s", r.text())
	}
}

// B07: no way in shows a recipient what they may not know, or that it is there.
func TestB07EveryWayIsFiltered(t *testing.T) {
	a, _ := home(t)
	const secret = "4417"
	mine := dial(t, a)
	r := mine.call("remember", `{"text":"The code of the safe is 4417.","speaker":"owner"}`)
	var stored struct {
		Session string
		Facts   []struct{ ID string }
	}
	if err := json.Unmarshal(r.Structured, &stored); err != nil || len(stored.Facts) == 0 {
		t.Fatal(r.text())
	}
	if r := mine.call("review", toJSON(map[string]any{"action": "decide", "facts": []string{stored.Facts[0].ID}, "label": "0"})); r.IsError {
		t.Fatal(r.text())
	}
	if err := mine.end(); err != nil {
		t.Fatal(err)
	}
	h := serve(t, a, tools.HTTPOptions{Tokens: threeTokens()})
	both(t, h, "bo", func(t *testing.T, c *caller) {
		never := func(what string) string { return strings.ReplaceAll(what, stored.Facts[0].ID, "fnosuchfact") }
		for _, call := range []struct{ method, params string }{
			{"tools/call", `{"name":"disclose","arguments":{"question":"What is the code of the safe?"}}`},
			{"tools/call", `{"name":"disclose","arguments":{"question":"4417"}}`},
			{"tools/call", `{"name":"disclose","arguments":{"question":""}}`},
			{"tools/call", `{"name":"disclose","arguments":{}}`},
			{"tools/call", `{"name":"disclose","arguments":{"question":"FACT"}}`},
			{"tools/call", `{"name":"disclose","arguments":{"question":"a","limit":1000}}`},
			{"tools/call", `{"name":"disclose","arguments":{"question":"a","to":["Ines"],"explain":true}}`},
			{"tools/call", `{"name":"recall","arguments":{"query":"safe"}}`},
			{"tools/call", `{"name":"partition","arguments":{"facts":["FACT"]}}`},
			{"tools/call", `{"name":"policy","arguments":{"action":"why","fact":"FACT","people":["Bo"]}}`},
			{"tools/call", `{"name":"review","arguments":{"action":"list"}}`},
			{"tools/call", `{"name":"ledger","arguments":{}}`},
			{"tools/call", `{"name":"forget","arguments":{"facts":["FACT"],"dry_run":true}}`},
			{"tools/call", `{"name":"remember","arguments":{"text":"FACT"}}`},
			{"resources/list", `{}`}, {"resources/templates/list", `{}`}, {"prompts/list", `{}`},
			{"resources/read", `{"uri":"epagent://fact/FACT"}`},
			{"resources/read", `{"uri":"epagent://policy"}`},
			{"resources/read", `{"uri":"epagent://session/` + stored.Session + `"}`},
			{"resources/subscribe", `{"uri":"epagent://fact/FACT"}`},
			{"prompts/get", `{"name":"review_new"}`},
			{"completion/complete", `{"ref":{"type":"ref/resource","uri":"epagent://session/{id}"},"argument":{"name":"id","value":""}}`},
			{"completion/complete", `{"ref":{"type":"ref/prompt","name":"draft_reply"},"argument":{"name":"name","value":""}}`},
		} {
			got := c.request(call.method, strings.ReplaceAll(call.params, "FACT", stored.Facts[0].ID))
			if strings.Contains(got.body, secret) && !strings.Contains(call.params, secret) || strings.Contains(got.body, "safe is") {
				t.Errorf("%s %s: %s", call.method, call.params, got.body)
			}
			for _, other := range []string{"Raj", "Wilma", "Zoë", "health"} {
				if strings.Contains(got.body, other) {
					t.Errorf("%s %s names %s: %s", call.method, call.params, other, got.body)
				}
			}
			if !strings.Contains(call.params, "FACT") {
				continue
			}
			// A fact that is forbidden and one that never was: the same words.
			twin := c.request(call.method, strings.ReplaceAll(call.params, "FACT", "fnosuchfact"))
			if got.status != twin.status || never(withoutIDs(got.body)) != withoutIDs(twin.body) {
				t.Errorf("%s %s: %s\nand for one that never was: %s", call.method, call.params, got.body, twin.body)
			}
		}
	})
}

// withoutIDs takes the number of the request out of an answer.
func withoutIDs(body string) string {
	var m map[string]json.RawMessage
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			body = data
		}
	}
	if json.Unmarshal([]byte(body), &m) != nil {
		return body
	}
	delete(m, "id")
	return toJSON(m)
}

// Over HTTP the owner is asked as well, in both eras.
func TestConsentOverHTTP(t *testing.T) {
	ask := func(t *testing.T, a *agent.Agent, call toolCaller, u *user) {
		t.Helper()
		for _, c := range []struct {
			answer string
			people string
			done   bool
		}{{"decline", "Raj", false}, {"accept", "Zoë", true}} {
			u.answer = c.answer
			raw, text, isError := call("policy", map[string]any{"action": "allow", "people": []string{c.people}, "categories": []string{"health"}})
			if isError || strings.Contains(raw, `"applied":true`) != c.done {
				t.Errorf("%s: %s", c.answer, text)
			}
		}
		if n := len(u.questions()); n != 2 {
			t.Errorf("%d questions", n)
		}
	}
	t.Run("2026-07-28", func(t *testing.T) {
		a, _ := home(t)
		h := serve(t, a, tools.HTTPOptions{Tokens: threeTokens()})
		u := &user{}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{ElicitationHandler: officialElicit(u)}).
			Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: h.base + "/mcp", HTTPClient: &http.Client{Transport: bearerTransport("owner")}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { session.Close() })
		ask(t, a, official(t, session), u)
	})
	t.Run("2025-11-25", func(t *testing.T) {
		a, _ := home(t)
		h := serve(t, a, tools.HTTPOptions{Tokens: threeTokens()})
		u := &user{}
		stream, err := transport.NewStreamableHTTP(h.base+"/mcp", transport.WithContinuousListening(), transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer owner"}))
		if err != nil {
			t.Fatal(err)
		}
		c := client.NewClient(stream, client.WithElicitationHandler(u), client.WithLegacyProtocolOnly())
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		var request mark3.InitializeRequest
		request.Params.ProtocolVersion = "2025-11-25"
		request.Params.ClientInfo = mark3.Implementation{Name: "test", Version: "1"}
		if _, err := c.Initialize(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		ask(t, a, legacy(t, c), u)
	})
}

// FuzzTools calls the owner's tools with arguments of any kind: no panic, no internal
// error, and the policy file stays a policy.
func FuzzTools(f *testing.F) {
	for _, seed := range []struct{ tool, arguments string }{
		{"policy", `{"action":"allow","people":["Raj"],"fact":"x"}`}, {"policy", `{"action":"apply","source":"version: 1"}`},
		{"policy", `{"action":"who","fact":"tennis","version":"1@2"}`}, {"policy", `{"action":"undo","version":"1"}`},
		{"policy", `{"action":"deny","people":["group:team"],"about":"tea","until":"x"}`}, {"policy", `{"action":"remove_rule","rule":"r"}`},
		{"review", `{"action":"decide","facts":["a"],"label":"9/x","not_a_fact":true}`}, {"review", `{"action":"feedback","kind":"missed","entry":1}`},
		{"forget", `{"person":"Raj","dry_run":true}`}, {"ledger", `{"to":"Raj","since":"2026-13-01"}`},
		{"import", `{"path":"file:///%00"}`}, {"remember", `{"text":"a","speaker":"owner","to":["Raj"]}`}, {"recall", `{"query":"a","as":["\u200b"]}`},
	} {
		f.Add(seed.tool, seed.arguments)
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, agent.PolicyFile), []byte(policy), 0o600); err != nil {
		f.Fatal(err)
	}
	a, err := agent.Open(f.Context(), dir, agent.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = a.Close() })
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		if !json.Valid([]byte(arguments)) {
			return
		}
		c, err := client.NewInProcessClientWithOptions(tools.MCP(ownerServer(t, a)), client.WithLegacyProtocolOnly())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		var begin mark3.InitializeRequest
		begin.Params.ProtocolVersion = "2025-11-25"
		if _, err := c.Initialize(t.Context(), begin); err != nil {
			t.Fatal(err)
		}
		var request mark3.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, json.RawMessage(arguments)
		result, err := c.CallTool(t.Context(), request)
		if err != nil {
			return // no such tool
		}
		for _, content := range result.Content {
			if text, ok := content.(mark3.TextContent); ok && strings.Contains(text.Text, "internal error") {
				t.Errorf("%s %s: %s", tool, arguments, text.Text)
			}
		}
		if _, err := a.Policy(t.Context()); err != nil {
			t.Fatalf("%s %s broke the policy: %v", tool, arguments, err)
		}
	})
}
