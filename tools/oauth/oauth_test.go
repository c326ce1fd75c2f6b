package oauth_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/tools/oauth"
)

// server is an authorization server on loopback: metadata, keys, introspection.
type server struct {
	*httptest.Server
	mu      sync.Mutex
	keys    map[string]any // signing keys by id
	asked   map[string]int // by path
	down    bool
	answers func(token string) map[string]any
}

func start(t *testing.T) *server {
	t.Helper()
	s := &server{keys: map[string]any{}, asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked[r.URL.Path]++
		if s.down {
			http.Error(w, "down", http.StatusInternalServerError)
			return
		}
		var answer any
		switch r.URL.Path {
		case "/.well-known/oauth-authorization-server":
			answer = map[string]string{"issuer": s.URL, "jwks_uri": s.URL + "/keys"}
		case "/keys":
			var set jose.JSONWebKeySet
			for id, key := range s.keys {
				set.Keys = append(set.Keys, jose.JSONWebKey{Key: public(key), KeyID: id, Use: "sig"})
			}
			answer = set
		case "/introspect":
			if id, secret, _ := r.BasicAuth(); id != "epagent" || secret != "s%3Acret" {
				http.Error(w, "who?", http.StatusUnauthorized)
				return
			}
			answer = s.answers(r.PostFormValue("token"))
		default:
			http.NotFound(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(s.Close)
	return s
}

func public(key any) any {
	switch k := key.(type) {
	case *rsa.PrivateKey:
		return k.Public()
	case *ecdsa.PrivateKey:
		return k.Public()
	case ed25519.PrivateKey:
		return k.Public()
	}
	return key
}

func (s *server) addKey(t *testing.T, id string, alg jose.SignatureAlgorithm) {
	t.Helper()
	var key any
	var err error
	switch alg {
	case jose.RS256:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case jose.EdDSA:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys[id] = key
}

func (s *server) sign(t *testing.T, alg jose.SignatureAlgorithm, id string, claims map[string]any, typ string) string {
	t.Helper()
	return sign(t, alg, s.keys[id], id, claims, typ)
}

func sign(t *testing.T, alg jose.SignatureAlgorithm, key any, id string, claims map[string]any, typ string) string {
	t.Helper()
	opts := (&jose.SignerOptions{}).WithHeader("kid", id)
	if typ != "" {
		opts = opts.WithType(jose.ContentType(typ))
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, opts)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	object, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const resource = "https://memory.example/mcp"

var moment = time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)

func to(names ...string) agent.Binding {
	var b agent.Binding
	for _, n := range names {
		b.People = append(b.People, agent.BoundPerson{Name: n})
	}
	return b
}

func options(s *server, now *time.Time) oauth.Options {
	return oauth.Options{
		URL: resource, Issuer: s.URL, Scopes: []string{"memory"}, Now: func() time.Time { return *now },
		Subjects: []oauth.Subject{
			{Value: "u-raj", Binding: to("Raj Pillai")}, {Claim: "groups", Value: "team", Binding: to("Raj Pillai", "Karin")},
			{Claim: "email", Value: "ines@example.org", Binding: agent.Binding{Owner: true}},
		},
	}
}

func good(s *server, more map[string]any) map[string]any {
	c := map[string]any{"iss": s.URL, "aud": resource, "sub": "u-raj", "exp": moment.Add(time.Hour).Unix(), "iat": moment.Unix(), "scope": "other memory"}
	for k, v := range more {
		if v == nil {
			delete(c, k)
		} else {
			c[k] = v
		}
	}
	return c
}

func TestSignedTokens(t *testing.T) {
	s := start(t)
	s.addKey(t, "rsa", jose.RS256)
	s.addKey(t, "ec", jose.ES256)
	s.addKey(t, "ed", jose.EdDSA)
	now := moment
	r, err := oauth.New(options(s, &now))
	if err != nil {
		t.Fatal(err)
	}
	for alg, id := range map[jose.SignatureAlgorithm]string{jose.RS256: "rsa", jose.PS256: "rsa", jose.ES256: "ec", jose.EdDSA: "ed"} {
		for _, typ := range []string{"", "at+jwt", "application/at+jwt", "JWT"} {
			g, err := r.Verify(t.Context(), s.sign(t, alg, id, good(s, nil), typ))
			if err != nil || len(g.Binding.People) != 1 || g.Binding.People[0].Name != "Raj Pillai" || g.Binding.Owner || g.Expires.Before(moment.Add(time.Hour)) {
				t.Errorf("%s %q: %+v: %v", alg, typ, g, err)
			}
		}
	}
	for name, c := range map[string]struct {
		more map[string]any
		want error
	}{
		"another issuer":        {map[string]any{"iss": "https://evil.example"}, agent.ErrToken},
		"no issuer":             {map[string]any{"iss": nil}, agent.ErrToken},
		"two issuers":           {map[string]any{"iss": []string{s.URL, "x"}}, agent.ErrToken},
		"another audience":      {map[string]any{"aud": "https://other.example/mcp"}, agent.ErrToken},
		"an audience like ours": {map[string]any{"aud": resource + "/"}, agent.ErrToken},
		"no audience":           {map[string]any{"aud": nil}, agent.ErrToken},
		"expired":               {map[string]any{"exp": moment.Add(-time.Minute).Unix()}, agent.ErrToken},
		"no expiry":             {map[string]any{"exp": nil}, agent.ErrToken},
		"expiry as text":        {map[string]any{"exp": "never"}, agent.ErrToken},
		"expiry beyond time":    {map[string]any{"exp": 1e300}, agent.ErrToken},
		"not yet":               {map[string]any{"nbf": moment.Add(time.Minute).Unix()}, agent.ErrToken},
		"of the future":         {map[string]any{"iat": moment.Add(time.Hour).Unix()}, agent.ErrToken},
		"without the scope":     {map[string]any{"scope": "other"}, oauth.ErrNotMapped},
		"scope as a part":       {map[string]any{"scope": "memory2"}, oauth.ErrNotMapped},
		"somebody else":         {map[string]any{"sub": "u-zed"}, oauth.ErrNotMapped},
		"nobody":                {map[string]any{"sub": nil}, oauth.ErrNotMapped},
		"a subject as a number": {map[string]any{"sub": 7}, oauth.ErrNotMapped},
		"ours among audiences":  {map[string]any{"aud": []string{"x", resource}}, nil},
		"within the leeway":     {map[string]any{"exp": moment.Add(-10 * time.Second).Unix()}, nil},
		"scopes as a list":      {map[string]any{"scope": nil, "scp": []string{"memory"}}, nil},
	} {
		if _, err := r.Verify(t.Context(), s.sign(t, jose.ES256, "ec", good(s, c.more), "")); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	group, err := r.Verify(t.Context(), s.sign(t, jose.ES256, "ec", good(s, map[string]any{"sub": "u-zed", "groups": []string{"x", "team"}}), ""))
	if err != nil || len(group.Binding.People) != 2 {
		t.Errorf("a group: %+v: %v", group, err)
	}
	owner, err := r.Verify(t.Context(), s.sign(t, jose.ES256, "ec", good(s, map[string]any{"sub": "u-ines", "email": "ines@example.org"}), ""))
	if err != nil || !owner.Binding.Speaks() {
		t.Errorf("the owner, by a mapping that says so: %+v: %v", owner, err)
	}
}

// What is not signed by a key of the server, with a signature that counts, opens
// nothing.
func TestForgedTokens(t *testing.T) {
	s := start(t)
	s.addKey(t, "ec", jose.ES256)
	s.addKey(t, "rsa", jose.RS256)
	now := moment
	r, err := oauth.New(options(s, &now))
	if err != nil {
		t.Fatal(err)
	}
	right := s.sign(t, jose.ES256, "ec", good(s, nil), "")
	if _, err := r.Verify(t.Context(), right); err != nil {
		t.Fatal(err)
	}
	mine, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(right, ".")
	b64 := base64.RawURLEncoding.EncodeToString
	claims, _ := json.Marshal(good(s, nil))
	der, err := jose.JSONWebKey{Key: public(s.keys["rsa"]), KeyID: "rsa"}.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"another key":                sign(t, jose.ES256, mine, "ec", good(s, nil), ""),
		"another key, unnamed":       sign(t, jose.ES256, mine, "", good(s, nil), ""),
		"no signature":               b64([]byte(`{"alg":"none"}`)) + "." + b64(claims) + ".",
		"NONE":                       b64([]byte(`{"alg":"NONE","kid":"ec"}`)) + "." + b64(claims) + "." + parts[2],
		"the public key as a secret": sign(t, jose.HS256, der, "rsa", good(s, nil), ""),
		"claims exchanged":           parts[0] + "." + b64([]byte(strings.Replace(string(claims), "u-raj", "u-zed", 1))) + "." + parts[2],
		"signature cut":              right[:len(right)-4],
		"an ID token by its type":    s.sign(t, jose.ES256, "ec", good(s, nil), "id+jwt"),
		"a key that is not there":    sign(t, jose.ES256, s.keys["ec"], "nope", good(s, nil), ""),
		"another key's id":           sign(t, jose.ES256, s.keys["ec"], "rsa", good(s, nil), ""),
		"its own key":                embedded(t, mine, good(s, nil)),
		"two dots":                   "..", "empty": "", "a page": "<html>", "long": strings.Repeat("a", 20_000), "a blank": right + " ",
	} {
		if g, err := r.Verify(t.Context(), text); !errors.Is(err, agent.ErrToken) {
			t.Errorf("%s opens %+v: %v", name, g, err)
		}
	}
}

func embedded(t *testing.T, key *ecdsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, &jose.SignerOptions{EmbedJWK: true})
	if err != nil {
		t.Fatal(err)
	}
	payload, _ := json.Marshal(claims)
	object, err := signer.Sign(payload)
	if err != nil {
		t.Fatal(err)
	}
	text, err := object.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// New keys are found when a token names one, and not more often than is decent; keys
// that went count until they are read anew; and without the server nobody comes in.
func TestKeysRotate(t *testing.T) {
	s := start(t)
	s.addKey(t, "one", jose.ES256)
	now := moment
	o := options(s, &now)
	r, err := oauth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(id string) error {
		_, err := r.Verify(t.Context(), s.sign(t, jose.ES256, id, good(s, map[string]any{"exp": now.Add(time.Hour).Unix(), "iat": nil}), ""))
		return err
	}
	if err := verify("one"); err != nil {
		t.Fatal(err)
	}
	old := s.keys["one"]
	s.addKey(t, "two", jose.ES256)
	if err := verify("two"); !errors.Is(err, agent.ErrToken) {
		t.Errorf("a new key at once: %v", err)
	}
	now = now.Add(11 * time.Second)
	if err := verify("two"); err != nil {
		t.Errorf("a new key: %v", err)
	}
	s.mu.Lock()
	delete(s.keys, "one")
	read := s.asked["/keys"]
	s.mu.Unlock()
	now = now.Add(time.Minute)
	for i := range 50 { // made-up ids don't make us hammer the server
		_, _ = r.Verify(t.Context(), sign(t, jose.ES256, old, fmt.Sprint("made-up ", i), good(s, nil), ""))
	}
	if n := s.asked["/keys"] - read; n != 1 {
		t.Errorf("50 tokens with made-up keys read the keys %d times", n)
	}
	now = now.Add(11 * time.Minute)
	if err := verify("two"); err != nil {
		t.Error(err)
	}
	s.mu.Lock()
	s.keys["gone"], s.down = old, true
	s.mu.Unlock()
	now = now.Add(30 * time.Minute)
	if err := verify("two"); err != nil {
		t.Errorf("half an hour without the server: %v", err)
	}
	now = now.Add(time.Hour)
	if err := verify("two"); err == nil || errors.Is(err, agent.ErrToken) || strings.Contains(err.Error(), "eyJ") {
		t.Errorf("hours without the server: %v", err)
	}
}

func TestIntrospection(t *testing.T) {
	s := start(t)
	now := moment
	o := options(s, &now)
	o.Introspection = &oauth.Introspection{URL: s.URL + "/introspect", ClientID: "epagent", Secret: "s:cret"}
	answers := map[string]map[string]any{}
	s.answers = func(token string) map[string]any {
		if a, ok := answers[token]; ok {
			return a
		}
		return map[string]any{"active": false}
	}
	active := func(more map[string]any) map[string]any {
		c := good(s, more)
		c["active"] = true
		return c
	}
	answers["good"] = active(nil)
	answers["unsaid issuer"] = active(map[string]any{"iss": nil})
	answers["another issuer"] = active(map[string]any{"iss": "https://evil.example"})
	answers["no audience"] = active(map[string]any{"aud": nil})
	answers["expired"] = active(map[string]any{"exp": moment.Add(-time.Hour).Unix()})
	answers["inactive"] = maps.Clone(active(nil))
	answers["inactive"]["active"] = false
	answers["active as text"] = maps.Clone(active(nil))
	answers["active as text"]["active"] = "true"
	r, err := oauth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for token, ok := range map[string]bool{"good": true, "unsaid issuer": true, "another issuer": false, "no audience": false, "expired": false, "inactive": false, "active as text": false, "unknown": false} {
		token = strings.ReplaceAll(token, " ", "-")
		answers[token] = answers[strings.ReplaceAll(token, "-", " ")]
		if answers[token] == nil {
			answers[token] = map[string]any{"active": false}
		}
		if _, err := r.Verify(t.Context(), token); (err == nil) != ok || err != nil && !errors.Is(err, agent.ErrToken) {
			t.Errorf("%s: %v", token, err)
		}
	}
	asked := s.asked["/introspect"]
	for range 10 {
		if _, err := r.Verify(t.Context(), "good"); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.asked["/introspect"] - asked; n != 0 {
		t.Errorf("a token just asked about is asked about %d times", n)
	}
	answers["good"] = map[string]any{"active": false}
	now = now.Add(31 * time.Second)
	if _, err := r.Verify(t.Context(), "good"); !errors.Is(err, agent.ErrToken) {
		t.Errorf("a revoked token after half a minute: %v", err)
	}
	s.mu.Lock()
	s.down = true
	s.mu.Unlock()
	if _, err := r.Verify(t.Context(), "unsaid-issuer"); err == nil || errors.Is(err, agent.ErrToken) || strings.Contains(err.Error(), "unsaid") {
		t.Errorf("without the server: %v", err)
	}
}

func TestMetadata(t *testing.T) {
	s := start(t)
	now := moment
	r, err := oauth.New(options(s, &now))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.MetadataURL(); got != "https://memory.example/.well-known/oauth-protected-resource/mcp" {
		t.Errorf("metadata at %s", got)
	}
	w := httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	want := fmt.Sprintf(`{"resource":"%s","authorization_servers":["%s"],"scopes_supported":["memory"],"bearer_methods_supported":["header"],"resource_name":"epagent"}`, resource, s.URL)
	if w.Code != 200 || w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	r.ServeHTTP(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	s := start(t)
	now := moment
	for name, change := range map[string]func(*oauth.Options){
		"plain resource":         func(o *oauth.Options) { o.URL = "http://memory.example/mcp" },
		"resource with a query":  func(o *oauth.Options) { o.URL += "?a" },
		"no resource":            func(o *oauth.Options) { o.URL = "" },
		"plain issuer":           func(o *oauth.Options) { o.Issuer = "http://login.example" },
		"plain keys":             func(o *oauth.Options) { o.KeysURL = "http://login.example/keys" },
		"plain introspection":    func(o *oauth.Options) { o.Introspection = &oauth.Introspection{URL: "http://login.example/i"} },
		"nobody mapped":          func(o *oauth.Options) { o.Subjects = nil },
		"mapped to nobody":       func(o *oauth.Options) { o.Subjects[0].Binding = agent.Binding{} },
		"mapped without a value": func(o *oauth.Options) { o.Subjects[0].Value = "" },
	} {
		o := options(s, &now)
		change(&o)
		if _, err := oauth.New(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if len(s.asked) > 0 {
		t.Errorf("the server was asked before a token came: %v", s.asked)
	}
}

// Whatever text comes as a token: nothing falls, and nothing opens.
func FuzzVerify(f *testing.F) {
	for _, seed := range []string{"", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.AA", "{}", "\x00"} {
		f.Add(seed)
	}
	r, err := oauth.New(oauth.Options{URL: resource, Issuer: "http://127.0.0.1:1", KeysURL: "http://127.0.0.1:1/", Subjects: []oauth.Subject{{Value: "a", Binding: to("A")}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if g, err := r.Verify(t.Context(), text); err == nil {
			t.Errorf("%q opens %+v", text, g)
		}
	})
}
