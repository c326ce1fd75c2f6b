package agent

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// A token's text is tokenPrefix, 256 random bits and a checksum, in lower-case
// base32. The prefix lets scanners of leaked secrets know it; the checksum tells a
// mistyped one from a revoked one without a look into the store.
const (
	tokenPrefix   = "epat_"
	tokenRandom   = 32 // bytes
	tokenChecksum = 4  // bytes
)

// ErrToken says that a token opens nothing: it is none of ours, mistyped, expired or
// revoked. Which of these is nobody's business but the owner's.
var ErrToken = errors.New("the token opens nothing")

var tokenText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// TokenRequest says what a new token is for.
type TokenRequest struct {
	Owner         bool     // it speaks for the owner; no To then
	To            []string // or it is bound to these people of the policy
	Purpose       string
	Cap           privacy.Tier // 0: none
	KeepWhitelist bool         // under a cap, whitelists count
	Expires       time.Time    // zero: never
}

// Token describes a token without its text.
type Token struct {
	ID            string       `json:"id"`
	Owner         bool         `json:"owner"`
	To            []string     `json:"to"`
	Purpose       string       `json:"purpose,omitempty"`
	Cap           privacy.Tier `json:"cap,omitempty"`
	KeepWhitelist bool         `json:"keep_whitelist,omitempty"`
	State         TokenState   `json:"state"`
	Unknown       []string     `json:"unknown,omitempty"` // of To: whom the policy no longer knows
	Created       time.Time    `json:"created"`
	Expires       *time.Time   `json:"expires"`   // null: never
	Used          *time.Time   `json:"last_used"` // to the hour; null: never
	Revoked       *time.Time   `json:"revoked,omitempty"`
}

// TokenState is whether a token still opens anything.
type TokenState string

// The states.
const (
	TokenActive  TokenState = "active"
	TokenExpired TokenState = "expired"
	TokenRevoked TokenState = "revoked"
)

// CreateToken makes a token and returns its text, which nobody can read again: the
// store keeps its hash. The people must be in the policy (ErrUnknownPerson).
func (a *Agent) CreateToken(ctx context.Context, req TokenRequest) (text string, token *Token, err error) {
	now := a.opts.Now()
	switch {
	case req.Owner == (len(req.To) > 0):
		return "", nil, fmt.Errorf("whom the token is for: %w; the owner or people, one of the two", ErrEmpty)
	case req.Cap != 0 && !req.Cap.Valid():
		return "", nil, fmt.Errorf("cap %d: want a tier from 1 to 4", req.Cap)
	case req.KeepWhitelist && req.Cap == 0:
		return "", nil, errors.New("without a cap whitelists count anyway")
	case !req.Expires.IsZero() && !req.Expires.After(now):
		return "", nil, fmt.Errorf("the token would expire at %s, which is past", req.Expires.Format(time.RFC3339))
	}
	var people []BoundPerson
	if !req.Owner {
		if people, err = a.Bind(ctx, req.To, true); err != nil {
			return "", nil, err
		}
	}
	secret := make([]byte, tokenRandom)
	if _, err := rand.Read(secret); err != nil {
		return "", nil, fmt.Errorf("make a token: %w", err)
	}
	text = writeToken(secret)
	stored := memory.Token{
		Hash: sha256.Sum256([]byte(text)), ID: tokenID(text), Owner: req.Owner, People: people, Purpose: strings.TrimSpace(req.Purpose),
		Cap: req.Cap, KeepWhitelist: req.KeepWhitelist, Created: now, Expires: req.Expires,
	}
	if err := a.store.AddToken(ctx, stored); err != nil {
		return "", nil, err
	}
	described := a.describe(ctx, stored)
	return text, &described, nil
}

// Tokens lists all tokens, those that no longer open anything too, oldest first.
func (a *Agent) Tokens(ctx context.Context) ([]Token, error) {
	stored, err := a.store.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Token, len(stored))
	for i, t := range stored {
		out[i] = a.describe(ctx, t)
	}
	return out, nil
}

