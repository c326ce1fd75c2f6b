package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

const (
	// endGrace is how long the end of input, and then the end of the server, waits
	// for calls in flight.
	endGrace = 30 * time.Second
	// stopGrace is how long a server that is told to stop waits for them.
	stopGrace = 3 * time.Second
	// queuedCalls is how many calls may wait for a worker. Beyond it the reader
	// works itself, and so stops reading.
	queuedCalls = 1000
)

// ErrStdioTaken says that this process serves a stdio connection already: the
// protocol library has one such session a process.
var ErrStdioTaken = errors.New("this process serves a stdio connection already")

var stdioTaken atomic.Bool

// ServeStdio serves one client: a JSON-RPC message a line on in, and on out,
// which carries nothing else. It returns nil when in has ended and the calls in
// flight are answered, for which it waits 30 s; ctx.Err() when ctx is done, after
// which nothing new is taken and calls in flight have 3 s to finish what they
// write before they are cancelled; else the error of reading. A Read of in that
// blocks is left behind when ctx ends, until in is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	if !stdioTaken.CompareAndSwap(false, true) {
		return fmt.Errorf("serve stdio: %w", ErrStdioTaken)
	}
	s.log.InfoContext(ctx, "serving stdio", keyPrincipal, s.principal.String())
	serving, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	over, finish := context.WithCancel(serving)
	defer finish()
	calls := newInFlight()
	answers := &lineWriter{out: out, calls: calls}
	gate := &gate{
		in: bufio.NewReaderSize(in, 64<<10), out: answers, calls: calls, log: s.log,
		done: serving.Done(), closing: ctx.Done(), over: finish,
	}
	defer context.AfterFunc(ctx, func() {
		calls.wait(stopGrace)
		cancel()
	})()
	stdio := server.NewStdioServer(s.mcp)
	server.WithStdioContextFunc(func(ctx context.Context) context.Context {
		return withOutlet(withPrincipal(ctx, s.principal), answers)
	})(stdio)
	server.WithErrorLogger(log.New(libraryLog{s.log}, "", 0))(stdio)
	server.WithQueueSize(queuedCalls)(stdio)

	ended := make(chan error, 1)
	go func() {
		err := stdio.Listen(serving, gate, answers)
		stdioTaken.Store(false)
		ended <- err
	}()
	var err error
	select {
	case err = <-ended:
	case <-over.Done():
		// Input is over, and what still runs is being cancelled. A call that
		// doesn't heed that is left behind.
		select {
		case err = <-ended:
		case <-time.After(endGrace):
			s.log.WarnContext(ctx, "calls did not end and are left behind", keyOpen, calls.len())
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}

// lineWriter writes whole lines, one at a time, and notes which calls they answer.
type lineWriter struct {
	mu    sync.Mutex
	out   io.Writer
	calls *inFlight
}

// Write writes one line: the protocol library hands over a message at a time.
func (w *lineWriter) Write(line []byte) (int, error) {
	public, _ := atBorder(line)
	w.mu.Lock()
	_, err := w.out.Write(public)
	w.mu.Unlock()
	// Also where writing failed: nobody waits for that answer any more.
	var e envelope
	if json.Unmarshal(line, &e) == nil && e.Method == "" {
		w.calls.answered(e.ID)
	}
	if err != nil {
		return 0, err
	}
	return len(line), nil
}

// tell writes a notification.
func (w *lineWriter) tell(message []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(message, '\n')) // a client that is gone is told nothing
}

// refuse answers a message with a JSON-RPC error; id nil is written as null.
func (w *lineWriter) refuse(id json.RawMessage, code int, message string) {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	line, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", id, fault{code, message}})
	if err != nil {
		return // id was checked to be JSON; there is nothing else to go wrong
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.out.Write(append(line, '\n')) // a client that is gone reads no refusal
}

// inFlight counts the requests whose answers are not out.
type inFlight struct {
	mu   sync.Mutex
	open map[string]int
	idle chan struct{} // closed while nothing is open
}

func newInFlight() *inFlight {
	f := &inFlight{open: map[string]int{}, idle: make(chan struct{})}
	close(f.idle)
	return f
}

func (f *inFlight) asked(id json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open) == 0 {
		f.idle = make(chan struct{})
	}
	f.open[idKey(id)]++
}

func (f *inFlight) answered(id json.RawMessage) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := idKey(id)
	if f.open[key] == 0 {
		return
	}
	if f.open[key]--; f.open[key] == 0 {
		delete(f.open, key)
	}
	if len(f.open) == 0 {
		close(f.idle)
	}
}

func (f *inFlight) done() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.idle
}

// wait waits until nothing is open, for a while at most.
func (f *inFlight) wait(most time.Duration) {
	timeout := time.NewTimer(most)
	defer timeout.Stop()
	select {
	case <-f.done():
	case <-timeout.C:
	}
}

func (f *inFlight) len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.open)
}
