package engine

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// Effective derives the facts that the calculus judges from stored marks, the
// owner's event rules and the settings of the policy (MARKS 1–10). It returns
// one fact a record, in the order of records; each depends on the other records
// only through events and covers, never on their order. Lists are sorted and
// without repetition.
//
// What the owner did by hand replaces what the machine found of the same kind;
// marks that restrict are taken from any source, marks that permit only from the
// owner's words and acts. A record with gold marks is taken as it is, its link
// confirmed, without the settings; event rules and a category's deny entries
// bind it all the same.
func Effective(p *privacy.Policy, records []privacy.Record, rules []privacy.EventRule) []privacy.Fact {
	d := newDerivation(p, records, rules)
	out := make([]privacy.Fact, len(records))
	for i := range records {
		f := &out[i]
		f.ID = records[i].ID
		d.marks(i, func(e Explained) { fold(f, e) })
		for _, list := range []*[]privacy.Party{&f.Whitelist, &f.OwnWhitelist, &f.Blacklist, &f.Reserved} {
			slices.Sort(*list)
			*list = slices.Compact(*list)
		}
		slices.Sort(f.Categories)
		f.Categories = slices.Compact(f.Categories)
		f.Joined = joinedOf(f.Categories, f.Joined)
	}
	return out
}

// Effect is what a mark does to the fact that is judged.
type Effect string

// The effects. Each names the field of [privacy.Fact] that the mark sets.
const (
	SetCategory     Effect = "category"
	SetLabel        Effect = "label"
	SetEvent        Effect = "event"
	SetTruth        Effect = "truth"
	SetTrusted      Effect = "trusted"
	AddWhitelist    Effect = "whitelist"
	AddOwnWhitelist Effect = "own_whitelist" // counts for this fact alone, never lent
	AddBlacklist    Effect = "blacklist"
	AddReserved     Effect = "reserved"
	SetClosed       Effect = "closed"
)

// Explained is one effective mark: what it does, and the stored mark, event rule
// or setting that it comes from. Where the source is a setting or another
// record, Mark carries the rule of MARKS in its Rule and From names the record.
type Explained struct {
	Effect Effect         `json:"effect"`
	Value  string         `json:"value"`
	Mark   privacy.Mark   `json:"mark"`
	From   privacy.FactID `json:"from,omitempty"` // another record that the mark comes from
}

// Why returns the effective marks of the record with the given id, in the order
// in which [Effective] applies them; nil when records hold no such id.
func Why(p *privacy.Policy, records []privacy.Record, rules []privacy.EventRule, id privacy.FactID) []Explained {
	d := newDerivation(p, records, rules)
	var out []Explained
	for i := range records {
		if records[i].ID == id {
			d.marks(i, func(e Explained) { out = append(out, e) })
			break
		}
	}
	return out
}

// fold applies one effective mark to f.
func fold(f *privacy.Fact, e Explained) {
	switch e.Effect {
	case SetCategory:
		f.Categories = append(f.Categories, privacy.CategoryID(e.Value))
		if strings.HasPrefix(e.Mark.Rule, SupplementRule) {
			f.Joined = append(f.Joined, privacy.CategoryID(e.Value))
		}
	case SetLabel:
		l := parseLabel(e.Value)
		f.Label, f.LabelWas = &l, nil
		if over, ok := strings.CutPrefix(e.Mark.Rule, overLabel); ok {
			if was, ok := readLabel(over); ok {
				f.LabelWas = &was
			}
		}
	case SetEvent:
		f.Event = privacy.EventID(e.Value)
		f.Link = privacy.LinkEngine
		if e.Mark.By == privacy.ByHand || e.Mark.By == privacy.ByGold {
			f.Link = privacy.LinkConfirmed
		}
	case SetTruth:
		f.Truth = privacy.Cover
		if e.Value == privacy.Real.String() {
			f.Truth = privacy.Real
		}
	case SetTrusted:
		f.Trusted = e.Value == "true"
	case AddWhitelist:
		f.Whitelist = append(f.Whitelist, privacy.Party(e.Value))
	case AddOwnWhitelist:
		f.OwnWhitelist = append(f.OwnWhitelist, privacy.Party(e.Value))
	case AddBlacklist:
		f.Blacklist = append(f.Blacklist, privacy.Party(e.Value))
	case AddReserved:
		f.Reserved = append(f.Reserved, privacy.Party(e.Value))
	default: // SetClosed, and whatever is not known
		f.Closed = true
	}
}

// SupplementRule begins the rule of a mark that a supplement of evolution made; its id
// follows.
const SupplementRule = "supplement "

// joinedOf are the categories that supplements added to others. Where all come from
// supplements they place the fact, which the owner approved.
func joinedOf(all, added []privacy.CategoryID) []privacy.CategoryID {
	slices.Sort(added)
	added = slices.Compact(added)
	if len(added) == len(all) {
		return nil
	}
	return added
}

// overLabel begins the rule of a label by hand; what follows is the label that the
// categories gave when it was set.
const overLabel = "over "

// parseLabel reads what [privacy.Label.String] writes. What it cannot read is
// L0: a label that nobody understands lets nobody in.
func parseLabel(s string) privacy.Label {
	l, _ := readLabel(s)
	return l
}

// readLabel reads what [privacy.Label.String] writes, and whether s is that. L0 is
// for nobody in every domain.
func readLabel(s string) (privacy.Label, bool) {
	level, domain, marked := strings.Cut(s, "/")
	if len(level) != 2 || level[0] != 'L' || level[1] < '0' || level[1] > '4' || marked && domain == "" {
		return privacy.Label{}, false
	}
	if level == privacy.L0.String() {
		return privacy.Label{}, true
	}
	return privacy.Label{Level: privacy.Level(level[1] - '0'), Domain: privacy.Domain(domain)}, true
}
