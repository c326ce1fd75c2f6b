package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Binding is whom a connection is bound to, as its owner fixed it: by a flag of the
// process or by a token. No message changes it. The zero value is bound to nobody.
type Binding struct {
	// Owner: the connection is the owner's. Under a Cap it is a listener who
	// stands at that tier in every domain (CALCULUS, Caps).
	Owner bool
	// People are the readers of everything that is told over the connection. A
	// group chat is all of them.
	People []BoundPerson
	// Purpose is the owner's note of what the connection is for.
	Purpose string
	// Cap treats its readers as no closer than this tier; 0 is no cap. Whitelists
	// then count only with KeepWhitelist.
	Cap           privacy.Tier
	KeepWhitelist bool
}

// BoundPerson is one reader of a bound connection. Its ID is "" for a name that the
// policy didn't know when the connection was bound: what is told is what a
// stranger is told, also if somebody of that name is taken in later.
type BoundPerson = memory.TokenPerson

// Speaks reports whether the binding is the owner's own, with everything that the
// owner may do.
func (b Binding) Speaks() bool { return b.Owner && b.Cap == 0 && len(b.People) == 0 }

// Listens reports whether the binding is that of somebody who is told things.
func (b Binding) Listens() bool { return b.Owner == (len(b.People) == 0) && !b.Speaks() }

// Names are what the channel calls the readers.
func (b Binding) Names() []string {
	var names []string
	for _, p := range b.People {
		names = append(names, p.Name)
	}
	return names
}

// Bind turns names that the owner typed into people to bind a connection to. A name
// that can be mistaken for somebody's is an error that names the candidate. Where
// the policy must know the people, one that it doesn't know is ErrUnknownPerson.
func (a *Agent) Bind(ctx context.Context, names []string, mustKnow bool) ([]BoundPerson, error) {
	policy, err := a.Policy(ctx)
	if err != nil {
		return nil, err
	}
	var out []BoundPerson
	seen := map[string]bool{}
	for _, name := range names {
		r, err := policy.Lookup(name)
		if err != nil {
			return nil, err
		}
		person := BoundPerson{Name: strings.TrimSpace(name)}
		if r.Known() {
			person = BoundPerson{ID: r.ID(), Name: r.Name()}
		} else if mustKnow {
			return nil, (&world{policy: policy}).stranger(name)
		}
		if key := privacy.NormalizeName(person.Name); !seen[key] {
			seen[key] = true
			out = append(out, person)
		}
	}
	return out, nil
}

// Bound returns the readers of a bound connection under the policy in force, or while
// it is missing or broken under the newest that was: nothing is told to them then. A
// person who has been removed since, or whose name has become somebody else's, is
// unknown. A binding that nobody listens by is ErrEmpty.
func (a *Agent) Bound(ctx context.Context, b Binding) ([]Reader, error) {
	policy, err := a.listenersPolicy(ctx)
	if err != nil {
		return nil, err
	}
	if !b.Listens() {
		return nil, fmt.Errorf("readers: %w; nothing may be told to nobody", ErrEmpty)
	}
	if b.Owner {
		return []Reader{{Recipient: privacy.OwnerPrincipal().Cap(b.Cap, b.KeepWhitelist), Name: policy.Owner().Name}}, nil
	}
	out := make([]Reader, len(b.People))
	for i, p := range b.People {
		var r privacy.Recipient
		if found := policy.Recipient(p.Name); p.ID != "" && found.ID() == p.ID {
			r = found
			p.Name = found.Name()
		}
		if b.Cap != 0 {
			r = r.Cap(b.Cap, b.KeepWhitelist)
		}
		out[i] = Reader{Recipient: r, Name: p.Name}
	}
	return out, nil
}
