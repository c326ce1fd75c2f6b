package benchcedar

import (
	"fmt"

	"github.com/epagent/epagent/privacy"
)

// Agree decides every fact for everybody, an unknown person included, on both
// sides. It returns how many decisions there were and how many allowed, and an
// error for the first on which the sides differ.
func Agree(t Town, c *Cedar) (decisions, allowed int, err error) {
	judge := privacy.NewJudge(t.Policy, t.Facts)
	people := append(t.Policy.People(), privacy.Person{})
	for i := range judge.Len() {
		for _, x := range people {
			r := t.Policy.Recipient(x.Name)
			ours := judge.Verdict(i, r)
			theirs := c.Allows(c.Request(judge.ID(i), r.ID()))
			if ours.Allow != theirs {
				return decisions, allowed, fmt.Errorf("fact %s for %q: ours %v (%s), Cedar's %v",
					judge.ID(i), r.ID(), ours.Allow, ours.Reason, theirs)
			}
			decisions++
			if theirs {
				allowed++
			}
		}
	}
	return decisions, allowed, nil
}
