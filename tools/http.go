package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools/oauth"
)

// Paths of the HTTP server.
const (
	PathMCP    = "/mcp"
	PathHealth = "/healthz"
)

// Tokens opens the server to the bearers of tokens.
type Tokens interface {
	// Authenticate returns what a bearer token opens, or agent.ErrToken.
	Authenticate(ctx context.Context, text string) (agent.Grant, error)
	// TokenLives reports whether the token of a grant still opens anything.
	TokenLives(ctx context.Context, id string) (bool, error)
}

var _ Tokens = (*agent.Agent)(nil)

// OAuth opens the server to tokens of an external authorization server.
type OAuth interface {
	// Verify returns what an access token opens, or agent.ErrToken, or
	// oauth.ErrNotMapped for a good one of somebody who has no place here.
	Verify(ctx context.Context, text string) (agent.Grant, error)
	// Scopes are those that a token needs.
	Scopes() []string
	// MetadataURL is where the metadata of RFC 9728 are, for the challenge.
	MetadataURL() string
	// Paths are where the handler serves them.
	Paths() []string
	http.Handler
}

var _ OAuth = (*oauth.Resource)(nil)

// HTTPOptions configure an HTTP server. Tokens or OAuth is required: nobody speaks
// without a token.
type HTTPOptions struct {
	Version string       // what the client is told; default: "devel"
	Logger  *slog.Logger // default: discards
	Tokens  Tokens       // tokens of our own
	OAuth   OAuth        // tokens of an external authorization server; nil: none
	Hosts   []string     // names, without a port, that the server is reached by beside its addresses
	Origins []string     // pages whose scripts may ask, as in https://app.example.org
	Limits  Limits
	// Supplements are what evolution proposed to the owner; nil: none can be approved.
	Supplements Supplements

	more []server.ServerOption // for tests
}

// HTTP serves MCP over streamable HTTP: both eras of the protocol, the owner and
// recipients, on one endpoint. Who speaks is decided for each request by its token.
type HTTP struct {
	o         HTTPOptions
	log       *slog.Logger
	limits    Limits
	sessions  *sessions
	callers   *callers
	endpoints map[principalKind]*endpoint
	handler   http.Handler
}

// endpoint is the library's server for one kind of principal.
type endpoint struct {
	server *Server
	http   *server.StreamableHTTPServer
}

// NewHTTP makes an HTTP server.
func NewHTTP(verbs Verbs, o HTTPOptions) (*HTTP, error) {
	if o.Tokens == nil && o.OAuth == nil {
		return nil, errors.New("http server: no tokens given: nobody could speak")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	limits := o.Limits.withDefaults()
	h := &HTTP{
		o: o, log: o.Logger, limits: limits,
		sessions: newSessions(limits.Sessions, limits.AllSessions), callers: newCallers(limits),
		endpoints: map[principalKind]*endpoint{},
	}
	for _, kind := range []principalKind{owner, recipient} {
		// Whose words and ears they are comes with each request.
		s, err := New(verbs, Options{Version: o.Version, Logger: o.Logger, Principal: Principal{kind: kind}, Supplements: o.Supplements, more: o.more})
		if err != nil {
			return nil, err
		}
		h.endpoints[kind] = &endpoint{s, server.NewStreamableHTTPServer(s.mcp,
			server.WithSessionIdManagerResolver(resolver{}),
			server.WithStreamableHTTPLogger(slog.New(libraryHandler{o.Logger})),
			server.WithHeartbeatInterval(heartbeat),
			server.WithDisableLocalhostProtection(true), // ours looks at more (http_origin.go)
		)}
	}
	h.handler = h.routes()
	return h, nil
}

// heartbeat is how often a stream is written to, so that nothing on the way closes
// it and a client that is gone is found out.
const heartbeat = 25 * time.Second

func (h *HTTP) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(PathHealth, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			refuseMethod(w, "GET, HEAD")
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc(PathMCP, h.serveMCP)
	if h.o.OAuth != nil {
		for _, path := range h.o.OAuth.Paths() {
			mux.Handle(path, h.o.OAuth)
		}
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound) })
	return h.guarded(mux)
}

