package privacy

import (
	"strings"
)

// Identifiers. Distinct types, so that one is not passed for another.
type (
	// FactID names one event-level fact (layer F2).
	FactID string
	// EventID names a coreference group: facts about one event of the owner's life.
	EventID string
	// CategoryID names a privacy category of the policy.
	CategoryID string
	// GroupID names an audience group of the policy.
	GroupID string
	// PersonID is the stable id of a person of the policy.
	PersonID string
)

// Party is an entry of a whitelist, blacklist or reserved list: "group:ID" for
// the members of a group at the time of judging, else a person's id, name or
// alias. Parties are resolved when judging, never when stored (CALCULUS, Names).
type Party string

const groupPrefix = "group:"

// GroupParty returns the Party that stands for the members of g.
func GroupParty(g GroupID) Party { return Party(groupPrefix + string(g)) }

// Group returns the group that p stands for, and whether it stands for one.
func (p Party) Group() (GroupID, bool) {
	id, ok := strings.CutPrefix(string(p), groupPrefix)
	return GroupID(id), ok
}

// Truth tells whether a fact is what happened or a story that covers it. The
// zero value is Cover: what is not known to be real lends nothing.
type Truth uint8

// The two kinds.
const (
	Cover Truth = iota
	Real
)

// String returns "real" or "cover".
func (t Truth) String() string {
	if t == Real {
		return "real"
	}
	return "cover"
}

// Link is who says that a fact belongs to its event. The zero value is the
// weaker one.
type Link uint8

const (
	// LinkEngine is a coreference that the engine found. It lends only from a
	// fact whose label is at least as strict, never to closed, hand-labelled or
	// uncategorised facts (MARKS 6).
	LinkEngine Link = iota
	// LinkConfirmed is a coreference that the owner confirmed, or a gold one.
	LinkConfirmed
)

// Fact is a fact as the calculus judges it: its marks and nothing else. It
// carries no text, so a verdict can depend on none.
type Fact struct {
	ID         FactID
	Categories []CategoryID
	// Joined are those of Categories that only close: what evolution learned added them
	// to a fact that others place. They make the fact no lender to more than it would lend
	// to without them, and no rule lets anybody in by them.
	Joined    []CategoryID
	Label     *Label // set by the owner's hand; nil is unset, which is not L0
	LabelWas  *Label // the label of the categories when Label was set; nil: Label never lapses
	Event     EventID
	Link      Link
	Truth     Truth
	Trusted   bool
	Whitelist []Party
	// OwnWhitelist counts for this fact alone: coreference never lends it (MARKS 5).
	OwnWhitelist []Party
	Blacklist    []Party
	Reserved     []Party
	Closed       bool
	// Rules are the rules of the policy that the fact meets, ended ones among them:
	// parts of combinations. What the rules give and take is in the lists.
	Rules []RuleID
}
