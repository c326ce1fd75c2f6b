package privacy

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// RuleID names a rule of the policy: the id that the file gives it, or one that
// [Policy.Rules] derives from what the rule says.
type RuleID string

// Rule is an exception that the owner writes into the policy, for facts that are
// stored already and for those that come later. It allows or denies, never both,
// and holds for the facts that meet all of its conditions. A condition with its
// zero value is not asked; a rule of the policy has at least one.
//
// The calculus judges facts by their marks; a rule becomes such marks when a fact
// is stored and again when the policy changes, see [Policy.ApplyRules].
type Rule struct {
	ID    RuleID
	Allow []Party // people and groups; the members of a group are those of the day of judging
	Deny  []Party

	Categories []CategoryID // the fact has one of them
	About      string       // the fact is about this, in the engine's opinion
	Mentions   PersonID     // the fact names this person
	Event      EventID      // the fact belongs to this event
	Fact       FactID       // it is this fact

	Until time.Time // the first instant at which the rule counts no more; zero: no end
	Note  string
}

// RuleTarget is a fact as the conditions of a rule see it. What its text is
// about is for the caller to say: this package reads no text.
type RuleTarget struct {
	Fact       FactID
	Categories []CategoryID
	Event      EventID
	Mentions   []PersonID

	// Terms reports whether the fact is about something. Where it is nil, nobody
	// could tell: a rule with that condition then counts if it denies, and doesn't
	// if it allows.
	Terms func(about string) bool
}

// Denies reports whether r takes an audience away instead of giving one.
func (r Rule) Denies() bool { return len(r.Deny) > 0 }

// Parties returns the people and groups that the rule is for.
func (r Rule) Parties() []Party {
	if r.Denies() {
		return slices.Clone(r.Deny)
	}
	return slices.Clone(r.Allow)
}

// Ended reports whether the rule counts no more at now. Only a grant ends.
func (r Rule) Ended(now time.Time) bool {
	return !r.Until.IsZero() && !r.Denies() && !now.Before(r.Until)
}

// Matches reports whether t meets every condition of the rule, its end not among
// them. A rule without any condition matches nothing.
func (r Rule) Matches(t RuleTarget) bool { return r.meets(t, r.Denies()) }

// meets is Matches with the answer for a text that nobody could look at.
func (r Rule) meets(t RuleTarget, unseen bool) bool {
	if !r.conditional() {
		return false
	}
	inCategory := func(id CategoryID) bool { return slices.Contains(t.Categories, id) }
	switch {
	case len(r.Categories) > 0 && !slices.ContainsFunc(r.Categories, inCategory),
		r.Mentions != "" && !slices.Contains(t.Mentions, r.Mentions),
		r.Event != "" && r.Event != t.Event,
		r.Fact != "" && r.Fact != t.Fact:
		return false
	case r.About == "":
		return true
	case t.Terms == nil:
		return unseen
	default:
		return t.Terms(r.About)
	}
}

func (r Rule) conditional() bool {
	return len(r.Categories) > 0 || r.About != "" || r.Mentions != "" || r.Event != "" || r.Fact != ""
}

// Covers reports whether every fact that meets the conditions of s meets those
// of r, as far as the conditions alone can tell; whom the two are for doesn't count.
func (r Rule) Covers(s Rule) bool {
	return (len(r.Categories) == 0 || len(s.Categories) > 0 && subset(s.Categories, r.Categories)) &&
		(r.About == "" || NormalizeName(r.About) == NormalizeName(s.About)) &&
		(r.Mentions == "" || r.Mentions == s.Mentions) &&
		(r.Event == "" || r.Event == s.Event) &&
		(r.Fact == "" || r.Fact == s.Fact)
}

func subset[T comparable](some, all []T) bool {
	return !slices.ContainsFunc(some, func(x T) bool { return !slices.Contains(all, x) })
}

// contentID is the id of a rule that the file gives none: a digest of whom it is
// for, its conditions and its end. It stays the same wherever the rule stands and
// whatever its note says.
func (r Rule) contentID() RuleID {
	fields := []string{"allow"}
	if r.Denies() {
		fields[0] = "deny"
	}
	for _, list := range [][]string{texts(r.Parties()), texts(r.Categories)} {
		fields = append(append(fields, sorted(list)...), "")
	}
	fields = append(fields, r.About, string(r.Mentions), string(r.Event), string(r.Fact))
	if !r.Until.IsZero() {
		fields = append(fields, r.Until.UTC().Format(time.RFC3339Nano))
	}
	return RuleID("rule-" + digest(fields))
}

// digest is a short name for a list of texts: 32 bits, which is plenty within
// one policy; where two meet, the loader asks for ids.
func digest(fields []string) string {
	sum := sha256.Sum256([]byte(strings.Join(fields, "\x00")))
	return hex.EncodeToString(sum[:4])
}

func texts[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = string(x)
	}
	return out
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

func (r Rule) clone() Rule {
	r.Allow = slices.Clone(r.Allow)
	r.Deny = slices.Clone(r.Deny)
	r.Categories = slices.Clone(r.Categories)
	return r
}

// Rules returns the rules of the policy, ended ones among them. A rule without an
// id in the file has "rule-" and a digest of what it says, which changes when the
// rule does and not when it moves.
func (p *Policy) Rules() []Rule {
	out := make([]Rule, len(p.rules))
	for i, r := range p.rules {
		out[i] = r.clone()
	}
	return out
}

// Rule returns the rule with this id, and whether there is one.
func (p *Policy) Rule(id RuleID) (Rule, bool) {
	for _, r := range p.rules {
		if r.ID == id {
			return r.clone(), true
		}
	}
	return Rule{}, false
}

// Matching returns the ids of the rules that match t and have not ended at now,
// in the order of the file.
func (p *Policy) Matching(t RuleTarget, now time.Time) []RuleID {
	var out []RuleID
	for _, r := range p.rules {
		if !r.Ended(now) && r.Matches(t) {
			out = append(out, r.ID)
		}
	}
	return out
}

// ApplyRules returns f with what the rules of the policy say of it at now: an
// allow adds to its OwnWhitelist, so that a grant by rule reaches the facts that
// match it and is lent to no other; a deny adds to its blacklist. A deny wins over
// an allow, as everywhere. By categories that only close (Fact.Joined) no allow matches.
//
// Rules names every rule that f meets, for combinations: also a grant that has
// ended, which gives nothing any more, and also one whose words nobody could look
// for. A part of a combination stays one.
func (p *Policy) ApplyRules(f Fact, t RuleTarget, now time.Time) Fact {
	f = f.clone()
	admits := t
	admits.Categories = slices.DeleteFunc(slices.Clone(t.Categories), func(id CategoryID) bool { return slices.Contains(f.Joined, id) })
	for _, r := range p.rules {
		if r.meets(t, true) && !slices.Contains(f.Rules, r.ID) {
			f.Rules = append(f.Rules, r.ID)
		}
		if r.Ended(now) {
			continue
		}
		if r.Matches(t) {
			f.Blacklist = append(f.Blacklist, r.Deny...)
		}
		if r.Matches(admits) {
			f.OwnWhitelist = append(f.OwnWhitelist, r.Allow...)
		}
	}
	return f
}
