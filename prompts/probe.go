package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
)

// Probe is what an endpoint turned out to do. An empty error means that it works.
type Probe struct {
	Host      string      `json:"host"`
	Model     string      `json:"model"`
	Forms     []FormProbe `json:"forms"`
	Streaming Check       `json:"streaming"`
	Context   int         `json:"context,omitempty"` // tokens, where the endpoint tells; 0 otherwise
	Embedding *EmbedProbe `json:"embedding,omitempty"`
}

// Check is whether one thing works.
type Check struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"` // one of the package's errors; never the endpoint's words
}

// FormProbe is whether an endpoint takes a form of request.
type FormProbe struct {
	Form Form `json:"form"`
	Check
}

// EmbedProbe is what the embeddings turned out to be.
type EmbedProbe struct {
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions,omitempty"`
	Check
}

// probeIn is what a probe asks about: made-up words, nothing of anybody's.
var probeIn = CoreferIn{Facts: []Item{
	{ID: "a", Text: "The kettle was bought on Monday."}, {ID: "b", Text: "On Monday a kettle was bought."},
}}

// Examine asks an endpoint for what the stages need: each form of structured output,
// a stream, the size of the context, embeddings. It sends a few requests with
// made-up words. The error is one of the configuration; what doesn't work at the
// endpoint is in the result.
func Examine(ctx context.Context, c Config) (*Probe, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Probe{Model: c.Model, Forms: []FormProbe{}}
	if u, err := url.Parse(c.BaseURL); err == nil {
		p.Host = u.Host
	}
	if c.Configured() && c.Model != ModelClient {
		m, err := ChatModel(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, form := range Forms() {
			runner := NewRunner(m, Options{Forms: []Form{form}, Retries: -1, Timeout: c.Timeout})
			_, err := Call(ctx, runner, Corefer, Input[CoreferIn, CoreferOut]{Data: probeIn, Language: "en"})
			p.Forms = append(p.Forms, FormProbe{form, checked(err)})
		}
		p.Streaming = checked(stream(ctx, m, c.Timeout))
		p.Context = contextSize(ctx, c)
	}
	if c.EmbedModel != "" {
		e, err := OpenEmbedder(ctx, c, Options{Retries: -1})
		p.Embedding = &EmbedProbe{Model: c.EmbedModel, Check: checked(err)}
		if err == nil {
			p.Embedding.Dimensions = e.Dimensions()
		}
	}
	return p, ctx.Err()
}

// Works reports whether the stages can run on the endpoint: some form of request is
// taken, and the embeddings work where they are wanted.
func (p *Probe) Works() bool {
	if p.Embedding != nil && !p.Embedding.OK {
		return false
	}
	for _, f := range p.Forms {
		if f.OK {
			return true
		}
	}
	return len(p.Forms) == 0 && p.Embedding != nil
}

// checked keeps what kind an error is.
func checked(err error) Check {
	if err == nil {
		return Check{OK: true}
	}
	for _, kind := range []error{ErrAuth, ErrRejected, ErrRefused, ErrTruncated, ErrInvalid, ErrUnavailable, ErrConfig} {
		if errors.Is(err, kind) {
			return Check{Error: kind.Error()}
		}
	}
	return Check{Error: "it failed"}
}

// stream asks for a streamed reply and reads it to its end.
func stream(ctx context.Context, m model.BaseChatModel, timeout time.Duration) error {
	if timeout <= 0 {
		timeout = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	ctx, seen := withExchange(ctx)
	reader, err := m.Stream(ctx, []*schema.Message{schema.UserMessage("Reply with the word: yes")})
	if err != nil {
		return sorted(ctx, err, seen)
	}
	defer reader.Close()
	text := ""
	for {
		chunk, err := reader.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%w: the stream broke off", ErrUnavailable)
		}
		text += chunk.Content
	}
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%w: the stream is empty", ErrInvalid)
	}
	return nil
}

// contextSize asks for the length of the model's context where a service tells it:
// vLLM and LM Studio in the list of models, llama.cpp in its properties. 0: not told.
func contextSize(ctx context.Context, c Config) int {
	base := strings.TrimRight(c.BaseURL, "/")
	var list struct {
		Data []struct {
			ID            string `json:"id"`
			MaxModelLen   int    `json:"max_model_len"`
			ContextLength int    `json:"context_length"`
			MaxContext    int    `json:"max_context_length"`
			Meta          struct {
				Train int `json:"n_ctx_train"`
			} `json:"meta"`
		} `json:"data"`
	}
	if get(ctx, c, base+"/models", &list) {
		for _, m := range list.Data {
			if m.ID == c.Model {
				if n := max(m.MaxModelLen, m.ContextLength, m.MaxContext); n > 0 {
					return n
				}
			}
		}
	}
	var props struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	if get(ctx, c, strings.TrimSuffix(base, "/v1")+"/props", &props) {
		return max(props.Settings.Context, 0)
	}
	return 0
}

// get reads JSON from the endpoint, and reports whether there was any.
func get(ctx context.Context, c Config, address string, into any) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false
	}
	if c.APIKey != "" {
		request.Header.Set("Authorization", "Bearer "+string(c.APIKey))
	}
	response, err := httpClient().Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close() //nolint:errcheck // it is only read
	return response.StatusCode == http.StatusOK && json.NewDecoder(io.LimitReader(response.Body, 1<<20)).Decode(into) == nil
}
