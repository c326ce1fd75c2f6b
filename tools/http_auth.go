package tools

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools/oauth"
)

// authenticate finds who speaks by the bearer token of a request. Whatever is wrong
// with a token, the answer is the same.
func (h *HTTP) authenticate(w http.ResponseWriter, r *http.Request) (grantOf, bool) {
	text, given := bearer(r)
	g, err := h.granted(r.Context(), text)
	switch {
	case err == nil:
		return g, true
	case errors.Is(err, oauth.ErrNotMapped):
		h.challenge(w, "insufficient_scope")
		refuse(w, http.StatusForbidden)
	case errors.Is(err, agent.ErrToken):
		fault := ""
		if given {
			fault = "invalid_token"
		}
		h.challenge(w, fault)
		refuse(w, http.StatusUnauthorized)
	default:
		logInternal(r.Context(), h.log, err)
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable)
	}
	return grantOf{}, false
}

// bearer returns the token of a request. Two are none; so is one in the address,
// where logs would keep it.
func bearer(r *http.Request) (text string, given bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", len(values) > 0
	}
	scheme, text, ok := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", true
	}
	return strings.TrimSpace(text), true
}

// granted tries our own tokens, then those of the authorization server.
func (h *HTTP) granted(ctx context.Context, text string) (grantOf, error) {
	if text == "" {
		return grantOf{}, agent.ErrToken
	}
	if h.o.Tokens != nil {
		g, err := h.o.Tokens.Authenticate(ctx, text)
		if err == nil {
			return speaks(g, g.ID)
		}
		if !errors.Is(err, agent.ErrToken) || h.o.OAuth == nil {
			return grantOf{}, err
		}
	}
	g, err := h.o.OAuth.Verify(ctx, text)
	if err != nil {
		return grantOf{}, err
	}
	return speaks(g, "")
}

func speaks(g agent.Grant, id string) (grantOf, error) {
	who := Bound(g.Binding)
	if who.kind == nobody {
		return grantOf{}, agent.ErrToken
	}
	who.token = g.ID
	return grantOf{who: who, id: id, expires: g.Expires}, nil
}

// challenge says how to get in (RFC 6750, section 3; RFC 9728, section 5.1).
func (h *HTTP) challenge(w http.ResponseWriter, fault string) {
	parts := []string{`realm="epagent"`}
	if fault != "" {
		parts = append(parts, `error="`+fault+`"`)
	}
	if h.o.OAuth != nil {
		parts = append(parts, `resource_metadata="`+h.o.OAuth.MetadataURL()+`"`)
		if scopes := strings.Join(h.o.OAuth.Scopes(), " "); scopes != "" {
			parts = append(parts, `scope="`+scopes+`"`)
		}
	}
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(parts, ", "))
}

// watch ends what is open by tokens that have come to their end, and sessions that
// nobody uses, until ctx is done.
func (h *HTTP) watch(ctx context.Context) {
	tick := time.NewTicker(h.limits.Watch)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.look(ctx)
		}
	}
}

func (h *HTTP) look(ctx context.Context) {
	for _, x := range h.callers.present(time.Now()) {
		if x.id == "" || h.o.Tokens == nil {
			continue
		}
		lives, err := h.o.Tokens.TokenLives(ctx, x.id)
		if err != nil || lives {
			continue // a store that can't be read lets nobody in anew
		}
		h.callers.endOf(x.who.key())
		for _, s := range h.sessions.where(func(s *httpSession) bool { return s.who.key() == x.who.key() }) {
			h.sessions.end(s.id)
			h.forget(s)
		}
	}
	for _, s := range h.sessions.idle(time.Now().Add(-h.limits.Idle)) {
		h.sessions.end(s.id)
		h.forget(s)
	}
}
