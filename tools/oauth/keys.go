package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	keysFresh = 10 * time.Minute // after this they are read again
	keysStale = time.Hour        // up to this they count while they can't be
	keysAgain = 10 * time.Second // how soon after one reading comes the next
	keysBytes = 1 << 20
)

// keys are those of the authorization server. They are read when the first token
// comes, again from time to time, and, not too often, when a token names a key that
// isn't there: servers change their keys without a word.
type keys struct {
	o Options

	mu      sync.Mutex
	set     jose.JSONWebKeySet
	read    time.Time // when they were read; zero: never
	tried   time.Time // when reading was last tried
	failure error     // of the last try
}

func newKeys(o Options) *keys { return &keys{o: o} }

// find returns the keys of an id, or all where a token names none.
func (k *keys) find(ctx context.Context, id string) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.o.Now()
	old := now.Sub(k.read) > keysFresh
	missing := id != "" && len(k.set.Key(id)) == 0
	if (old || missing) && now.Sub(k.tried) >= keysAgain {
		// One at a time: the others wait for what it brings. The first asker may
		// go away meanwhile.
		k.tried = now
		set, err := k.fetch(context.WithoutCancel(ctx))
		if k.failure = err; err == nil {
			k.set, k.read = set, now
		}
	}
	if k.read.IsZero() || now.Sub(k.read) > keysStale {
		return nil, errors.Join(errors.New("the keys of the authorization server can't be read"), k.failure)
	}
	if id != "" {
		return k.set.Key(id), nil
	}
	return k.set.Keys, nil
}

func (k *keys) fetch(ctx context.Context) (jose.JSONWebKeySet, error) {
	var set jose.JSONWebKeySet
	address := k.o.KeysURL
	if address == "" {
		var err error
		if address, err = k.discover(ctx); err != nil {
			return set, err
		}
	}
	var raw struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := getJSON(ctx, k.o.Client, "keys", address, &raw); err != nil {
		return set, err
	}
	for _, one := range raw.Keys {
		// A kind of key that we don't know is no reason to do without the others.
		var key jose.JSONWebKey
		if json.Unmarshal(one, &key) == nil && key.IsPublic() && key.Valid() {
			set.Keys = append(set.Keys, key)
		}
	}
	if len(set.Keys) == 0 {
		return set, fmt.Errorf("keys of %s: none that can be used", k.o.Issuer)
	}
	return set, nil
}

// discover finds the address of the keys in the metadata of the authorization
// server, which must be those of the issuer.
func (k *keys) discover(ctx context.Context) (string, error) {
	issuer, err := url.Parse(k.o.Issuer)
	if err != nil {
		return "", err
	}
	base, way := issuer.Scheme+"://"+issuer.Host, strings.Trim(issuer.EscapedPath(), "/")
	places := []string{
		strings.TrimSuffix(base+"/.well-known/oauth-authorization-server/"+way, "/"),
		strings.TrimSuffix(base+"/"+way, "/") + "/.well-known/openid-configuration",
	}
	var faults []error
	for _, place := range places {
		var found struct {
			Issuer string `json:"issuer"`
			Keys   string `json:"jwks_uri"`
		}
		err := getJSON(ctx, k.o.Client, "metadata", place, &found)
		switch {
		case err != nil:
		case found.Issuer != k.o.Issuer:
			err = fmt.Errorf("metadata of %s: they are of another issuer", issuer.Host)
		default:
			if _, err = secure(found.Keys); err == nil {
				return found.Keys, nil
			}
			err = fmt.Errorf("address of the keys of %s: %w", issuer.Host, err)
		}
		faults = append(faults, err)
	}
	return "", errors.Join(faults...)
}

func getJSON(ctx context.Context, client *http.Client, what, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return addrError(what, address, err)
	}
	req.Header.Set("Accept", "application/json")
	return doJSON(client, what, req, into)
}

// doJSON sends a request and reads a bounded JSON answer of status 200.
func doJSON(client *http.Client, what string, req *http.Request, into any) error {
	address := req.URL.String()
	res, err := client.Do(req)
	if err != nil {
		return addrError(what, address, err)
	}
	defer res.Body.Close() //nolint:errcheck // it was only read
	if res.StatusCode != http.StatusOK {
		return addrError(what, address, fmt.Errorf("status %d", res.StatusCode))
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, keysBytes+1))
	if err != nil || len(body) > keysBytes || json.Unmarshal(body, into) != nil {
		return addrError(what, address, errors.New("the answer can't be read"))
	}
	return nil
}
