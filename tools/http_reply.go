package tools

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// The library writes a message of a stream in one piece, between these two.
var (
	eventHead = []byte("event: message\ndata: ")
	eventTail = []byte("\n\n")
)

// reply is what the library answers through: at the border every message is looked
// at, and a client that takes nothing is not waited for.
type reply struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration // for one write
	sent     *deliveries   // nil: nobody waits
	status   int
	bytes    int
	fault    bool // the library answered with a text of its own, which is replaced
}

func newReply(w http.ResponseWriter, patience time.Duration) *reply {
	return &reply{ResponseWriter: w, control: http.NewResponseController(w), patience: patience}
}

// Unwrap is for http.ResponseController.
func (r *reply) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *reply) WriteHeader(status int) {
	if r.status != 0 {
		return
	}
	r.status = status
	r.fault = status >= http.StatusBadRequest && !strings.HasPrefix(r.Header().Get("Content-Type"), "application/json")
	if r.fault {
		r.Header().Set("Content-Type", "text/plain; charset=utf-8")
	}
	r.ResponseWriter.WriteHeader(status)
	if r.fault {
		n, _ := io.WriteString(r.ResponseWriter, http.StatusText(status)+"\n") // a client that is gone reads no fault
		r.bytes += n
	}
}

// Write takes a message of the library, whole.
func (r *reply) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.fault {
		return len(p), nil
	}
	message, out := p, p
	if body, ok := bytes.CutPrefix(p, eventHead); ok {
		message = bytes.TrimSuffix(body, eventTail)
		out = bytes.Join([][]byte{eventHead, atBorder(message), eventTail}, nil)
	} else {
		out = atBorder(p)
	}
	_ = r.control.SetWriteDeadline(time.Now().Add(r.patience)) // not every writer has one
	n, err := r.ResponseWriter.Write(out)
	r.bytes += n
	// Also where writing failed: nobody waits for it any more.
	r.sent.wrote(message)
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush makes the library stream.
func (r *reply) Flush() { _ = r.control.Flush() } // the next write tells
