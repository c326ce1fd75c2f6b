package engine

import (
	"context"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// Permit is one utterance in which the owner permits somebody to know something.
type Permit struct {
	Utterance int // of the session
	People    []privacy.PersonID
	Groups    []privacy.GroupID // what they may be told, and nothing else
}

// Permits lists whom the owner's words of a session let in, whatever the matter is
// and whether or not a draft is found that it is for: more than [Offline.Exceptions]
// makes marks of, never less.
func (o *Offline) Permits(ctx context.Context, p *privacy.Policy, s Session) ([]Permit, error) {
	c := o.compile(p)
	t := newTalk(s)
	var out []Permit
	for i := range s.Utterances {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !s.Utterances[i].Owner {
			continue
		}
		permit := Permit{Utterance: i}
		for _, x := range c.audience.sayings(t, i) {
			permit.People = union(permit.People, x.grant)
			if x.alibi != nil {
				permit.People = union(permit.People, x.alibi.people)
				permit.Groups = append(permit.Groups, x.alibi.groups...)
			}
		}
		if len(permit.People)+len(permit.Groups) > 0 {
			slices.Sort(permit.Groups)
			permit.Groups = slices.Compact(permit.Groups)
			out = append(out, permit)
		}
	}
	return out, nil
}
