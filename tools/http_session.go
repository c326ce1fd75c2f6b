package tools

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

// sessions are the sessions of the handshake versions of the protocol, each bound
// to the principal that began it. The library would take any id, and hand a session
// to whoever knows its id.
type sessions struct {
	most    int // of one principal
	mostAll int // of all together

	mu   sync.Mutex
	byID map[string]*httpSession
	of   map[string]int // how many a principal has
}

type httpSession struct {
	id   string
	who  Principal
	over context.Context // done when the session ends
	stop context.CancelFunc
	used time.Time
	open int // requests in flight
}

// errNoSession says that an id is none of the principal's: it never was, it has
// ended, or it is somebody else's.
var errNoSession = errors.New("no such session")

func newSessions(most, mostAll int) *sessions {
	return &sessions{most: most, mostAll: mostAll, byID: map[string]*httpSession{}, of: map[string]int{}}
}

// begin makes a session of the principal. Where the principal has as many as it may
// have, the one that has been idle for longest makes room, and is returned as ended.
// A nil session: there is none that could make room, or there are too many of all
// principals together.
func (s *sessions) begin(who Principal) (begun, ended *httpSession) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return nil, nil
	}
	key := who.key()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[key] >= s.most {
		for _, x := range s.byID {
			if x.who.key() == key && x.open == 0 && (ended == nil || x.used.Before(ended.used)) {
				ended = x
			}
		}
		if ended == nil {
			return nil, nil
		}
		s.drop(ended)
	}
	if len(s.byID) >= s.mostAll {
		return nil, ended
	}
	begun = &httpSession{id: base64.RawURLEncoding.EncodeToString(raw), who: who, used: time.Now()}
	begun.over, begun.stop = context.WithCancel(context.Background())
	s.byID[begun.id] = begun
	s.of[key]++
	return begun, ended
}

// enter finds a session of the principal for one request, which leave ends.
func (s *sessions) enter(id string, who Principal) (x *httpSession, leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.byID[id]
	if !ok || x.who.key() != who.key() {
		return nil, nil, errNoSession
	}
	x.open++
	x.used = time.Now()
	return x, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		x.open--
		x.used = time.Now()
	}, nil
}

// has reports whether an id is a session of the principal.
func (s *sessions) has(id string, who Principal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	x, ok := s.byID[id]
	return ok && x.who.key() == who.key()
}

// end ends a session and what it has open.
func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.byID[id]; ok {
		s.drop(x)
	}
}

func (s *sessions) drop(x *httpSession) {
	x.stop()
	delete(s.byID, x.id)
	key := x.who.key()
	if s.of[key]--; s.of[key] == 0 {
		delete(s.of, key)
	}
}

// where returns the sessions of which f holds. f is called under the lock.
func (s *sessions) where(f func(*httpSession) bool) []*httpSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*httpSession
	for _, x := range s.byID {
		if f(x) {
			out = append(out, x)
		}
	}
	return out
}

// idle returns the sessions that nobody has used since a moment.
func (s *sessions) idle(since time.Time) []*httpSession {
	return s.where(func(x *httpSession) bool { return x.open == 0 && x.used.Before(since) })
}

// boundIDs is the library's view of the sessions in one request: an id counts only
// for the principal who speaks. made is the id of the session that was begun for
// an initialize request, before the library asks for one.
type boundIDs struct {
	all  *sessions
	who  Principal
	made string
}

func (b boundIDs) Generate() string { return b.made }

func (b boundIDs) Validate(id string) (ended bool, err error) {
	if !b.all.has(id, b.who) {
		return false, errNoSession
	}
	return false, nil
}

func (b boundIDs) Terminate(id string) (notAllowed bool, err error) {
	if b.all.has(id, b.who) {
		b.all.end(id)
	}
	return false, nil
}

// noIDs is the library's view where no client asks: the server has ended the
// session already, or is ending.
type noIDs struct{}

func (noIDs) Generate() string                            { return "" }
func (noIDs) Validate(string) (ended bool, err error)     { return false, errNoSession }
func (noIDs) Terminate(string) (notAllowed bool, _ error) { return false, nil }
