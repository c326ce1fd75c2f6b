//go:build unix

package main

//lint:file-ignore SA1019 clients of the handshake era, and what they lend, are served too

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	mark3 "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assistant is a program of the owner's: a client, its user, and a model that has read
// a stranger's text and obeys it.
type assistant struct {
	call func(tool, arguments string) (structured, text string)
	mu   sync.Mutex
	says string   // what the user answers: accept, decline
	saw  []string // what the user was asked
	ran  int      // completions of the model
}

func (a *assistant) asked(message string) (action string, content map[string]any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.saw = append(a.saw, message)
	if a.says == "accept" {
		return a.says, map[string]any{"agree": true}
	}
	return a.says, nil
}

func (a *assistant) completed() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ran++
	return "no JSON at all"
}

// Elicit and CreateMessage make it the handler of mcp-go's client.
func (a *assistant) Elicit(_ context.Context, r mark3.ElicitationRequest) (*mark3.ElicitationResult, error) {
	action, content := a.asked(r.Params.Message)
	out := &mark3.ElicitationResult{}
	out.Action, out.Content = mark3.ElicitationResponseAction(action), content
	return out, nil
}

func (a *assistant) CreateMessage(context.Context, mark3.CreateMessageRequest) (*mark3.CreateMessageResult, error) {
	out := &mark3.CreateMessageResult{Model: "m"}
	out.Role, out.Content = mark3.RoleAssistant, mark3.NewTextContent(a.completed())
	return out, nil
}

// modern attaches the official Go client, which negotiates the stateless era.
func (a *assistant) modern(t *testing.T, home string, env ...string) {
	cmd := command(home, "mcp")
	cmd.Env = append(cmd.Env, env...)
	c := mcp.NewClient(&mcp.Implementation{Name: "assistant", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			action, content := a.asked(r.Params.Message)
			return &mcp.ElicitResult{Action: action, Content: content}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: a.completed()}}, nil
		},
	})
	session, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if v := session.InitializeResult().ProtocolVersion; v != "2026-07-28" {
		t.Fatalf("negotiated %s", v)
	}
	a.call = func(tool, arguments string) (string, string) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatalf("%s %s: %v", tool, arguments, err)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), result.Content[0].(*mcp.TextContent).Text
	}
}

// handshake attaches mcp-go's client in the era before.
func (a *assistant) handshake(t *testing.T, home string, env ...string) {
	cmd := command(home, "mcp")
	c, err := client.NewStdioMCPClientWithOptions(cmd.Path, append(cmd.Env, env...), cmd.Args[1:])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	client.WithElicitationHandler(a)(c)
	client.WithSamplingHandler(a)(c)
	client.WithLegacyProtocolOnly()(c)
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var hello mark3.InitializeRequest
	hello.Params.ProtocolVersion = "2025-06-18"
	hello.Params.ClientInfo = mark3.Implementation{Name: "assistant", Version: "1"}
	got, err := c.Initialize(t.Context(), hello)
	if err != nil {
		t.Fatal(err)
	}
	if got.ProtocolVersion != "2025-06-18" {
		t.Fatalf("negotiated %s", got.ProtocolVersion)
	}
	a.call = func(tool, arguments string) (string, string) {
		t.Helper()
		var request mark3.CallToolRequest
		request.Params.Name, request.Params.Arguments = tool, json.RawMessage(arguments)
		result, err := c.CallTool(t.Context(), request)
		if err != nil {
			t.Fatalf("%s %s: %v", tool, arguments, err)
		}
		raw, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw), result.Content[0].(mark3.TextContent).Text
	}
}

// eachAssistant runs a test with the server as it is installed, and a client of each era.
func eachAssistant(t *testing.T, run func(t *testing.T, home string, a *assistant), env ...string) {
	for era, attach := range map[string]func(*assistant, *testing.T, string, ...string){
		"2026-07-28": (*assistant).modern, "2025-06-18": (*assistant).handshake,
	} {
		t.Run(era, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			epagent(t, home, "init", "--yes", "--name", "Ines", "--person", "Tomas Falk=partner", "--person", "Raj Pillai=colleagues")
			a := &assistant{says: "decline"}
			attach(a, t, home, env...)
			run(t, home, a)
		})
	}
}

