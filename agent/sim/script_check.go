package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// Bounds of a script, so that a slip of the pen isn't a run without end.
const (
	maxDays  = 3660
	maxSteps = 1_000_000
)

// check verifies what the types don't: references, times, and that each event is one.
func (c *checking) check() {
	s := c.script
	if s.Version != 1 {
		c.fault("$.version", "write version: 1", "version %d", s.Version)
	}
	if strings.TrimSpace(s.Name) == "" {
		c.fault("$.name", "give it one", "the simulation has no name")
	}
	if s.Language == "" {
		s.Language = "en"
	}
	if s.Language != "en" && s.Language != "zh" {
		c.fault("$.language", "write en or zh", "language %q", s.Language)
	}
	var err error
	if s.start, err = time.Parse(time.DateOnly, s.Start); err != nil {
		c.fault("$.start", "write a day as 2026-03-01", "start %q is no day", s.Start)
	}
	if s.Days < 1 || s.Days > maxDays {
		c.fault("$.days", fmt.Sprintf("write how many days there are, 1 to %d", maxDays), "days: %d", s.Days)
	}
	c.parties()
	c.channels()
	c.details()
	if len(s.Timeline) == 0 {
		c.fault("$.timeline", "write what happens", "nothing happens")
	}
	steps := 0
	for i := range s.Timeline {
		steps += c.event(fmt.Sprintf("$.timeline[%d]", i), &s.Timeline[i])
	}
	if steps > maxSteps {
		c.fault("$.timeline", fmt.Sprintf("make it at most %d", maxSteps), "%d steps", steps)
	}
	c.untold()
	c.assertions()
}

func (c *checking) parties() {
	s := c.script
	taken := map[string]string{}
	delegates := 0
	for i := range s.Parties {
		p := &s.Parties[i]
		place := fmt.Sprintf("$.parties[%d]", i)
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			key := privacy.NormalizeName(name)
			if key == "" {
				c.fault(place+".name", "give it one", "a party without a name")
			} else if other, ok := taken[key]; ok {
				c.fault(place+".name", "rename one of them", "%q is also called so: %s", name, other)
			}
			taken[key] = p.Name
		}
		if p.Delegate != nil {
			delegates++
			c.delegate(place+".delegate", p)
		}
	}
	for i := range s.Parties {
		p := &s.Parties[i]
		place := fmt.Sprintf("$.parties[%d]", i)
		c.people(place+".retells", p.Retells)
		for _, name := range slices.Sorted(maps.Keys(p.Relations)) {
			c.person(place+".relations", name)
		}
	}
	if delegates == 0 {
		c.fault("$.parties", "give somebody delegate: {policy: …}", "nobody has a delegate")
	}
}

func (c *checking) delegate(place string, p *Party) {
	d := p.Delegate
	shift, file := 0, c.file
	switch {
	case (d.Policy == "") == (d.PolicyFile == ""):
		c.fault(place, "give policy or policy_file, one of them", "which policy?")
		return
	case d.Policy != "":
		d.source = []byte(d.Policy)
		shift = c.line(place + ".policy") // the block begins on the next line
	case c.read == nil:
		c.fault(place+".policy_file", "write the policy into the script", "no files can be read")
		return
	default:
		var err error
		if d.source, err = c.read(d.PolicyFile); err != nil {
			c.fault(place+".policy_file", "name a file beside the script", "policy file %q: %v", d.PolicyFile, err)
			return
		}
		file = d.PolicyFile
	}
	policy, err := privacy.Parse(file, d.source)
	var broken *privacy.PolicyError
	switch {
	case errors.As(err, &broken):
		for _, problem := range broken.Problems {
			if problem.Line > 0 {
				problem.Line += shift
			}
			c.faults = append(c.faults, Fault{File: problem.File, Line: problem.Line, Message: problem.Message, Remedy: problem.Remedy})
		}
		return
	case err != nil:
		c.fault(place, "write it as docs/policy.md describes", "the policy: %v", err)
		return
	}
	if d.parsed = policy; c.script.party(policy.Owner().Name) != p {
		c.fault(place, "write the same name in both", "the policy belongs to %q", policy.Owner().Name)
	}
}

