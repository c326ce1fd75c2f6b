package oauth

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"github.com/epagent/epagent/agent"
)

// algorithms are the signatures that count: with a secret that both sides share,
// whoever can check a token could make one.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// signed checks tokens that are JWTs by the keys of their issuer.
type signed struct {
	o    Options
	keys *keys
}

func (s *signed) claims(ctx context.Context, text string) (claims, error) {
	token, err := jose.ParseSignedCompact(text, algorithms)
	if err != nil || len(token.Signatures) != 1 {
		return claims{}, agent.ErrToken
	}
	header := token.Signatures[0].Protected
	if !accessToken(header) {
		return claims{}, agent.ErrToken
	}
	candidates, err := s.keys.find(ctx, header.KeyID)
	if err != nil {
		return claims{}, err
	}
	for _, key := range candidates {
		if !fits(key, header.Algorithm) {
			continue
		}
		payload, err := token.Verify(key.Key)
		if err != nil {
			continue
		}
		var c claims
		if json.Unmarshal(payload, &c.all) != nil || !c.good(s.o, false) {
			return claims{}, agent.ErrToken
		}
		return c, nil
	}
	return claims{}, agent.ErrToken
}

// accessToken reports whether a header is that of an access token: one that says it
// is something else is not.
func accessToken(h jose.Header) bool {
	if _, critical := h.ExtraHeaders["crit"]; critical {
		return false
	}
	typ, there := h.ExtraHeaders[jose.HeaderType]
	if !there {
		return true
	}
	text, ok := typ.(string)
	text = strings.TrimPrefix(strings.ToLower(text), "application/")
	return ok && (text == "at+jwt" || text == "jwt")
}

// fits reports whether a key is for signatures, and for this algorithm.
func fits(key jose.JSONWebKey, algorithm string) bool {
	return (key.Use == "" || key.Use == "sig") && (key.Algorithm == "" || key.Algorithm == algorithm) &&
		key.IsPublic() && key.Valid() && slices.Contains(algorithms, jose.SignatureAlgorithm(algorithm))
}
