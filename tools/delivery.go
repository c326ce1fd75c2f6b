package tools

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// lastWord is how long an answer waits for the notifications before it to be
// written, where the connection doesn't take them.
const lastWord = 250 * time.Millisecond

// deliveries counts the notifications of one connection that were sent, and those
// that were written. The protocol library writes them beside the answers: without
// waiting, the last ones of a call come after its answer or never, and clients
// drop what comes late.
type deliveries struct {
	mu      sync.Mutex
	sent    int
	written int
	waiting []delivery
}

type delivery struct {
	upTo int
	done chan struct{}
}

type deliveriesKey struct{}

func withDeliveries(ctx context.Context, d *deliveries) context.Context {
	return context.WithValue(ctx, deliveriesKey{}, d)
}

func deliveriesOf(ctx context.Context) *deliveries {
	d, _ := ctx.Value(deliveriesKey{}).(*deliveries)
	return d
}

func (d *deliveries) send() {
	d.mu.Lock()
	d.sent++
	d.mu.Unlock()
}

// unsend takes back a notification that the library refused.
func (d *deliveries) unsend() {
	d.mu.Lock()
	d.sent--
	d.settle()
	d.mu.Unlock()
}

// wrote notes a message that left; only notifications count.
func (d *deliveries) wrote(message []byte) {
	if d == nil || !isNotification(message) {
		return
	}
	d.mu.Lock()
	d.written = min(d.written+1, d.sent) // others than ours may be written too
	d.settle()
	d.mu.Unlock()
}

func (d *deliveries) settle() {
	left := d.waiting[:0]
	for _, w := range d.waiting {
		if d.written >= w.upTo || d.written >= d.sent {
			close(w.done)
		} else {
			left = append(left, w)
		}
	}
	d.waiting = left
}

// wait returns when what was sent is written, or can't be.
func (d *deliveries) wait(ctx context.Context) {
	if d == nil {
		return
	}
	d.mu.Lock()
	if d.written >= d.sent {
		d.mu.Unlock()
		return
	}
	w := delivery{upTo: d.sent, done: make(chan struct{})}
	d.waiting = append(d.waiting, w)
	d.mu.Unlock()
	timeout := time.NewTimer(lastWord)
	defer timeout.Stop()
	select {
	case <-w.done:
		return
	case <-ctx.Done():
	case <-timeout.C:
	}
	// Nobody takes them: what is lost is not waited for again.
	d.mu.Lock()
	d.written = max(d.written, w.upTo)
	d.settle()
	d.mu.Unlock()
}

// isNotification reports whether a message is one: a method without an id.
func isNotification(message []byte) bool {
	var e envelope
	return json.Unmarshal(message, &e) == nil && e.Method != "" && len(e.ID) == 0
}

// notify sends a notification that belongs to the call of ctx: progress, a log
// line. It arrives before the answer of the call. A client that takes none, or is
// gone, is no error.
func notify(ctx context.Context, method string, params map[string]any) {
	s := server.ServerFromContext(ctx)
	if s == nil {
		return
	}
	d := deliveriesOf(ctx)
	if d != nil {
		d.send()
	}
	if err := s.SendNotificationToClient(ctx, method, params); err != nil && d != nil {
		d.unsend()
	}
}
