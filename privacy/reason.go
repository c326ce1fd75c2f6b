package privacy

import "fmt"

// Reason is the word that says why a verdict is what it is. The zero value is
// ReasonUnjudged, which goes with a denial.
type Reason uint8

// The reasons, in the order in which the calculus asks for them.
const (
	ReasonUnjudged    Reason = iota // it couldn't be judged: unknown or ambiguous fact
	ReasonOwner                     // the owner principal
	ReasonBlacklisted               // named by the blacklist, or unknown where there is one
	ReasonCapped                    // the cap of the connection is what denied
	ReasonCombination               // it would complete a set that together reveals something
	ReasonWhitelisted               // named by the effective whitelist
	ReasonClosed                    // closed: only its own whitelist counts
	ReasonReserved                  // the label is not enough for this person
	ReasonDefault                   // the default gate lets them pass
	ReasonLevel0                    // the label is L0: nobody by default
	ReasonCrossDomain               // no position in a domain that fits
	ReasonDeeper                    // a domain fits, but no tier is close enough
	ReasonEmpty                     // a unit of no facts, or a message to nobody
)

var reasonWords = [...]string{
	ReasonUnjudged:    "unjudged",
	ReasonOwner:       "owner",
	ReasonBlacklisted: "blacklisted",
	ReasonCapped:      "capped",
	ReasonCombination: "combination",
	ReasonWhitelisted: "whitelisted",
	ReasonClosed:      "closed",
	ReasonReserved:    "reserved",
	ReasonDefault:     "default",
	ReasonLevel0:      "level0",
	ReasonCrossDomain: "cross_domain",
	ReasonDeeper:      "deeper",
	ReasonEmpty:       "empty",
}

// Reasons returns every reason, in the order of their declaration.
func Reasons() []Reason {
	all := make([]Reason, len(reasonWords))
	for i := range all {
		all[i] = Reason(i)
	}
	return all
}

// String returns the word of CALCULUS, "unjudged" for a value that is none.
func (r Reason) String() string {
	if int(r) < len(reasonWords) {
		return reasonWords[r]
	}
	return reasonWords[ReasonUnjudged]
}

// Allows reports whether r is a reason to allow.
func (r Reason) Allows() bool {
	return r == ReasonOwner || r == ReasonWhitelisted || r == ReasonDefault
}

// MarshalText writes the word.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a word; any other text is an error.
func (r *Reason) UnmarshalText(b []byte) error {
	for i, word := range reasonWords {
		if word == string(b) {
			*r = Reason(i)
			return nil
		}
	}
	return fmt.Errorf("reason %q: want one of %q", b, reasonWords)
}
