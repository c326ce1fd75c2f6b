package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files of testdata")

type listedTool struct {
	Name         string          `json:"name"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  map[string]any  `json:"annotations"`
}

// listTools returns the tools as a client reads them, and the bytes of the list.
func listTools(t *testing.T, p *peer) ([]listedTool, []json.RawMessage) {
	t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	result := p.receive().Result
	var raw struct {
		Tools []json.RawMessage `json:"tools"`
	}
	if err := json.Unmarshal(result, &raw); err != nil {
		t.Fatal(err)
	}
	listed := make([]listedTool, len(raw.Tools))
	for i, line := range raw.Tools {
		if err := json.Unmarshal(line, &listed[i]); err != nil {
			t.Fatal(err)
		}
	}
	return listed, raw.Tools
}

// What a client reads of each tool is reviewed as a file.
func TestGoldenTools(t *testing.T) {
	listed, raw := listTools(t, dial(t, &fakeVerbs{}))
	var names []string
	for i, tool := range listed {
		names = append(names, tool.Name)
		t.Run(tool.Name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Indent(&got, raw[i], "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", tool.Name+".json")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("-want +got (go test -update rewrites):\n%s", diff)
			}
		})
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"disclose", "forget", "import", "ledger", "partition", "policy", "recall", "remember", "review"}, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

// The whole list is read by a model at the start of every conversation.
func TestListIsSmall(t *testing.T) {
	_, raw := listTools(t, dial(t, &fakeVerbs{}))
	size := len(bytes.Join(func() (parts [][]byte) {
		for _, tool := range raw {
			parts = append(parts, tool)
		}
		return parts
	}(), nil))
	t.Logf("tools/list: %d bytes, about %d tokens", size, size/4)
	if size > 10_000 {
		t.Errorf("tools/list takes %d bytes, want at most 10000 (about 2500 tokens)", size)
	}
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestSchemasSuitEveryClient(t *testing.T) {
	listed, _ := listTools(t, dial(t, &fakeVerbs{}))
	for _, tool := range listed {
		t.Run(tool.Name, func(t *testing.T) {
			if !toolName.MatchString(tool.Name) {
				t.Errorf("name %q", tool.Name)
			}
			if tool.Description == "" {
				t.Error("no description")
			}
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				if _, ok := tool.Annotations[hint].(bool); !ok {
					t.Errorf("annotation %s is missing", hint)
				}
			}
			for place, raw := range map[string]json.RawMessage{"inputSchema": tool.InputSchema, "outputSchema": tool.OutputSchema} {
				var schema map[string]any
				if err := json.Unmarshal(raw, &schema); err != nil {
					t.Fatalf("%s: %v", place, err)
				}
				if schema["type"] != "object" {
					t.Errorf("%s: type %v, want object", place, schema["type"])
				}
				walkSchema(t, place, schema)
			}
		})
	}
}

// plainKeywords are those that every major client takes.
var plainKeywords = []string{
	"type", "properties", "required", "additionalProperties", "items", "description", "enum",
	"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum",
}

func walkSchema(t *testing.T, place string, schema map[string]any) {
	t.Helper()
	for keyword := range schema {
		if !slices.Contains(plainKeywords, keyword) {
			t.Errorf("%s: keyword %q is not taken by every client", place, keyword)
		}
	}
	typ, ok := schema["type"].(string)
	if !ok {
		t.Errorf("%s: type is %v, want one string", place, schema["type"])
	}
	switch typ {
	case "object":
		properties, ok := schema["properties"].(map[string]any)
		if !ok {
			t.Errorf("%s: an object without properties", place)
		}
		if closed := strings.HasPrefix(place, "inputSchema"); closed && schema["additionalProperties"] != false {
			t.Errorf("%s: additionalProperties is %v, want false", place, schema["additionalProperties"])
		}
		if required, there := schema["required"]; there {
			names, ok := required.([]any)
			if !ok {
				t.Errorf("%s: required is %v, want a list", place, required)
			}
			for _, name := range names {
				if _, ok := properties[name.(string)]; !ok {
					t.Errorf("%s: requires %v, which is no property", place, name)
				}
			}
		}
		for name, property := range properties {
			walkSchema(t, place+"."+name, property.(map[string]any))
		}
	case "array":
		items, ok := schema["items"].(map[string]any)
		if !ok {
			t.Errorf("%s: an array without items", place)
			return
		}
		walkSchema(t, place+"[]", items)
	}
}
