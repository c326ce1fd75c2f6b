package privacy

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Level is the depth of a privacy category, L0 to L4. A deeper level has the
// smaller default audience: L0 is for nobody by default, and L4 without a domain
// is for anyone. The zero value is the closed one.
// Source: EP-Mem, arXiv 2609.35233, §B.1.
type Level uint8

// The levels, from the closed one to the open one.
const (
	L0 Level = iota
	L1
	L2
	L3
	L4
)

// String returns "L0" to "L4".
func (l Level) String() string { return "L" + strconv.Itoa(int(l)) }

// Valid reports whether l is one of L0 to L4.
func (l Level) Valid() bool { return l <= L4 }

// Tier is how far a group stands from the owner, 1 (closest) to 4. A higher tier
// means less trust. The zero value is no tier and passes nothing.
type Tier uint8

// Valid reports whether t is one of 1 to 4.
func (t Tier) Valid() bool { return t >= 1 && t <= 4 }

// Domain is a sphere of life such as "work" or "life". The empty Domain is none:
// a label or position that is not bound to any domain.
type Domain string

// Label is what decides a fact's default audience: a level and, optionally, a
// domain. The zero Label is L0: nobody.
type Label struct {
	Level  Level
	Domain Domain
}

// String returns for example "L2", or "L2/work" in a domain.
func (l Label) String() string {
	if l.Domain == "" {
		return l.Level.String()
	}
	return l.Level.String() + "/" + string(l.Domain)
}

// Meet is the privacy ceiling of a and b: whoever passes the default gate of the
// result passes those of a and b. Meet(L0, x) is L0, and so is the meet of two
// different domains. Commutative, associative, idempotent (TestMeetLaws).
// Source: EP-Mem, arXiv 2609.35233, §B.1.
func Meet(a, b Label) Label {
	level := min(a.Level, b.Level)
	switch {
	case level == L0:
		return Label{}
	case a.Domain == "" || a.Domain == b.Domain:
		return Label{level, b.Domain}
	case b.Domain == "":
		return Label{level, a.Domain}
	default:
		return Label{}
	}
}

type labelJSON struct {
	Level  Level   `json:"level"`
	Domain *Domain `json:"domain"`
}

// MarshalJSON writes {"level": 0..4, "domain": string or null}.
func (l Label) MarshalJSON() ([]byte, error) {
	out := labelJSON{Level: l.Level}
	if l.Domain != "" {
		out.Domain = &l.Domain
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes; a level above 4 is an error.
func (l *Label) UnmarshalJSON(b []byte) error {
	var in labelJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	if !in.Level.Valid() {
		return fmt.Errorf("level %d: want 0 to 4", in.Level)
	}
	*l = Label{Level: in.Level}
	if in.Domain != nil {
		l.Domain = *in.Domain
	}
	return nil
}
