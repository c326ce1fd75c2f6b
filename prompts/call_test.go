package prompts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

const goodUnits = `{"facts":["f1"],"connect":false}`

// asked is one call against a server, with the waits that it made.
type asked struct {
	out   prompts.QueryUnitsOut
	err   error
	waits []time.Duration
	sent  []fakeserver.Request
	use   prompts.Usage
	log   string
}

func ask(t *testing.T, o prompts.Options, answer func(fakeserver.Request) fakeserver.Response) asked {
	t.Helper()
	server := fakeserver.New(answer)
	defer server.Close()
	var a asked
	var log bytes.Buffer
	o.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	o.Sleep = func(ctx context.Context, d time.Duration) error {
		a.waits = append(a.waits, d)
		return ctx.Err()
	}
	runner, err := prompts.Open(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m", APIKey: "sk-secret"}, o)
	if err != nil {
		t.Fatal(err)
	}
	a.out, a.err = prompts.Call(t.Context(), runner, prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{
		Language: "en",
		Data:     prompts.QueryUnitsIn{Question: "CANARY-QUESTION?", Facts: []prompts.Item{{ID: "f1", Text: "CANARY-FACT"}}},
		Check: func(out prompts.QueryUnitsOut) error {
			for _, id := range out.Facts {
				if id != "f1" {
					return fmt.Errorf("facts names %q, which was not given", id)
				}
			}
			return nil
		},
	})
	a.sent, a.use, a.log = server.Requests(), runner.Usage()[prompts.StageQueryUnits], log.String()
	return a
}

// TestReplies: each shape of a reply is read, repaired, asked again or refused, and
// what is refused leaves no part of itself.
func TestReplies(t *testing.T) {
	chat := func(content string) fakeserver.Response { return fakeserver.Chat(fakeserver.OpenAI, content) }
	good := chat(goodUnits)
	tests := map[string]struct {
		replies  []fakeserver.Response
		err      error
		requests int
	}{
		"good":                    {[]fakeserver.Response{good}, nil, 1},
		"fenced":                  {[]fakeserver.Response{chat("```json\n" + goodUnits + "\n```")}, nil, 1},
		"prose around":            {[]fakeserver.Response{chat("Sure! Here it is:\n" + goodUnits + "\nAnything else?")}, nil, 1},
		"thinking before":         {[]fakeserver.Response{chat("<think>{\"facts\": no}</think>" + goodUnits)}, nil, 1},
		"trailing comma":          {[]fakeserver.Response{chat(`{"facts":["f1",],"connect":false,}`)}, nil, 1},
		"as a tool call":          {[]fakeserver.Response{fakeserver.ToolCall("query_units", goodUnits)}, nil, 1},
		"invalid, then good":      {[]fakeserver.Response{chat(`{"facts":`), good}, nil, 2},
		"unknown id, then good":   {[]fakeserver.Response{chat(`{"facts":["f9"],"connect":false}`), good}, nil, 2},
		"wrong type, then good":   {[]fakeserver.Response{chat(`{"facts":"f1","connect":false}`), good}, nil, 2},
		"extra field, then good":  {[]fakeserver.Response{chat(`{"facts":["f1"],"connect":false,"level":4}`), good}, nil, 2},
		"never valid":             {[]fakeserver.Response{chat(`{"facts":["f9"],"connect":true}`)}, prompts.ErrInvalid, 3},
		"no json":                 {[]fakeserver.Response{chat("I think f1.")}, prompts.ErrInvalid, 3},
		"refusal":                 {[]fakeserver.Response{fakeserver.Refusal()}, prompts.ErrRefused, 1},
		"content filter":          {[]fakeserver.Response{fakeserver.Finish("content_filter", "")}, prompts.ErrRefused, 1},
		"cut off":                 {[]fakeserver.Response{fakeserver.Finish("length", goodUnits)}, prompts.ErrTruncated, 1},
		"empty":                   {[]fakeserver.Response{chat("")}, prompts.ErrInvalid, 3},
		"empty, then good":        {[]fakeserver.Response{chat(""), good}, nil, 2},
		"no choices":              {[]fakeserver.Response{fakeserver.NoChoices()}, prompts.ErrInvalid, 3},
		"not json at all":         {[]fakeserver.Response{{Body: "<html>gateway</html>"}}, prompts.ErrInvalid, 3},
		"no format, then tool":    {[]fakeserver.Response{fakeserver.NoFormat(), fakeserver.ToolCall("query_units", goodUnits)}, nil, 2},
		"no format, no tool":      {[]fakeserver.Response{fakeserver.NoFormat(), fakeserver.Error(400, "x", "tools are not supported"), good}, nil, 3},
		"rejected in any form":    {[]fakeserver.Response{fakeserver.Error(422, "x", "no")}, prompts.ErrRejected, 4},
		"no such model":           {[]fakeserver.Response{fakeserver.Error(404, "model_not_found", "no such model")}, prompts.ErrRejected, 1},
		"too long":                {[]fakeserver.Response{fakeserver.Error(400, "context_length_exceeded", "CANARY")}, prompts.ErrRejected, 1},
		"nobody pays":             {[]fakeserver.Response{fakeserver.Error(429, "insufficient_quota", "CANARY")}, prompts.ErrUnavailable, 1},
		"an error as a reply":     {[]fakeserver.Response{{Body: `{"error":{"code":429,"message":"CANARY"}}`}, good}, nil, 2},
		"quoted in prose":         {[]fakeserver.Response{chat(`They wrote {"facts":[],"connect":true}. So: ` + goodUnits)}, prompts.ErrInvalid, 3},
		"quoted in thoughts":      {[]fakeserver.Response{chat(`<think>They wrote </think>{"facts":[],"connect":true}` + "</think>" + goodUnits)}, nil, 1},
		"a key twice":             {[]fakeserver.Response{chat(`{"facts":["f9"],"facts":["f1"],"connect":false}`)}, nil, 1},
		"cut off, in other words": {[]fakeserver.Response{fakeserver.Finish("max_tokens", goodUnits)}, prompts.ErrTruncated, 1},
		"gave up, then good":      {[]fakeserver.Response{fakeserver.Finish("insufficient_system_resource", goodUnits), good}, nil, 2},
		"wrong key":               {[]fakeserver.Response{fakeserver.Error(401, "invalid_api_key", "Incorrect API key provided: sk-secret")}, prompts.ErrAuth, 1},
		"put off, then good":      {[]fakeserver.Response{fakeserver.TooMany(""), good}, nil, 2},
		"failed, then good":       {[]fakeserver.Response{{Status: 503, Body: "overloaded"}, {Status: 500}, good}, nil, 3},
		"put off for ever":        {[]fakeserver.Response{fakeserver.TooMany("")}, prompts.ErrUnavailable, 5},
		"dropped, then good":      {[]fakeserver.Response{{Body: `{"choices":[`, Drop: true}, good}, nil, 2},
		"redirected":              {[]fakeserver.Response{{Status: http.StatusFound, Header: map[string]string{"Location": "https://elsewhere.example/"}}}, prompts.ErrRejected, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := ask(t, prompts.Options{}, fakeserver.Sequence(tt.replies...))
			if !errors.Is(a.err, tt.err) {
				t.Fatalf("got %v, want %v", a.err, tt.err)
			}
			if tt.err == nil && (len(a.out.Facts) != 1 || a.out.Facts[0] != "f1") || tt.err != nil && a.out.Facts != nil {
				t.Errorf("reply %+v", a.out)
			}
			if len(a.sent) != tt.requests || a.use.Calls != tt.requests {
				t.Errorf("%d requests, %d counted, want %d", len(a.sent), a.use.Calls, tt.requests)
			}
			for _, text := range []string{fmt.Sprint(a.err), a.log} {
				for _, secret := range []string{"CANARY", "sk-secret", "f9"} {
					if strings.Contains(text, secret) {
						t.Errorf("%q is in %q", secret, text)
					}
				}
			}
		})
	}
}

