package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// ClientModel is the model of the client whose call a context belongs to (MCP
// sampling): stages run on it with no key. It is the owner's client alone that is
// asked; a recipient's model would read what the recipient may not know.
type ClientModel struct {
	server *Server
}

// ClientModel returns the model of the clients of this server.
func (s *Server) ClientModel() ClientModel { return ClientModel{s} }

// ErrNoClientModel says that the client of a call lends no model: it never said so,
// it is not the owner's, it gave no answer in time, or nothing but text was wanted
// and something else came.
var ErrNoClientModel = errors.New("the client lends no model")

// maxSampleTokens is how long a completion may be where the caller has no limit.
const maxSampleTokens = 2048

// Sample asks the client's model for a completion, as text. The context is that of a
// tool call. Errors hold no text of it.
func (m ClientModel) Sample(ctx context.Context, system, user string, maxTokens int) (string, error) {
	if m.server == nil {
		return "", ErrNoClientModel
	}
	if maxTokens <= 0 {
		maxTokens = maxSampleTokens
	}
	answer, err := m.server.ask(ctx, mcp.NewSamplingInputRequest(mcp.CreateMessageParams{
		SystemPrompt: system, MaxTokens: maxTokens,
		// The facts in the prompt are what the stage may see; no other server's
		// context is to come to them.
		IncludeContext: "none",
		Messages:       []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(user)}},
	}), sampleWait)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil || answer.Sampling == nil:
		return "", ErrNoClientModel
	}
	content, err := mcp.ParseSamplingContent(answer.Sampling.Content)
	if err != nil {
		return "", fmt.Errorf("%w: its reply can't be read", ErrNoClientModel)
	}
	text, ok := content.(mcp.TextContent)
	if !ok || text.Text == "" {
		return "", fmt.Errorf("%w: its reply is no text", ErrNoClientModel)
	}
	return text.Text, nil
}
