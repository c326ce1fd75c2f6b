package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	mark3 "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// halfway extracts as ever, and at one session, the first time, waits until whoever
// asked has taken it back.
type halfway struct {
	memory.OfflineExtractor
	at        int32
	n         atomic.Int32
	once      sync.Once
	reached   chan struct{}
	cancelled chan struct{}
}

func (h *halfway) Extract(ctx context.Context, s *memory.Session, o memory.ExtractOptions) ([]privacy.Record, error) {
	if h.n.Add(1) == h.at {
		h.once.Do(func() { close(h.reached) })
		select {
		case <-ctx.Done():
			close(h.cancelled)
			return nil, ctx.Err()
		case <-time.After(60 * time.Second):
			return nil, errors.New("nobody cancelled it")
		}
	}
	return h.OfflineExtractor.Extract(ctx, s, o)
}

type rootsOf string

func (r rootsOf) ListRoots(context.Context, mark3.ListRootsRequest) (*mark3.ListRootsResult, error) {
	return &mark3.ListRootsResult{Roots: []mark3.Root{{URI: "file://" + filepath.ToSlash(string(r))}}}, nil
}

// An import that is taken back half-way ends at once, leaves whole sessions and no
// others, and doing it again ends where one undisturbed import would: in both eras.
func TestImportIsCancelled(t *testing.T) {
	const messages, sessions = 2000, 100
	var b strings.Builder
	for i := range messages {
		at := time.Date(2026, 1, 1+i/20, 18, i%20, 0, 0, time.UTC)
		fmt.Fprintf(&b, "[%s] Raj: Number %d was quiet.\n", at.Format("02.01.06, 15:04:05"), i)
	}
	type importer func(ctx context.Context, arguments map[string]any) (raw string, err error)
	start := map[string]func(t *testing.T, a *agent.Agent, root string) importer{
		"2026-07-28": func(t *testing.T, a *agent.Agent, root string) importer {
			session := officialClient(t, a, nil, root)
			if v := session.InitializeResult().ProtocolVersion; v != "2026-07-28" {
				t.Fatalf("the client negotiated %s", v)
			}
			return func(ctx context.Context, arguments map[string]any) (string, error) {
				result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "import", Arguments: arguments})
				if err != nil {
					return "", err
				}
				raw, err := json.Marshal(result.StructuredContent)
				return string(raw), err
			}
		},
		"2025-11-25": func(t *testing.T, a *agent.Agent, root string) importer {
			c := legacyClient(t, a, client.WithRootsHandler(rootsOf(root)))
			return func(ctx context.Context, arguments map[string]any) (string, error) {
				var request mark3.CallToolRequest
				request.Params.Name, request.Params.Arguments = "import", arguments
				result, err := c.CallTool(ctx, request)
				if err != nil {
					return "", err
				}
				raw, err := json.Marshal(result.StructuredContent)
				return string(raw), err
			}
		},
	}
	for era, connect := range start {
		t.Run(era, func(t *testing.T) {
			_, dir := home(t)
			stage := &halfway{at: sessions / 2, reached: make(chan struct{}), cancelled: make(chan struct{})}
			a, err := agent.Open(t.Context(), dir, agent.Options{Stages: agent.Stages{Extractor: stage}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = a.Close() })
			root := t.TempDir()
			path := filepath.Join(root, "WhatsApp Chat with Raj.txt")
			if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			run := connect(t, a, root)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				<-stage.reached
				cancel()
			}()
			if raw, err := run(ctx, map[string]any{"path": path}); err == nil {
				t.Fatalf("the import wasn't cancelled: %s", raw)
			}
			select {
			case <-stage.cancelled:
			case <-time.After(30 * time.Second):
				t.Fatal("the stage that runs never hears of it")
			}
			var out struct{ Messages, New, Duplicate int }
			raw, err := run(t.Context(), map[string]any{"path": path})
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(raw), &out); err != nil {
				t.Fatalf("again: %v: %s", err, raw)
			}
			if out.Messages != messages || out.New+out.Duplicate != messages || out.New < messages/2 {
				t.Errorf("again: %+v", out)
			}
			if out.Duplicate%20 != 0 {
				t.Errorf("%d messages were stored by the cancelled one, which are no whole sessions", out.Duplicate)
			}
			list, err := a.Sessions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			stored, facts := 0, 0
			for _, s := range list {
				whole, known, err := a.Session(t.Context(), s.ID)
				if err != nil {
					t.Fatal(err)
				}
				stored += len(whole.Turns)
				facts += len(known)
			}
			if len(list) != sessions || stored != messages || facts == 0 {
				t.Errorf("%d sessions with %d messages and %d facts are stored, want %d with %d", len(list), stored, facts, sessions, messages)
			}
		})
	}
}
