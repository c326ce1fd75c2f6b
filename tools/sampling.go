package tools

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/prompts"
)

// ClientModel is the model of the client whose call a context belongs to (MCP
// sampling): stages run on it with no key. It is the owner's client alone that is
// asked; a recipient's model would read what the recipient may not know. Outside of
// a call there is none.
type ClientModel struct{}

var _ agent.Sampler = ClientModel{}

// ErrNoClientModel says that the client of a call lends no model: it never said so,
// it is not the owner's, it gave no answer in time, or something else than text came.
var ErrNoClientModel = prompts.ErrNotLent

// maxSampleTokens is how long a completion may be where the caller has no limit.
const maxSampleTokens = 2048

type serverKey struct{}

// Sample asks the client's model for a completion, as text. Errors hold no text of it.
func (ClientModel) Sample(ctx context.Context, req agent.SampleRequest) (agent.SampleReply, error) {
	s, ok := ctx.Value(serverKey{}).(*Server)
	if !ok {
		return agent.SampleReply{}, ErrNoClientModel
	}
	params := mcp.CreateMessageParams{
		SystemPrompt: req.System, MaxTokens: req.MaxTokens, Temperature: float64(req.Temperature),
		// The facts in the prompt are what the stage may see; no other server's
		// context is to come to them.
		IncludeContext: "none",
		Messages:       []mcp.SamplingMessage{},
	}
	if params.MaxTokens <= 0 {
		params.MaxTokens = maxSampleTokens
	}
	for _, m := range req.Messages {
		role := mcp.RoleUser
		if m.Assistant {
			role = mcp.RoleAssistant
		}
		params.Messages = append(params.Messages, mcp.SamplingMessage{Role: role, Content: mcp.NewTextContent(m.Text)})
	}
	answer, err := s.ask(ctx, mcp.NewSamplingInputRequest(params), sampleWait)
	switch {
	case ctx.Err() != nil:
		return agent.SampleReply{}, ctx.Err()
	case err != nil || answer.Sampling == nil:
		return agent.SampleReply{}, ErrNoClientModel
	}
	content, err := mcp.ParseSamplingContent(answer.Sampling.Content)
	if err != nil {
		return agent.SampleReply{}, fmt.Errorf("%w: its reply can't be read", ErrNoClientModel)
	}
	text, ok := content.(mcp.TextContent)
	if !ok {
		return agent.SampleReply{}, fmt.Errorf("%w: its reply is no text", ErrNoClientModel)
	}
	return agent.SampleReply{
		Text: text.Text, Model: clip(answer.Sampling.Model, 100), Truncated: answer.Sampling.StopReason == "maxTokens",
	}, nil
}