// TestServices: the shapes of the services are read, and only usage that they report
// is counted.
func TestServices(t *testing.T) {
	for _, service := range fakeserver.Services() {
		a := ask(t, prompts.Options{}, fakeserver.Sequence(fakeserver.Chat(service, goodUnits)))
		if a.err != nil || len(a.out.Facts) != 1 {
			t.Errorf("%s: %+v, %v", service, a.out, a.err)
		}
		want := 120
		if service == fakeserver.LlamaCpp {
			want = 0
		}
		if a.use.PromptTokens != want || a.use.PromptBytes == 0 || a.use.ReplyBytes != len(goodUnits) {
			t.Errorf("%s: %+v", service, a.use)
		}
		if a.sent[0].Key != "sk-secret" || a.sent[0].Model != "m" || a.sent[0].Format != "json_schema" {
			t.Errorf("%s was sent %+v", service, a.sent[0])
		}
	}
}

// TestRetryAfter: an endpoint is left alone for as long as it asks, within bounds.
func TestRetryAfter(t *testing.T) {
	good := fakeserver.Chat(fakeserver.OpenAI, goodUnits)
	for after, want := range map[string]time.Duration{
		"": 500 * time.Millisecond, "7": 7 * time.Second, "0.2": 200 * time.Millisecond, "99999": 30 * time.Second,
		"soon": 500 * time.Millisecond, "-1": 500 * time.Millisecond, "Mon, 02 Jan 2006 15:04:05 GMT": 500 * time.Millisecond,
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat): 30 * time.Second,
	} {
		a := ask(t, prompts.Options{}, fakeserver.Sequence(fakeserver.TooMany(after), good))
		if a.err != nil || len(a.waits) != 1 || a.waits[0] != want {
			t.Errorf("%q: waited %v, %v", after, a.waits, a.err)
		}
	}
	a := ask(t, prompts.Options{}, fakeserver.Sequence(fakeserver.TooMany("")))
	if fmt.Sprint(a.waits) != "[500ms 1s 2s 4s]" || a.use.Retries != 4 {
		t.Errorf("waited %v, %+v", a.waits, a.use)
	}
}

