package tools

import (
	"encoding/json"

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
