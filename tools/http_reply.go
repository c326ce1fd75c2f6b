package tools

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// The library writes a message of a stream in one piece, between these two.
var (
	eventHead = []byte("event: message\ndata: ")
	eventTail = []byte("\n\n")
)

// reply is what the library answers through: at the border every message is looked
// at, and a client that takes nothing is not waited for. The call and the library
// may write at once.
type reply struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration // for one write

	mu     sync.Mutex
	status int
	bytes  int
	held   bool // the status leaves with the message
	fault  bool // the library answered with a text of its own, which is replaced
	stream bool // we began a stream that the library doesn't know of
}

func newReply(w http.ResponseWriter, patience time.Duration) *reply {
	return &reply{ResponseWriter: w, control: http.NewResponseController(w), patience: patience}
}

// Unwrap is for http.ResponseController.
func (r *reply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// tell writes a notification before the answer, which makes a stream of it.
func (r *reply) tell(message []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 {
		r.Header().Set("Content-Type", "text/event-stream")
		r.writeHeader(http.StatusOK)
		r.stream = true
	}
	if r.held || r.fault {
		return // the answer is on its way
	}
	_ = r.send(event(message)) // a client that is gone is told nothing
	_ = r.control.Flush()
}

func event(message []byte) []byte { return bytes.Join([][]byte{eventHead, message, eventTail}, nil) }

// WriteHeader takes the status of an answer. That of a JSON message leaves with the
// message: the border may find another fault in it than the library did.
func (r *reply) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeHeader(status)
}

func (r *reply) writeHeader(status int) {
	if r.status != 0 {
		return
	}
	r.status = status
	json := strings.HasPrefix(r.Header().Get("Content-Type"), "application/json")
	if json && status == http.StatusOK {
		r.held = true
		return
	}
	r.fault = status >= http.StatusBadRequest && !json
	if r.fault {
		r.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	r.ResponseWriter.WriteHeader(status)
	if r.fault {
		_ = r.send([]byte(http.StatusText(status) + "\n")) // a client that is gone reads no fault
	}
}

// Write takes a message of the library, whole.
func (r *reply) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status == 0 {
		r.writeHeader(http.StatusOK)
	}
	if r.fault {
		return len(p), nil
	}
	message, streamed := bytes.CutPrefix(p, eventHead)
	message = bytes.TrimSuffix(message, eventTail)
	public, code := atBorder(message)
	if r.held {
		r.held = false
		if code == mcp.MISSING_REQUIRED_CLIENT_CAPABILITY {
			r.status = http.StatusBadRequest
		}
		r.ResponseWriter.WriteHeader(r.status)
	}
	if streamed || r.stream {
		public = event(bytes.TrimSuffix(public, []byte("\n")))
	}
	if err := r.send(public); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (r *reply) send(p []byte) error {
	_ = r.control.SetWriteDeadline(time.Now().Add(r.patience)) // not every writer has one
	n, err := r.ResponseWriter.Write(p)
	r.bytes += n
	return err
}

// Flush makes the library stream.
func (r *reply) Flush() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.held {
		_ = r.control.Flush() // the next write tells
	}
}

// answered returns the status, 0 where nothing was answered, and the bytes.
func (r *reply) answered() (status, size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status, r.bytes
}