// TestFormIsRemembered: a form that an endpoint rejects is not tried again.
func TestFormIsRemembered(t *testing.T) {
	server := fakeserver.New(func(r fakeserver.Request) fakeserver.Response {
		if r.Format != "" {
			return fakeserver.NoFormat()
		}
		return fakeserver.ToolCall("query_units", goodUnits)
	})
	defer server.Close()
	runner, err := prompts.Open(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m"}, prompts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := prompts.Call(t.Context(), runner, prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(server.Requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}

// TestCancel: a cancelled call ends, and so does its request.
func TestCancel(t *testing.T) {
	server := fakeserver.New(func(fakeserver.Request) fakeserver.Response { return fakeserver.Response{Hang: true} })
	defer server.Close()
	runner, err := prompts.Open(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m"}, prompts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for len(server.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, err := prompts.Call(ctx, runner, prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTimeout: a slow endpoint is one that is not available.
func TestTimeout(t *testing.T) {
	a := ask(t, prompts.Options{Timeout: 20 * time.Millisecond, Retries: 4}, func(fakeserver.Request) fakeserver.Response { return fakeserver.Response{Hang: true} })
	if !errors.Is(a.err, prompts.ErrUnavailable) || len(a.sent) != 2 {
		t.Errorf("%v after %d requests", a.err, len(a.sent))
	}
}

// TestUnreachable: where nothing listens, that is said, without the request.
func TestUnreachable(t *testing.T) {
	server := fakeserver.New(nil)
	base := server.Base()
	server.Close()
	r, err := prompts.Open(t.Context(), prompts.Config{BaseURL: base, Model: "m"}, prompts.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := units(t.Context(), r); !errors.Is(err, prompts.ErrUnavailable) || strings.Contains(err.Error(), "When?") {
		t.Errorf("got %v", err)
	}
}

// TestNoTimeLeft: a call doesn't wait for a retry that it has no time for.
func TestNoTimeLeft(t *testing.T) {
	a := ask(t, prompts.Options{Total: 10 * time.Second}, fakeserver.Sequence(fakeserver.TooMany("25")))
	if !errors.Is(a.err, prompts.ErrUnavailable) || len(a.waits) != 0 || len(a.sent) != 1 {
		t.Errorf("%v after %d requests and %v", a.err, len(a.sent), a.waits)
	}
}

// TestConcurrency: no more calls run at once than allowed.
func TestConcurrency(t *testing.T) {
	var now, most atomic.Int32
	model := &prompts.Scripted{Reply: func(prompts.Name, string) (string, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
		return goodUnits, nil
	}}
	runner := prompts.NewRunner(model, prompts.Options{Concurrency: 2})
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := prompts.Call(context.Background(), runner, prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{})
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if most.Load() > 2 {
		t.Errorf("%d at once", most.Load())
	}
}
