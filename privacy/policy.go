package privacy

import (
	"bytes"
	"slices"
)

// Policy is a policy file after loading: immutable and safe for concurrent use.
// Make one with [Parse]. Everything that its methods return is a copy, in the
// order of the file unless said otherwise.
type Policy struct {
	file     string // how problems call it
	source   []byte
	hash     string
	version  int
	warnings []Problem

	owner      OwnerEntry
	domains    []Domain
	groups     []Group
	people     []Person
	removed    []RemovedPerson
	categories []Category
	settings   Settings

	rules        []Rule
	combinations []Combination
	circles      []Circle

	ownerNames map[string]bool        // normalised names of the owner
	persons    map[string]int32       // normalised id, name or alias → number of the person, from 1
	groupAt    map[GroupID]int        // index into groups
	members    map[GroupID][]int32    // numbers of the members, ascending
	categoryAt map[CategoryID]int     // index into categories
	lookalikes map[string]namedPerson // skeleton → whose name it is
	lines      map[place]int          // where in the file something stands
}

// place is an entry of the file: kind "group", "person", "category", "rule",
// "combination" or "circle" and its id.
type place struct{ kind, id string }

// namedPerson is a name and the number of the person who bears it, 0 for the owner.
type namedPerson struct {
	name   string
	number int32
}

// OwnerEntry is who the policy belongs to.
type OwnerEntry struct {
	Name     string
	Aliases  []string
	Language string // BCP 47; "en" unless the file says otherwise
}

// Group is an audience group: how far its members stand from the owner and in
// which domain.
type Group struct {
	ID          GroupID
	Tier        Tier
	Domain      Domain // empty: every domain
	Description string
}

// Person is somebody whom the policy knows.
type Person struct {
	ID      PersonID // as the file gives it, else the normalised name
	Name    string
	Aliases []string
	Groups  []GroupID
	Note    string
}

// RemovedPerson is somebody whom the policy knew: the names stay reserved.
type RemovedPerson struct {
	Name    string
	Aliases []string
}

// SubjectParty is the entry of a category's deny list that stands for the
// person the fact is about (MARKS 10).
const SubjectParty Party = "$subject"

// Category is a privacy category: the label that its facts get, and what the
// stages need to recognise and tell them.
type Category struct {
	ID          CategoryID
	Name        string
	Level       Level
	Domain      Domain // empty: none
	Description string
	Examples    []string
	Blur        bool    // a generic statement may stand in for a denied fact (PROJECTION 3)
	BlurText    string  // that statement; set if Blur is
	Confidence  bool    // what others confided (MARKS 9)
	Deny        []Party // $subject, people, groups (MARKS 10)
}

// Label returns the category's label. L0 has no domain: it is for nobody in any.
func (c Category) Label() Label { return normalLabel(Label{c.Level, c.Domain}) }

// Hash identifies the file's bytes: the hex SHA-256 of the source.
func (p *Policy) Hash() string { return p.hash }

// Source returns a copy of the bytes that the policy was made from.
func (p *Policy) Source() []byte { return bytes.Clone(p.source) }

// Version is the version of the file format: 1, or 0 for a file that names none.
func (p *Policy) Version() int { return p.version }

// Warnings returns what is suspicious about the file but doesn't stop it from
// being used, by line.
func (p *Policy) Warnings() []Problem { return slices.Clone(p.warnings) }

// Owner returns who the policy belongs to.
func (p *Policy) Owner() OwnerEntry {
	o := p.owner
	o.Aliases = slices.Clone(o.Aliases)
	return o
}

// IsOwner reports whether name is the owner's name or alias. It makes nobody the
// owner: the owner is a kind of connection, see [OwnerPrincipal].
func (p *Policy) IsOwner(name string) bool { return p.ownerNames[NormalizeName(name)] }

// Domains returns the domains that the file declares.
func (p *Policy) Domains() []Domain { return slices.Clone(p.domains) }

// Settings returns the settings, defaults filled in.
func (p *Policy) Settings() Settings { return p.settings }

// Groups returns the audience groups.
func (p *Policy) Groups() []Group { return slices.Clone(p.groups) }

// Group returns the group with this id, and whether there is one.
func (p *Policy) Group(id GroupID) (Group, bool) {
	i, ok := p.groupAt[id]
	if !ok {
		return Group{}, false
	}
	return p.groups[i], true
}

// Members returns the people in a group; none for a group that isn't there.
func (p *Policy) Members(id GroupID) []PersonID { return p.ids(p.members[id]) }

// People returns everybody whom the policy knows, the owner not included.
func (p *Policy) People() []Person {
	out := make([]Person, len(p.people))
	for i := range p.people {
		out[i] = p.person(int32(i + 1))
	}
	return out
}

// Person returns the person whose id, name or alias ref is.
func (p *Policy) Person(ref string) (Person, bool) {
	n := p.number(ref)
	if n == 0 {
		return Person{}, false
	}
	return p.person(n), true
}

// Removed returns the people whose names are reserved for nobody.
func (p *Policy) Removed() []RemovedPerson {
	out := slices.Clone(p.removed)
	for i := range out {
		out[i].Aliases = slices.Clone(out[i].Aliases)
	}
	return out
}

// Categories returns the privacy categories.
func (p *Policy) Categories() []Category {
	out := make([]Category, len(p.categories))
	for i, c := range p.categories {
		out[i] = c.clone()
	}
	return out
}

// categoryIDs lists the ids of the categories for a remedy.
func (p *Policy) categoryIDs() string {
	ids := make([]CategoryID, len(p.categories))
	for i, c := range p.categories {
		ids[i] = c.ID
	}
	return quoteAll(ids)
}

// Category returns the category with this id, and whether there is one.
func (p *Policy) Category(id CategoryID) (Category, bool) {
	i, ok := p.categoryAt[id]
	if !ok {
		return Category{}, false
	}
	return p.categories[i].clone(), true
}

// Resolve returns the people whom party stands for today, and whether it stands
// for anybody's name or any group of the policy at all. A group without members
// resolves, to nobody. The owner and removed people are nobody.
func (p *Policy) Resolve(party Party) ([]PersonID, bool) {
	numbers, ok := p.resolve(party)
	if !ok {
		return nil, false
	}
	return p.ids(numbers), true
}

// resolve returns the numbers of the people whom party stands for.
func (p *Policy) resolve(party Party) ([]int32, bool) {
	if id, isGroup := party.Group(); isGroup {
		_, ok := p.groupAt[id]
		return p.members[id], ok
	}
	if n := p.number(string(party)); n != 0 {
		return []int32{n}, true
	}
	return nil, false
}

// number returns the number of the person whose id, name or alias ref is, from
// 1; 0 is nobody.
func (p *Policy) number(ref string) int32 { return p.persons[NormalizeName(ref)] }

// person returns a copy of the person with a number that number gave.
func (p *Policy) person(n int32) Person {
	x := p.people[n-1]
	x.Aliases = slices.Clone(x.Aliases)
	x.Groups = slices.Clone(x.Groups)
	return x
}

func (p *Policy) ids(numbers []int32) []PersonID {
	out := make([]PersonID, len(numbers))
	for i, n := range numbers {
		out[i] = p.people[n-1].ID
	}
	return out
}

func (c Category) clone() Category {
	c.Examples = slices.Clone(c.Examples)
	c.Deny = slices.Clone(c.Deny)
	return c
}
