package prompts

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/model"
)

// ChatModel returns an Eino chat model for the OpenAI-compatible endpoint of a
// configuration. It sends nothing yet.
func ChatModel(ctx context.Context, c Config) (model.ToolCallingChatModel, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	key := string(c.APIKey)
	if key == "" {
		key = "none" // local servers take any; the client wants one
	}
	zero := float32(0)
	config := &openai.ChatModelConfig{
		APIKey: key, BaseURL: c.BaseURL, Model: c.Model, HTTPClient: httpClient(),
	}
	if !c.NoTemperature {
		config.Temperature = &zero // the same question gets the same answer, as far as the endpoint goes
	}
	if c.MaxTokens > 0 {
		config.MaxTokens = &c.MaxTokens
	}
	if c.Seed != 0 {
		config.Seed = &c.Seed
	}
	m, err := openai.NewChatModel(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("%w: model %q at %s", ErrConfig, c.Model, c.BaseURL)
	}
	return m, nil
}

// httpClient has no timeout of its own: each request's context has one.
func httpClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = 5 * time.Minute
	return &http.Client{
		Transport: watching{transport},
		// A redirect could carry the key, and the prompt, to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Open returns a Runner for the endpoint of a configuration.
func Open(ctx context.Context, c Config, o Options) (*Runner, error) {
	m, err := ChatModel(ctx, c)
	if err != nil {
		return nil, err
	}
	if o.ID == "" {
		o.ID = c.Model + "@" + c.BaseURL
	}
	if len(o.Forms) == 0 {
		o.Forms = c.Forms
	}
	if o.Concurrency == 0 {
		o.Concurrency = c.Concurrency
	}
	if o.Timeout == 0 {
		o.Timeout = c.Timeout
	}
	return NewRunner(m, o), nil
}
