package privacy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Explanation is a verdict with the way to it, for the owner: it names people,
// groups and facts. Its Verdict is always the judge's own (TestExplain).
type Explanation struct {
	Fact      FactID       `json:"fact"`
	Recipient string       `json:"recipient"` // name; "" unknown
	Verdict   Verdict      `json:"verdict"`
	Label     LabelOrigin  `json:"label"`
	Positions []Position   `json:"positions"` // of the recipient, in the order of their groups
	Cap       Tier         `json:"cap,omitempty"`
	Whitelist []ListSource `json:"whitelist"` // why the recipient is in the effective whitelist
	Blacklist []Party      `json:"blacklist"` // entries of the fact that name the recipient
	// Combinations are those of the policy that the fact is a part of.
	Combinations []CombinationTrace `json:"combinations,omitempty"`
	Steps        []Step             `json:"steps"` // as asked, up to the one that decided
}

// CombinationTrace is how one combination bears on a fact and a person. Own, Known
// and Missing are ids of categories and rules, in the order of the file.
type CombinationTrace struct {
	ID      string   `json:"id"`
	Own     []string `json:"own"`     // the parts that the fact is
	Known   []string `json:"known"`   // the other parts that the person knows of
	Missing []string `json:"missing"` // what they don't know of yet; none: telling the fact completes it
	Ceiling Label    `json:"ceiling"` // what the fact is judged by when it is complete
	Passes  bool     `json:"passes"`  // under that ceiling the person may know the fact still
}

// Step is one rule of the calculus as it was applied.
type Step struct {
	Rule    string `json:"rule"`   // owner, judged, blacklist, whitelist, closed, reserved, gate, cap, combination
	Looked  string `json:"looked"` // what it looked at and found
	Decided bool   `json:"decided"`
}

// Position is where a person stands through one of their groups.
type Position struct {
	Group  GroupID `json:"group"`
	Tier   Tier    `json:"tier"`
	Domain Domain  `json:"domain,omitempty"` // empty: every domain
}

// ListSource is an entry that names a person, and the fact that it stands on:
// the one explained, or another of its event that lends it.
type ListSource struct {
	Entry Party  `json:"entry"`
	Fact  FactID `json:"fact"`
	Lent  bool   `json:"lent"` // it stands on another fact
}

// LabelOrigin tells how a fact came by its label.
type LabelOrigin struct {
	Label      Label           `json:"label"`      // effective
	Computed   Label           `json:"computed"`   // meet of the categories
	Categories []CategoryTrace `json:"categories"` // in the order of the fact
	Hand       *Label          `json:"hand,omitempty"`
	Lapsed     bool            `json:"lapsed,omitempty"`     // the hand label doesn't stand any more
	Closed     bool            `json:"closed,omitempty"`     // hence L0
	Unresolved []Party         `json:"unresolved,omitempty"` // blacklist and reserved entries that close it: they name nobody
}

// CategoryTrace is one category of a fact and how far the meet has come with it.
type CategoryTrace struct {
	ID      CategoryID `json:"id"`
	Defined bool       `json:"defined"` // the policy has it; otherwise L0
	Label   Label      `json:"label"`
	Meet    Label      `json:"meet"` // of this category and those before it
}

// Explain tells why Decide(i, r) is what it is. It allocates; it is not for the
// hot path.
func (j *Judge) Explain(i int, r Recipient) Explanation {
	e := Explanation{Verdict: j.Decide(i, r).Verdict, Cap: r.cap}
	if !j.inside(i) {
		e.Steps = []Step{{Rule: "judged", Looked: "there is no such fact", Decided: true}}
		return e
	}
	n := j.numberOf(r)
	e.Fact = j.facts[i].ID
	e.Label = j.labelOrigin(i)
	if n != 0 {
		e.Recipient = j.policy.people[n-1].Name
		e.Positions = j.policy.positions(n)
		e.Whitelist = j.whitelistSources(i, n)
		e.Blacklist = j.naming(j.facts[i].Blacklist, n)
	}
	e.Steps = j.trace(i, n, r)
	if j.Verdict(i, r).Allow && (!r.owner || r.cap != 0) {
		e.Combinations = j.combinationTraces(i, n, r)
		e.Steps = withCombinations(e.Steps, e.Combinations)
	}
	return e
}