// RevokeToken ends a token, named by its id or its text, for good.
// memory.ErrNotFound.
func (a *Agent) RevokeToken(ctx context.Context, id string) (*Token, error) {
	if strings.HasPrefix(id, tokenPrefix) {
		id = tokenID(id)
	}
	if err := a.store.RevokeToken(ctx, id, a.opts.Now()); err != nil {
		return nil, err
	}
	stored, err := a.store.Token(ctx, id)
	if err != nil {
		return nil, err
	}
	described := a.describe(ctx, stored)
	return &described, nil
}

func (a *Agent) describe(ctx context.Context, t memory.Token) Token {
	out := Token{
		ID: t.ID, Owner: t.Owner, To: nonNil(binding(t).Names()), Purpose: t.Purpose, Cap: t.Cap, KeepWhitelist: t.KeepWhitelist,
		State: tokenState(t, a.opts.Now()), Created: t.Created, Expires: present(t.Expires), Used: present(t.Used), Revoked: present(t.Revoked),
	}
	if policy, err := a.Policy(ctx); err == nil {
		for _, p := range t.People {
			if policy.Recipient(p.Name).ID() != p.ID {
				out.Unknown = append(out.Unknown, p.Name)
			}
		}
	}
	return out
}

func tokenState(t memory.Token, now time.Time) TokenState {
	switch {
	case !t.Revoked.IsZero():
		return TokenRevoked
	case !t.Expires.IsZero() && !now.Before(t.Expires):
		return TokenExpired
	}
	return TokenActive
}

// Grant is what a bearer token opens.
type Grant struct {
	ID      string // tells grants apart; holds nothing secret
	Binding Binding
	Expires time.Time // zero: never
}

// Authenticate returns what a token's text opens. Every error but one of the store
// itself is ErrToken.
func (a *Agent) Authenticate(ctx context.Context, text string) (Grant, error) {
	if !wellFormed(text) {
		return Grant{}, ErrToken
	}
	stored, err := a.store.Token(ctx, tokenID(text))
	if errors.Is(err, memory.ErrNotFound) {
		return Grant{}, ErrToken
	}
	if err != nil {
		return Grant{}, err
	}
	hash := sha256.Sum256([]byte(text))
	if subtle.ConstantTimeCompare(hash[:], stored.Hash[:]) != 1 || tokenState(stored, a.opts.Now()) != TokenActive {
		return Grant{}, ErrToken
	}
	if err := a.store.TokenUsed(ctx, stored, a.opts.Now()); err != nil {
		a.log.WarnContext(ctx, "the last use of a token could not be noted", "token", stored.ID)
	}
	return Grant{ID: stored.ID, Binding: binding(stored), Expires: stored.Expires}, nil
}

// TokenLives reports whether a token of an id still opens something. Whoever serves
// a long answer asks again from time to time.
func (a *Agent) TokenLives(ctx context.Context, id string) (bool, error) {
	stored, err := a.store.Token(ctx, id)
	if errors.Is(err, memory.ErrNotFound) {
		return false, nil
	}
	return err == nil && tokenState(stored, a.opts.Now()) == TokenActive, err
}

func binding(t memory.Token) Binding {
	return Binding{Owner: t.Owner, People: t.People, Purpose: t.Purpose, Cap: t.Cap, KeepWhitelist: t.KeepWhitelist}
}

func writeToken(secret []byte) string {
	return tokenPrefix + tokenText.EncodeToString(binary.BigEndian.AppendUint32(secret, crc32.ChecksumIEEE(secret)))
}

// wellFormed reports whether a text can be a token of ours at all.
func wellFormed(text string) bool {
	body, ok := strings.CutPrefix(text, tokenPrefix)
	if !ok || len(body) > 2*(tokenRandom+tokenChecksum) {
		return false
	}
	raw, err := tokenText.DecodeString(body)
	return err == nil && len(raw) == tokenRandom+tokenChecksum && writeToken(raw[:tokenRandom:tokenRandom]) == text
}

// tokenID names a token without giving it away: 50 bits of its hash.
func tokenID(text string) string {
	hash := sha256.Sum256([]byte("epagent token id\x00" + text))
	return tokenText.EncodeToString(hash[:])[:10]
}

func present(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
