package tools

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// The last thing that a call says comes before its answer, on the same stream (the
// library loses it, or sends it after).
func TestLastWordComesBeforeTheAnswer(t *testing.T) {
	h, err := NewHTTP(nothing{}, HTTPOptions{Tokens: oneToken{}})
	if err != nil {
		t.Fatal(err)
	}
	s := h.endpoints[owner].server
	s.mcp.AddTool(mcp.Tool{Name: "talk", RawInputSchema: json.RawMessage(`{"type":"object","properties":{}}`)},
		s.bordered("talk", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			for i := range 3 {
				notify(ctx, "notifications/progress", map[string]any{"progressToken": 1, "progress": i})
			}
			return mcp.NewToolResultText("done"), nil
		}))
	server := httptest.NewServer(h)
	defer server.Close()
	for _, accept := range []string{"application/json, text/event-stream", "application/json"} {
		for i := range 50 {
			req, _ := http.NewRequest(http.MethodPost, server.URL+PathMCP, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk","_meta":`+modernMeta+`}}`))
			for k, v := range map[string]string{"Authorization": "Bearer owner", "Content-Type": "application/json", "Accept": accept,
				"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "talk"} {
				req.Header.Set(k, v)
			}
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			var body strings.Builder
			if _, err := io.Copy(&body, res.Body); err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			var said []string
			for line := range strings.Lines(body.String()) {
				line = strings.TrimPrefix(line, "data: ")
				var m struct {
					Method string
					Params struct{ Progress float64 }
					Result *struct{}
				}
				if json.Unmarshal([]byte(line), &m) == nil {
					switch {
					case m.Method != "":
						said = append(said, []string{"0", "1", "2"}[int(m.Params.Progress)])
					case m.Result != nil:
						said = append(said, "answer")
					}
				}
			}
			want := "0 1 2 answer"
			if accept == "application/json" {
				want = "answer"
			}
			if got := strings.Join(said, " "); got != want {
				t.Fatalf("round %d, accept %q: %q, want %q\n%s", i, accept, got, want, body.String())
			}
		}
	}
}

// modernMeta is what a request of the stateless era carries.
const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

func TestBorderReplacesFaults(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"inside text", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"sql: canary"}}`, `{"error":{"code":-32603,"message":"internal error"},"id":1,"jsonrpc":"2.0"}`},
		{"inside data", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x","data":{"stack":"canary"}}}`, `{"error":{"code":-32603,"message":"internal error"},"id":1,"jsonrpc":"2.0"}`},
		{"unknown code", `{"jsonrpc":"2.0","id":"a","error":{"code":-7,"message":"canary"}}`, `{"error":{"code":-7,"message":"the request can't be served"},"id":"a","jsonrpc":"2.0"}`},
		{"our own text", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"prompt: epagent: try again"}}`, `{"error":{"code":-32603,"message":"try again"},"id":1,"jsonrpc":"2.0"}`},
		{"capability", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"epagent needs capability: sampling"}}`, `{"error":{"code":-32021,"message":"the client lacks a capability that this needs","data":{"requiredCapabilities":{"sampling":{}}}},"id":1,"jsonrpc":"2.0"}`},
		{"versions stay", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"x","data":{"supported":["a"]}}}`, `{"error":{"code":-32022,"message":"the protocol version is not supported","data":{"supported":["a"]}},"id":1,"jsonrpc":"2.0"}`},
		{"a result", `{"jsonrpc":"2.0","id":1,"result":{"error":{"code":-32603,"message":"data"}}}`, ""},
		{"a notification", `{"jsonrpc":"2.0","method":"x","params":{"error":1}}`, ""},
		{"no JSON", `"error"`, ""},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got, _ := atBorder([]byte(c.in)); string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// Sessions belong to who began them; a principal that has as many as it may loses
// the one that it left alone for longest.
func TestSessionsAreBound(t *testing.T) {
	s := newSessions(2, 3)
	a, b := Principal{kind: owner, token: "a"}, Principal{kind: recipient, token: "b"}
	one, _ := s.begin(a)
	if s.has(one.id, b) || !s.has(one.id, a) {
		t.Error("a session is not its principal's alone")
	}
	if _, _, err := s.enter(one.id, b); err == nil {
		t.Error("another principal enters")
	}
	_, leave, err := s.enter(one.id, a)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := s.begin(a)
	time.Sleep(time.Millisecond)
	three, ended := s.begin(a)
	if three == nil || ended == nil || ended.id != two.id {
		t.Errorf("not the idle session made room: %v", ended)
	}
	if two.over.Err() == nil {
		t.Error("what a session has open goes on after its end")
	}
	leave()
	if x, _ := s.begin(b); x == nil {
		t.Error("another principal finds no room")
	}
	if x, _ := s.begin(Principal{kind: owner, token: "c"}); x != nil {
		t.Error("more sessions than all may have")
	}
	if err := func() error { _, err := boundIDs{all: s, who: b}.Terminate(one.id); return err }(); err != nil || !s.has(one.id, a) {
		t.Errorf("another principal ends a session: %v", err)
	}
	s.end(one.id)
	if s.has(one.id, a) || one.over.Err() == nil {
		t.Error("an ended session lives")
	}
	if got := s.idle(time.Now().Add(time.Hour)); len(got) != 2 {
		t.Errorf("%d idle sessions, want 2", len(got))
	}
}
