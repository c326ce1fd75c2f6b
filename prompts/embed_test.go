package prompts_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

// vectorsOf gives each text a vector by its length.
func vectorsOf(texts []string) [][]float32 {
	var out [][]float32
	for _, t := range texts {
		out = append(out, []float32{float32(len(t)), 1, 0})
	}
	return out
}

func embedder(t *testing.T, answer func(fakeserver.Request) fakeserver.Response) (*prompts.Embedder, *fakeserver.Server, error) {
	t.Helper()
	server := fakeserver.New(answer)
	t.Cleanup(server.Close)
	e, err := prompts.OpenEmbedder(t.Context(), prompts.Config{BaseURL: server.Base(), EmbedModel: "e", APIKey: "sk"}, prompts.Options{
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	return e, server, err
}

// TestEmbed: batches, order by index, unit length, empty texts.
func TestEmbed(t *testing.T) {
	e, server, err := embedder(t, func(r fakeserver.Request) fakeserver.Response {
		if r.N == 1 {
			return fakeserver.TooMany("1")
		}
		var backwards []int
		for i := range r.Input {
			backwards = append(backwards, len(r.Input)-1-i)
		}
		return fakeserver.Vectors(vectorsOf(r.Input), backwards...)
	})
	if err != nil {
		t.Fatal(err)
	}
	if e.Dimensions() != 3 || e.Model() != "openai:e:3" {
		t.Errorf("%s, %d", e.Model(), e.Dimensions())
	}
	texts := make([]string, 150)
	for i := range texts {
		texts[i] = string(make([]byte, i+1))
	}
	texts[0], texts[7] = "", "  "
	got, err := e.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		switch {
		case i == 0 || i == 7:
			if v[0] != 0 || v[1] != 0 {
				t.Errorf("an empty text has %v", v)
			}
		case math.Abs(float64(v[0]/v[1])-float64(i+1)) > 0.01*float64(i+1):
			t.Errorf("text %d has the vector of another: %v", i, v)
		}
	}
	if n := len(server.Requests()); n != 1+1+3 {
		t.Errorf("%d requests", n)
	}
}

// TestEmbedRefuses: replies that could put a vector to the wrong text.
func TestEmbedRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		response fakeserver.Response
		want     error
	}{
		"one too few":   {fakeserver.Vectors([][]float32{}), prompts.ErrInvalid},
		"one too many":  {fakeserver.Vectors([][]float32{{1, 0}, {0, 1}}), prompts.ErrInvalid},
		"zero":          {fakeserver.Vectors([][]float32{{0, 0}}), prompts.ErrInvalid},
		"no dimensions": {fakeserver.Vectors([][]float32{{}}), prompts.ErrInvalid},
		"out of range":  {fakeserver.Response{Body: `{"data":[{"index":4,"embedding":[1,2]}]}`}, prompts.ErrInvalid},
		"not numbers":   {fakeserver.Response{Body: `{"data":[{"index":0,"embedding":"AAAA"}]}`}, prompts.ErrInvalid},
		"no json":       {fakeserver.Response{Body: `<html>`}, prompts.ErrInvalid},
		"wrong key":     {fakeserver.Error(401, "x", "no"), prompts.ErrAuth},
		"no such model": {fakeserver.Error(404, "x", "no"), prompts.ErrRejected},
		"an error":      {fakeserver.Response{Body: `{"error":{"code":404,"message":"no"}}`}, prompts.ErrRejected},
		"half a reply":  {fakeserver.Response{Body: `{"data":[{"index":0,"embed`}, prompts.ErrInvalid},
		"another list":  {fakeserver.Response{Body: `{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`}, prompts.ErrInvalid},
		"dropped":       {fakeserver.Response{Body: `{"data":[`, Drop: true}, prompts.ErrUnavailable},
		"overloaded":    {fakeserver.Response{Status: 503}, prompts.ErrUnavailable},
	} {
		if _, _, err := embedder(t, fakeserver.Sequence(tt.response)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Another length later on.
	e, _, err := embedder(t, fakeserver.Sequence(fakeserver.Vectors([][]float32{{1, 0, 0}}), fakeserver.Vectors([][]float32{{1, 0}})))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"x"}); !errors.Is(err, prompts.ErrInvalid) {
		t.Error(err)
	}
}

// TestEmbedBounds: a request is bounded in texts and bytes, and a text in characters.
func TestEmbedBounds(t *testing.T) {
	e, server, err := embedder(t, func(r fakeserver.Request) fakeserver.Response { return fakeserver.Vectors(vectorsOf(r.Input)) })
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, 60)
	for i := range texts {
		texts[i] = strings.Repeat("\u96e8", 5000+100*i) // three bytes each
	}
	got, err := e.Embed(t.Context(), texts)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	sent := 0
	for _, r := range server.Requests()[1:] {
		size := 0
		for _, text := range r.Input {
			size += len(text)
			if n := len([]rune(text)); n > 6000 {
				t.Errorf("a text of %d characters", n)
			}
		}
		if size > 200_000 {
			t.Errorf("a request of %d bytes", size)
		}
		sent += len(r.Input)
	}
	if sent != len(texts) {
		t.Errorf("%d texts were sent", sent)
	}
}

// TestEmbedDimensions: a length that is configured is not asked for, and held.
func TestEmbedDimensions(t *testing.T) {
	server := fakeserver.New(func(r fakeserver.Request) fakeserver.Response { return fakeserver.Vectors(vectorsOf(r.Input)) })
	defer server.Close()
	for dimensions, want := range map[int]error{3: nil, 4: prompts.ErrInvalid} {
		e, err := prompts.OpenEmbedder(t.Context(), prompts.Config{BaseURL: server.Base(), EmbedModel: "e", APIKey: "sk-secret", EmbedDimensions: dimensions}, prompts.Options{})
		if err != nil || e.Dimensions() != dimensions {
			t.Fatal(err)
		}
		if n := len(server.Requests()); dimensions == 3 && n != 0 && server.Requests()[n-1].Input[0] == "epagent" {
			t.Error("it was asked for")
		}
		if _, err := e.Embed(t.Context(), []string{"x"}); !errors.Is(err, want) {
			t.Errorf("%d: %v", dimensions, err)
		}
		if text := fmt.Sprintf("%v %+v %#v", e, e, *e); strings.Contains(text, "sk-secret") {
			t.Errorf("the key is shown: %s", text)
		}
	}
	if key := server.Requests()[0].Key; key != "sk-secret" {
		t.Errorf("the key sent is %q", key)
	}
}
