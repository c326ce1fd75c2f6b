package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// saying is one thing that the owner said about who may know.
type saying struct {
	deny    []privacy.PersonID
	groups  []privacy.GroupID
	closed  bool // only those who hear it, and those of grant
	scoped  bool // everybody of groups but those who hear it
	grant   []privacy.PersonID
	spared  []privacy.PersonID // not denied as members of groups
	review  string
	forward bool // it may be about what comes next ("can I tell you something?")
}

// says reports whether x says anything at all.
func (x *saying) says() bool {
	return len(x.deny)+len(x.groups)+len(x.grant) > 0 || x.closed || x.review != ""
}

// Exceptions implements [Excepter] by the owner's own sentences in English and
// Chinese (MARKS 2–4). A sentence concerns the drafts of its own utterance, else
// the owner's nearest ones before it, else the first ones after it; one that
// restricts also concerns what it answers. Restrictions hold for the whole event
// of those drafts, as event rules; a grant for the drafts alone. Whom the owner
// means and the policy doesn't tell apart closes the fact and asks for a review
// (on the granting side: grants nothing and asks).
func (o *Offline) Exceptions(ctx context.Context, p *privacy.Policy, s Session) ([][]privacy.Mark, []privacy.EventRule, error) {
	c := o.compile(p)
	marks := make([][]privacy.Mark, len(s.Drafts))
	var rules []privacy.EventRule
	talk := newTalk(s)
	for i := range s.Utterances {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		u := &s.Utterances[i]
		if !u.Owner {
			continue
		}
		said := c.audience.sayings(u.Text, talk.context(c.audience, i))
		for k := range said {
			// "Anna can know, nobody else in the club": what one sentence permits
			// another of the same breath doesn't take back with the group.
			for j := range said {
				if j != k && !said[j].closed {
					said[k].spared = union(said[k].spared, said[j].grant)
				}
			}
		}
		for _, x := range said {
			restricts, permits := talk.concerned(i, &x)
			for _, d := range permits {
				for _, id := range x.grant {
					marks[d] = append(marks[d], spoken(privacy.MarkWhitelist, string(id), u, "MARKS 4"))
				}
			}
			for _, d := range restricts {
				ms := x.restrictions(p, u)
				marks[d] = append(marks[d], ms...)
				rules = append(rules, eventRules(&s.Drafts[d], ms)...)
			}
			if x.review != "" {
				for _, d := range union(restricts, permits) {
					marks[d] = append(marks[d], privacy.Mark{Kind: privacy.MarkReview, Value: x.review, By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID})
				}
			}
		}
	}
	for i := range marks {
		marks[i] = uniqueMarks(marks[i])
	}
	return marks, uniqueRules(rules), nil
}

// restrictions returns the marks of what x forbids. Who hears it from the owner
// isn't denied as a member of a group: "nobody else at work" (MARKS 2).
func (x *saying) restrictions(p *privacy.Policy, u *Utterance) []privacy.Mark {
	var out []privacy.Mark
	heard := listeners(p, u)
	for _, id := range x.deny {
		if len(x.deny) > 1 && slices.Contains(heard, id) {
			continue // "don't tell Anna, Ben", said to Ben: he is spoken to, not of
		}
		out = append(out, spoken(privacy.MarkBlacklist, string(id), u, "MARKS 3"))
	}
	for _, g := range x.groups {
		members := p.Members(g)
		inside := false
		for _, id := range members {
			if (slices.Contains(heard, id) || slices.Contains(x.grant, id) || slices.Contains(x.spared, id)) && !slices.Contains(x.deny, id) {
				inside = true
				continue
			}
			out = append(out, spoken(privacy.MarkBlacklist, string(id), u, "MARKS 3"))
		}
		kind := privacy.MarkBlacklist
		if inside {
			// The group as a whole would bind its member who was told: whoever joins
			// later needs a whitelist instead.
			kind = privacy.MarkReserved
		}
		out = append(out, spoken(kind, string(privacy.GroupParty(g)), u, "MARKS 3"))
	}
	if x.closed {
		out = append(out, spoken(privacy.MarkClosed, "true", u, "MARKS 2"))
	}
	if x.closed || x.scoped {
		for _, id := range union(heard, x.grant) {
			out = append(out, spoken(privacy.MarkWhitelist, string(id), u, "MARKS 2"))
		}
	}
	return out
}

func spoken(kind privacy.MarkKind, value string, u *Utterance, rule string) privacy.Mark {
	return privacy.Mark{Kind: kind, Value: value, By: privacy.BySpoken, Rule: rule, Turn: u.ID, At: u.At.Instant}
}

// listeners returns the people of the policy who heard u.
func listeners(p *privacy.Policy, u *Utterance) []privacy.PersonID {
	var out []privacy.PersonID
	for _, name := range u.Listeners {
		if q, ok := p.Person(name); ok {
			out = append(out, q.ID)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// eventRules carries the restricting marks to the event of a draft.
func eventRules(r *privacy.Record, marks []privacy.Mark) []privacy.EventRule {
	m, ok := lastMark(r, privacy.MarkEvent)
	if !ok || m.Value == "" {
		return nil
	}
	var out []privacy.EventRule
	for _, k := range marks {
		if k.Kind != privacy.MarkBlacklist && k.Kind != privacy.MarkClosed && k.Kind != privacy.MarkReserved {
			continue
		}
		out = append(out, privacy.EventRule{
			ID:    strings.Join([]string{"spoken", k.Turn, m.Value, string(k.Kind), k.Value}, "/"),
			Event: privacy.EventID(m.Value), Kind: k.Kind, Value: k.Value, By: k.By, Turn: k.Turn, At: k.At,
		})
	}
	return out
}

func uniqueMarks(ms []privacy.Mark) []privacy.Mark {
	var out []privacy.Mark
	for _, m := range ms {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

func uniqueRules(rs []privacy.EventRule) []privacy.EventRule {
	var out []privacy.EventRule
	seen := map[string]bool{}
	for _, r := range rs {
		if !seen[r.ID] {
			seen[r.ID] = true
			out = append(out, r)
		}
	}
	return out
}

func union[T int | privacy.PersonID](a, b []T) []T {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
