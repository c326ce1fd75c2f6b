package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/epagent/epagent/agent"
)

// Principal is who speaks over a connection: the owner, or those whom the
// connection tells things. The zero value is nobody, for whom no server is made.
// Only how a connection comes about (a flag of the process, a token) chooses one;
// no argument of a tool does.
type Principal struct {
	kind    principalKind
	binding agent.Binding // of a recipient
	token   string        // id of the token that it came with, "" without one
}

type principalKind uint8

const (
	nobody principalKind = iota
	owner
	recipient
)

// Owner is the person whose memory it is: every tool is theirs.
func Owner() Principal { return Principal{kind: owner} }

// Bound is the principal of a connection that its owner bound: to themself, to a
// recipient, or to all the readers of a group. A binding to nobody, or to two kinds
// at once, is nobody.
func Bound(b agent.Binding) Principal {
	switch {
	case b.Speaks():
		return Owner()
	case b.Listens():
		return Principal{kind: recipient, binding: b}
	}
	return Principal{}
}

// IsOwner reports whether the owner speaks, with everything that they may do.
func (p Principal) IsOwner() bool { return p.kind == owner }

// IsRecipient reports whether somebody speaks who is told things.
func (p Principal) IsRecipient() bool { return p.kind == recipient }

// String returns "owner", "recipient" or "nobody"; it is fit for a log.
func (p Principal) String() string {
	switch p.kind {
	case owner:
		return "owner"
	case recipient:
		return "recipient"
	}
	return "nobody"
}

// key tells principals apart: what was begun under one key is not to be gone on
// with under another. Two tokens of one person are two principals.
func (p Principal) key() string {
	if p.token != "" {
		return p.String() + ":" + p.token
	}
	return fmt.Sprintf("%s:%q:%d:%t", p, p.binding.People, p.binding.Cap, p.binding.KeepWhitelist)
}

type principalKey struct{}

// withPrincipal says who speaks in a request.
func withPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

var errNoSpeaker = errors.New("nobody speaks in this request")

// speaker returns who speaks in a call: the principal of the request where the
// server serves several, else that of the server. Their kind is always the
// server's: one kind's tools never run for the other.
func (s *Server) speaker(ctx context.Context) (Principal, error) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	if !ok {
		p = s.principal
	}
	if p.kind != s.principal.kind || p.kind == recipient && !p.binding.Listens() {
		return Principal{}, errNoSpeaker
	}
	return p, nil
}
