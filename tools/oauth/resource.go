package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
)

// PathMetadata is where the metadata of a protected resource begin (RFC 9728,
// section 3).
const PathMetadata = "/.well-known/oauth-protected-resource"

// ErrNotMapped says that a token is good, and that its subject has no place here.
var ErrNotMapped = errors.New("the subject of the token is not mapped to anybody")

// Options configure a resource. URL, Issuer and Subjects are required.
type Options struct {
	URL      string   // identifier of the resource, as clients reach it: https://memory.example.org/mcp
	Issuer   string   // the authorization server
	Audience string   // what aud must name; default: URL
	Scopes   []string // all of which a token must have
	// KeysURL is where the keys of the authorization server are. Default: as its
	// metadata say (RFC 8414, OpenID Connect Discovery).
	KeysURL string
	// Introspection, if set, is asked about each token, in place of the keys.
	Introspection *Introspection
	Subjects      []Subject
	Client        *http.Client     // default: one that follows no redirect, 10 s
	Now           func() time.Time // default: time.Now
}

// Introspection is the endpoint of RFC 7662, with what this server signs in by.
type Introspection struct {
	URL      string
	ClientID string
	Secret   string
}

// Subject maps bearers to a principal: those whose claim is, or has among its
// members, the value.
type Subject struct {
	Claim   string // default: sub
	Value   string
	Binding agent.Binding
}

// Resource is a protected resource.
type Resource struct {
	o        Options
	metadata []byte
	location string // of the metadata
	paths    []string
	check    checker
}

// checker returns the claims of a token that is good at the moment, or
// agent.ErrToken; any other error is one of the authorization server.
type checker interface {
	claims(ctx context.Context, text string) (claims, error)
}

// maxToken bounds an access token, in bytes.
const maxToken = 16 << 10

// New makes a resource. It asks the authorization server nothing yet.
func New(o Options) (*Resource, error) {
	u, err := secure(o.URL)
	if err != nil {
		return nil, fmt.Errorf("resource %q: %w", o.URL, err)
	}
	if u.Fragment != "" || u.RawQuery != "" {
		return nil, fmt.Errorf("resource %q: an identifier has no query and no fragment", o.URL)
	}
	if _, err := secure(o.Issuer); err != nil {
		return nil, fmt.Errorf("issuer %q: %w", o.Issuer, err)
	}
	if len(o.Subjects) == 0 {
		return nil, errors.New("no subject is mapped, so nobody could come in")
	}
	if o.Audience == "" {
		o.Audience = o.URL
	}
	o.Subjects = slices.Clone(o.Subjects)
	for i := range o.Subjects {
		s := &o.Subjects[i]
		if s.Claim == "" {
			s.Claim = "sub"
		}
		if s.Value == "" || !s.Binding.Speaks() && !s.Binding.Listens() {
			return nil, fmt.Errorf("subject %d: a value and whom it stands for are needed", i+1)
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Client == nil {
		o.Client = &http.Client{
			Timeout:       10 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	r := &Resource{o: o}
	if r.check, err = newChecker(o); err != nil {
		return nil, err
	}
	return r, r.describe(u)
}

func newChecker(o Options) (checker, error) {
	if o.Introspection != nil {
		if _, err := secure(o.Introspection.URL); err != nil {
			return nil, fmt.Errorf("introspection endpoint %q: %w", o.Introspection.URL, err)
		}
		return newIntrospector(o), nil
	}
	if o.KeysURL != "" {
		if _, err := secure(o.KeysURL); err != nil {
			return nil, fmt.Errorf("address of the keys %q: %w", o.KeysURL, err)
		}
	}
	return &signed{o: o, keys: newKeys(o)}, nil
}

// secure parses an address that secrets may go to: https, or this very machine.
func secure(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, errors.New("want an absolute https address")
	}
	host := u.Hostname()
	ip, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && ip.IsLoopback()
	if u.Scheme == "https" || u.Scheme == "http" && loopback {
		return u, nil
	}
	return nil, errors.New("want https; http is for this machine alone")
}

// describe makes the metadata and where they are.
func (r *Resource) describe(u *url.URL) error {
	var err error
	r.metadata, err = json.Marshal(struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported,omitempty"`
		Methods  []string `json:"bearer_methods_supported"`
		Name     string   `json:"resource_name"`
	}{r.o.URL, []string{r.o.Issuer}, r.o.Scopes, []string{"header"}, "epagent"})
	if err != nil {
		return err
	}
	well := path.Join(PathMetadata, strings.Trim(u.EscapedPath(), "/"))
	r.location = u.Scheme + "://" + u.Host + well
	r.paths = []string{PathMetadata}
	if well != PathMetadata {
		r.paths = append(r.paths, well)
	}
	return nil
}

// Host is the name, without a port, that clients reach the resource by.
func (r *Resource) Host() string {
	u, err := url.Parse(r.o.URL)
	if err != nil {
		return "" // New has parsed it
	}
	return u.Hostname()
}

// Scopes are those that a token needs.
func (r *Resource) Scopes() []string { return slices.Clone(r.o.Scopes) }

// MetadataURL is where the metadata are.
func (r *Resource) MetadataURL() string { return r.location }

// Paths are where ServeHTTP is to be found.
func (r *Resource) Paths() []string { return slices.Clone(r.paths) }

// ServeHTTP serves the metadata, to pages of any origin.
func (r *Resource) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	switch req.Method {
	case http.MethodGet, http.MethodHead:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(r.metadata) // a client that is gone reads nothing
	case http.MethodOptions:
		w.Header().Set("Access-Control-Allow-Methods", "GET")
		w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Mcp-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	}
}

// Verify returns what an access token opens: agent.ErrToken for one that is not good
// for this resource, ErrNotMapped for a good one of somebody who has no place here.
// Any other error is one of the authorization server, and nothing is opened.
func (r *Resource) Verify(ctx context.Context, text string) (agent.Grant, error) {
	if text == "" || len(text) > maxToken || strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return agent.Grant{}, agent.ErrToken
	}
	c, err := r.check.claims(ctx, text)
	if err != nil {
		return agent.Grant{}, err
	}
	for _, scope := range r.o.Scopes {
		if !slices.Contains(c.scopes(), scope) {
			return agent.Grant{}, ErrNotMapped
		}
	}
	for _, s := range r.o.Subjects {
		if slices.Contains(c.values(s.Claim), s.Value) {
			return agent.Grant{ID: c.name(r.o.Issuer, s), Binding: s.Binding, Expires: c.expires}, nil
		}
	}
	return agent.Grant{}, ErrNotMapped
}

// addrError makes an error of reaching the authorization server that names its host
// and nothing of what was sent.
func addrError(what, address string, err error) error {
	host := "the authorization server"
	if u, parse := url.Parse(address); parse == nil {
		host = u.Host
	}
	var wrong *url.Error
	if errors.As(err, &wrong) {
		err = wrong.Err // without the address, which may hold more
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return fmt.Errorf("%s of %s: no answer in time", what, host)
	}
	return fmt.Errorf("%s of %s: %w", what, host, err)
}
