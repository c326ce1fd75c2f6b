package privacy

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// policyVersion is the version of the file format that this package knows.
const policyVersion = 1

// anyDomain is what a group says that passes in every domain.
const anyDomain = "any"

// The keys of a policy file, section by section.
var (
	policyKeys = []string{
		"version", "owner", "domains", "groups", "people", "removed", "categories",
		"rules", "combinations", "circles", "settings",
	}
	ownerKeys    = []string{"name", "aliases", "language"}
	groupKeys    = []string{"id", "tier", "domain", "description"}
	personKeys   = []string{"id", "name", "aliases", "groups", "note"}
	removedKeys  = []string{"name", "aliases"}
	categoryKeys = []string{
		"id", "name", "level", "domain", "description", "examples",
		"blur", "blur_text", "confidence", "deny",
	}
	settingKeys = []string{
		"told_by_owner", "cover_audience", "cover_stories", "untrusted", "ask",
		"label_threshold", "label_margin",
	}
)

// loader builds a Policy from the sections of a file.
type loader struct {
	*reader
	p      *Policy
	names  map[string]claim // normalised name → who claims it
	looser bool             // the file names no version: some faults are warnings
}

// Parse loads a policy from YAML (or JSON, which is YAML). name is how problems
// call the file; nothing is read from it.
//
// The error is a *PolicyError with every fault found: unknown or duplicate keys
// and ids, names that two people share, groups, domains, tiers and levels that
// aren't there. There is no partial policy beside an error. A file without a
// version line loads with a warning.
func Parse(name string, src []byte) (*Policy, error) {
	sum := sha256.Sum256(src)
	l := &loader{
		reader: &reader{file: name, atLeast: "give at least version and owner"},
		names:  make(map[string]claim),
		p: &Policy{
			file:       name,
			source:     bytes.Clone(src),
			hash:       hex.EncodeToString(sum[:]),
			settings:   DefaultSettings(),
			ownerNames: make(map[string]bool),
			persons:    make(map[string]int32),
			groupAt:    make(map[GroupID]int),
			members:    make(map[GroupID][]int32),
			categoryAt: make(map[CategoryID]int),
			lookalikes: make(map[string]namedPerson),
			lines:      make(map[place]int),
		},
	}
	if top := l.parse(src); top != nil {
		if o, ok := l.object(top, "the policy", policyKeys...); ok {
			l.load(o)
		}
	}
	byLine := func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) }
	slices.SortStableFunc(l.problems, byLine)
	slices.SortStableFunc(l.warnings, byLine)
	if more := len(l.problems) - maxPolicyFaults; more > 0 {
		l.problems = l.problems[:maxPolicyFaults]
		l.fault(0, "mend those first", "%d more faults", more)
	}
	if len(l.problems) > 0 {
		return nil, &PolicyError{Problems: l.problems}
	}
	l.p.warnings = l.warnings
	return l.p, nil
}

// load reads the sections in the order in which they refer to each other.
func (l *loader) load(o object) {
	l.version(o)
	l.owner(o)
	l.domains(o)
	for i, n := range l.list(o, "groups") {
		l.group(n, i)
	}
	for i, n := range l.list(o, "people") {
		l.person(n, i)
	}
	for i, n := range l.list(o, "removed") {
		l.removed(n, i)
	}
	for i, n := range l.list(o, "categories") {
		l.category(n, i)
	}
	for i, n := range l.list(o, "rules") {
		l.rule(n, i)
	}
	for i, n := range l.list(o, "combinations") {
		l.combination(n, i)
	}
	for i, n := range l.list(o, "circles") {
		l.circle(n, i)
	}
	if n := o.fields["settings"]; !isNull(n) {
		l.settings(n)
	}
}

func (l *loader) version(o object) {
	if !o.has("version") {
		l.looser = true
		l.warn(0, "add the line version: 1, and domain: any to groups that pass in every domain",
			"the file names no version")
		return
	}
	l.p.version, _ = l.integer(o, "version", policyVersion, policyVersion)
}

func (l *loader) owner(top object) {
	n := top.fields["owner"]
	if isNull(n) {
		l.fault(top.lineOf("owner"), "add owner: {name: …}", "the policy has no owner")
		return
	}
	o, ok := l.object(n, "the owner", ownerKeys...)
	if !ok {
		return
	}
	name := l.need(o, "name")
	l.p.owner = OwnerEntry{
		Name:     name,
		Aliases:  l.claimAll(o, name, claim{kind: ownerClaim}),
		Language: cmp.Or(l.str(o, "language"), "en"),
	}
}

func (l *loader) domains(o object) {
	if !o.has("domains") {
		l.p.domains = []Domain{"work", "life"}
		return
	}
	for _, w := range l.words(o, "domains") {
		switch d := Domain(w.text); {
		case strings.TrimSpace(w.text) == "" || w.text == anyDomain:
			l.fault(w.line, "take another word", "%q can't be a domain", w.text)
		case slices.Contains(l.p.domains, d):
			l.fault(w.line, "keep one of them", "domain %q twice", w.text)
		default:
			l.p.domains = append(l.p.domains, d)
		}
	}
}

// domain reads the domain of a group or category.
func (l *loader) domain(o object) Domain {
	d := Domain(l.str(o, "domain"))
	if d != "" && !slices.Contains(l.p.domains, d) && !(d == anyDomain && strings.HasPrefix(o.place, "group")) {
		l.fault(o.lineOf("domain"), "declare it under domains or use one of "+quoteAll(l.p.domains),
			"domain %q of %s is not declared", d, o.place)
	}
	return d
}

