package prompts

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// Scripted is a chat model whose replies are given by a function: for tests, for
// simulations, and for trying a host without an endpoint. It records what it was
// sent. It is safe for concurrent use.
type Scripted struct {
	// Reply makes a reply of a stage from the JSON of its data; ErrNoReply or any other
	// error fails the call.
	Reply func(stage Name, data string) (string, error)

	mu   sync.Mutex
	sent []string
}

var _ model.BaseChatModel = (*Scripted)(nil)

// ErrNoReply says that a script has nothing to say.
var ErrNoReply = errors.New("the script has no reply")

// Generate implements Eino's chat model.
func (s *Scripted) Generate(ctx context.Context, messages []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var all []string
	for _, m := range messages {
		all = append(all, m.Content)
	}
	s.mu.Lock()
	s.sent = append(s.sent, strings.Join(all, "\n"))
	s.mu.Unlock()
	reply, err := s.Reply(stageOf(messages), dataOf(messages))
	if err != nil {
		return nil, err
	}
	return schema.AssistantMessage(reply, nil), nil
}

// Stream implements Eino's chat model with one chunk.
func (s *Scripted) Stream(ctx context.Context, messages []*schema.Message, o ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	m, err := s.Generate(ctx, messages, o...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{m}), nil
}

// Sent returns the text of every request so far.
func (s *Scripted) Sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...)
}

// stageOf tells the stage of a request by its fixed part.
func stageOf(messages []*schema.Message) Name {
	for _, name := range Names() {
		for _, language := range Languages() {
			if len(messages) > 0 && strings.HasPrefix(messages[0].Content, Fixed(name, language)) {
				return name
			}
		}
	}
	return ""
}

// dataOf returns the JSON between the markers of a request.
func dataOf(messages []*schema.Message) string {
	for _, m := range messages {
		if after, ok := strings.CutPrefix(m.Content, "<<<DATA "); ok {
			_, data, _ := strings.Cut(after, "\n")
			data, _, _ = strings.Cut(data, "\n<<<END ")
			return data
		}
	}
	return ""
}

// Request is what a request to a model is: the stage by its fixed part, and the JSON
// that it works on. For tests and for servers that stand in for an endpoint.
func Request(system, user string) (Name, string) {
	messages := []*schema.Message{schema.SystemMessage(system), schema.UserMessage(user)}
	return stageOf(messages), dataOf(messages)
}
