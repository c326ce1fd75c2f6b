package tools_test

import (
	"io"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/epagent/epagent/tools"
)

func pipe(t *testing.T) (*io.PipeReader, *io.PipeWriter) {
	t.Helper()
	r, w := io.Pipe()
	t.Cleanup(func() {
		r.Close()
		w.Close()
	})
	return r, w
}

// newPipeTransport is mcp-go's stdio transport over a pair of pipes.
func newPipeTransport(out io.Reader, in io.WriteCloser) *transport.Stdio {
	return transport.NewIO(out, in, io.NopCloser(eof{}))
}

// eof is a standard error that says nothing.
type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// connect connects the official client to a server.
func connect(t *testing.T, s *tools.Server, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	inR, inW := pipe(t)
	outR, outW := pipe(t)
	served := make(chan error, 1)
	go func() {
		served <- s.ServeStdio(t.Context(), inR, outW)
		outW.Close()
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts).Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		inW.Close()
		select {
		case <-served:
		case <-time.After(20 * time.Second):
			t.Error("the server doesn't end")
		}
	})
	return session
}