// combinationTraces lists the combinations that the fact at i is a part of, in the
// order of the file.
func (j *Judge) combinationTraces(i int, n int32, r Recipient) []CombinationTrace {
	var out []CombinationTrace
	x, known := j.facts[i].item(), j.knownBy(n)
	for _, f := range j.facetsOf(i) {
		t := CombinationTrace{ID: f.of.ID, Own: []string{}, Known: []string{}, Missing: []string{}}
		t.Ceiling, t.Passes = Meet(j.labels[i], f.of.Ceiling), j.verdict(&j.marks[i], f.level, f.domain, r).Allow
		for _, p := range f.of.parts() {
			if x.is(p) {
				t.Own = append(t.Own, p.String())
			}
		}
		for _, p := range f.missing {
			if known[p] {
				t.Known = append(t.Known, p.String())
			} else {
				t.Missing = append(t.Missing, p.String())
			}
		}
		out = append(out, t)
	}
	return out
}

// denies reports whether the combination keeps the fact back.
func (t CombinationTrace) denies() bool { return len(t.Missing) == 0 && !t.Passes }

// withCombinations adds a step for each combination, up to one that denies: like a
// cap they are asked last, since they only take back what the rules allowed.
func withCombinations(steps []Step, traces []CombinationTrace) []Step {
	for _, t := range traces {
		looked := fmt.Sprintf("%s: this fact is %s", t.ID, strings.Join(t.Own, ", "))
		if len(t.Known) > 0 {
			looked += "; known already: " + strings.Join(t.Known, ", ")
		}
		if len(t.Missing) > 0 {
			looked += "; not known yet: " + strings.Join(t.Missing, ", ")
		} else {
			looked += fmt.Sprintf("; with it the set is complete: judged under %s", t.Ceiling)
		}
		step := Step{Rule: "combination", Looked: looked, Decided: t.denies()}
		if step.Decided {
			for k := range steps {
				steps[k].Decided = false
			}
		}
		steps = append(steps, step)
		if step.Decided {
			break
		}
	}
	return steps
}

// trace lists the steps up to the one that decided. The verdict comes from
// steps; this only says what each of them saw.
func (j *Judge) trace(i int, n int32, r Recipient) []Step {
	if r.owner {
		found := "the connection is the owner's"
		if r.cap == 0 {
			return []Step{{"owner", found, true}}
		}
		return []Step{
			{"owner", found + ", but capped", false},
			{"cap", fmt.Sprintf("a listener whom no list names, at tier %d in every domain; label %s", r.cap, j.labels[i]), true},
		}
	}
	var out []Step
	m := &j.marks[i]
	decided := j.steps(m, m.level, m.domain, n, 0, true)
	add := func(rule, looked string, reasons ...Reason) bool {
		hit := false
		for _, reason := range reasons {
			hit = hit || reason == decided.Reason
		}
		out = append(out, Step{rule, looked, hit})
		return hit
	}
	f := &j.facts[i]
	done := add("owner", "the connection is a listener's", ReasonOwner) ||
		m.unjudged && add("judged", "the id is blank or belongs to several facts", ReasonUnjudged) ||
		add("blacklist", j.saw("blacklist", f.Blacklist, n, m.anyBlack && n == 0), ReasonBlacklisted) ||
		add("whitelist", j.sawWhitelist(i, n), ReasonWhitelisted) ||
		add("closed", j.sawClosed(i), ReasonClosed) ||
		add("reserved", j.saw("reserved list", f.Reserved, n, false), ReasonReserved) ||
		add("gate", j.sawGate(i, n), ReasonDefault, ReasonLevel0, ReasonCrossDomain, ReasonDeeper)
	if done && r.cap != 0 && decided.Allow {
		// A cap is asked last: it can only take back what the rules allowed.
		out[len(out)-1].Decided = false
		keeps := "whitelists don't count"
		if r.keep {
			keeps = "whitelists count"
		}
		out = append(out, Step{"cap", fmt.Sprintf("no closer than tier %d in each domain; %s", r.cap, keeps), true})
	}
	return out
}

func (j *Judge) saw(list string, entries []Party, n int32, unknown bool) string {
	switch {
	case len(entries) == 0:
		return "the " + list + " is empty"
	case unknown:
		return "the recipient is unknown and there is a " + list
	case n == 0:
		return "the recipient is unknown"
	}
	if by := j.naming(entries, n); len(by) > 0 {
		return "named by " + quoteAll(by)
	}
	return "not named by " + quoteAll(entries)
}

