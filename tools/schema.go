package tools

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/invopop/jsonschema"
)

// schemaOf makes the JSON Schema of T as every major client takes it: one object
// without $ref, $schema or type lists, each array with its items, no properties
// beyond those named, "required" a list of existing names (testdata/*.json and
// TestSchemasSuitEveryClient). A field without omitempty is required.
func schemaOf[T any]() (json.RawMessage, error) {
	reflector := jsonschema.Reflector{DoNotReference: true, Anonymous: true}
	var zero T
	schema := reflector.Reflect(&zero)
	schema.Version = "" // clients differ on drafts; nothing here depends on one
	return json.Marshal(schema)
}

// A list of tools is read by a model at the start of every conversation, so that it
// holds what a model chooses by and no more: no bounds, and of a result the main
// properties. Arguments are checked against the whole schema, and results have all
// their properties: the listed schema of a result doesn't exclude others.
var (
	listedInput  = []string{"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"}
	listedOutput = append([]string{"required", "additionalProperties", "description"}, listedInput...)
)

// keyMinor marks a property that isn't listed (tag jsonschema_extras:"minor=true").
const keyMinor = "minor"

// listed returns a schema without the given keywords.
func listed(schema json.RawMessage, without []string) (json.RawMessage, error) {
	var node map[string]any
	if err := json.Unmarshal(schema, &node); err != nil {
		return nil, fmt.Errorf("read the schema back: %w", err)
	}
	prune(node, without)
	return json.Marshal(node)
}

func prune(node map[string]any, without []string) {
	for keyword, value := range node {
		if slices.Contains(without, keyword) {
			delete(node, keyword)
			continue
		}
		switch keyword {
		case "properties":
			properties, _ := value.(map[string]any)
			for name, property := range properties {
				schema, ok := property.(map[string]any)
				if ok && schema[keyMinor] != nil {
					delete(properties, name)
				} else if ok {
					prune(schema, without)
				}
			}
		case "items":
			if schema, ok := value.(map[string]any); ok {
				prune(schema, without)
			}
		}
	}
}
