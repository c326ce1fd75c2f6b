package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// ErrServer says that the memory server can't be started, doesn't answer, or answers
// something else than a memory.
var ErrServer = errors.New("the memory server can't be used")

// callTimeout is how long one call of the server may take, its start included.
const callTimeout = 30 * time.Second

// entity is a node of the server's graph.
type entity struct {
	Name         string   `json:"name"`
	Type         string   `json:"entityType"`
	Observations []string `json:"observations"`
}

type relation struct {
	From string `json:"from"`
	To   string `json:"to"`
	Type string `json:"relationType"`
}

type knowledge struct {
	Entities  []entity   `json:"entities"`
	Relations []relation `json:"relations"`
}

// server is the connection to the memory server; it is made by the first call, and
// again after one that failed.
type server struct {
	command []string

	mu   sync.Mutex
	conn *client.Client
}

// call calls a tool that answers with a graph. The calls go one by one.
func (s *server) call(ctx context.Context, tool string, arguments map[string]any) (knowledge, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		conn, err := s.start(ctx)
		if err != nil {
			return knowledge{}, s.fault(err)
		}
		s.conn = conn
	}
	var request mcp.CallToolRequest
	request.Params.Name, request.Params.Arguments = tool, arguments
	result, err := s.conn.CallTool(ctx, request)
	if err != nil {
		_ = s.conn.Close()
		s.conn = nil
		return knowledge{}, s.fault(fmt.Errorf("tool %s: %w", tool, err))
	}
	if result.IsError {
		return knowledge{}, s.fault(fmt.Errorf("tool %s: it answers with an error", tool))
	}
	for _, content := range result.Content {
		text, ok := mcp.AsTextContent(content)
		if !ok {
			continue
		}
		var out knowledge
		if err := json.Unmarshal([]byte(text.Text), &out); err != nil {
			return knowledge{}, s.fault(fmt.Errorf("tool %s: the answer is no graph", tool)) // and may be anything: it isn't quoted
		}
		return tidy(out), nil
	}
	return knowledge{}, s.fault(fmt.Errorf("tool %s: the answer is empty", tool))
}

func (s *server) fault(err error) error {
	return fmt.Errorf("%w: %q: %w; look at host_mcp in config.yaml", ErrServer, s.command[0], err)
}

// start runs the server. It gets the environment without what is epagent's own: keys
// of models are not for it.
func (s *server) start(ctx context.Context) (*client.Client, error) {
	run := func(_ context.Context, command string, _ []string, args []string) (*exec.Cmd, error) {
		cmd := exec.Command(command, args...) // lives longer than the call that starts it
		cmd.Stderr = io.Discard               // its chatter may hold what it remembers
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "EPAGENT_") })
		return cmd, nil
	}
	conn, err := client.NewStdioMCPClientWithOptions(s.command[0], nil, s.command[1:], transport.WithCommandFunc(run))
	if err != nil {
		return nil, err
	}
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "epagent", Version: "1"}
	if _, err := conn.Initialize(ctx, hello); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

func (s *server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		return nil
	}
	err := s.conn.Close()
	s.conn = nil
	// It is told to end, and how it does is its own matter.
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil
	}
	return err
}

// tidy brings a graph into an order of its own, each thing once; what has no name or no
// words is nothing.
func tidy(k knowledge) knowledge {
	byName := map[string]*entity{}
	for _, e := range k.Entities {
		if strings.TrimSpace(e.Name) == "" {
			continue
		}
		known := byName[e.Name]
		if known == nil {
			known = &entity{Name: e.Name, Type: e.Type}
			byName[e.Name] = known
		}
		for _, o := range e.Observations {
			if strings.TrimSpace(o) != "" && !slices.Contains(known.Observations, o) {
				known.Observations = append(known.Observations, o)
			}
		}
	}
	var out knowledge
	for _, e := range byName {
		out.Entities = append(out.Entities, *e)
	}
	slices.SortFunc(out.Entities, func(a, b entity) int { return cmp.Compare(a.Name, b.Name) })
	out.Relations = slices.DeleteFunc(slices.Clone(k.Relations), func(r relation) bool { return r.From == "" || r.To == "" || r.Type == "" })
	slices.SortFunc(out.Relations, func(a, b relation) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Type, b.Type), cmp.Compare(a.To, b.To))
	})
	out.Relations = slices.Compact(out.Relations)
	return out
}
