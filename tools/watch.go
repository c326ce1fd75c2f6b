package tools

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/epagent/epagent/agent"
)

// watchEvery is how often the home is looked at while a client is connected: also
// another process, or the owner's editor, changes it.
const watchEvery = time.Second

const (
	methodUpdated     = "notifications/resources/updated"
	methodListChanged = "notifications/resources/list_changed"
)

// watch tells clients what changed. The protocol library acknowledges subscriptions
// and records none, so that they are kept here: by session in the handshake era, by
// stream (subscriptions/listen) since.
type watch struct {
	server *Server
	every  time.Duration

	mu       sync.Mutex
	sessions map[string]*watched // handshake era
	streams  map[*stream]bool
	stop     context.CancelFunc // of the loop; nil: it doesn't run
}

// watched is what a session of the handshake era subscribed to.
type watched struct {
	uris map[string]bool
	// began: the session said initialize, so that it takes what it didn't ask for.
	began bool
	// listed: the library keeps the session, and can send to it.
	listed bool
}

// stream is a subscriptions/listen request that is being served.
type stream struct {
	session server.ClientSession
	id      any
	filter  mcp.SubscriptionFilter
}

// maxWatched bounds the subscriptions of one session.
const maxWatched = 200

func newWatch(s *Server, hooks *server.Hooks) *watch {
	w := &watch{server: s, every: watchEvery, sessions: map[string]*watched{}, streams: map[*stream]bool{}}
	hooks.AddOnRequestInitialization(s.refuseSubscription)
	hooks.AddBeforeReadResource(func(_ context.Context, _ any, message *mcp.ReadResourceRequest) {
		message.Params.URI = escapeURI(message.Params.URI)
	})
	hooks.AddOnRegisterSession(func(_ context.Context, session server.ClientSession) {
		w.update(session.SessionID(), func(x *watched) { x.listed = true })
	})
	hooks.AddOnUnregisterSession(func(_ context.Context, session server.ClientSession) { w.leave(session.SessionID()) })
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, _ *mcp.InitializeResult) {
		if session := server.ClientSessionFromContext(ctx); session != nil && session.SessionID() != "" {
			w.touch(session.SessionID(), func(x *watched) { x.began = true })
		}
	})
	hooks.AddAfterSubscribe(func(ctx context.Context, _ any, message *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		if session := server.ClientSessionFromContext(ctx); session != nil && session.SessionID() != "" && ours(message.Params.URI) {
			w.update(session.SessionID(), func(x *watched) {
				if len(x.uris) < maxWatched {
					x.uris[message.Params.URI] = true
				}
			})
		}
	})
	hooks.AddAfterUnsubscribe(func(ctx context.Context, _ any, message *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		if session := server.ClientSessionFromContext(ctx); session != nil {
			w.touch(session.SessionID(), func(x *watched) { delete(x.uris, message.Params.URI) })
		}
	})
	hooks.AddBeforeAny(func(ctx context.Context, id any, method mcp.MCPMethod, message any) {
		request, ok := message.(*mcp.SubscriptionsListenRequest)
		session := server.ClientSessionFromContext(ctx)
		if method != mcp.MethodSubscriptionsListen || !ok || id == nil || session == nil {
			return
		}
		x := &stream{session: session, id: id, filter: request.Params.Notifications}
		if len(x.filter.ResourceSubscriptions) > maxWatched {
			x.filter.ResourceSubscriptions = x.filter.ResourceSubscriptions[:maxWatched]
		}
		w.mu.Lock()
		w.streams[x] = true
		w.run()
		w.mu.Unlock()
		context.AfterFunc(ctx, func() {
			w.mu.Lock()
			delete(w.streams, x)
			w.rest()
			w.mu.Unlock()
		})
	})
	return w
}

// ours reports whether a URI names something that can change.
func ours(uri string) bool { return strings.HasPrefix(uri, "epagent://") && len(uri) <= 500 }

// maxSessions bounds the sessions that are remembered: those of HTTP may end without
// a word.
const maxSessions = 10_000

// update notes something of a session and sees that it is watched for.
func (w *watch) update(id string, change func(*watched)) {
	w.touch(id, change)
	w.mu.Lock()
	w.run()
	w.mu.Unlock()
}

