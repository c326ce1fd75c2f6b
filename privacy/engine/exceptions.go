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

	topic []string // terms of what a permission is for; none: the matter before it

	alibi *alibi // these words, and no others, may be told

	clause int  // of the utterance, in which it stands
	within part // what else of that clause it may be about
	aside  part // what of that sentence is another thought
}

// says reports whether x says anything at all.
func (x *saying) says() bool {
	return len(x.deny)+len(x.groups)+len(x.grant) > 0 || x.closed || x.review != "" || x.alibi != nil
}

// permitsOnly reports whether x permits and forbids nothing.
func (x *saying) permitsOnly() bool {
	return len(x.grant) > 0 && len(x.deny)+len(x.groups) == 0 && !x.closed && !x.scoped
}

// Exceptions implements [Excepter] by the owner's own sentences in English and
// Chinese (MARKS 2–4).
//
// A sentence about who may know concerns the matter before it: the owner's drafts
// from what its utterance said before, else the owner's nearest earlier drafts.
// One that restricts binds that matter, every draft of its own utterance, what it
// answers and, where it announces something or nothing was said before, what comes
// next: a restriction on too much is mended by hand, one on too little is not. One
// that permits is for the matter alone; with none, it asks for a review. One that
// says what may be told is for those words alone, and keeps the rest back.
// Restrictions hold for the whole event of those drafts, as event rules; a grant
// for the drafts alone. Whom the owner means and the policy doesn't tell apart
// closes the fact and asks for a review (on the granting side: grants nothing and
// asks).
func (o *Offline) Exceptions(ctx context.Context, p *privacy.Policy, s Session) ([][]privacy.Mark, []privacy.EventRule, error) {
	c := o.compile(p)
	e := excepted{p: p, a: c.audience, t: newTalk(s), marks: make([][]privacy.Mark, len(s.Drafts)), have: map[draftMark]bool{}, ruled: map[string]bool{}}
	for i := range s.Utterances {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if !s.Utterances[i].Owner {
			continue
		}
		said := c.audience.sayings(e.t, i)
		if len(said) == 0 {
			continue
		}
		spare(said)
		if err := e.apply(ctx, i, said); err != nil {
			return nil, nil, err
		}
	}
	return e.marks, e.rules, nil
}

// spare keeps what one saying permits from being taken back with a group by
// another of the same breath: "Anna can know, nobody else in the club".
func spare(said []saying) {
	var all []privacy.PersonID
	for j := range said {
		if !said[j].closed && said[j].alibi == nil && len(said[j].grant) > 0 {
			all = union(all, said[j].grant)
		}
	}
	for k := range said {
		said[k].spared = all
	}
}

// excepted gathers the marks and event rules that a session's sayings make.
type excepted struct {
	p     *privacy.Policy
	a     *audience
	t     *talk
	marks [][]privacy.Mark
	rules []privacy.EventRule
	have  map[draftMark]bool
	ruled map[string]bool
}

type draftMark struct {
	draft       int
	kind        privacy.MarkKind
	value, turn string
}

// apply makes the marks of the sayings of utterance i.
func (e *excepted) apply(ctx context.Context, i int, said []saying) error {
	u, m := &e.t.s.Utterances[i], e.t.matter(i)
	heard := listeners(e.p, u)
	// What binds is gathered first: many sentences of one utterance say the same.
	var here, earlier, later markList
	for k := range said {
		if err := ctx.Err(); err != nil {
			return err
		}
		x := &said[k]
		if x.alibi != nil {
			e.applyAlibi(u, m, x, &here)
			continue
		}
		ms := x.restrictions(e.p, u, heard)
		if x.review != "" {
			ms = append(ms, privacy.Mark{Kind: privacy.MarkReview, Value: x.review, By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID})
		}
		here.add(ms)
		before := m.anyBefore(x)
		if !before {
			earlier.add(ms)
		}
		if x.forward && len(m.own) == 0 || !before && len(m.previous) == 0 {
			later.add(ms)
		}
		if len(x.grant) == 0 {
			continue
		}
		permits := m.permits(x)
		for _, d := range permits {
			if !x.isFor(e.t.s.Drafts[d].Text) {
				e.add(d, privacy.Mark{Kind: privacy.MarkReview, Value: "a permission for something else was said with it", By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID})
				continue
			}
			for _, id := range x.grant {
				e.add(d, spoken(privacy.MarkWhitelist, string(id), u, "MARKS 4"))
			}
		}
		if len(permits) == 0 && x.permitsOnly() {
			here.add([]privacy.Mark{{Kind: privacy.MarkReview, Value: "a permission for something that was not said before it", By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID}})
		}
	}
	e.bind(m.own, &here)
	e.bind(m.answered, &here)
	e.bind(m.previous, &earlier)
	e.bind(m.next, &later)
	return nil
}

// bind adds marks to drafts, and to the events of those drafts what restricts.
func (e *excepted) bind(drafts []int, ms *markList) {
	if len(ms.marks) == 0 {
		return
	}
	for _, d := range drafts {
		for _, m := range ms.marks {
			e.add(d, m)
		}
		for _, r := range eventRules(&e.t.s.Drafts[d], ms.marks) {
			if !e.ruled[r.ID] {
				e.ruled[r.ID] = true
				e.rules = append(e.rules, r)
			}
		}
	}
}

func (e *excepted) add(d int, m privacy.Mark) {
	key := draftMark{d, m.Kind, m.Value, m.Turn}
	if !e.have[key] {
		e.have[key] = true
		e.marks[d] = append(e.marks[d], m)
	}
}

// markList holds marks of one utterance, each kind and value once, in order.
type markList struct {
	marks []privacy.Mark
	have  map[draftMark]bool
}

func (l *markList) add(ms []privacy.Mark) {
	for _, m := range ms {
		key := draftMark{kind: m.Kind, value: m.Value, turn: m.Turn}
		if !l.have[key] {
			if l.have == nil {
				l.have = map[draftMark]bool{}
			}
			l.have[key] = true
			l.marks = append(l.marks, m)
		}
	}
}

// restrictions returns the marks of what x forbids. Who hears it from the owner
// isn't denied as a member of a group: "nobody else at work" (MARKS 2).
func (x *saying) restrictions(p *privacy.Policy, u *Utterance, heard []privacy.PersonID) []privacy.Mark {
	var out []privacy.Mark
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
		for _, id := range heard {
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
	m := lastMark(r, privacy.MarkEvent)
	if m == nil || m.Value == "" {
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

func union[T int | privacy.PersonID](a, b []T) []T {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
