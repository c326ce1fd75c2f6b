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
	FormObject Form = "json_object" // response_format that asks for some JSON; the schema in words
	FormPlain  Form = "plain"       // the schema in words; the reply is repaired
)

// Forms lists them, the best first.
func Forms() []Form { return []Form{FormSchema, FormTool, FormObject, FormPlain} }

// apply makes the request of a form. The first message is the system's; words are
// added behind what it says, since not every endpoint takes a second one.
func (f Form) apply(messages []*schema.Message, s *Schema, l string) ([]*schema.Message, []model.Option, error) {
	format := func(value map[string]any) []model.Option {
		return []model.Option{openai.WithExtraFields(map[string]any{"response_format": value})}
	}
	switch f {
	case FormSchema:
		return messages, format(map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": s.Name, "strict": true, "schema": json.RawMessage(s.strict),
		}}), nil
	case FormTool:
		var parameters einoschema.Schema
		if err := json.Unmarshal(s.strict, &parameters); err != nil {
			return nil, nil, fmt.Errorf("schema of %s as tool: %w", s.Name, err)
		}
		tool := &schema.ToolInfo{Name: s.Name, Desc: "Give the reply.", ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&parameters)}
		return messages, []model.Option{model.WithTools([]*schema.ToolInfo{tool}), model.WithToolChoice(schema.ToolChoiceForced)}, nil
	}
	out := append([]*schema.Message{schema.SystemMessage(messages[0].Content + "\n" + notes[l].shape + "\n" + string(s.JSON) + "\n")}, messages[1:]...)
	if f == FormObject {
		return out, format(map[string]any{"type": "json_object"}), nil
	}
	return out, nil, nil
}
