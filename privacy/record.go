package privacy

import (
	"strings"
	"time"
)

// Stamp is a point in time as its source gives it. A source without a zone
// gives a wall clock and no instant; it is never read in the machine's zone.
type Stamp struct {
	Instant time.Time `json:"instant,omitzero"` // zero: unknown
	Local   string    `json:"local,omitempty"`  // "2006-01-02" or "2006-01-02T15:04:05"; empty: unknown
}

// At returns the Stamp of a known instant; its wall clock is the one of t's zone.
func At(t time.Time) Stamp {
	return Stamp{Instant: t, Local: t.Format("2006-01-02T15:04:05")}
}

// IsZero reports whether nothing at all is known.
func (s Stamp) IsZero() bool { return s.Instant.IsZero() && s.Local == "" }

// Date returns the calendar day "2006-01-02" where it was said, or "".
func (s Stamp) Date() string {
	if len(s.Local) >= len("2006-01-02") {
		return s.Local[:len("2006-01-02")]
	}
	if !s.Instant.IsZero() {
		return s.Instant.Format("2006-01-02")
	}
	return ""
}

// Compare orders stamps by instant; where only a wall clock is known it is taken
// for UTC, which is right to within a day. Unknown stamps come first. Equal stamps
// may differ in how they were written.
func (s Stamp) Compare(t Stamp) int {
	if !s.Instant.IsZero() && !t.Instant.IsZero() {
		return s.Instant.Compare(t.Instant)
	}
	return strings.Compare(s.sortKey(), t.sortKey())
}

// sortKey is one key for both kinds of stamp: a total order needs one scale.
func (s Stamp) sortKey() string {
	if !s.Instant.IsZero() {
		return s.Instant.UTC().Format("2006-01-02T15:04:05.000000000")
	}
	return s.Local
}

// Record is one event-level fact (layer F2) with what is needed to mark it and
// to show it: the statement, where it comes from, and its marks with their
// provenance. The calculus never sees a Record; engine.Effective derives the
// [Fact] that it judges.
type Record struct {
	ID       FactID `json:"id"`
	Text     string `json:"text"`               // third person, names resolved
	Language string `json:"language,omitempty"` // BCP 47 base: "en", "zh", …

	Speaker   string   `json:"speaker,omitempty"` // who said it, as named in the source; "" unknown
	OwnerSaid bool     `json:"owner_said"`        // it rests on the owner's own words
	Subject   string   `json:"subject,omitempty"` // whom it is about, as named; "" unknown
	Listeners []string `json:"listeners,omitempty"`

	SaidAt     Stamp `json:"said_at,omitzero"`
	HappenedAt Stamp `json:"happened_at,omitzero"` // zero: not stated

	Session  string   `json:"session"`            // the F3 that it hangs on
	Evidence []string `json:"evidence,omitempty"` // ids of the turns that state it

	Marks []Mark `json:"marks,omitempty"`
}

// MarkKind is what a mark says.
type MarkKind string

// The kinds of marks. The comment gives what Value holds.
const (
	MarkCategory  MarkKind = "category"  // a category id; Score: the annotator's
	MarkLabel     MarkKind = "label"     // a label, as Label.String writes it
	MarkEvent     MarkKind = "event"     // an event id; Score: confidence of the link
	MarkTruth     MarkKind = "truth"     // "real" or "cover"
	MarkTrusted   MarkKind = "trusted"   // "true"
	MarkWhitelist MarkKind = "whitelist" // a Party
	MarkBlacklist MarkKind = "blacklist" // a Party
	MarkReserved  MarkKind = "reserved"  // a Party
	MarkClosed    MarkKind = "closed"    // "true"
	MarkToldTo    MarkKind = "told_to"   // a Party: who heard this from the owner
	MarkCovers    MarkKind = "covers"    // id of a real fact that this cover story hides
	MarkConfided  MarkKind = "confided"  // who confided it: closed until the owner decides (MARKS 9)
	MarkReview    MarkKind = "review"    // why the owner should look at it
)

// RulePassedOn is the rule of a told_to mark that rests on somebody's saying that the
// owner said it: who heard a thing is kept from others by it, and permitted nothing.
const RulePassedOn = "passed on"

// MarkSource is who or what made a mark.
type MarkSource string

// The sources of marks. Only BySpoken, ByHand and ByGold rest on the owner.
const (
	ByMachine  MarkSource = "machine"  // the annotator
	ByExemplar MarkSource = "exemplar" // the annotator, from a correction by the owner
	BySpoken   MarkSource = "spoken"   // the owner said so in the chat ("don't tell Mum")
	ByTold     MarkSource = "told"     // the owner told it to these people (MARKS 5)
	ByRule     MarkSource = "rule"     // a rule of the policy; Rule names it
	ByHand     MarkSource = "hand"     // an act of the owner in the tool
	ByGold     MarkSource = "gold"     // a benchmark's gold annotation
)

// Mark is one mark with its provenance: which rule, which turn, who, how sure.
type Mark struct {
	Kind  MarkKind   `json:"kind"`
	Value string     `json:"value"`
	By    MarkSource `json:"by"`
	Rule  string     `json:"rule,omitempty"`  // which rule of MARKS.md or of the policy
	Turn  string     `json:"turn,omitempty"`  // the turn that it rests on
	Score float64    `json:"score,omitempty"` // 0..1; 0 where nothing was measured
	At    time.Time  `json:"at,omitzero"`
}

// EventRule is what the owner said about an event as a whole ("don't tell X"):
// a blacklist entry on every fact of that event, now and when links change
// later, also after forgetting and re-import (MARKS 3).
type EventRule struct {
	ID    string     `json:"id"`
	Event EventID    `json:"event"`
	Kind  MarkKind   `json:"kind"` // MarkBlacklist, MarkClosed
	Value string     `json:"value"`
	By    MarkSource `json:"by"`
	Turn  string     `json:"turn,omitempty"`
	At    time.Time  `json:"at,omitzero"`
}

// Values returns the values of r's marks of one kind, in stored order.
func (r *Record) Values(kind MarkKind) []string {
	var out []string
	for _, m := range r.Marks {
		if m.Kind == kind {
			out = append(out, m.Value)
		}
	}
	return out
}

// Value returns the value of r's last mark of one kind, "" without one. Later
// marks stand for later decisions.
func (r *Record) Value(kind MarkKind) string {
	for i := len(r.Marks) - 1; i >= 0; i-- {
		if r.Marks[i].Kind == kind {
			return r.Marks[i].Value
		}
	}
	return ""
}

// Gold reports whether r's marks are a benchmark's: those are taken as they
// are, without the settings of the policy (MARKS, bracketed values).
func (r *Record) Gold() bool {
	for _, m := range r.Marks {
		if m.By == ByGold {
			return true
		}
	}
	return false
}
