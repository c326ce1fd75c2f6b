package tools

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

// TestConformance runs the official conformance suites against the real HTTP server,
// with the suites' fixtures registered on top. The suites have no tokens: a handler
// in front gives every request that of the owner. EPAGENT_MCP_TOOLS is the folder in
// which a script of CI installs the suites: "stable", which knows the handshake era,
// and "alpha", which knows both.
func TestConformance(t *testing.T) {
	installed := os.Getenv("EPAGENT_MCP_TOOLS")
	if installed == "" {
		t.Skip("EPAGENT_MCP_TOOLS does not name the folder of the conformance suites, which are npm packages")
	}
	h, err := NewHTTP(nothing{}, HTTPOptions{Tokens: oneToken{}, more: []server.ServerOption{
		server.WithResourceCapabilities(true, true), server.WithPromptCapabilities(true), server.WithToolCapabilities(true),
		server.WithLogging(), server.WithCompletions(),
	}})
	if err != nil {
		t.Fatal(err)
	}
	fixtures(h.endpoints[owner].server)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	front := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer owner")
		h.ServeHTTP(w, r)
	})}
	go front.Serve(ln) //nolint:errcheck // it ends with the test
	defer front.Close()
	for _, suite := range []string{filepath.Join(installed, "stable"), filepath.Join(installed, "alpha")} {
		for _, args := range [][]string{{"--spec-version", "2025-06-18"}, {"--spec-version", "2025-11-25"}, {"--spec-version", "2026-07-28"}, {"--requirements", "2026-07-28"}} {
			if filepath.Base(suite) == "stable" && strings.Contains(args[1], "2026") {
				continue
			}
			t.Run(filepath.Base(suite)+" "+strings.Join(args, "="), func(t *testing.T) { conform(t, suite, "http://"+ln.Addr().String()+PathMCP, args) })
		}
	}
}

// notScored are the scenarios that the suite itself runs without counting: extensions
// that this server has not, and drafts that its own reference server can't pass.
var notScored = regexp.MustCompile(`/server-(tasks-|http-custom-header-server-validation|http-header-validation|json-schema-2020-12-preservation)`)

func conform(t *testing.T, suite, url string, args []string) {
	out := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "node", append([]string{
		filepath.Join(suite, "node_modules/@modelcontextprotocol/conformance/dist/index.js"), "server", "--url", url, "-o", out,
	}, args...)...)
	said, err := cmd.CombinedOutput()
	found, _ := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	passed := 0
	for _, file := range found {
		var checks []struct {
			ID      string          `json:"id"`
			Status  string          `json:"status"`
			Error   string          `json:"errorMessage"`
			Details json.RawMessage `json:"details"`
		}
		raw, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(raw, &checks) != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, c := range checks {
			switch c.Status {
			case "SUCCESS":
				passed++
			case "FAILURE", "WARNING":
				if notScored.MatchString(file) {
					continue
				}
				t.Errorf("%s: %s: %s: %s", filepath.Base(filepath.Dir(file)), c.ID, c.Status, c.Error)
			}
		}
	}
	t.Logf("%d scenarios, %d checks pass", len(found), passed)
	if passed == 0 || err != nil && !t.Failed() {
		t.Errorf("the suite did not run: %v\n%s", err, said)
	}
}

// oneToken opens the server to the owner.
type oneToken struct{}

func (oneToken) Authenticate(_ context.Context, text string) (agent.Grant, error) {
	if text != "owner" {
		return agent.Grant{}, agent.ErrToken
	}
	return agent.Grant{ID: "one", Binding: agent.Binding{Owner: true}}, nil
}

func (oneToken) TokenLives(context.Context, string) (bool, error) { return true, nil }

// nothing is an agent that nobody calls.
type nothing struct{ Verbs }

// State is looked at while something is watched; nothing changes.
func (nothing) State(context.Context) (agent.State, error) { return agent.State{}, nil }

// Ledger is the first resource of the list, which a suite reads.
func (nothing) Ledger(context.Context, memory.LedgerFilter) ([]memory.LedgerEntry, error) {
	return nil, nil
}

const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
)

