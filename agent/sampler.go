package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// Sampler asks a model that somebody else holds, such as the one of a connected
// client. Whoever implements it decides which model that is and whether its user is
// asked; the stages treat its replies like any model's.
type Sampler interface {
	// Sample returns the model's reply to a conversation. An error holds no text of
	// it.
	Sample(ctx context.Context, req SampleRequest) (SampleReply, error)
}

// SampleRequest is one call.
type SampleRequest struct {
	System      string
	Messages    []SampleMessage // user and assistant by turns, the last one the user's
	MaxTokens   int             // 0: the sampler's own limit
	Temperature float32
}

// SampleMessage is one message of a call.
type SampleMessage struct {
	Assistant bool // else the user's
	Text      string
}

// SampleReply is what the model said.
type SampleReply struct {
	Text      string
	Model     string // as the client names it, "" unknown
	Truncated bool   // it ended at its limit and not of itself
}

// ErrSample says that a sampler's reply is none.
var ErrSample = errors.New("the client's model gave no usable reply")

// SamplerModel makes an Eino chat model of a sampler. It streams a reply as one
// piece, and knows no tools and no response formats: a stage on it asks for JSON in
// its prompt.
func SamplerModel(s Sampler) model.BaseChatModel { return samplerModel{s} }

type samplerModel struct{ sampler Sampler }

// Generate implements [model.BaseChatModel].
func (m samplerModel) Generate(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	common := model.GetCommonOptions(&model.Options{}, opts...)
	req := SampleRequest{}
	if common.MaxTokens != nil {
		req.MaxTokens = *common.MaxTokens
	}
	if common.Temperature != nil {
		req.Temperature = *common.Temperature
	}
	for _, msg := range input {
		switch {
		case msg.Role == schema.System && len(req.Messages) == 0:
			if req.System != "" {
				req.System += "\n\n"
			}
			req.System += msg.Content
		case msg.Role == schema.User || msg.Role == schema.Assistant:
			req.Messages = append(req.Messages, SampleMessage{Assistant: msg.Role == schema.Assistant, Text: msg.Content})
		default:
			return nil, fmt.Errorf("sampling: a message of role %q can't be sent", msg.Role)
		}
	}
	reply, err := m.sampler.Sample(ctx, req)
	if err != nil {
		return nil, fmt.Errorf("sampling: %w", err)
	}
	out := schema.AssistantMessage(reply.Text, nil)
	out.ResponseMeta = &schema.ResponseMeta{FinishReason: "stop"}
	switch {
	case reply.Truncated:
		out.ResponseMeta.FinishReason = "length"
	case reply.Text == "":
		return nil, fmt.Errorf("sampling: %w", ErrSample)
	}
	return out, nil
}

// Stream implements [model.BaseChatModel].
func (m samplerModel) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	out, err := m.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{out}), nil
}
