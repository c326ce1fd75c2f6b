package tools

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// callers keep what is counted for each principal: how fast it asks, and what it
// has open.
type callers struct {
	limits Limits

	mu    sync.Mutex
	byKey map[string]*caller
}

// caller is one principal that has asked lately.
type caller struct {
	who    Principal
	id     string // of the grant; "" never ends by itself
	limit  *rate.Limiter
	open   map[*openRequest]bool
	calls  int
	stream int
	seen   time.Time
}

// openRequest is one request in flight.
type openRequest struct {
	cancel context.CancelFunc
	stream bool // it is open until somebody ends it
}

// forgetCaller is how long a principal that asks nothing is kept in mind.
const forgetCaller = 10 * time.Minute

func newCallers(limits Limits) *callers {
	return &callers{limits: limits, byKey: map[string]*caller{}}
}

// admission is what becomes of a request.
type admission int

const (
	admitted admission = iota
	tooFast            // more than the rate
	tooMany            // more at once than allowed
)

// admit counts a request of a principal. The context ends with done or when the
// principal's right ends.
func (c *callers) admit(ctx context.Context, g grantOf, stream bool) (_ context.Context, done func(), a admission) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := g.who.key()
	x := c.byKey[key]
	if x == nil {
		x = &caller{
			who: g.who, id: g.id, limit: rate.NewLimiter(rate.Limit(c.limits.Rate), c.limits.Burst), open: map[*openRequest]bool{},
		}
		c.byKey[key] = x
	}
	x.seen = time.Now()
	switch {
	case !x.limit.Allow():
		return nil, nil, tooFast
	case stream && x.stream >= c.limits.Streams, !stream && x.calls >= c.limits.Calls:
		return nil, nil, tooMany
	}
	var cancel context.CancelFunc
	if g.expires.IsZero() {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		ctx, cancel = context.WithDeadline(ctx, g.expires)
	}
	r := &openRequest{cancel: cancel, stream: stream}
	x.open[r] = true
	x.count(stream, 1)
	return ctx, func() {
		cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(x.open, r)
		x.count(stream, -1)
		x.seen = time.Now()
	}, admitted
}

func (x *caller) count(stream bool, n int) {
	if stream {
		x.stream += n
	} else {
		x.calls += n
	}
}

// endStreams ends what would stay open for ever; endAll everything.
func (c *callers) endStreams() { c.endWhere(func(_ *caller, r *openRequest) bool { return r.stream }) }
func (c *callers) endAll()     { c.endWhere(func(*caller, *openRequest) bool { return true }) }

// endOf ends everything that a principal has open.
func (c *callers) endOf(key string) {
	c.endWhere(func(x *caller, _ *openRequest) bool { return x.who.key() == key })
}

func (c *callers) endWhere(f func(*caller, *openRequest) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range c.byKey {
		for r := range x.open {
			if f(x, r) {
				r.cancel()
			}
		}
	}
}

// present returns the principals that were seen lately, and forgets the others.
func (c *callers) present(now time.Time) []*caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*caller
	for key, x := range c.byKey {
		if len(x.open) == 0 && now.Sub(x.seen) > forgetCaller {
			delete(c.byKey, key)
			continue
		}
		out = append(out, x)
	}
	return out
}