// fixtures are what the suites call, as they describe it.
func fixtures(s *Server) {
	add := func(name string, h func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		schema := `{"type":"object","properties":{}}`
		switch name {
		case "test_sampling":
			schema = `{"type":"object","properties":{"prompt":{"type":"string"}}}`
		case "test_elicitation":
			schema = `{"type":"object","properties":{"message":{"type":"string"}}}`
		case "json_schema_2020_12_tool":
			schema = schema2020
		}
		s.mcp.AddTool(mcp.Tool{Name: name, Description: "A fixture of the conformance suite", RawInputSchema: json.RawMessage(schema)}, s.bordered(name, h))
	}
	content := func(parts ...mcp.Content) func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: parts}, nil
		}
	}
	text := mcp.NewTextContent
	embedded := mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "test://embedded-resource", MIMEType: "text/plain", Text: "An embedded resource."})
	add("test_simple_text", content(text("This is a simple text response for testing.")))
	add("json_schema_2020_12_tool", content(text("done")))
	add("test_image_content", content(mcp.NewImageContent(pixel, "image/png")))
	add("test_audio_content", content(mcp.NewAudioContent(silence, "audio/wav")))
	add("test_embedded_resource", content(embedded))
	add("test_multiple_content_types", content(text("Multiple content types test:"), mcp.NewImageContent(pixel, "image/png"), embedded))
	add("test_error_handling", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, publicf("This tool intentionally returns an error for testing")
	})
	add("test_tool_with_logging", logging)
	add("test_logging_tool", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Params.Meta == nil || r.Params.Meta.AdditionalFields["io.modelcontextprotocol/logLevel"] == nil {
			return mcp.NewToolResultText("done"), nil // a client of the stateless era asks for log lines
		}
		return logging(ctx, r)
	})
	add("test_tool_with_progress", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, done := range []int{0, 50, 100} {
			if r.Params.Meta != nil && r.Params.Meta.ProgressToken != nil {
				notify(ctx, string(mcp.MethodNotificationProgress), map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": done, "total": 100})
			}
		}
		return mcp.NewToolResultText("done"), nil
	})
	add("test_trigger_tool_change", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.mcp.AddTool(mcp.NewTool("test_added"), content(text("done")))
		s.mcp.DeleteTools("test_added")
		return mcp.NewToolResultText("done"), nil
	})
	add("test_trigger_prompt_change", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.mcp.AddPrompt(mcp.NewPrompt("test_added"), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
		s.mcp.DeletePrompts("test_added")
		return mcp.NewToolResultText("done"), nil
	})
	add("test_missing_capability", func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if caps := r.Params.Meta.ClientCapabilities(); caps == nil || caps.Sampling == nil {
			return nil, &capabilityError{"sampling"}
		}
		return mcp.NewToolResultText("done"), nil
	})
	addAsking(s, add)
	addPrompts(s)
	addResources(s)
}

func logging(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		notify(ctx, string(mcp.MethodNotificationMessage), map[string]any{"level": "info", "logger": "fixtures", "data": line})
		time.Sleep(5 * time.Millisecond)
	}
	return mcp.NewToolResultText("done"), nil
}

func object(required bool, name string, schema map[string]any) map[string]any {
	out := map[string]any{"type": "object", "properties": map[string]any{name: schema}}
	if required {
		out["required"] = []string{name}
	}
	return out
}

func elicit(message string, schema map[string]any) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: message, RequestedSchema: schema}
}

func sample(text string, tokens int) mcp.CreateMessageParams {
	return mcp.CreateMessageParams{Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}}, MaxTokens: tokens}
}

var aString = map[string]any{"type": "string"}

// signedState and its check keep a client from making up where a call had got to.
var stateKey = []byte("a key of the fixtures")

func signedState(step string) string {
	mac := hmac.New(sha256.New, stateKey)
	mac.Write([]byte(step))
	return step + "." + hex.EncodeToString(mac.Sum(nil))
}

func checkedState(state string) (string, error) {
	step, _, _ := strings.Cut(state, ".")
	if state != "" && !hmac.Equal([]byte(signedState(step)), []byte(state)) {
		return "", errors.New(publicMark + "the state of the request was changed on the way")
	}
	return step, nil
}

