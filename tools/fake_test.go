package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

// fakeVerbs is an agent by hand. A verb without a function fails the call, so that
// an unexpected one shows.
type fakeVerbs struct {
	fakeOwner
	remember  func(context.Context, agent.RememberRequest) (*agent.Remembered, error)
	recall    func(context.Context, agent.RecallRequest) (*agent.Recalled, error)
	disclose  func(context.Context, agent.DiscloseRequest) (*agent.Disclosure, error)
	partition func(context.Context, agent.PartitionRequest) (*agent.Partition, error)
	readers   func(context.Context, []string) ([]agent.Reader, error)
	bound     func(context.Context, agent.Binding) ([]agent.Reader, error)
}

var errUnexpected = errors.New("unexpected call of a verb")

func (f *fakeVerbs) Remember(ctx context.Context, r agent.RememberRequest) (*agent.Remembered, error) {
	if f.remember == nil {
		return nil, errUnexpected
	}
	return f.remember(ctx, r)
}

func (f *fakeVerbs) Recall(ctx context.Context, r agent.RecallRequest) (*agent.Recalled, error) {
	if f.recall == nil {
		return nil, errUnexpected
	}
	return f.recall(ctx, r)
}

func (f *fakeVerbs) Disclose(ctx context.Context, r agent.DiscloseRequest) (*agent.Disclosure, error) {
	if f.disclose == nil {
		return nil, errUnexpected
	}
	return f.disclose(ctx, r)
}

func (f *fakeVerbs) Partition(ctx context.Context, r agent.PartitionRequest) (*agent.Partition, error) {
	if f.partition == nil {
		return nil, errUnexpected
	}
	return f.partition(ctx, r)
}

// Readers knows everybody as a stranger, unless told otherwise.
func (f *fakeVerbs) Readers(ctx context.Context, names []string) ([]agent.Reader, error) {
	if f.readers != nil {
		return f.readers(ctx, names)
	}
	out := make([]agent.Reader, len(names))
	for i, name := range names {
		out[i] = agent.Reader{Name: name}
	}
	return out, nil
}

// Bound gives a stranger for each person of the binding, unless told otherwise.
func (f *fakeVerbs) Bound(ctx context.Context, b agent.Binding) ([]agent.Reader, error) {
	if f.bound != nil {
		return f.bound(ctx, b)
	}
	return f.Readers(ctx, b.Names())
}

var _ tools.Verbs = (*fakeVerbs)(nil)

// message is one line of a server's output.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// toolResult is the result of a tools/call.
type toolResult struct {
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

func (r *toolResult) text() string {
	var b strings.Builder
	for _, c := range r.Content {
		b.WriteString(c.Text)
	}
	return b.String()
}

// syncBuffer is a log that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// peer is a client of a server over pipes, by raw lines.
type peer struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan []byte // what the server wrote, a line each; closed at its end
	log    *syncBuffer
	served chan error
	cancel context.CancelFunc
	next   int
}

// dial starts a server for the owner. The library has one stdio session a process:
// no test here is parallel.
func dial(t *testing.T, verbs tools.Verbs) *peer { return dialLevel(t, verbs, slog.LevelInfo) }

func dialLevel(t *testing.T, verbs tools.Verbs, level slog.Level) *peer {
	t.Helper()
	logs := &syncBuffer{}
	server, err := tools.New(verbs, tools.Options{
		Version: "test", Principal: tools.Owner(),
		Logger: slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	p := &peer{t: t, in: inW, lines: make(chan []byte, 1000), log: logs, served: make(chan error, 1), cancel: cancel}
	go func() {
		p.served <- server.ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	go func() {
		defer close(p.lines)
		dec := json.NewDecoder(outR) // lines of any length
		for {
			var line json.RawMessage
			if dec.Decode(&line) != nil {
				return
			}
			p.lines <- line
		}
	}()
	t.Cleanup(func() {
		cancel()
		inW.Close()
		for range p.lines {
		}
	})
	p.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	if m := p.receive(); m.Error != nil {
		t.Fatalf("initialize: %s", m.Error.Message)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) receive() message {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.t.Fatal("the server ended its output")
		}
		return parseMessage(p.t, line)
	case <-time.After(2 * time.Minute):
		p.t.Fatal("no answer")
	}
	panic("unreachable")
}

func parseMessage(t *testing.T, line []byte) message {
	t.Helper()
	var m message
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
		t.Fatalf("output is not JSON-RPC: %q", line)
	}
	return m
}

// call calls a tool with arguments as raw JSON; "" leaves the key out.
func (p *peer) call(tool, arguments string) toolResult {
	p.t.Helper()
	p.next++
	p.send(callLine(p.next, tool, arguments))
	m := p.receive()
	if m.Error != nil {
		p.t.Fatalf("%s: JSON-RPC error %d: %s", tool, m.Error.Code, m.Error.Message)
	}
	return parseResult(p.t, m)
}

func parseResult(t *testing.T, m message) toolResult {
	t.Helper()
	var r toolResult
	if err := json.Unmarshal(m.Result, &r); err != nil {
		t.Fatalf("result: %v", err)
	}
	return r
}

// end closes the input and returns what ServeStdio returns.
func (p *peer) end() error {
	p.t.Helper()
	p.in.Close()
	select {
	case err := <-p.served:
		return err
	case <-time.After(2 * time.Minute):
		p.t.Fatal("the server did not end")
	}
	return nil
}

func callLine(id any, tool, arguments string) string {
	params := map[string]any{"name": tool}
	if arguments != "" {
		params["arguments"] = json.RawMessage(arguments)
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
	if err != nil {
		panic(err)
	}
	return string(line)
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