// ServeHTTP serves one request.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.handler.ServeHTTP(w, r) }

// guarded is what every request goes through: where it comes from, what is logged of
// it, and that nothing falls.
func (h *HTTP) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		out := newReply(w, h.limits.Write)
		out.Header().Set("Cache-Control", "no-store")
		out.Header().Set("X-Content-Type-Options", "nosniff")
		seen := &access{}
		defer func() {
			if p := recover(); p != nil {
				h.log.ErrorContext(r.Context(), "a request panicked", keyKind, fmt.Sprintf("%T", p), keyStack, string(debug.Stack()))
				h.log.DebugContext(r.Context(), "the panic", keyDetail, fmt.Sprint(p))
				if status, _ := out.answered(); status == 0 {
					refuse(out, http.StatusInternalServerError)
				}
			}
			status, size := out.answered()
			h.log.InfoContext(r.Context(), "http request", "method", knownMethod(r.Method), "path", knownPath(r.URL.Path), "status", status,
				keyBytes, size, keyTook, time.Since(start), keyPrincipal, seen.who.String(), "token", seen.grant)
		}()
		if !h.comesRight(out, r) {
			return
		}
		next.ServeHTTP(out, r.WithContext(context.WithValue(r.Context(), accessKey{}, seen)))
	})
}

// access is what the log says of who asked.
type access struct {
	who   Principal
	grant string
}

type accessKey struct{}

// knownMethod and knownPath keep what a client makes up out of the log.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodHead, http.MethodOptions:
		return m
	}
	return "other"
}

func knownPath(p string) string {
	switch {
	case p == PathMCP, p == PathHealth:
		return p
	case strings.HasPrefix(p, oauth.PathMetadata):
		return oauth.PathMetadata
	}
	return "other"
}

// grantOf is who speaks in a request, and by which grant.
type grantOf struct {
	who     Principal
	id      string // of our own token, which may be revoked; "" for others
	expires time.Time
}

// serveMCP serves the endpoint: who speaks, what they may take, whose session it is.
func (h *HTTP) serveMCP(w http.ResponseWriter, r *http.Request) {
	out := w.(*reply)
	switch r.Method {
	case http.MethodPost, http.MethodGet, http.MethodDelete:
	default:
		refuseMethod(w, "GET, POST, DELETE")
		return
	}
	g, ok := h.authenticate(w, r)
	if !ok {
		return
	}
	if seen, ok := r.Context().Value(accessKey{}).(*access); ok {
		seen.who, seen.grant = g.who, g.who.token
	}
	body, ok := h.readBody(w, r)
	if !ok {
		return
	}
	ask := readAsked(r, body)
	ctx, done, admission := h.callers.admit(r.Context(), g, ask.stream)
	if admission != admitted {
		w.Header().Set("Retry-After", "1")
		refuse(w, http.StatusTooManyRequests)
		return
	}
	defer done()
	ctx = withPrincipal(ctx, g.who)
	ids := boundIDs{all: h.sessions, who: g.who}
	end := h.endpoints[g.who.kind]
	switch {
	case ask.modern:
		// No sessions: whatever id it names is nobody's.
		r.Header.Del(server.HeaderKeySessionID)
	case ask.method == string(mcp.MethodInitialize):
		r.Header.Del(server.HeaderKeySessionID)
		begun, ended := h.sessions.begin(g.who)
		if ended != nil {
			h.forget(ended)
		}
		if begun == nil {
			w.Header().Set("Retry-After", "60")
			refuse(w, http.StatusTooManyRequests)
			return
		}
		ids.made = begun.id
		defer func() {
			if out.Header().Get(server.HeaderKeySessionID) != begun.id {
				h.sessions.end(begun.id) // it did not come about
				h.forget(begun)
			}
		}()
	default:
		id := r.Header.Get(server.HeaderKeySessionID)
		if id == "" {
			refuse(w, http.StatusBadRequest)
			return
		}
		session, leave, err := h.sessions.enter(id, g.who)
		if err != nil {
			refuse(w, http.StatusNotFound)
			return
		}
		defer leave()
		if r.Method != http.MethodDelete {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(session.over, cancel)()
		}
	}
	if takesStreams(r) {
		ctx = withOutlet(ctx, out)
	} else {
		ctx = withOutlet(ctx, noOutlet{})
	}
	ctx = context.WithValue(ctx, idsKey{}, server.SessionIdManager(ids))
	forward := r.WithContext(ctx)
	forward.Body = io.NopCloser(bytes.NewReader(body))
	forward.ContentLength = int64(len(body))
	end.http.ServeHTTP(out, forward)
}