func (c *checking) channels() {
	for i, ch := range c.script.Channels {
		place := fmt.Sprintf("$.channels[%d]", i)
		if ch.ID == "" || c.script.channel(ch.ID) != &c.script.Channels[i] {
			c.fault(place+".id", "give each its own", "channel id %q", ch.ID)
		}
		if len(ch.Members) < 2 {
			c.fault(place+".members", "name at least two", "a channel for %d", len(ch.Members))
		}
		c.people(place+".members", ch.Members)
	}
}

func (c *checking) details() {
	for i := range c.script.Details {
		d := &c.script.Details[i]
		place := fmt.Sprintf("$.details[%d]", i)
		if d.ID == "" || c.script.detail(d.ID) != d {
			c.fault(place+".id", "give each its own", "detail id %q", d.ID)
		}
		c.owner(place+".of", d.Of)
		c.people(place+".may", d.May)
		switch {
		case (strings.TrimSpace(d.Text) == "") == (len(d.Pieces) == 0):
			c.fault(place, "give text or pieces, one of them", "detail %q says what?", d.ID)
		case d.Enough < 0 || d.Enough > len(d.Pieces):
			c.fault(place+".enough", "write a number up to that of the pieces", "enough: %d of %d pieces", d.Enough, len(d.Pieces))
		}
	}
}

// untold reports a detail that no delegate could tell, since it is never told one.
func (c *checking) untold() {
	told := map[string]bool{}
	for _, e := range c.script.Timeline {
		if e.Note != nil {
			for _, id := range e.Note.Tells {
				told[id] = true
			}
		}
		if e.Say != nil {
			for _, id := range e.Say.Tells {
				told[id] = true
			}
		}
	}
	for i, d := range c.script.Details {
		if d.Text != "" && !told[d.ID] {
			c.fault(fmt.Sprintf("$.details[%d]", i), "name it in the tells of a note or a say", "nothing that happens tells detail %q", d.ID)
		}
	}
}

func (c *checking) assertions() {
	s := c.script
	if r := s.Assert.OverRefusal; r != nil && (*r < 0 || *r > 1) {
		c.fault("$.assert.over_refusal", "write a share from 0 to 1", "over_refusal: %v", *r)
	}
	for i := range s.Assert.Learned {
		l := &s.Assert.Learned[i]
		place := fmt.Sprintf("$.assert.learned[%d]", i)
		c.detail(place+".detail", l.Detail)
		c.some(place+".by", l.By)
		c.people(place+".by", l.By)
		if l.Until != "" {
			l.until = c.moment(place+".until", l.Until)
		}
	}
	for i, n := range s.Assert.Never {
		place := fmt.Sprintf("$.assert.never[%d]", i)
		c.detail(place+".detail", n.Detail)
		c.some(place+".by", n.By)
		c.people(place+".by", n.By)
	}
}

func (c *checking) person(place, name string) {
	if c.script.party(name) == nil {
		c.fault(place, "spell the name as under parties, or add the party", "%q takes no part", name)
	}
}

func (c *checking) people(place string, names []string) {
	for i, name := range names {
		c.person(fmt.Sprintf("%s[%d]", place, i), name)
	}
}

func (c *checking) some(place string, list []string) {
	if len(list) == 0 {
		c.fault(place, "name somebody", "nobody is named")
	}
}

func (c *checking) owner(place, name string) {
	if p := c.script.party(name); p == nil || p.Delegate == nil {
		c.fault(place, "name a party with a delegate", "%q has no delegate", name)
	}
}

func (c *checking) detail(place, id string) {
	if c.script.detail(id) == nil {
		c.fault(place, "spell the id as under details, or add the detail", "%q is no detail", id)
	}
}

func (c *checking) known(place string, ids []string) {
	for i, id := range ids {
		c.detail(fmt.Sprintf("%s[%d]", place, i), id)
	}
}

func (c *checking) text(place, text string) {
	if strings.TrimSpace(text) == "" {
		c.fault(place, "write it", "nothing is said")
	}
}

// members checks a channel and that the people are in it.
func (c *checking) members(place, id string, people ...string) {
	ch := c.script.channel(id)
	if ch == nil {
		c.fault(place, "spell the id as under channels, or add the channel", "%q is no channel", id)
		return
	}
	for _, name := range people {
		p := c.script.party(name)
		if p != nil && !slices.ContainsFunc(ch.Members, func(m string) bool { return c.script.party(m) == p }) {
			c.fault(place, "add them to its members", "%q is not in channel %q", name, id)
		}
	}
}
