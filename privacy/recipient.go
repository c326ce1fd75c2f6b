package privacy

import (
	"fmt"
	"slices"
	"strings"
)

// Recipient is who asks. Its zero value is a person whom nobody knows, and so is
// the recipient that any name gives which is not in the policy: to a listener an
// unknown, a removed and a confusable name look the same.
//
// A Recipient belongs to the policy that made it. A [Judge] of another policy
// takes its person for the same one only where both the id and the name lead to
// one person there; otherwise the recipient is unknown to it.
//
// Recipients are values: comparable, and safe for concurrent use.
type Recipient struct {
	policy *Policy
	number int32 // number of the person in policy, from 1; 0 unknown
	owner  bool
	cap    Tier // 0: no cap
	keep   bool // under a cap, whitelists count
}

// OwnerPrincipal returns the owner as a recipient. Only the kind of a connection
// makes one; no name, message or argument does.
func OwnerPrincipal() Recipient { return Recipient{owner: true} }

// Recipient returns the person whose id, name or alias name is. It never fails:
// a name that is nobody's, the owner's own and a removed person's give an
// unknown recipient.
func (p *Policy) Recipient(name string) Recipient {
	n := p.number(name)
	if n == 0 {
		return Recipient{}
	}
	return Recipient{policy: p, number: n}
}

// Lookup is [Policy.Recipient] for a name that the owner types. A name that is
// nobody's but can be mistaken for somebody's, the owner included, is a
// *ConfusableError; one that is only the first name of somebody, or of several, is
// an *AmbiguousError; an empty one is ErrEmptyName. The errors are for the owner
// alone: they tell who is in the policy.
func (p *Policy) Lookup(name string) (Recipient, error) {
	key := NormalizeName(name)
	if key == "" {
		return Recipient{}, fmt.Errorf("recipient %+q: %w: give a name with letters", name, ErrEmptyName)
	}
	r := p.Recipient(name)
	if r.number != 0 || p.ownerNames[key] {
		return r, nil
	}
	for _, form := range skeletons(name) {
		if like, ok := p.lookalikes[form]; ok {
			return Recipient{}, &ConfusableError{Name: name, Candidate: like.name}
		}
	}
	if candidates := p.firstNames(name); len(candidates) > 0 {
		return Recipient{}, &AmbiguousError{Name: name, Candidates: candidates}
	}
	return r, nil
}

// firstNames returns the names, the owner's included, of which name is the first
// of several words, sorted.
func (p *Policy) firstNames(name string) []string {
	key := NormalizeName(name)
	if key == "" {
		return nil
	}
	var out []string
	add := func(full string) {
		if strings.HasPrefix(NormalizeName(full), key+" ") && !slices.Contains(out, full) {
			out = append(out, full)
		}
	}
	add(p.owner.Name)
	for _, x := range p.people {
		add(x.Name)
	}
	slices.Sort(out)
	return out
}

// IsOwner reports whether r is the owner principal without a cap. A capped
// connection of the owner is a listener.
func (r Recipient) IsOwner() bool { return r.owner && r.cap == 0 }

// Known reports whether r is a person whom its policy knows.
func (r Recipient) Known() bool { return r.number != 0 }

// Name returns the person's name as the policy has it, "" if unknown.
func (r Recipient) Name() string {
	if r.number == 0 {
		return ""
	}
	return r.policy.people[r.number-1].Name
}

// ID returns the person's id, "" if unknown.
func (r Recipient) ID() PersonID {
	if r.number == 0 {
		return ""
	}
	return r.policy.people[r.number-1].ID
}

// Cap returns r over a connection that is capped at a tier: r is treated as no
// closer than that tier in each domain, and whitelists don't count unless
// keepWhitelist says so. Caps add up: the higher tier holds, and whitelists
// count only if every cap keeps them. A tier that is none caps at 4 and keeps no
// whitelist. The owner under a cap is judged like an unknown person who stands
// at that tier in every domain.
func (r Recipient) Cap(tier Tier, keepWhitelist bool) Recipient {
	if !tier.Valid() {
		tier, keepWhitelist = 4, false
	}
	r.keep = keepWhitelist && (r.cap == 0 || r.keep)
	r.cap = max(r.cap, tier)
	return r
}
