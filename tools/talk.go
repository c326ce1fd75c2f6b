package tools

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// A tool may have something to ask of the client: the owner's consent, a completion
// by its model, its folders. In the handshake era the server sends a request of its
// own and waits. Since 2026-07-28 it answers the call with what it needs, and the
// client makes the call again with the answers: a talk is the call that waits for
// them in between, so that a tool asks the same way in both eras (talk.ask).

const (
	// maxTalks is how many calls may wait for answers. What needs one beyond that is
	// not asked.
	maxTalks = 64
	// talkLife is how long a call waits to be made again.
	talkLife = 10 * time.Minute
	// questionID names the one question of a round.
	questionID = "epagent"
)

// talks are the calls of a server that wait for answers.
type talks struct {
	key  [32]byte // signs what the client carries back
	mu   sync.Mutex
	open map[string]*talk
}

func newTalks() *talks {
	t := &talks{open: map[string]*talk{}}
	_, _ = rand.Read(t.key[:]) // it never fails (crypto/rand)
	return t
}

// talk is one call over its rounds.
type talk struct {
	id      string
	about   string // who called, which tool, with which arguments
	cancel  context.CancelFunc
	ask     chan *question
	done    chan struct{} // closed when the tool has returned
	result  *mcp.CallToolResult
	err     error
	serving sync.Mutex // held by the round that serves it
	asked   *question
	expiry  *time.Timer // while it waits for an answer

	mu   sync.Mutex
	ctx  context.Context // of the present round
	call mcp.CallToolRequest
}

// question is what a tool asks of the client.
type question struct {
	request mcp.InputRequest
	answer  chan *mcp.InputResponse // nil: none was given
}

type talkKey struct{}

func talkOf(ctx context.Context) *talk {
	t, _ := ctx.Value(talkKey{}).(*talk)
	return t
}

type callKey struct{}

// present returns the call of ctx and the context of its present round: that is
// where progress and log lines go.
func present(ctx context.Context) (context.Context, mcp.CallToolRequest) {
	if t := talkOf(ctx); t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		return t.ctx, t.call
	}
	call, _ := ctx.Value(callKey{}).(mcp.CallToolRequest)
	return ctx, call
}

var errTooMany = errors.New("too many calls wait for answers")

// converse runs a tool that may ask.
func (s *Server) converse(ctx context.Context, name string, arguments []byte, call mcp.CallToolRequest, run func(context.Context) (*mcp.CallToolResult, error)) (*mcp.CallToolResult, error) {
	ctx = context.WithValue(context.WithValue(ctx, callKey{}, call), serverKey{}, s)
	if !server.IsModernRequest(ctx) {
		return run(ctx)
	}
	who, err := s.speaker(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(arguments)
	about := fmt.Sprintf("%s\x00%s\x00%x", who.key(), name, sum)
	if call.Params.RequestState == "" {
		t, err := s.begin(ctx, about, call, run)
		if err != nil {
			return nil, err
		}
		t.serving.Lock()
		defer t.serving.Unlock()
		return s.round(ctx, t)
	}
	t := s.talks.find(call.Params.RequestState, about)
	if t == nil || !t.serving.TryLock() {
		return nil, publicf("what the answer belongs to is over, or was another call; make the call anew")
	}
	defer t.serving.Unlock()
	q := t.asked
	if q == nil {
		return nil, publicf("what the answer belongs to is over, or was another call; make the call anew")
	}
	t.asked = nil
	t.expiry.Stop()
	t.mu.Lock()
	t.ctx, t.call = ctx, call
	t.mu.Unlock()
	var answer *mcp.InputResponse
	if given, ok := call.Params.InputResponses[questionID]; ok && given.DecodeFor(q.request.Method) == nil {
		answer = &given
	}
	q.answer <- answer
	return s.round(ctx, t)
}

// begin starts a tool in a talk of its own: it outlives the first round.
func (s *Server) begin(ctx context.Context, about string, call mcp.CallToolRequest, run func(context.Context) (*mcp.CallToolResult, error)) (*talk, error) {
	var id [16]byte
	_, _ = rand.Read(id[:])
	t := &talk{
		id: hex.EncodeToString(id[:]), about: about, ask: make(chan *question), done: make(chan struct{}),
		ctx: ctx, call: call,
	}
	live, cancel := context.WithCancel(context.WithValue(context.WithoutCancel(ctx), talkKey{}, t))
	t.cancel = cancel
	s.talks.mu.Lock()
	s.talks.open[t.id] = t
	s.talks.mu.Unlock()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.log.ErrorContext(live, "a tool panicked", keyKind, fmt.Sprintf("%T", p), keyStack, string(debug.Stack()))
				s.log.DebugContext(live, "the panic", keyDetail, fmt.Sprint(p))
				t.err = errPanicked
			}
			cancel()
			s.talks.mu.Lock()
			delete(s.talks.open, t.id)
			s.talks.mu.Unlock()
			close(t.done)
		}()
		t.result, t.err = run(live)
	}()
	return t, nil
}

// round waits until the tool returns or asks. A client that cancels the round that
// serves a call cancels the call.
func (s *Server) round(ctx context.Context, t *talk) (*mcp.CallToolResult, error) {
	select {
	case <-t.done:
		return t.result, t.err
	case q := <-t.ask:
		t.asked, t.expiry = q, time.AfterFunc(talkLife, t.cancel)
		result := &mcp.CallToolResult{
			Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired},
			MultiRoundTripResult: mcp.MultiRoundTripResult{
				InputRequests: mcp.InputRequests{questionID: q.request},
				RequestState:  s.talks.sign(t),
			},
		}
		return result, nil
	case <-ctx.Done():
		t.cancel()
		<-t.done // it heeds that, and what it wrote is whole
		return t.result, errors.Join(ctx.Err(), t.err)
	}
}

// sign makes the state that the client carries back: it names the talk, and nothing
// else fits it.
func (t *talks) sign(of *talk) string {
	return of.id + "." + base64.RawURLEncoding.EncodeToString(t.mac(of.id, of.about))
}

func (t *talks) mac(id, about string) []byte {
	h := hmac.New(sha256.New, t.key[:])
	fmt.Fprintf(h, "%d:%s%s", len(id), id, about)
	return h.Sum(nil)
}

// find returns the talk of a state that the same caller brings back with the same
// call; nil for none.
func (t *talks) find(state, about string) *talk {
	id, signature, ok := strings.Cut(state, ".")
	mac, err := base64.RawURLEncoding.DecodeString(signature)
	if !ok || err != nil || !hmac.Equal(mac, t.mac(id, about)) {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id]
}

func (t *talks) full() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open) > maxTalks
}

// put asks in a talk: the question goes out with the present round, the answer comes
// with the next.
func (t *talk) put(ctx context.Context, request mcp.InputRequest) (*mcp.InputResponse, error) {
	q := &question{request: request, answer: make(chan *mcp.InputResponse, 1)}
	select {
	case t.ask <- q:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case answer := <-q.answer:
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