// addAsking adds the tools that ask the client something: one handler serves both
// eras.
func addAsking(s *Server, add func(string, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error))) {
	one := func(name, key string, ask func(mcp.CallToolRequest, *server.InputRequestBuilder), answered func(mcp.InputResponses) string) {
		add(name, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if text := answered(r.Params.InputResponses); text != "" {
				return mcp.NewToolResultText(text), nil
			}
			b := server.NewInputRequestBuilder("")
			ask(r, b)
			return b.ToolResult(), nil
		})
	}
	elicited := func(key string) func(mcp.InputResponses) string {
		return func(in mcp.InputResponses) string {
			if got := server.ElicitationResponse(in, key); got != nil && got.Action != "" {
				return fmt.Sprintf("User response: action=%s, content=%v", got.Action, got.Content)
			}
			return ""
		}
	}
	sampled := func(key string) func(mcp.InputResponses) string {
		return func(in mcp.InputResponses) string {
			got := server.SamplingResponse(in, key)
			if got == nil {
				return ""
			}
			if c, err := mcp.ParseSamplingContent(got.Content); err == nil {
				if t, ok := c.(mcp.TextContent); ok {
					return "LLM response: " + t.Text
				}
			}
			return "LLM response: none"
		}
	}
	one("test_sampling", "answer", func(r mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Sample("answer", sample(r.GetString("prompt", ""), 100))
	}, sampled("answer"))
	one("test_elicitation", "user", func(r mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Elicit("user", elicit(r.GetString("message", ""), map[string]any{"type": "object", "required": []string{"username", "email"},
			"properties": map[string]any{"username": aString, "email": aString}}))
	}, elicited("user"))
	one("test_elicitation_sep1034_defaults", "user", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Elicit("user", elicit("Defaults", map[string]any{"type": "object", "properties": map[string]any{
			"name": map[string]any{"type": "string", "default": "John Doe"}, "age": map[string]any{"type": "integer", "default": 30},
			"score":    map[string]any{"type": "number", "default": 95.5},
			"status":   map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
			"verified": map[string]any{"type": "boolean", "default": true},
		}}))
	}, elicited("user"))
	titled := func(values ...string) []any {
		var out []any
		for _, v := range values {
			out = append(out, map[string]any{"const": v, "title": "Title of " + v})
		}
		return out
	}
	one("test_elicitation_sep1330_enums", "user", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Elicit("user", elicit("Enums", map[string]any{"type": "object", "properties": map[string]any{
			"untitledSingle": map[string]any{"type": "string", "enum": []string{"option1", "option2", "option3"}},
			"titledSingle":   map[string]any{"type": "string", "oneOf": titled("value1", "value2", "value3")},
			"legacyEnum":     map[string]any{"type": "string", "enum": []string{"opt1", "opt2", "opt3"}, "enumNames": []string{"One", "Two", "Three"}},
			"untitledMulti":  map[string]any{"type": "array", "items": map[string]any{"type": "string", "enum": []string{"option1", "option2", "option3"}}},
			"titledMulti":    map[string]any{"type": "array", "items": map[string]any{"anyOf": titled("value1", "value2", "value3")}},
		}}))
	}, elicited("user"))
	one("test_streaming_elicitation", "user", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Elicit("user", elicit("What is your name?", object(true, "name", aString)))
	}, elicited("user"))
	one("test_input_required_result_elicitation", "user_name", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Elicit("user_name", elicit("What is your name?", object(true, "name", aString)))
	}, func(in mcp.InputResponses) string {
		if got := server.ElicitationResponse(in, "user_name"); got != nil {
			if fields, ok := got.Content.(map[string]any); ok {
				return fmt.Sprintf("Hello, %v!", fields["name"])
			}
		}
		return ""
	})
	one("test_input_required_result_sampling", "capital_question", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) {
		b.Sample("capital_question", sample("What is the capital of France?", 100))
	}, sampled("capital_question"))
	roots := func(in mcp.InputResponses) string {
		if got := server.RootsResponse(in, "client_roots"); got != nil {
			return fmt.Sprint("Roots: ", got.Roots)
		}
		return ""
	}
	one("test_input_required_result_list_roots", "client_roots", func(_ mcp.CallToolRequest, b *server.InputRequestBuilder) { b.Roots("client_roots") }, roots)
	one("test_input_required_result_capabilities", "", func(r mcp.CallToolRequest, b *server.InputRequestBuilder) {
		caps := r.Params.Meta.ClientCapabilities()
		if caps != nil && caps.Sampling != nil {
			b.Sample("question", sample("What is the capital of France?", 100))
		}
		if caps != nil && caps.Elicitation != nil {
			b.Elicit("user_name", elicit("What is your name?", object(true, "name", aString)))
		}
	}, sampled("question"))

	confirm := func(b *server.InputRequestBuilder) *mcp.CallToolResult {
		return b.Elicit("confirm", elicit("Please confirm", object(true, "ok", map[string]any{"type": "boolean"}))).ToolResult()
	}
	stateful := func(name string, steps func(step string, in mcp.InputResponses) *mcp.CallToolResult) {
		s.mcp.AddTool(mcp.NewTool(name, mcp.WithDescription("A fixture of the conformance suite")), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			step, err := checkedState(r.Params.RequestState)
			if err != nil {
				return nil, err
			}
			return steps(step, r.Params.InputResponses), nil
		})
	}
	for _, name := range []string{"test_input_required_result_request_state", "test_input_required_result_tampered_state"} {
		stateful(name, func(step string, in mcp.InputResponses) *mcp.CallToolResult {
			if step == "asked" && server.ElicitationResponse(in, "confirm") != nil {
				return mcp.NewToolResultText("state-ok")
			}
			return confirm(server.NewInputRequestBuilder(signedState("asked")))
		})
	}
	stateful("test_input_required_result_multiple_inputs", func(step string, in mcp.InputResponses) *mcp.CallToolResult {
		if step == "asked" && elicited("user_name")(in) != "" && sampled("greeting")(in) != "" && roots(in) != "" {
			return mcp.NewToolResultText("done")
		}
		return server.NewInputRequestBuilder(signedState("asked")).Elicit("user_name", elicit("What is your name?", object(true, "name", aString))).
			Sample("greeting", sample("Generate a greeting", 50)).Roots("client_roots").ToolResult()
	})
	stateful("test_input_required_result_multi_round", func(step string, in mcp.InputResponses) *mcp.CallToolResult {
		switch {
		case step == "two" && elicited("step2")(in) != "":
			return mcp.NewToolResultText("done")
		case step == "one" && elicited("step1")(in) != "", step == "two":
			return server.NewInputRequestBuilder(signedState("two")).Elicit("step2", elicit("Step 2: What is your favorite color?", object(true, "color", aString))).ToolResult()
		}
		return server.NewInputRequestBuilder(signedState("one")).Elicit("step1", elicit("Step 1: What is your name?", object(true, "name", aString))).ToolResult()
	})
}

