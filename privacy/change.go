package privacy

import (
	"cmp"
	"fmt"
	"slices"
)

// ChangeKind is what kind of change turns a verdict.
type ChangeKind string

// The kinds. The first group lets somebody in, the second keeps somebody out.
const (
	ChangeGrant   ChangeKind = "grant"   // whitelist the person on this fact alone
	ChangeUndeny  ChangeKind = "undeny"  // remove the blacklist entries that name the person
	ChangeRegrant ChangeKind = "regrant" // remove those entries and whitelist the person
	ChangeReopen  ChangeKind = "reopen"  // take "closed" off the fact
	ChangeRelease ChangeKind = "release" // remove the reserved entries that name the person
	ChangeJoin    ChangeKind = "join"    // put the person into one more group
	// ChangeUncombine takes a combination out of the policy.
	ChangeUncombine ChangeKind = "uncombine"
	ChangeLoosen    ChangeKind = "loosen"  // raise the level of a category, or free it of its domain
	ChangeDeny      ChangeKind = "deny"    // blacklist the person on this fact
	ChangeUngrant   ChangeKind = "ungrant" // remove the whitelist entries that name the person
	ChangeClose     ChangeKind = "close"   // close the fact
	ChangeLeave     ChangeKind = "leave"   // take the person out of one group
	ChangeTighten   ChangeKind = "tighten" // lower the level of a category
)

// Change is one change that turns a verdict, with what else it would do.
type Change struct {
	Kind ChangeKind `json:"kind"`
	// Target is what is changed: the fact's id for its marks, the group's or the
	// category's for the policy.
	Target   string `json:"target"`
	Describe string `json:"describe"` // for the owner; names people and ids, no fact text
	// Edit makes the change in the policy. Nil where it is one of the fact's marks.
	Edit Edit `json:"-"`
	// Opens and Hides are the other answers that turn with it, most sensitive first.
	Opens []PairChange `json:"opens"`
	Hides []PairChange `json:"hides"`
	// Loosens is for how many pairs a combination no longer holds a fact back, which
	// may be told until then as before.
	Loosens int `json:"loosens,omitempty"`
}

// Changes returns the single changes that would let r know a fact, or, where
// want is false, would keep it from r. The one with the fewest other effects comes
// first: by how much else it opens, then by how much else it hides. Each is found
// by judging again, over all facts, what it would make of them.
//
// The marks that rules and events put on facts are taken as they are: a change
// that is undone by one of them shows up as none. Nothing is returned where the
// answer is as wanted already, for the owner, for a connection with a cap, whose
// answer the cap may decide, and for a fact that isn't there.
func (j *Judge) Changes(fact FactID, r Recipient, want bool) []Change {
	if r.owner || r.cap != 0 {
		return nil
	}
	i, ok := j.Index(fact)
	if !ok || j.marks[i].unjudged || j.Decide(i, r).Allow == want {
		return nil
	}
	c := &changer{p: j.policy, j: j, facts: j.facts, i: i, n: j.numberOf(r), want: want}
	c.marks()
	if c.n != 0 {
		c.groups()
	}
	c.categories()
	c.combinations()
	slices.SortStableFunc(c.found, func(a, b Change) int {
		return cmp.Or(cmp.Compare(len(a.Opens), len(b.Opens)), cmp.Compare(a.Loosens, b.Loosens), cmp.Compare(len(a.Hides), len(b.Hides)))
	})
	return c.found
}

// changer tries changes on one fact for one person.
type changer struct {
	p     *Policy
	j     *Judge
	facts []Fact
	i     int
	n     int32 // number of the person, 0 unknown
	want  bool
	found []Change
}

// marks tries the changes of the fact's own marks. One that adds a list entry is
// tried with the others, since it may well open less.
func (c *changer) marks() {
	f := &c.facts[c.i]
	fact, name, who := string(f.ID), "strangers", Party("")
	if c.n != 0 {
		name, who = c.p.people[c.n-1].Name, Party(c.p.people[c.n-1].ID)
	}
	black := c.j.naming(f.Blacklist, c.n)
	if !c.want {
		if c.n != 0 {
			c.mark(ChangeDeny, fact, "deny this fact to "+name, func(g *Fact) { g.Blacklist = append(g.Blacklist, who) })
			if by := c.j.naming(slices.Concat(f.Whitelist, f.OwnWhitelist), c.n); len(by) > 0 {
				c.mark(ChangeUngrant, fact, "remove "+quoteAll(by)+" from the whitelist of this fact", func(g *Fact) {
					g.Whitelist, g.OwnWhitelist = without(g.Whitelist, by), without(g.OwnWhitelist, by)
				})
			}
		}
		if !f.Closed {
			c.mark(ChangeClose, fact, "close this fact: only its own whitelist counts then", func(g *Fact) { g.Closed = true })
		}
		return
	}
	grant := func(g *Fact) { g.OwnWhitelist = append(g.OwnWhitelist, who) }
	undeny := func(g *Fact) { g.Blacklist = without(g.Blacklist, black) }
	switch {
	case len(black) > 0:
		c.mark(ChangeUndeny, fact, "remove "+quoteAll(black)+" from the blacklist of this fact", undeny)
		c.mark(ChangeRegrant, fact, "remove "+quoteAll(black)+" from the blacklist of this fact and allow it to "+name, func(g *Fact) {
			undeny(g)
			grant(g)
		})
	case c.n != 0:
		c.mark(ChangeGrant, fact, "allow this fact to "+name, grant)
	}
	if reserved := c.j.naming(f.Reserved, c.n); len(reserved) > 0 {
		c.mark(ChangeRelease, fact, "remove "+quoteAll(reserved)+" from the reserved list of this fact", func(g *Fact) {
			g.Reserved = without(g.Reserved, reserved)
		})
	}
	if f.Closed {
		c.mark(ChangeReopen, fact, "open this fact: its label decides then", func(g *Fact) { g.Closed = false })
	}
}