func (w *watch) touch(id string, change func(*watched)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.sessions[id]
	if x == nil {
		if len(w.sessions) >= maxSessions {
			return
		}
		x = &watched{uris: map[string]bool{}}
		w.sessions[id] = x
	}
	change(x)
}

func (w *watch) leave(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x := w.sessions[id]; x != nil {
		// A stream of an HTTP session may close and another one open: what was
		// subscribed to stays until the session is forgotten.
		x.listed = false
		if len(x.uris) == 0 {
			delete(w.sessions, id)
		}
	}
	w.rest()
}

// run starts the loop. It needs the lock.
func (w *watch) run() {
	if w.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go w.loop(ctx)
}

// rest stops the loop where nobody listens. It needs the lock.
func (w *watch) rest() {
	if w.stop == nil || len(w.streams) > 0 {
		return
	}
	for _, x := range w.sessions {
		if x.listed {
			return
		}
	}
	w.stop()
	w.stop = nil
}

func (w *watch) loop(ctx context.Context) {
	tick := time.NewTicker(w.every)
	defer tick.Stop()
	// The first look costs nothing at the start of a session: it is a tick later.
	var last agent.State
	known := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := w.server.verbs.State(withPrincipal(ctx, Owner()))
		if err != nil {
			continue // the next look may succeed
		}
		if known && now != last {
			w.announce(last, now)
		}
		last, known = now, true
	}
}

// announce tells everybody what concerns them. Notifications name no content.
func (w *watch) announce(before, now agent.State) {
	policy, store, ledger := before.Policy != now.Policy, before.Revision != now.Revision, before.Ledger != now.Ledger
	changed := func(uri string) bool {
		switch {
		case uri == uriPolicy, uri == uriPeople, strings.HasPrefix(uri, uriGroup), strings.HasPrefix(uri, uriCategory):
			return policy
		case strings.HasPrefix(uri, uriLedger):
			return ledger
		case strings.HasPrefix(uri, uriSession):
			return store
		case strings.HasPrefix(uri, uriFact), strings.HasPrefix(uri, uriPerson):
			return store || policy || ledger
		}
		return false
	}
	w.mu.Lock()
	sessions := make(map[string]watched, len(w.sessions))
	for id, x := range w.sessions {
		sessions[id] = watched{uris: maps.Clone(x.uris), began: x.began, listed: x.listed}
	}
	streams := maps.Clone(w.streams)
	w.mu.Unlock()

	for id, x := range sessions {
		if !x.listed || id == stdioSession && !x.began {
			continue // its streams are below
		}
		if policy {
			_ = w.server.mcp.SendNotificationToSpecificClient(id, methodListChanged, nil)
		}
		for uri := range x.uris {
			if changed(uri) {
				// A client that takes none reads the resource anew when it needs it.
				_ = w.server.mcp.SendNotificationToSpecificClient(id, methodUpdated, map[string]any{"uri": uri})
			}
		}
	}
	for x := range streams {
		if policy && x.filter.ResourcesListChanged {
			x.send(methodListChanged, nil)
		}
		for _, uri := range x.filter.ResourceSubscriptions {
			if changed(uri) {
				x.send(methodUpdated, map[string]any{"uri": uri})
			}
		}
	}
}

// stdioSession is the id of the library's one stdio session.
const stdioSession = "stdio"

// send puts a notification on a stream, with the stream's name as the protocol wants
// it. A stream that is full misses it.
func (x *stream) send(method string, fields map[string]any) {
	n := mcp.JSONRPCNotification{
		JSONRPC: mcp.JSONRPC_VERSION,
		Notification: mcp.Notification{Method: method, Params: mcp.NotificationParams{
			Meta: map[string]any{mcp.MetaKeySubscriptionID: x.id}, AdditionalFields: fields,
		}},
	}
	if s, ok := x.session.(server.SessionWithStreamableHTTPConfig); ok {
		s.UpgradeToSSEWhenReceiveNotification()
	}
	select {
	case x.session.NotificationChannel() <- n:
	default:
	}
}
