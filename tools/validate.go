package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// arguments checks the arguments of one tool against its input schema.
type arguments struct {
	schema *jsonschema.Schema
	names  []string // sorted
}

func newArguments(name string, schema json.RawMessage) (*arguments, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	url := "tool:" + name
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	compiled, err := compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	a := &arguments{schema: compiled}
	for property := range compiled.Properties {
		a.names = append(a.names, property)
	}
	slices.Sort(a.names)
	return a, nil
}

// accept returns the arguments of a call as JSON that fits the schema; absent and
// null ones are {}. Its error is public: it names each argument at fault and what
// is wanted, and repeats no value.
func (a *arguments) accept(call mcp.CallToolRequest) (json.RawMessage, error) {
	raw, err := rawArguments(call)
	if err != nil {
		return nil, err
	}
	// Numbers become float64 here, never big ones: comparing 1e999999999 exactly
	// with a limit would take all memory there is.
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, publicf("the arguments are not valid JSON, or a number in them is out of range")
	}
	faults := a.faults(a.schema.Validate(value))
	faults = append(faults, nulFaults("", value)...)
	if len(faults) > 0 {
		slices.Sort(faults)
		return nil, publicf("%s", strings.Join(slices.Compact(faults), "; "))
	}
	// Written again, so that 1e1 and 10.0 are the integer 10 as the schema has it.
	return json.Marshal(value)
}

// rawArguments returns the bytes that the client sent, or those of arguments that
// were handed over in this process.
func rawArguments(call mcp.CallToolRequest) (json.RawMessage, error) {
	var raw json.RawMessage
	switch given := call.GetRawArguments().(type) {
	case nil:
	case json.RawMessage:
		raw = given
	default:
		var err error
		if raw, err = json.Marshal(given); err != nil {
			return nil, publicf("the arguments are not valid JSON")
		}
	}
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		return json.RawMessage("{}"), nil
	}
	return raw, nil
}

// faults puts a validation error into words, a phrase each argument.
func (a *arguments) faults(err error) []string {
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []string{"the arguments don't fit the tool's input schema"}
	}
	if len(invalid.Causes) == 0 {
		return a.phrases(invalid)
	}
	var out []string
	for _, cause := range invalid.Causes {
		out = append(out, a.faults(cause)...)
	}
	return out
}

func (a *arguments) phrases(e *jsonschema.ValidationError) []string {
	where := place(e.InstanceLocation)
	one := func(format string, args ...any) []string {
		return []string{where + ": " + fmt.Sprintf(format, args...)}
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		var out []string
		for _, missing := range k.Missing {
			out = append(out, fmt.Sprintf("argument %q is missing: give it", missing))
		}
		return out
	case *kind.AdditionalProperties:
		var out []string
		for _, extra := range k.Properties {
			out = append(out, fmt.Sprintf("argument %q is unknown: leave it out; known are %s", clip(extra, 64), strings.Join(a.names, ", ")))
		}
		return out
	case *kind.Type:
		return one("want %s, got %s", withArticle(strings.Join(k.Want, " or ")), withArticle(k.Got))
	case *kind.MinItems:
		return one("must not be an empty list")
	case *kind.MaxItems:
		return one("want at most %d items, got %d", k.Want, k.Got)
	case *kind.MinLength:
		return one("must not be empty")
	case *kind.MaxLength:
		return one("want at most %d characters, got %d", k.Want, k.Got)
	case *kind.Minimum:
		return one("want a number of at least %s", k.Want.RatString())
	case *kind.Maximum:
		return one("want a number of at most %s", k.Want.RatString())
	default:
		return one("doesn't fit the tool's input schema")
	}
}

// nulFaults refuses NUL characters: no store keeps them faithfully.
func nulFaults(where string, value any) []string {
	switch v := value.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			return []string{where + ": holds a NUL character; remove it"}
		}
	case []any:
		var out []string
		for i, item := range v {
			out = append(out, nulFaults(fmt.Sprintf("%s, item %d", where, i+1), item)...)
		}
		return out
	case map[string]any:
		var out []string
		for name, item := range v {
			out = append(out, nulFaults(fmt.Sprintf("argument %q", clip(name, 64)), item)...)
		}
		return out
	}
	return nil
}

// place names an argument by its location: `argument "to", item 2`.
func place(location []string) string {
	if len(location) == 0 {
		return "arguments"
	}
	out := fmt.Sprintf("argument %q", clip(location[0], 64))
	for _, step := range location[1:] {
		var index int
		if _, err := fmt.Sscanf(step, "%d", &index); err == nil {
			out += fmt.Sprintf(", item %d", index+1)
		}
	}
	return out
}

func withArticle(typ string) string {
	if typ == "null" {
		return typ
	}
	if strings.ContainsRune("aeiou", rune(typ[0])) {
		return "an " + typ
	}
	return "a " + typ
}
