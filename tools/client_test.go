package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/epagent/epagent/tools"
)

// A client of another make lists and calls every tool, and what it gets fits the
// output schemas.
func TestForeignClient(t *testing.T) {
	a, _ := home(t)
	server, err := tools.New(a, tools.Options{Version: "1.2.3", Principal: tools.Owner()})
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- server.ServeStdio(t.Context(), inR, outW)
		outW.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("protocol %s", session.InitializeResult().ProtocolVersion)
	if info := session.InitializeResult().ServerInfo; info.Name != "epagent" || info.Version != "1.2.3" {
		t.Errorf("server is %+v", info)
	}
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, tool := range listed.Tools {
		raw, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schemas[tool.Name] = compile(t, tool.Name, raw)
	}
	call := func(tool string, arguments map[string]any) map[string]any {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		if result.IsError {
			t.Fatalf("%s: %s", tool, result.Content[0].(*mcp.TextContent).Text)
		}
		if schemas[tool] == nil {
			t.Fatalf("%s is not listed", tool)
		}
		if err := schemas[tool].Validate(result.StructuredContent); err != nil {
			t.Errorf("%s: the result breaks its schema: %v", tool, err)
		}
		if text := result.Content[0].(*mcp.TextContent).Text; strings.TrimSpace(text) == "" {
			t.Errorf("%s: no text", tool)
		}
		return result.StructuredContent.(map[string]any)
	}
	stored := call("remember", map[string]any{"text": "I play tennis on Mondays.", "time": "2026-03-01T09:30:00+01:00"})
	if stored["new"] != true {
		t.Errorf("remember: %v", stored)
	}
	if again := call("remember", map[string]any{"text": "I play tennis on Mondays.", "time": "2026-03-01T09:30:00+01:00"}); again["new"] != false {
		t.Errorf("remember again: %v", again)
	}
	found := call("recall", map[string]any{"query": "tennis"})["facts"].([]any)
	if len(found) != 1 {
		t.Fatalf("recall: %v", found)
	}
	id := found[0].(map[string]any)["id"]
	if told := call("disclose", map[string]any{"question": "Does Ines play tennis?", "to": []string{"Wilma"}}); told["recorded"] != true {
		t.Errorf("disclose: %v", told)
	}
	table := call("partition", map[string]any{"facts": []any{id}})
	if people := table["people"].([]any); len(people) != 3 {
		t.Errorf("partition: %v", table)
	}
	call("partition", map[string]any{"topic": "tennis", "people": []string{"Raj"}})
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	inW.Close()
	if err := <-served; err != nil && err != context.Canceled {
		t.Errorf("ServeStdio: %v", err)
	}
}

func compile(t *testing.T, name string, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
