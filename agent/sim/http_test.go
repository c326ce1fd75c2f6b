package sim_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/tools"
)

// served are delegates behind real HTTP servers, one each; everybody who asks has a
// token of their own.
type served struct {
	t     *testing.T
	bases map[string]string // by owner
	mu    sync.Mutex        // different delegates work at once
	asked atomic.Int64
}

func (s *served) connect(ctx context.Context, owner string, a *agent.Agent, readers []string) (sim.Endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	base, ok := s.bases[owner]
	if !ok {
		server, err := tools.NewHTTP(a, tools.HTTPOptions{Tokens: a})
		if err != nil {
			return nil, err
		}
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		serving, stop := context.WithCancel(context.WithoutCancel(ctx))
		done := make(chan error, 1)
		go func() { done <- server.Serve(serving, ln, nil) }()
		s.t.Cleanup(func() {
			stop()
			if err := <-done; err != nil {
				s.t.Error(err)
			}
		})
		base = "http://" + ln.Addr().String()
		s.bases[owner] = base
	}
	text, _, err := a.CreateToken(ctx, agent.TokenRequest{To: readers})
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "delegate", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: base + tools.PathMCP, HTTPClient: &http.Client{Transport: bearer(text)},
	}, nil)
	if err != nil {
		return nil, err
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return &remote{s, session}, nil
}

// bearer sends a token with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// remote is a delegate behind its server, by the tool of a recipient.
type remote struct {
	*served
	session *mcp.ClientSession
}

func (r *remote) Ask(ctx context.Context, question string) (string, error) {
	r.asked.Add(1)
	got, err := r.session.CallTool(ctx, &mcp.CallToolParams{Name: "disclose", Arguments: map[string]any{"question": question}})
	if err != nil {
		return "", err
	}
	if len(got.Content) != 1 {
		return "", errors.New("no content")
	}
	text, ok := got.Content[0].(*mcp.TextContent)
	if !ok || got.IsError {
		return "", errors.New("no answer")
	}
	return text.Text, nil
}

// Delegates that talk over the real HTTP endpoint, each asker bound by its token, come
// to what they come to in memory.
func TestOverHTTP(t *testing.T) {
	s := load(t, filepath.FromSlash("../../examples/simulations/rival-clients.yaml"))
	memory, wire := t.TempDir(), t.TempDir()
	run(t, s, sim.Options{Folder: memory})
	servers := &served{t: t, bases: map[string]string{}}
	got := run(t, s, sim.Options{Folder: wire, Connect: servers.connect})
	if int(servers.asked.Load()) != got.Figures.Questions || len(servers.bases) != 2 {
		t.Errorf("%d of %d questions over HTTP, %d servers", servers.asked.Load(), got.Figures.Questions, len(servers.bases))
	}
	same(t, results(t, memory), results(t, wire))
}
