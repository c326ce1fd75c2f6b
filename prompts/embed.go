package prompts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"
)

// Embedder asks an OpenAI-compatible endpoint for vectors. It sends batches, puts
// what comes back in the order of the texts by its index, and refuses a reply with
// vectors missing, doubled, of another length, zero or not finite. It is safe for
// concurrent use.
type Embedder struct {
	url, name  string
	key        Secret
	client     *http.Client
	retry      *Runner // its waits and bounds
	batch      int
	dimensions int
}

// embedBatch is how many texts go into one request.
const embedBatch = 64

// OpenEmbedder returns an Embedder after asking for one vector, which tells how long
// they are.
func OpenEmbedder(ctx context.Context, c Config, o Options) (*Embedder, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	base, key := c.EmbedBaseURL, c.EmbedAPIKey
	if base == "" {
		base = c.BaseURL
	}
	if key == "" && c.EmbedBaseURL == "" {
		key = c.APIKey // the key of one endpoint is not shown to another
	}
	if c.EmbedModel == "" || base == "" {
		return nil, fmt.Errorf("%w: no embed_model, or no address for it", ErrConfig)
	}
	if o.Timeout == 0 {
		o.Timeout = c.Timeout
	}
	e := &Embedder{
		url: strings.TrimRight(base, "/") + "/embeddings", name: c.EmbedModel, key: key,
		client: httpClient(), retry: NewRunner(nil, o), batch: embedBatch,
	}
	first, err := e.Embed(ctx, []string{"epagent"})
	if err != nil {
		return nil, err
	}
	e.dimensions = len(first[0])
	return e, nil
}

// Model names the vectors' model and length: vectors of two names are never
// compared.
func (e *Embedder) Model() string {
	return fmt.Sprintf("openai:%s:%d", e.name, e.dimensions)
}

// Dimensions is the length of the vectors.
func (e *Embedder) Dimensions() int { return e.dimensions }

// Embed returns a vector of unit length for each text, in their order. A text
// without content is not sent and gets the zero vector, which matches nothing.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var at []int
	var sent []string
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			out[i] = make([]float32, e.dimensions)
			continue
		}
		at, sent = append(at, i), append(sent, text)
	}
	for from := 0; from < len(sent); from += e.batch {
		to := min(from+e.batch, len(sent))
		vectors, err := e.request(ctx, sent[from:to])
		if err != nil {
			return nil, fmt.Errorf("embed: %w", err)
		}
		for k, v := range vectors {
			out[at[from+k]] = v
		}
	}
	return out, nil
}

// request embeds one batch, again where the endpoint failed or put it off.
func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	for retry := 0; ; retry++ {
		vectors, err := e.once(ctx, texts)
		wait, again := e.retry.again(err, retry)
		if !again || ctx.Err() != nil {
			return vectors, err
		}
		if err := e.retry.opts.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (e *Embedder) once(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, e.retry.opts.Timeout)
	defer cancel()
	body, err := json.Marshal(map[string]any{"model": e.name, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: the address of the embeddings", ErrConfig)
	}
	request.Header.Set("Content-Type", "application/json")
	if e.key != "" {
		request.Header.Set("Authorization", "Bearer "+string(e.key))
	}
	response, err := e.client.Do(request)
	if err != nil {
		return nil, sorted(ctx, err, &exchange{})
	}
	defer response.Body.Close() //nolint:errcheck // it is only read
	if response.StatusCode != http.StatusOK {
		seen := &exchange{code: response.StatusCode, after: parseRetryAfter(response.Header, time.Now())}
		return nil, sorted(ctx, errors.New("status"), seen)
	}
	var reply struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, 4*maxReply)).Decode(&reply)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax), errors.As(err, &kind):
		return nil, fmt.Errorf("%w: it isn't the JSON of embeddings", ErrInvalid)
	case err != nil:
		return nil, sorted(ctx, err, &exchange{})
	case len(reply.Data) != len(texts):
		return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrInvalid, len(reply.Data), len(texts))
	}
	out := make([][]float32, len(texts))
	for place, d := range reply.Data {
		if d.Index != nil {
			place = *d.Index
		}
		if place < 0 || place >= len(out) || out[place] != nil {
			return nil, fmt.Errorf("%w: the indexes of the vectors are not those of the texts", ErrInvalid)
		}
		if out[place], err = e.unit(d.Embedding, len(reply.Data[0].Embedding)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// unit brings a vector to unit length.
func (e *Embedder) unit(v []float32, length int) ([]float32, error) {
	if e.dimensions != 0 {
		length = e.dimensions
	}
	if len(v) != length || len(v) == 0 {
		return nil, fmt.Errorf("%w: a vector has %d dimensions, want %d", ErrInvalid, len(v), length)
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, fmt.Errorf("%w: a vector is zero or not finite", ErrInvalid)
	}
	norm := math.Sqrt(sum)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / norm)
	}
	return out, nil
}