func without(list, entries []Party) []Party {
	return slices.DeleteFunc(slices.Clone(list), func(p Party) bool { return slices.Contains(entries, p) })
}

// groups tries one more group, or one less.
func (c *changer) groups() {
	x := c.p.people[c.n-1]
	if c.want {
		for _, g := range c.p.groups {
			if !slices.Contains(x.Groups, g.ID) {
				c.edit(ChangeJoin, string(g.ID), fmt.Sprintf("put %s into the group %s", x.Name, g.ID),
					SetGroups{string(x.ID), append(slices.Clone(x.Groups), g.ID)})
			}
		}
		return
	}
	for _, id := range x.Groups {
		rest := slices.DeleteFunc(slices.Clone(x.Groups), func(g GroupID) bool { return g == id })
		c.edit(ChangeLeave, string(id), fmt.Sprintf("take %s out of the group %s", x.Name, id), SetGroups{string(x.ID), rest})
	}
}

// categories tries for each category of the fact the smallest step of its level
// that turns the verdict, and the step out of its domain.
func (c *changer) categories() {
	seen := make(map[CategoryID]bool)
	for _, id := range c.facts[c.i].Categories {
		at, defined := c.p.categoryAt[id]
		if !defined || seen[id] {
			continue
		}
		seen[id] = true
		cat := c.p.categories[at]
		if !c.want {
			for level := int(cat.Level) - 1; level >= int(L0); level-- {
				to := Level(level)
				if c.edit(ChangeTighten, string(id), fmt.Sprintf("lower the category %s from level %d to %d", id, cat.Level, to),
					SetCategory{ID: id, Level: &to}) {
					break
				}
			}
			continue
		}
		none := Domain("")
		if cat.Domain != "" {
			c.edit(ChangeLoosen, string(id), fmt.Sprintf("take the category %s out of the domain %s", id, cat.Domain),
				SetCategory{ID: id, Domain: &none})
		}
		for to := cat.Level + 1; to <= L4; to++ {
			if c.edit(ChangeLoosen, string(id), fmt.Sprintf("raise the category %s from level %d to %d", id, cat.Level, to),
				SetCategory{ID: id, Level: &to}) {
				break
			}
		}
	}
}

// combinations tries the policy without each combination that the fact is a part
// of. What was told stays told.
func (c *changer) combinations() {
	if !c.want {
		return
	}
	for i, combination := range c.p.combinations {
		own := func(f facet) bool { return f.of.ID == combination.ID }
		if !slices.ContainsFunc(c.j.facetsOf(c.i), own) {
			continue
		}
		p := *c.p
		p.combinations = slices.Delete(slices.Clone(p.combinations), i, i+1)
		c.try(Change{Kind: ChangeUncombine, Target: combination.ID, Describe: "take the combination " + combination.ID + " out of the policy"}, &p, c.facts)
	}
}

// mark tries a change of the fact's marks.
func (c *changer) mark(kind ChangeKind, target, describe string, change func(*Fact)) bool {
	facts := slices.Clone(c.facts)
	f := facts[c.i].clone()
	change(&f)
	facts[c.i] = f
	return c.try(Change{Kind: kind, Target: target, Describe: describe}, c.p, facts)
}

// edit tries a change of the policy. One that the file doesn't take is left out:
// it could not be made by a command either.
func (c *changer) edit(kind ChangeKind, target, describe string, edit Edit) bool {
	got, err := c.p.Edit(edit)
	if err != nil {
		return false
	}
	return c.try(Change{Kind: kind, Target: target, Describe: describe, Edit: edit}, got.Policy, c.facts)
}

// try notes a change if it turns the verdict.
func (c *changer) try(change Change, p *Policy, facts []Fact) bool {
	// The facts of the event decide the verdict; the rest of the store only what
	// else would turn.
	if !NewJudge(p, c.event(facts)).WithTold(c.j.told).turned(c) {
		return false
	}
	d := Plan(c.j, NewJudge(p, facts).WithTold(c.j.told))
	change.Opens, change.Hides, change.Loosens = c.others(d.Shown), c.others(d.Hidden), len(d.Loosened)
	c.found = append(c.found, change)
	return true
}

// turned reports whether j gives the wanted answer.
func (j *Judge) turned(c *changer) bool {
	r := Recipient{}
	if c.n != 0 {
		r = c.p.numbered(c.n)
	}
	return j.DecideOf(c.facts[c.i].ID, r).Allow == c.want
}

// event returns the facts of the event, at least the fact itself.
func (c *changer) event(facts []Fact) []Fact {
	self := &facts[c.i]
	if self.Event == "" {
		return facts[c.i : c.i+1]
	}
	var out []Fact
	for _, f := range facts {
		if f.Event == self.Event {
			out = append(out, f)
		}
	}
	return out
}

// others is list without the pair that the change is for.
func (c *changer) others(list []PairChange) []PairChange {
	who := PersonID("")
	if c.n != 0 {
		who = c.p.people[c.n-1].ID
	}
	return slices.DeleteFunc(list, func(x PairChange) bool { return x.Fact == c.facts[c.i].ID && x.Person == who })
}
