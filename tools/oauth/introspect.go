package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/epagent/epagent/agent"
)

const (
	introspected = 30 * time.Second // how long an answer counts
	rememberMost = 4096             // answers kept
)

// introspector asks the authorization server about each token (RFC 7662), and
// remembers for a short while what it says of good ones.
type introspector struct {
	o Options

	mu    sync.Mutex
	known map[[32]byte]remembered // by hash of the token
}

type remembered struct {
	claims claims
	until  time.Time
}

func newIntrospector(o Options) *introspector {
	return &introspector{o: o, known: map[[32]byte]remembered{}}
}

func (i *introspector) claims(ctx context.Context, text string) (claims, error) {
	hash := sha256.Sum256([]byte(text))
	now := i.o.Now()
	i.mu.Lock()
	found, ok := i.known[hash]
	i.mu.Unlock()
	if ok && now.Before(found.until) {
		return found.claims, nil
	}
	c, err := i.ask(ctx, text)
	if err != nil {
		return claims{}, err
	}
	until := now.Add(introspected)
	if c.expires.Before(until) {
		until = c.expires
	}
	// It may be revoked before it expires: what is open ends, and asks again.
	if most := now.Add(time.Hour); most.Before(c.expires) {
		c.expires = most
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.known) >= rememberMost {
		clear(i.known)
	}
	i.known[hash] = remembered{c, until}
	return c, nil
}

func (i *introspector) ask(ctx context.Context, text string) (claims, error) {
	at := i.o.Introspection
	form := url.Values{"token": {text}, "token_type_hint": {"access_token"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at.URL, strings.NewReader(form.Encode()))
	if err != nil {
		return claims{}, addrError("introspection", at.URL, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	if at.ClientID != "" {
		// RFC 6749, section 2.3.1: both are form-encoded first.
		req.SetBasicAuth(url.QueryEscape(at.ClientID), url.QueryEscape(at.Secret))
	}
	var c claims
	if err := doJSON(i.o.Client, "introspection", req, &c.all); err != nil {
		return claims{}, err
	}
	var active bool
	if json.Unmarshal(c.all["active"], &active) != nil || !active || !c.good(i.o, true) {
		return claims{}, agent.ErrToken
	}
	return c, nil
}