// takesStreams reports whether a client takes an answer in several messages.
func takesStreams(r *http.Request) bool {
	accept := strings.Join(r.Header.Values("Accept"), ",")
	return strings.Contains(accept, "text/event-stream") || strings.Contains(accept, "*/*")
}

// noOutlet is the outlet of a client that takes the answer alone.
type noOutlet struct{}

func (noOutlet) tell([]byte) {}

// forget lets the library drop what it keeps of a session that has ended.
func (h *HTTP) forget(x *httpSession) {
	ctx := context.WithValue(context.Background(), idsKey{}, server.SessionIdManager(noIDs{}))
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, PathMCP, nil)
	if err != nil {
		return // the method and path are ours
	}
	r.Header.Set(server.HeaderKeySessionID, x.id)
	h.endpoints[x.who.kind].http.ServeHTTP(nowhere{http.Header{}}, r)
}

// nowhere takes an answer that nobody reads.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header       { return n.header }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}

type idsKey struct{}

// resolver hands the library the ids of the principal of a request.
type resolver struct{}

// ResolveSessionIdManager implements server.SessionIdManagerResolver.
//
//lint:ignore ST1003 the name is the library's
func (resolver) ResolveSessionIdManager(r *http.Request) server.SessionIdManager {
	if r == nil {
		return noIDs{}
	}
	if ids, ok := r.Context().Value(idsKey{}).(server.SessionIdManager); ok {
		return ids
	}
	return noIDs{}
}

// asked is what must be known of a request before the library sees it.
type asked struct {
	method string
	modern bool // of the stateless era
	stream bool // it stays open until somebody ends it
}

func readAsked(r *http.Request, body []byte) asked {
	if r.Method != http.MethodPost {
		return asked{modern: mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)), stream: r.Method == http.MethodGet}
	}
	var m struct {
		Method string `json:"method"`
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	var e envelope
	modern := json.Unmarshal(body, &m) == nil && mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion())
	_ = json.Unmarshal(body, &e) // what can't be read has no method; the library refuses it
	return asked{
		method: e.Method,
		modern: modern || mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)),
		stream: e.Method == methodListen,
	}
}

// readBody reads what a client sends, up to the limit.
func (h *HTTP) readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.limits.Body))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge)
		return nil, false
	case err != nil:
		refuse(w, http.StatusBadRequest)
		return nil, false
	}
	// The time for reading is over; a stream is open for longer.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // not every connection has one
	return body, true
}

// refuse answers with a status and its standard text.
func refuse(w http.ResponseWriter, status int) { http.Error(w, http.StatusText(status), status) }

func refuseMethod(w http.ResponseWriter, allowed string) {
	w.Header().Set("Allow", allowed)
	refuse(w, http.StatusMethodNotAllowed)
}

// errorLog is the log of net/http: its lines may hold what clients sent.
func errorLog(l *slog.Logger) *log.Logger { return log.New(libraryLog{l}, "", 0) }
