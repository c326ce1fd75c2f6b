package prompts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
)

// Embedder asks an OpenAI-compatible endpoint for vectors. It sends batches, puts
// what comes back in the order of the texts by its index, and refuses a reply with
// vectors missing, doubled, of another length, zero or not finite. It is safe for
// concurrent use.
type Embedder struct {
	url, name  string
	authorize  func(*http.Request) // holds the key where printing can't reach it
	client     *http.Client
	retry      *Runner // its waits and bounds
	batch      int
	dimensions int
}

// Bounds of one request: texts, their bytes, and the characters of one text. What a
// long text says further on isn't in its vector; most models stop earlier.
const (
	embedBatch = 64
	embedBytes = 200_000
	embedRunes = 6000
)

// OpenEmbedder returns an Embedder, after asking for one vector where the
// configuration doesn't say how long they are.
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
		url: strings.TrimRight(base, "/") + "/embeddings", name: c.EmbedModel, dimensions: c.EmbedDimensions,
		client: httpClient(), retry: NewRunner(nil, o), batch: embedBatch,
		authorize: func(r *http.Request) {
			if key != "" {
				r.Header.Set("Authorization", "Bearer "+string(key))
			}
		},
	}
	if e.dimensions > 0 {
		return e, nil
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
		at, sent = append(at, i), append(sent, firstRunes(text, embedRunes))
	}
	for from, to := 0, 0; from < len(sent); from = to {
		to = e.batchEnd(sent, from)
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

// batchEnd is behind the last text of the request that begins at from.
func (e *Embedder) batchEnd(texts []string, from int) int {
	to, size := from+1, len(texts[from])
	for to < len(texts) && to-from < e.batch && size+len(texts[to]) <= embedBytes {
		size += len(texts[to])
		to++
	}
	return to
}

// firstRunes is the beginning of a text.
func firstRunes(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// request embeds one batch, again where the endpoint failed or put it off.
func (e *Embedder) request(ctx context.Context, texts []string) ([][]float32, error) {
	for retry := 0; ; retry++ {
		vectors, err := e.once(ctx, texts)
		wait, again := e.retry.again(err, retry)
		if !again || !e.retry.pause(ctx, wait) {
			if errors.Is(ctx.Err(), context.Canceled) {
				return nil, context.Canceled
			}
			return vectors, err
		}
	}
}

func (e *Embedder) once(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, e.retry.opts.Timeout)
	defer cancel()
	ctx, seen := withExchange(ctx)
	body, err := json.Marshal(map[string]any{"model": e.name, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%w: the address of the embeddings", ErrConfig)
	}
	request.Header.Set("Content-Type", "application/json")
	e.authorize(request)
	response, err := e.client.Do(request)
	if err != nil {
		return nil, sorted(ctx, err, seen)
	}
	defer response.Body.Close() //nolint:errcheck // it is only read
	if code := seen.status(); code != http.StatusOK {
		return nil, sorted(ctx, errors.New("status"), seen)
	}
	var reply struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	err = json.NewDecoder(response.Body).Decode(&reply)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax), errors.As(err, &kind):
		return nil, fmt.Errorf("%w: it isn't the JSON of embeddings", ErrInvalid)
	case err != nil:
		return nil, fmt.Errorf("%w: the vectors break off", ErrInvalid)
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
