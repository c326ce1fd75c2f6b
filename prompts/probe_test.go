package prompts_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

const groups = `{"groups":[["a","b"]]}`

// TestExamine: what an endpoint does and doesn't is found out, and its words are not
// taken over.
func TestExamine(t *testing.T) {
	all := func(r fakeserver.Request) fakeserver.Response {
		switch {
		case r.Path == "/v1/models":
			return fakeserver.Response{Body: `{"data":[{"id":"other","max_model_len":1},{"id":"m","max_model_len":32768}]}`}
		case len(r.Input) > 0:
			return fakeserver.Vectors([][]float32{{1, 2, 3, 4}})
		case r.Stream:
			return fakeserver.Stream("ye", "s")
		case r.Tools > 0:
			return fakeserver.ToolCall("corefer", groups)
		}
		return fakeserver.Chat(fakeserver.OpenAI, groups)
	}
	plain := func(r fakeserver.Request) fakeserver.Response {
		switch {
		case r.Path == "/props":
			return fakeserver.Response{Body: `{"default_generation_settings":{"n_ctx":4096}}`}
		case r.Path == "/v1/models", len(r.Input) > 0:
			return fakeserver.Error(404, "x", "CANARY")
		case r.Stream:
			s := fakeserver.Stream("ye")
			s.Drop = true
			s.Body = s.Body[:40]
			return s
		case r.Format != "", r.Tools > 0:
			return fakeserver.Error(400, "x", "CANARY unsupported")
		}
		return fakeserver.Chat(fakeserver.LlamaCpp, "Sure: "+groups)
	}
	nothing := func(fakeserver.Request) fakeserver.Response { return fakeserver.Error(401, "x", "CANARY sk-secret") }
	for name, tt := range map[string]struct {
		answer  func(fakeserver.Request) fakeserver.Response
		forms   string
		stream  bool
		context int
		embed   bool
		works   bool
	}{
		"all":    {all, "json_schema tool_call json_object plain", true, 32768, true, true},
		"plain":  {plain, "plain", false, 4096, false, false},
		"no key": {nothing, "", false, 0, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := fakeserver.New(tt.answer)
			defer server.Close()
			p, err := prompts.Examine(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m", EmbedModel: "e", APIKey: "sk-secret"})
			if err != nil {
				t.Fatal(err)
			}
			var forms []string
			for _, f := range p.Forms {
				if f.OK {
					forms = append(forms, string(f.Form))
				}
			}
			if strings.Join(forms, " ") != tt.forms || p.Streaming.OK != tt.stream || p.Context != tt.context || p.Embedding.OK != tt.embed || p.Works() != tt.works {
				t.Errorf("%+v, %+v", p, p.Embedding)
			}
			text, err := json.Marshal(p)
			if err != nil || strings.Contains(string(text), "CANARY") || strings.Contains(string(text), "sk-secret") {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
	if _, err := prompts.Examine(t.Context(), prompts.Config{Model: "m"}); !errors.Is(err, prompts.ErrConfig) {
		t.Error(err)
	}
}

// TestSlowStream: a stream that stops and isn't closed is one that doesn't work.
func TestSlowStream(t *testing.T) {
	server := fakeserver.New(func(r fakeserver.Request) fakeserver.Response {
		if r.Stream {
			s := fakeserver.Stream("ye", "s")
			s.Slow = true
			return s
		}
		return fakeserver.Chat(fakeserver.OpenAI, groups)
	})
	defer server.Close()
	p, err := prompts.Examine(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m", Timeout: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if p.Streaming.OK || !strings.Contains(p.Streaming.Error, prompts.ErrUnavailable.Error()) {
		t.Errorf("%+v", p.Streaming)
	}
}