func addPrompts(s *Server) {
	say := func(parts ...mcp.Content) *mcp.GetPromptResult {
		out := &mcp.GetPromptResult{}
		for _, p := range parts {
			out.Messages = append(out.Messages, mcp.PromptMessage{Role: mcp.RoleUser, Content: p})
		}
		return out
	}
	text := mcp.NewTextContent
	s.mcp.AddPrompt(mcp.NewPrompt("test_simple_prompt", mcp.WithPromptDescription("A fixture")), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return say(text("This is a simple prompt for testing.")), nil
	})
	s.mcp.AddPrompt(mcp.NewPrompt("test_prompt_with_arguments", mcp.WithPromptDescription("A fixture"), mcp.WithArgument("arg1", mcp.RequiredArgument()), mcp.WithArgument("arg2", mcp.RequiredArgument())),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return say(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", r.Params.Arguments["arg1"], r.Params.Arguments["arg2"]))), nil
		})
	s.mcp.AddPrompt(mcp.NewPrompt("test_prompt_with_embedded_resource", mcp.WithPromptDescription("A fixture"), mcp.WithArgument("resourceUri", mcp.RequiredArgument())),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return say(mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: r.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "A resource."}), text("Use it.")), nil
		})
	s.mcp.AddPrompt(mcp.NewPrompt("test_prompt_with_image", mcp.WithPromptDescription("A fixture")), func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return say(mcp.NewImageContent(pixel, "image/png"), text("Look at it.")), nil
	})
	s.mcp.AddPrompt(mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("A fixture")), func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if got := server.ElicitationResponse(r.Params.InputResponses, "user_context"); got != nil {
			return say(text(fmt.Sprint("Context: ", got.Content))), nil
		}
		return server.NewInputRequestBuilder("").Elicit("user_context", elicit("What context should the prompt use?", object(true, "context", aString))).PromptResult(), nil
	})
}

func addResources(s *Server) {
	s.mcp.AddResource(mcp.NewResource("test://static-text", "static text", mcp.WithMIMEType("text/plain")), func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: "A static text."}}, nil
	})
	s.mcp.AddResource(mcp.NewResource("test://static-binary", "static binary", mcp.WithMIMEType("image/png")), func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.BlobResourceContents{URI: r.Params.URI, MIMEType: "image/png", Blob: pixel}}, nil
	})
	s.mcp.AddResource(mcp.NewResource("test://watched-resource", "watched", mcp.WithMIMEType("text/plain")), func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: "Watched."}}, nil
	})
	s.mcp.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateMIMEType("application/json")), func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
		return []mcp.ResourceContents{mcp.TextResourceContents{URI: r.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"data":"of %s"}`, id, id)}}, nil
	})
}

const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`