// A no changes nothing, a yes does what was shown, a question that was closed waits
// for the terminal, and a tightening is done at once.
func TestAssistantNeedsTheOwner(t *testing.T) {
	eachAssistant(t, func(t *testing.T, home string, a *assistant) {
		raw, text := a.call("remember", `{"text":"I have a job interview at Nordlys on 12 May 2031.","speaker":"owner"}`)
		var stored struct{ Facts []struct{ ID string } }
		if err := json.Unmarshal([]byte(raw), &stored); err != nil || len(stored.Facts) != 1 {
			t.Fatalf("remember: %s", text)
		}
		id := stored.Facts[0].ID
		knows := func() string { return epagent(t, home, "knows", "Raj Pillai", "--json") }
		policy, err := os.ReadFile(filepath.Join(home, "policy.yaml"))
		if err != nil {
			t.Fatal(err)
		}

		allow := `{"action":"allow","people":["Raj Pillai"],"fact":"` + id + `"}`
		orders := []struct{ tool, arguments string }{
			{"policy", allow}, {"policy", allow},
			{"policy", `{"action":"allow","people":["group:colleagues"],"categories":["job-hunt"]}`},
			{"review", `{"action":"decide","facts":["` + id + `"],"categories":["hobbies"]}`},
			{"review", `{"action":"decide","facts":["` + id + `"],"label":"4"}`},
			{"remember", `{"text":"You can tell Raj Pillai about my job interview at Nordlys.","speaker":"owner","to":["Raj Pillai"]}`},
			{"policy", toJSON(t, map[string]string{"action": "apply", "source": strings.ReplaceAll(string(policy), "level: 1", "level: 4")})},
		}
		for _, o := range orders {
			if raw, text := a.call(o.tool, o.arguments); strings.Contains(raw, `"applied":true`) {
				t.Errorf("declined, and done: %s %.100s: %s", o.tool, o.arguments, text)
			}
		}
		if now, err := os.ReadFile(filepath.Join(home, "policy.yaml")); err != nil || string(now) != string(policy) {
			t.Errorf("the policy file changed (%v)", err)
		}
		if got := knows(); strings.Contains(got, "Nordlys") {
			t.Errorf("Raj may know: %s", got)
		}
		if n := len(a.saw); n < 5 || n > len(orders)-1 {
			t.Errorf("%d questions for %d orders, of which two are one: %q", n, len(orders), a.saw)
		}
		if !strings.Contains(a.saw[0], "Raj Pillai") || !strings.Contains(a.saw[0], "Nordlys") {
			t.Errorf("the question doesn't say who and what: %q", a.saw[0])
		}
		if waiting := epagent(t, home, "review", "waiting"); strings.Contains(waiting, "Raj") {
			t.Errorf("what was declined waits: %s", waiting)
		}

		// Closed without an answer, it waits; the terminal decides.
		a.says = "cancel"
		raw, text = a.call("policy", `{"action":"allow","people":["Raj Pillai"],"fact":"`+id+`","until":"2031-06-01"}`)
		if !strings.Contains(raw, `"waits":1`) {
			t.Fatalf("closed: %s", text)
		}
		epagent(t, home, "review", "agree", "1")
		if got := knows(); !strings.Contains(got, "Nordlys") {
			t.Errorf("agreed to on the terminal, and not done: %s", got)
		}
		// The server that was there all along sees it, and closes it without a question.
		before := len(a.saw)
		if raw, text := a.call("policy", `{"action":"deny","people":["Raj Pillai"],"fact":"`+id+`"}`); !strings.Contains(raw, `"applied":true`) || len(a.saw) != before {
			t.Errorf("a deny: %s", text)
		}
		if got := knows(); strings.Contains(got, "Nordlys") {
			t.Errorf("denied, and known: %s", got)
		}

		a.says = "accept"
		if raw, text := a.call("policy", `{"action":"allow","people":["Raj Pillai"],"categories":["hobbies"]}`); !strings.Contains(raw, `"applied":true`) {
			t.Errorf("accepted, and not done: %s", text)
		}
	})
}

// With `model: client` the stages ask the assistant's model. What it says that is no
// reply opens nothing.
func TestAssistantLendsItsModel(t *testing.T) {
	eachAssistant(t, func(t *testing.T, home string, a *assistant) {
		if _, text := a.call("remember", `{"text":"I have a job interview at Nordlys on 12 May 2031.","speaker":"owner"}`); !strings.Contains(text, "Stored.") {
			t.Fatal(text)
		}
		if a.ran == 0 {
			t.Error("the model was not asked")
		}
		if _, text := a.call("disclose", `{"question":"Does Ines have a job interview?","to":["Raj Pillai"],"preview":true}`); strings.Contains(text, "Nordlys") {
			t.Errorf("Raj is told %s", text)
		}
	}, "EPAGENT_MODEL=client")
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
