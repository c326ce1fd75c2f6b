package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/mcp"
)

// The test binary is the memory server as well: with fakeMemory set it serves the
// graph in that file, as the official server does, until its input ends.
const fakeMemory = "FAKE_MEMORY_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(fakeMemory); file != "" && slices.Contains(os.Args, "serve-memory") {
		if err := serve(file); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

type thing struct {
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
}

type tie struct {
	From         string `json:"from"`
	To           string `json:"to"`
	RelationType string `json:"relationType"`
}

type stored struct {
	Entities  []thing `json:"entities"`
	Relations []tie   `json:"relations"`
}

func serve(file string) error {
	if os.Getenv("EPAGENT_API_KEY") != "" {
		return errors.New("it was given a key")
	}
	load := func() (out stored, err error) {
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &out)
		}
		return out, err
	}
	answer := func(all stored, keep func(thing) bool) (*protocol.CallToolResult, error) {
		var out stored
		for _, e := range all.Entities {
			if keep(e) {
				out.Entities = append(out.Entities, e)
			}
		}
		has := func(name string) bool {
			return slices.ContainsFunc(out.Entities, func(e thing) bool { return e.Name == name })
		}
		for _, r := range all.Relations {
			if has(r.From) || has(r.To) {
				out.Relations = append(out.Relations, r)
			}
		}
		text, err := json.Marshal(out)
		return protocol.NewToolResultText(string(text)), err
	}
	s := server.NewMCPServer("fake", "1")
	s.AddTool(protocol.NewTool("read_graph"), func(context.Context, protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		all, err := load()
		if err != nil {
			return protocol.NewToolResultText("no graph: " + err.Error()), nil
		}
		return answer(all, func(thing) bool { return true })
	})
	s.AddTool(protocol.NewTool("search_nodes", protocol.WithString("query")), func(_ context.Context, r protocol.CallToolRequest) (*protocol.CallToolResult, error) {
		all, err := load()
		if err != nil {
			return nil, err
		}
		query := strings.ToLower(r.GetString("query", ""))
		return answer(all, func(e thing) bool {
			return strings.Contains(strings.ToLower(e.Name+"\n"+e.EntityType+"\n"+strings.Join(e.Observations, "\n")), query)
		})
	})
	return server.ServeStdio(s)
}

func newHost(t *testing.T, content string) (host *mcp.Host, file string) {
	t.Helper()
	file = t.TempDir() + "/memory.json"
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeMemory, file)
	t.Setenv("EPAGENT_API_KEY", "not for the server")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host, err = mcp.New([]string{self, "serve-memory"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	})
	return host, file
}

const life = `{"entities": [
	{"name": "Mia_Berg", "entityType": "person", "observations": ["Has braces since May", "plays the cello", "plays the cello", " "]},
	{"name": "Choir", "entityType": "group", "observations": ["sings on Fridays"]},
	{"name": "", "entityType": "person", "observations": ["nobody"]},
	{"name": "Noor", "entityType": "person", "observations": []}],
	"relations": [{"from": "Mia_Berg", "to": "Choir", "relationType": "sings_in"}, {"from": "Gone", "to": "Choir", "relationType": "led"}]}`

func TestFeed(t *testing.T) {
	host, _ := newHost(t, life)
	sessions, err := host.Feed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sessions {
		for _, turn := range s.Turns {
			got = append(got, s.Title+"|"+turn.Text)
		}
		if s.Source.Format != memory.FormatStatements || !s.Start.IsZero() || len(s.Participants) > 0 {
			t.Errorf("session %+v", s)
		}
	}
	want := []string{"Choir|Choir: sings on Fridays", "Mia_Berg|Mia Berg: Has braces since May", "Mia_Berg|Mia Berg: plays the cello", "Mia_Berg|Mia Berg: sings in Choir"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	again, err := host.Feed(t.Context())
	if diff := cmp.Diff(sessions, again); err != nil || diff != "" {
		t.Errorf("fed again: %v\n%s", err, diff)
	}
}

func TestSearch(t *testing.T) {
	ctx := t.Context()
	host, _ := newHost(t, life)
	sessions, err := host.Feed(ctx)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for i := range sessions {
		layers, err := host.Compose(ctx, &sessions[i])
		if err != nil || layers.Summary == "" {
			t.Fatalf("layers %+v, %v", layers, err)
		}
		for _, e := range layers.Entries {
			texts[e.ID] = e.Text
		}
	}
	for question, want := range map[string]string{
		"When did Mia get her braces?": "Mia Berg: Has braces since May", "cello?": "Mia Berg: plays the cello", "the choir of Mia Berg": "Mia Berg: sings in Choir",
	} {
		hits, err := host.Search(ctx, question, 1)
		if err != nil || len(hits) != 1 || texts[hits[0].Entry] != want || hits[0].Score != 1 {
			t.Errorf("%s: %+v (%s), %v; want %s", question, hits, texts[hits[0].Entry], err, want)
		}
	}
	all, err := host.Search(ctx, "Mia choir", 0)
	if err != nil || len(all) != 4 {
		t.Errorf("all: %+v, %v", all, err)
	}
	for _, h := range all {
		if texts[h.Entry] == "" {
			t.Errorf("hit %+v is no entry that was fed", h)
		}
	}
	for _, vain := range []string{"", "the", "xylophone"} {
		if hits, err := host.Search(ctx, vain, 3); err != nil || len(hits) > 0 {
			t.Errorf("%q: %+v, %v", vain, hits, err)
		}
	}
	// What was said elsewhere isn't the server's.
	other, err := host.Compose(ctx, &memory.Session{ID: "s", Turns: []memory.Turn{{ID: "t", Speaker: "Mia", Kind: memory.Message, Text: "hello"}}})
	if err != nil || len(other.Entries) > 0 || other.Summary == "" {
		t.Errorf("a chat: %+v, %v", other, err)
	}
}

// A server that fails is an error that quotes nothing of its answer, and it is started
// again by the next call.
func TestServerFails(t *testing.T) {
	ctx := t.Context()
	for _, command := range [][]string{nil, {""}} {
		if _, err := mcp.New(command); !errors.Is(err, mcp.ErrServer) {
			t.Errorf("command %q: %v", command, err)
		}
	}
	missing, err := mcp.New([]string{t.TempDir() + "/no-such-program"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := missing.Feed(ctx); !errors.Is(err, mcp.ErrServer) {
		t.Errorf("no program: %v", err)
	}
	host, file := newHost(t, "secret but no graph")
	if _, err := host.Feed(ctx); !errors.Is(err, mcp.ErrServer) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "no graph: ") {
		t.Errorf("no graph: %v", err)
	}
	if _, err := host.Search(ctx, "Mia", 1); !errors.Is(err, mcp.ErrServer) {
		t.Errorf("a failing tool: %v", err)
	}
	if err := os.WriteFile(file, []byte(life), 0o600); err != nil {
		t.Fatal(err)
	}
	if hits, err := host.Search(ctx, "Mia", 1); err != nil || len(hits) != 1 {
		t.Errorf("mended: %v, %v", hits, err)
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
	if hits, err := host.Search(ctx, "Mia", 1); err != nil || len(hits) != 1 {
		t.Errorf("after closing: %v, %v", hits, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := host.Search(cancelled, "Mia", 1); err == nil {
		t.Error("a cancelled search has no error")
	}
}
