package prompts

import (
	"encoding/json"
	"fmt"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	einoschema "github.com/eino-contrib/jsonschema"
)

// Form is a way to ask an endpoint for JSON that fits a schema.
type Form string

// The forms.
const (
	FormSchema Form = "json_schema" // response_format with the schema, strict
	FormTool   Form = "tool_call"   // a call of one tool whose parameters are the schema
	FormPlain  Form = "plain"       // the schema in words; the reply is repaired
)

// apply makes the request of a form.
func (f Form) apply(messages []*schema.Message, s *Schema) ([]*schema.Message, []model.Option, error) {
	switch f {
	case FormSchema:
		format := map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": s.Name, "strict": true, "schema": json.RawMessage(s.JSON),
		}}
		return messages, []model.Option{openai.WithExtraFields(map[string]any{"response_format": format})}, nil
	case FormTool:
		var parameters einoschema.Schema
		if err := json.Unmarshal(s.JSON, &parameters); err != nil {
			return nil, nil, fmt.Errorf("schema of %s as tool: %w", s.Name, err)
		}
		tool := &schema.ToolInfo{Name: s.Name, Desc: "Give the reply.", ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters)}
		return messages, []model.Option{model.WithTools([]*schema.ToolInfo{tool}), model.WithToolChoice(schema.ToolChoiceForced)}, nil
	default:
		// A message of its own behind the fixed part, which stays as it is.
		shape := schema.SystemMessage("Reply with one JSON object that fits this JSON schema, without a fence and without any other text:\n" + string(s.JSON))
		return append([]*schema.Message{messages[0], shape}, messages[1:]...), nil, nil
	}
}