func (l *loader) group(n ast.Node, i int) {
	o, ok := l.object(n, "group "+strconv.Itoa(i+1), groupKeys...)
	if !ok {
		return
	}
	id := GroupID(l.need(o, "id"))
	if id != "" {
		o.place = "group " + strconv.Quote(string(id))
	}
	tier, _ := l.integer(o, "tier", 1, 4)
	g := Group{ID: id, Tier: Tier(tier), Domain: l.domain(o), Description: l.str(o, "description")}
	if g.Domain == "" && g.Tier.Valid() && g.Tier < 4 {
		note := l.fault
		if l.looser {
			note = l.warn
		}
		note(o.line, "add its domain, or domain: any if it is meant to pass in every domain",
			"%s of tier %d has no domain", o.place, tier)
	}
	if g.Domain == anyDomain {
		g.Domain = ""
	}
	if _, twice := l.p.groupAt[id]; twice {
		l.fault(o.line, "give each group its own id", "%s twice", o.place)
		return
	}
	l.p.lines[place{"group", string(id)}] = o.line
	l.p.groupAt[id] = len(l.p.groups)
	l.p.groups = append(l.p.groups, g)
}

func (l *loader) person(n ast.Node, i int) {
	o, ok := l.object(n, "person "+strconv.Itoa(i+1), personKeys...)
	if !ok {
		return
	}
	name := l.need(o, "name")
	if name != "" {
		o.place = "person " + strconv.Quote(name)
	}
	number := int32(len(l.p.people) + 1)
	who := claim{kind: personClaim, number: number, name: name}
	x := Person{ID: PersonID(NormalizeName(name)), Name: name, Note: l.str(o, "note")}
	if o.has("id") {
		x.ID = PersonID(l.need(o, "id"))
		l.claim(string(x.ID), o.lineOf("id"), who)
	}
	x.Aliases = l.claimAll(o, name, who)
	if !o.has("groups") {
		l.fault(o.line, "add groups: [] for a person in no group", "%s has no groups", o.place)
	}
	for _, w := range l.words(o, "groups") {
		id := GroupID(w.text)
		switch _, there := l.p.groupAt[id]; {
		case !there:
			l.fault(w.line, "add the group or correct the name", "%s is in group %q, which isn't there", o.place, id)
		case slices.Contains(x.Groups, id):
			l.warn(w.line, "keep one of them", "%s is in group %q twice", o.place, id)
		default:
			x.Groups = append(x.Groups, id)
			l.p.members[id] = append(l.p.members[id], number)
		}
	}
	l.p.lines[place{"person", string(x.ID)}] = o.line
	l.p.people = append(l.p.people, x)
}

func (l *loader) removed(n ast.Node, i int) {
	o, ok := l.object(n, "removed person "+strconv.Itoa(i+1), removedKeys...)
	if !ok {
		return
	}
	name := l.need(o, "name")
	aliases := l.claimAll(o, name, claim{kind: removedClaim, name: name, number: int32(i)})
	l.p.removed = append(l.p.removed, RemovedPerson{name, aliases})
}

func (l *loader) category(n ast.Node, i int) {
	o, ok := l.object(n, "category "+strconv.Itoa(i+1), categoryKeys...)
	if !ok {
		return
	}
	id := CategoryID(l.need(o, "id"))
	if id != "" {
		o.place = "category " + strconv.Quote(string(id))
	}
	level, _ := l.integer(o, "level", int(L0), int(L4))
	c := Category{
		ID:          id,
		Name:        l.need(o, "name"),
		Level:       Level(level),
		Domain:      l.domain(o),
		Description: l.str(o, "description"),
		Blur:        l.flag(o, "blur"),
		BlurText:    l.str(o, "blur_text"),
		Confidence:  l.flag(o, "confidence"),
	}
	for _, w := range l.words(o, "examples") {
		c.Examples = append(c.Examples, w.text)
	}
	if strings.TrimSpace(c.Description) == "" {
		l.warn(o.lineOf("description"), "say what belongs to it", "%s has no description", o.place)
	}
	if c.Blur && strings.TrimSpace(c.BlurText) == "" {
		l.fault(o.lineOf("blur"), "add blur_text: the sentence that may stand in", "%s is blurred without blur_text", o.place)
	}
	for _, w := range l.words(o, "deny") {
		party := Party(w.text)
		if _, known := l.p.resolve(party); !known && party != SubjectParty {
			l.fault(w.line, "use $subject, a person's name or group:ID", "deny of %s names %q, which isn't there", o.place, w.text)
		}
		c.Deny = append(c.Deny, party)
	}
	if _, twice := l.p.categoryAt[id]; twice {
		l.fault(o.line, "give each category its own id", "%s twice", o.place)
		return
	}
	l.p.lines[place{"category", string(id)}] = o.line
	l.p.categoryAt[id] = len(l.p.categories)
	l.p.categories = append(l.p.categories, c)
}

func (l *loader) settings(n ast.Node) {
	o, ok := l.object(n, "settings", settingKeys...)
	if !ok {
		return
	}
	l.p.settings = Settings{
		ToldByOwner:    choice(l.reader, o, "told_by_owner", ToldGrant, ToldAsk, ToldIgnore),
		CoverAudience:  choice(l.reader, o, "cover_audience", CoverTold, CoverGate),
		CoverStories:   choice(l.reader, o, "cover_stories", CoversDeflect, CoversKeep),
		Untrusted:      choice(l.reader, o, "untrusted", UntrustedHold, UntrustedAttribute, UntrustedGate),
		Ask:            choice(l.reader, o, "ask", AskNever, AskSensitive, AskAlways),
		LabelThreshold: l.share(o, "label_threshold"),
		LabelMargin:    l.share(o, "label_margin"),
	}
}

func quoteAll[T ~string](words []T) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(string(w))
	}
	return strings.Join(quoted, ", ")
}
