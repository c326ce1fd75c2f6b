package oauth

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// leeway is how far two clocks may be apart.
const leeway = 30 * time.Second

// claims are what a token says, after it was checked.
type claims struct {
	all     map[string]json.RawMessage
	expires time.Time
}

// values are the texts of a claim: a string, or the strings of a list.
func (c claims) values(name string) []string {
	var one string
	if json.Unmarshal(c.all[name], &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(c.all[name], &many) == nil {
		return many
	}
	return nil
}

// scopes are those of the claim scope (RFC 9068), or of scp, as some servers have it.
func (c claims) scopes() []string {
	var out []string
	for _, name := range []string{"scope", "scp"} {
		for _, text := range c.values(name) {
			out = append(out, strings.Fields(text)...)
		}
	}
	return out
}

// moment is a claim that is a time; ok is false where it isn't one.
func (c claims) moment(name string) (t time.Time, there, ok bool) {
	raw, there := c.all[name]
	if !there || string(raw) == "null" {
		return time.Time{}, false, true
	}
	var seconds float64
	if json.Unmarshal(raw, &seconds) != nil || seconds < 0 || seconds > 1<<40 {
		return time.Time{}, true, false
	}
	return time.Unix(int64(seconds), 0), true, true
}

// good reports whether the claims are those of a token of the issuer, for this
// audience, at this moment. Where the token came from the issuer itself
// (introspection), it need not repeat who that is.
func (c *claims) good(o Options, issuerKnown bool) bool {
	now := o.Now()
	issuer := c.values("iss")
	switch {
	case len(issuer) == 0 && issuerKnown:
	case len(issuer) != 1 || issuer[0] != o.Issuer:
		return false
	}
	if !slices.Contains(c.values("aud"), o.Audience) {
		return false
	}
	exp, there, ok := c.moment("exp")
	if !there || !ok || !now.Before(exp.Add(leeway)) {
		return false
	}
	for _, name := range []string{"nbf", "iat"} {
		if t, there, ok := c.moment(name); !ok || there && now.Add(leeway).Before(t) {
			return false
		}
	}
	c.expires = exp.Add(leeway)
	return true
}

// name tells the bearers of a mapping apart without saying who they are: a subject
// keeps its sessions when its token is renewed.
func (c claims) name(issuer string, s Subject) string {
	h := sha256.New()
	for _, part := range append([]string{issuer, s.Claim, s.Value}, c.values("sub")...) {
		h.Write([]byte(part + "\x00"))
	}
	return "oauth-" + hex.EncodeToString(h.Sum(nil)[:8])
}
