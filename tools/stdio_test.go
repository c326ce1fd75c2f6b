package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools"
)

// Closing the input cancels nothing: the answers of the calls in flight come first.
func TestEndOfInputWaitsForCalls(t *testing.T) {
	release := make(chan struct{})
	p := dial(t, &fakeVerbs{recall: func(ctx context.Context, r agent.RecallRequest) (*agent.Recalled, error) {
		select {
		case <-release:
			return &agent.Recalled{Query: r.Query}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}})
	const calls = 12 // more than the library has workers
	var lines []string
	for id := range calls {
		lines = append(lines, callLine(id, "recall", `{"query":"a"}`))
	}
	// The last line has no line break: it counts too.
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	p.in.Close()
	time.AfterFunc(50*time.Millisecond, func() { close(release) })
	if err := p.end(); err != nil {
		t.Fatalf("ServeStdio: %v", err)
	}
	answered := map[string]bool{}
	for line := range p.lines {
		m := parseMessage(t, line)
		if r := parseResult(t, m); m.Error != nil || r.IsError {
			t.Errorf("id %s: %s", m.ID, line)
		}
		if answered[string(m.ID)] {
			t.Errorf("id %s is answered twice", m.ID)
		}
		answered[string(m.ID)] = true
	}
	if len(answered) != calls {
		t.Errorf("%d of %d calls are answered", len(answered), calls)
	}
}

func TestContextEndsTheServer(t *testing.T) {
	started := make(chan struct{})
	p := dial(t, &fakeVerbs{recall: func(ctx context.Context, _ agent.RecallRequest) (*agent.Recalled, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	p.send(callLine(1, "recall", `{"query":"a"}`))
	<-started
	p.cancel()
	select {
	case err := <-p.served:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("ServeStdio: %v, want context.Canceled", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the server goes on")
	}
}

func TestOneStdioConnectionAProcess(t *testing.T) {
	p := dial(t, &fakeVerbs{})
	server, err := tools.New(&fakeVerbs{}, tools.Options{Principal: tools.Owner()})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.ServeStdio(t.Context(), strings.NewReader(""), io.Discard); !errors.Is(err, tools.ErrStdioTaken) {
		t.Errorf("second connection: %v, want ErrStdioTaken", err)
	}
	if err := p.end(); err != nil {
		t.Errorf("first connection: %v", err)
	}
}

// One line of output is one JSON-RPC object, whatever is asked.
func TestOutputIsProtocolOnly(t *testing.T) {
	p := dial(t, &fakeVerbs{
		recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) { panic("inside") },
		remember: func(_ context.Context, r agent.RememberRequest) (*agent.Remembered, error) {
			return &agent.Remembered{Session: "r1", New: true, Facts: []agent.RememberedFact{{ID: "f1", Text: r.Text}}}, nil
		},
	})
	ids := []string{"1", "2", "3", "4", `"five"`}
	p.send(
		callLine(1, "recall", `{"query":"a"}`),
		callLine(2, "remember", toJSON(map[string]any{"text": "first\n{\"jsonrpc\":\"2.0\",\"id\":1}\nlast"})),
		callLine(3, "no_such_tool", "{}"),
		`{"jsonrpc":"2.0","id":4,"method":"no/such/method"}`,
		callLine("five", "remember", `{"text":7}`),
		`not JSON`,
		`[]`,
		`"text"`,
		``,
		"   \r",
		`{"jsonrpc":"2.0","method":"notifications/unknown"}`,
	)
	if err := p.end(); err != nil {
		t.Fatal(err)
	}
	answers := map[string]int{}
	for line := range p.lines {
		if strings.ContainsAny(string(line), "\r\n") {
			t.Errorf("a line break inside %q", line)
		}
		answers[string(parseMessage(t, line).ID)]++
	}
	for _, id := range ids {
		if answers[id] != 1 {
			t.Errorf("id %s has %d answers", id, answers[id])
		}
	}
}

// A line of any length up to the limit is taken whole; above, it is refused by its
// id, wherever that stands, and the session lives on.
func TestLongLines(t *testing.T) {
	var got string
	p := dial(t, &fakeVerbs{remember: func(_ context.Context, r agent.RememberRequest) (*agent.Remembered, error) {
		got = r.Text
		return &agent.Remembered{Session: "r1", New: true}, nil
	}})
	const end = " the spare key is under the third pot 🪴"
	const limit = 4 << 20
	for _, size := range []int{63 << 10, 64 << 10, 65 << 10, 1 << 20, 3 << 20} {
		text := strings.Repeat("钥匙🔑", size/len("钥匙🔑")) + end
		if r := p.call("remember", toJSON(map[string]string{"text": text})); r.IsError || got != text {
			t.Errorf("%d bytes: isError %v, %d bytes arrived", size, r.IsError, len(got))
		}
	}
	idLast := func(size int) string {
		head, tail := `{"method":"tools/call","params":{"name":"remember","arguments":{"text":"{\"id\":3,`, `"}},"jsonrpc":"2.0","id":"last"}`
		return head + strings.Repeat("a", size-len(head)-len(tail)) + tail
	}
	for _, c := range []struct {
		name, line, id string
	}{
		{"one byte above", idLast(limit + 1), `"last"`},
		{"9 MiB", idLast(9 << 20), `"last"`},
		{"id first", callLine(17, "remember", toJSON(map[string]string{"text": strings.Repeat("b", 5<<20)})), "17"},
		{"not JSON", strings.Repeat("x", limit+1), "null"},
	} {
		p.send(c.line)
		m := p.receive()
		if m.Error == nil || string(m.ID) != c.id {
			t.Errorf("%s: id %s, error %v", c.name, m.ID, m.Error)
			continue
		}
		for _, want := range []string{fmt.Sprint(len(c.line)), fmt.Sprint(limit)} {
			if !strings.Contains(m.Error.Message, want) {
				t.Errorf("%s: %q does not name %s", c.name, m.Error.Message, want)
			}
		}
	}
	p.send(idLast(limit))
	if m := p.receive(); m.Error != nil || string(m.ID) != `"last"` {
		t.Errorf("a line of the limit is refused: %v", m.Error)
	}
	if r := p.call("remember", `{"text":"still here"}`); r.IsError || got != "still here" {
		t.Errorf("the next call: %s", r.text())
	}
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	p := dial(t, &fakeVerbs{})
	p.send("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"remember\",\"arguments\":{\"text\":\"a\xffb\"}}}")
	if m := p.receive(); m.Error == nil || string(m.ID) != "8" || !strings.Contains(m.Error.Message, "UTF-8") {
		t.Errorf("id %s, error %v", m.ID, m.Error)
	}
}

// Whatever a client sends, the server neither falls nor writes anything but
// JSON-RPC, and it ends when the input ends.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{}", "[]", "null", "\x00", "{\"id\":1}", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		callLine(1, "recall", `{"query":"a"}`) + "\n" + callLine(1, "recall", `{"query":"a"}`),
		callLine(nil, "recall", `null`), callLine(true, "recall", `{}`), callLine(1.5, "remember", `{"text":"a"}`),
		callLine([]int{1}, "disclose", `{"question":"a","to":["a"]}`),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":3}}`,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		server, err := tools.New(&fakeVerbs{}, tools.Options{Principal: tools.Owner()})
		if err != nil {
			t.Fatal(err)
		}
		var out syncBuffer
		if err := server.ServeStdio(t.Context(), strings.NewReader(string(input)), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			var m message
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
				t.Fatalf("output %q", line)
			}
		}
	})
}
