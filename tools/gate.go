package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxLine is the longest line that a client may send, in bytes, without its line
// break.
const maxLine = 4 << 20

// methodListen opens a stream for as long as the connection lives: no answer to it
// is waited for.
const methodListen = "subscriptions/listen"

// gate reads a client's lines for the protocol library. It refuses those that are
// too long or not UTF-8, which the library would take without a bound or alter, and
// it holds the end of input back while answers are due: the library cancels what
// runs as soon as it sees the end.
type gate struct {
	in      *bufio.Reader
	out     *lineWriter
	calls   *inFlight
	log     *slog.Logger
	closing <-chan struct{} // nothing new is taken
	done    <-chan struct{} // the server is to end at once
	over    func()          // called before the end is handed on
	rest    []byte          // what is left of the line being handed on
	end     error           // what ended the input
	began   bool            // initialize has been handed on
}

// Read hands on whole accepted lines, and the end of input when it is time.
func (g *gate) Read(p []byte) (int, error) {
	for len(g.rest) == 0 {
		if g.end != nil {
			g.drain()
			g.over()
			return 0, g.end
		}
		g.rest = g.next()
	}
	n := copy(p, g.rest)
	g.rest = g.rest[n:]
	return n, nil
}

// next returns the next line if it is to be handed on, with its line break: also
// where the input ends without one, since the library drops such a line.
func (g *gate) next() []byte {
	line, err := g.readLine()
	if err != nil {
		g.end = err
	}
	select {
	case <-g.closing:
		return nil
	default:
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	var e envelope
	known := json.Unmarshal(line, &e) == nil
	if !utf8.Valid(line) {
		id := json.RawMessage(nil)
		if known && e.request() {
			id = e.ID
		}
		g.out.refuse(id, mcp.PARSE_ERROR, "the message is not valid UTF-8; convert its texts to UTF-8 first")
		return nil
	}
	if known && e.request() {
		if why := g.outOfOrder(e.Method, line); why != "" {
			g.out.refuse(e.ID, mcp.INVALID_REQUEST, why)
			return nil
		}
	}
	if known && e.request() && e.Method != methodListen {
		g.calls.asked(e.ID)
	}
	return append(line, '\n')
}

// outOfOrder says why a request can't be taken where the connection stands, "" where
// it can. A request of the stateless era names its version and needs no handshake; any
// other comes behind the one initialize, and only ping may come before it.
func (g *gate) outOfOrder(method string, line []byte) string {
	switch {
	case method == string(mcp.MethodInitialize):
		if g.began {
			return "the connection is initialized already"
		}
		g.began = true
	case g.began, method == string(mcp.MethodPing):
	default:
		var m struct {
			Params struct {
				Meta *mcp.Meta `json:"_meta"`
			} `json:"params"`
		}
		if json.Unmarshal(line, &m) != nil || !mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion()) {
			return "the connection is not initialized; send initialize first, or name the protocol version in _meta"
		}
	}
	return ""
}

// readLine returns a line without its line break; nil for one that was too long and
// has been refused.
func (g *gate) readLine() ([]byte, error) {
	var line []byte
	for {
		part, err := g.in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if len(line)+len(part) > maxLine {
			return nil, g.skipLine(line, part, err)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// skipLine reads the rest of a line that is too long, without holding it, and
// refuses the message. err is what ReadSlice said of part.
func (g *gate) skipLine(line, part []byte, err error) error {
	var scan envelopeScanner
	size := 0
	take := func(p []byte) {
		size += len(p)
		scan.take(p)
	}
	take(line)
	take(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = g.in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		take(part)
	}
	g.log.Warn("a message was too long and has been refused", keyBytes, size, keyLimit, maxLine)
	if scan.id != nil || !scan.method { // else it is a notification: nobody waits
		g.out.refuse(scan.id, mcp.INVALID_REQUEST, fmt.Sprintf(
			"the message is %d bytes, and the limit is %d; put long texts in a file and import that", size, maxLine))
	}
	return err
}

// drain waits until every answer is out, for endGrace at most.
func (g *gate) drain() {
	timeout := time.NewTimer(endGrace)
	defer timeout.Stop()
	select {
	case <-g.calls.done():
	case <-g.done:
	case <-timeout.C:
		g.log.Warn("input has ended and calls are still running; they are cancelled", keyOpen, g.calls.len())
	}
}
