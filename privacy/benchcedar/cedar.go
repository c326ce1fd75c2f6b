package benchcedar

import (
	"slices"

	"github.com/cedar-policy/cedar-go"

	"github.com/epagent/epagent/privacy"
)

// The rules of the calculus in Cedar. A forbid wins over every permit, as a
// blacklist does over a whitelist; the owner isn't asked about here.
const cedarPolicies = `
forbid (principal, action, resource) when { principal in resource.blacklist };
forbid (principal, action, resource) when { resource.shy } unless { principal in Group::"known" };
permit (principal, action, resource) when { principal in resource.whitelist };
permit (principal, action, resource) when { principal in resource.readers }
  unless { resource.closed || principal in resource.reserved };
`

// Cedar is a town in Cedar's terms.
type Cedar struct {
	policies *cedar.PolicySet
	entities cedar.EntityMap
}

var (
	disclose = cedar.NewEntityUID("Action", "disclose")
	anyone   = cedar.NewEntityUID("Group", "anyone")
	known    = cedar.NewEntityUID("Group", "known")
)

func personUID(id privacy.PersonID) cedar.EntityUID {
	return cedar.NewEntityUID("Person", cedar.String(id))
}

func groupUID(id privacy.GroupID) cedar.EntityUID {
	return cedar.NewEntityUID("Group", cedar.String("g:"+id))
}

func factUID(id privacy.FactID) cedar.EntityUID {
	return cedar.NewEntityUID("Fact", cedar.String(id))
}

// NewCedar translates a town. What doesn't depend on the request is worked out
// here and becomes attributes of the facts: which groups pass the label's gate,
// and whom the event lends.
func NewCedar(t Town) (*Cedar, error) {
	policies, err := cedar.NewPolicySetFromBytes("town.cedar", []byte(cedarPolicies))
	if err != nil {
		return nil, err
	}
	c := &Cedar{policies: policies, entities: make(cedar.EntityMap)}
	c.add(anyone, nil, nil)
	c.add(known, []cedar.EntityUID{anyone}, nil)
	for _, g := range t.Policy.Groups() {
		c.add(groupUID(g.ID), nil, nil)
	}
	for _, p := range t.Policy.People() {
		parents := []cedar.EntityUID{known}
		for _, g := range p.Groups {
			parents = append(parents, groupUID(g))
		}
		c.add(personUID(p.ID), parents, nil)
	}
	for _, f := range t.Facts {
		c.add(factUID(f.ID), nil, cedar.RecordMap{
			"blacklist": parties(t.Policy, f.Blacklist),
			"whitelist": whitelist(t, f),
			"reserved":  parties(t.Policy, f.Reserved),
			"readers":   readers(t.Policy, f),
			"shy":       cedar.Boolean(len(f.Blacklist) > 0),
			"closed":    cedar.Boolean(f.Closed),
		})
	}
	return c, nil
}

func (c *Cedar) add(uid cedar.EntityUID, parents []cedar.EntityUID, attributes cedar.RecordMap) {
	c.entities[uid] = cedar.Entity{
		UID: uid, Parents: cedar.NewEntityUIDSet(parents...), Attributes: cedar.NewRecord(attributes),
	}
}

// Request asks whether somebody may know a fact; the id "" is an unknown person.
func (c *Cedar) Request(fact privacy.FactID, person privacy.PersonID) cedar.Request {
	uid := personUID(person)
	if person == "" {
		uid = anyone
	}
	return cedar.Request{Principal: uid, Action: disclose, Resource: factUID(fact)}
}

// Allows decides a request.
func (c *Cedar) Allows(r cedar.Request) bool {
	decision, _ := cedar.Authorize(c.policies, c.entities, r)
	return decision == cedar.Allow
}

// parties gives the people and groups of a list.
func parties(p *privacy.Policy, list []privacy.Party) cedar.Set {
	var out []cedar.Value
	for _, entry := range list {
		if g, ok := entry.Group(); ok {
			out = append(out, groupUID(g))
		} else if person, ok := p.Person(string(entry)); ok {
			out = append(out, personUID(person.ID))
		}
	}
	return cedar.NewSet(out...)
}

// whitelist gives the people of the effective whitelist, by confirmed links.
func whitelist(t Town, f privacy.Fact) cedar.Set {
	var out []cedar.Value
	for _, g := range t.Facts {
		own := g.ID == f.ID
		lends := g.Event == f.Event && g.Truth == privacy.Real && g.Trusted && !g.Closed && !f.Closed
		if !own && !lends {
			continue
		}
		var barred []privacy.PersonID
		for _, entry := range g.Blacklist {
			ids, _ := t.Policy.Resolve(entry)
			barred = append(barred, ids...)
		}
		for _, entry := range g.Whitelist {
			ids, _ := t.Policy.Resolve(entry)
			for _, id := range ids {
				if own || !slices.Contains(barred, id) {
					out = append(out, personUID(id))
				}
			}
		}
	}
	return cedar.NewSet(out...)
}

// readers gives the groups that pass the default gate of a fact's label.
func readers(p *privacy.Policy, f privacy.Fact) cedar.Set {
	ceiling := privacy.Label{Level: privacy.L4}
	for _, id := range f.Categories {
		c, _ := p.Category(id)
		ceiling = privacy.Meet(ceiling, c.Label())
	}
	var out []cedar.Value
	if ceiling == (privacy.Label{Level: privacy.L4}) {
		out = append(out, anyone)
	}
	for _, g := range p.Groups() {
		fits := ceiling.Domain == "" || g.Domain == "" || g.Domain == ceiling.Domain
		if fits && int(g.Tier) <= int(ceiling.Level) {
			out = append(out, groupUID(g.ID))
		}
	}
	return cedar.NewSet(out...)
}
