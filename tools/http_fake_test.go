package tools_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

// fakeTokens opens the server to bearers by hand.
type fakeTokens struct {
	mu     sync.Mutex
	grants map[string]agent.Grant // by token
}

func (f *fakeTokens) Authenticate(_ context.Context, text string) (agent.Grant, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g, ok := f.grants[text]
	if !ok {
		return agent.Grant{}, agent.ErrToken
	}
	return g, nil
}

func (f *fakeTokens) TokenLives(_ context.Context, id string) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, g := range f.grants {
		if g.ID == id {
			return true, nil
		}
	}
	return false, nil
}

func (f *fakeTokens) revoke(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.grants, text)
}

// threeTokens are the owner's and those of two recipients.
func threeTokens() *fakeTokens {
	to := func(id, name string) agent.Grant {
		return agent.Grant{ID: id, Binding: agent.Binding{People: []agent.BoundPerson{{ID: "p", Name: name}}}}
	}
	return &fakeTokens{grants: map[string]agent.Grant{
		"owner": {ID: "t-owner", Binding: agent.Binding{Owner: true}}, "bo": to("t-bo", "Bo Lind"), "raj": to("t-raj", "Raj Pillai"),
	}}
}

// host is a server on loopback.
type host struct {
	t    *testing.T
	base string
	log  *syncBuffer
	stop context.CancelFunc
	done chan error
}

func serve(t *testing.T, verbs tools.Verbs, o tools.HTTPOptions) *host {
	t.Helper()
	h := &host{t: t, log: &syncBuffer{}, done: make(chan error, 1)}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewJSONHandler(h.log, nil))
	}
	server, err := tools.NewHTTP(verbs, o)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.base = "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	h.stop = stop
	go func() { h.done <- server.Serve(ctx, ln, nil) }()
	t.Cleanup(func() {
		stop()
		select {
		case <-h.done:
		case <-time.After(20 * time.Second):
			t.Error("the server doesn't end")
		}
		h.done <- nil
	})
	return h
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   string
}

// message is the JSON-RPC message in an answer, also where it came as a stream.
func (a answer) message(t *testing.T) message {
	t.Helper()
	text := a.body
	for line := range strings.Lines(a.body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			text = data
		}
	}
	return parseMessage(t, []byte(text))
}

func (h *host) do(method, path, body string, headers ...string) answer {
	h.t.Helper()
	a, err := h.try(method, path, body, headers...)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

// try sends a request; headers are names and values in turn.
func (h *host) try(method, path, body string, headers ...string) (answer, error) {
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		switch headers[i] {
		case "Host":
			req.Host = headers[i+1]
		case "Content-Type":
			req.Header.Set(headers[i], headers[i+1])
		default:
			req.Header.Add(headers[i], headers[i+1])
		}
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(text)}, err
}

// caller is a client of one token in one era.
type caller struct {
	*host
	token   string
	session string // "" in the stateless era
	next    int
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func (h *host) dial(token string) *caller {
	h.t.Helper()
	a := h.do("POST", "/mcp", initialize, "Authorization", "Bearer "+token)
	if a.status != 200 || a.header.Get("Mcp-Session-Id") == "" {
		h.t.Fatalf("initialize: %d %s", a.status, a.body)
	}
	c := &caller{host: h, token: token, session: a.header.Get("Mcp-Session-Id")}
	if a := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.status != 202 {
		h.t.Fatalf("initialized: %d", a.status)
	}
	return c
}

func (h *host) stateless(token string) *caller { return &caller{host: h, token: token} }

// request sends a method with parameters as JSON, in the client's era.
func (c *caller) request(method, params string) answer {
	c.t.Helper()
	c.next++
	if c.session != "" {
		return c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, params))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(params), &fields); err != nil {
		c.t.Fatal(err)
	}
	fields["_meta"] = json.RawMessage(`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`)
	headers := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	for _, key := range []string{"name", "uri"} {
		var name string
		if json.Unmarshal(fields[key], &name) == nil && name != "" {
			headers = append(headers, "Mcp-Name", name)
		}
	}
	return c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, toJSON(fields)), headers...)
}

func (c *caller) post(body string, headers ...string) answer {
	c.t.Helper()
	return c.do("POST", "/mcp", body, c.with(headers...)...)
}

func (c *caller) with(headers ...string) []string {
	headers = append(headers, "Authorization", "Bearer "+c.token)
	if c.session != "" {
		headers = append(headers, "Mcp-Session-Id", c.session)
	}
	return headers
}

func (c *caller) tool(name, arguments string) toolResult {
	c.t.Helper()
	m := c.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)).message(c.t)
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", name, m.Error.Code, m.Error.Message)
	}
	return parseResult(c.t, m)
}

// listen opens the client's stream and reports its end.
func (c *caller) listen() (status int, ended <-chan struct{}) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), "GET", c.base+"/mcp", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	headers := c.with("Accept", "text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		c.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer res.Body.Close()
		for s := bufio.NewScanner(res.Body); s.Scan(); {
		}
	}()
	return res.StatusCode, done
}

func soon(t *testing.T, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Errorf("%s does not come", what)
	}
}

var loopbackAddr net.Addr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1}

// recorder takes an answer that is written by several goroutines.
type recorder struct {
	header http.Header
	status int
	body   syncBuffer
}

func (r *recorder) Header() http.Header         { return r.header }
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
func (r *recorder) WriteHeader(status int)      { r.status = status }
func (r *recorder) Flush()                      {}

func listen(t testing.TB) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return ln
}