func (j *Judge) sawWhitelist(i int, n int32) string {
	if n == 0 {
		return "the recipient is unknown"
	}
	sources := j.whitelistSources(i, n)
	if len(sources) == 0 {
		return "not named, and nothing is lent"
	}
	var parts []string
	for _, s := range sources {
		part := strconv.Quote(string(s.Entry))
		if s.Lent {
			part += " of fact " + strconv.Quote(string(s.Fact)) + " of the same event"
		}
		parts = append(parts, part)
	}
	return "named by " + strings.Join(parts, ", ")
}

func (j *Judge) sawClosed(i int) string {
	switch unresolved := j.unresolved(i); {
	case j.facts[i].Closed:
		return "the fact is closed"
	case len(unresolved) > 0:
		return "closed, since nobody is called " + quoteAll(unresolved)
	default:
		return "the fact is open"
	}
}

func (j *Judge) sawGate(i int, n int32) string {
	stands := "no position"
	if n != 0 {
		var parts []string
		for _, p := range j.policy.positions(n) {
			domain := string(p.Domain)
			if domain == "" {
				domain = anyDomain
			}
			parts = append(parts, fmt.Sprintf("%s: tier %d, %s", p.Group, p.Tier, domain))
		}
		if len(parts) > 0 {
			stands = strings.Join(parts, "; ")
		}
	}
	return fmt.Sprintf("label %s; %s", j.labels[i], stands)
}

func (j *Judge) labelOrigin(i int) LabelOrigin {
	f := &j.facts[i]
	o := LabelOrigin{
		Label:      j.labels[i],
		Computed:   j.computed[i],
		Hand:       clonePointer(f.Label),
		Closed:     j.marks[i].closed,
		Unresolved: j.unresolved(i),
		Lapsed:     f.Label != nil && lapsed(f, j.computed[i]),
	}
	for k, id := range f.Categories {
		_, defined := j.policy.categoryAt[id]
		o.Categories = append(o.Categories, CategoryTrace{
			ID: id, Defined: defined, Label: j.labelOf(id), Meet: j.categoryLabel(f.Categories[:k+1]),
		})
	}
	return o
}

// unresolved returns the entries that close the fact at i.
func (j *Judge) unresolved(i int) []Party {
	var out []Party
	for _, list := range [][]Party{j.facts[i].Blacklist, j.facts[i].Reserved} {
		for _, entry := range list {
			if _, ok := j.policy.resolve(entry); !ok {
				out = append(out, entry)
			}
		}
	}
	return out
}

// naming returns the entries that stand for the person with a number.
func (j *Judge) naming(entries []Party, n int32) []Party {
	var out []Party
	for _, entry := range entries {
		numbers, _ := j.policy.resolve(entry)
		for _, m := range numbers {
			if m == n {
				out = append(out, entry)
				break
			}
		}
	}
	return out
}

// whitelistSources returns the entries by which a person is in the effective
// whitelist of the fact at i: its own first, then those of its event by fact.
func (j *Judge) whitelistSources(i int, n int32) []ListSource {
	var out []ListSource
	f := &j.facts[i]
	for _, entry := range j.naming(slices.Concat(f.Whitelist, f.OwnWhitelist), n) {
		out = append(out, ListSource{Entry: entry, Fact: f.ID})
	}
	own := len(out)
	if j.marks[i].closed || f.Event == "" {
		return out
	}
	for _, k := range j.events[f.Event] {
		g := &j.facts[k]
		if int(k) == i || !j.lends(k) || j.listed(j.marks[k].black, n) || !j.reaches(k, int32(i)) {
			continue
		}
		for _, entry := range j.naming(g.Whitelist, n) {
			out = append(out, ListSource{Entry: entry, Fact: g.ID, Lent: true})
		}
	}
	slices.SortStableFunc(out[own:], func(a, b ListSource) int { return cmp.Compare(a.Fact, b.Fact) })
	return out
}

// positions returns where the person with a number stands.
func (p *Policy) positions(n int32) []Position {
	var out []Position
	for _, id := range p.people[n-1].Groups {
		g := p.groups[p.groupAt[id]]
		out = append(out, Position{g.ID, g.Tier, g.Domain})
	}
	return out
}
