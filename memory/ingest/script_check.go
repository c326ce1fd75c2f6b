package ingest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/epagent/epagent/privacy"
)

// check verifies the rules of the format: ids are unique, references exist, the
// owner takes part in every session.
func (s *Script) check() error {
	p, err := readCast(s.Policy)
	if err != nil {
		return err
	}
	s.Owner = p.Owner.Name
	c := checker{cast: p, sessions: map[string]bool{}, facts: map[privacy.FactID]bool{}, ids: map[string]bool{}}
	for i := range s.Sessions {
		c.session(&s.Sessions[i])
	}
	for i := range s.Facts {
		c.fact(&s.Facts[i])
	}
	for _, t := range s.T1 {
		c.unique(t1File, t.ID)
		c.refs(t1File, t.ID, nil, []privacy.FactID{t.Fact})
		if !t.Level.Valid() {
			c.fault(t1File, t.ID, "level %d: want 0 to 4", t.Level)
		}
	}
	for _, t := range s.T2 {
		c.unique(t2File, t.ID)
		c.refs(t2File, t.ID, t.Sessions, t.Facts)
		for _, name := range t.Allowed {
			if !slices.Contains(t.Candidates, name) {
				c.fault(t2File, t.ID, "allowed %q is no candidate", name)
			}
		}
		for _, name := range t.Candidates {
			c.person(t2File, t.ID, name)
		}
	}
	for _, t := range s.T3 {
		c.unique(t3File, t.ID)
		c.refs(t3File, t.ID, t.Sessions, t.Facts)
		for _, a := range t.Audiences {
			c.person(t3File, t.ID, a.Person)
			for _, f := range slices.Concat(a.Allowed, a.Denied) {
				if !slices.Contains(t.Facts, f) {
					c.fault(t3File, t.ID, "%q of %q is none of its facts", f, a.Person)
				}
			}
			for _, f := range a.Allowed {
				if slices.Contains(a.Denied, f) {
					c.fault(t3File, t.ID, "%q is both allowed and denied to %q", f, a.Person)
				}
			}
		}
	}
	return errors.Join(c.faults...)
}

// cast is what of a policy the references of a script name. The policy itself
// is loaded and checked by package privacy.
type cast struct {
	Owner struct {
		Name    string   `yaml:"name"`
		Aliases []string `yaml:"aliases"`
	} `yaml:"owner"`
	Groups []struct {
		ID string `yaml:"id"`
	} `yaml:"groups"`
	People []struct {
		Name    string   `yaml:"name"`
		Aliases []string `yaml:"aliases"`
	} `yaml:"people"`
	Categories []struct {
		ID string `yaml:"id"`
	} `yaml:"categories"`
}

func readCast(policy []byte) (*cast, error) {
	var c cast
	if err := yaml.Unmarshal(policy, &c); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", policyFile, ErrFormat, yaml.FormatError(err, false, false))
	}
	if c.Owner.Name == "" {
		return nil, fmt.Errorf("%s: %w: owner has no name", policyFile, ErrFormat)
	}
	return &c, nil
}

// checker gathers the faults of a script, at most maxFaults.
type checker struct {
	cast     *cast
	people   map[string]bool
	sessions map[string]bool
	facts    map[privacy.FactID]bool
	ids      map[string]bool
	faults   []error
}

const maxFaults = 20

func (c *checker) fault(file, id, format string, args ...any) {
	if len(c.faults) < maxFaults {
		c.faults = append(c.faults, fmt.Errorf("%s: %q: %w: %s", file, id, ErrFormat, fmt.Sprintf(format, args...)))
	}
}

func (c *checker) unique(file, id string) {
	if id == "" {
		c.fault(file, id, "an id is missing")
	} else if c.ids[id] {
		c.fault(file, id, "the id occurs twice")
	}
	c.ids[id] = true
}

func (c *checker) person(file, id, name string) {
	if c.people == nil {
		c.people = map[string]bool{}
		add := func(names ...string) {
			for _, n := range names {
				c.people[privacy.NormalizeName(n)] = true
			}
		}
		add(c.cast.Owner.Name)
		add(c.cast.Owner.Aliases...)
		for _, p := range c.cast.People {
			add(p.Name)
			add(p.Aliases...)
		}
	}
	if !c.people[privacy.NormalizeName(name)] {
		c.fault(file, id, "%q is nobody of %s", name, policyFile)
	}
}

func (c *checker) party(file, id string, p privacy.Party) {
	g, ok := p.Group()
	if !ok {
		c.person(file, id, string(p))
		return
	}
	for _, known := range c.cast.Groups {
		if known.ID == string(g) {
			return
		}
	}
	c.fault(file, id, "%q is no group of %s", g, policyFile)
}

func (c *checker) session(s *ScriptSession) {
	c.unique(sessionsFile, s.ID)
	c.sessions[s.ID] = true
	if s.Time.IsZero() {
		c.fault(sessionsFile, s.ID, "no time")
	}
	if !slices.Contains(s.Participants, c.cast.Owner.Name) {
		c.fault(sessionsFile, s.ID, "the owner takes no part in it")
	}
	earlier := map[string]bool{}
	for _, t := range s.Turns {
		c.unique(sessionsFile, t.ID)
		if !slices.Contains(s.Participants, t.Speaker) {
			c.fault(sessionsFile, t.ID, "speaker %q takes no part in session %q", t.Speaker, s.ID)
		}
		if t.ReplyTo != "" && !earlier[t.ReplyTo] {
			c.fault(sessionsFile, t.ID, "it answers %q, which is no earlier turn of session %q", t.ReplyTo, s.ID)
		}
		earlier[t.ID] = true
	}
}

func (c *checker) fact(f *GoldFact) {
	c.unique(factsFile, string(f.ID))
	c.facts[f.ID] = true
	c.refs(factsFile, string(f.ID), f.Sessions, nil)
	if strings.TrimSpace(f.Text) == "" {
		c.fault(factsFile, string(f.ID), "no text")
	}
	if len(f.Sessions) == 0 {
		c.fault(factsFile, string(f.ID), "no session")
	}
	if f.Truth != privacy.Real.String() && f.Truth != privacy.Cover.String() {
		c.fault(factsFile, string(f.ID), "truth %q: want real or cover", f.Truth)
	}
	for _, id := range f.Categories {
		if !slices.ContainsFunc(c.cast.Categories, func(k struct {
			ID string `yaml:"id"`
		}) bool {
			return k.ID == string(id)
		}) {
			c.fault(factsFile, string(f.ID), "%q is no category of %s", id, policyFile)
		}
	}
	for _, p := range slices.Concat(f.Whitelist, f.Blacklist) {
		c.party(factsFile, string(f.ID), p)
	}
}

// refs checks that sessions and facts exist.
func (c *checker) refs(file, id string, sessions []string, facts []privacy.FactID) {
	for _, s := range sessions {
		if !c.sessions[s] {
			c.fault(file, id, "session %q doesn't exist", s)
		}
	}
	for _, f := range facts {
		if !c.facts[f] {
			c.fault(file, id, "fact %q doesn't exist", f)
		}
	}
}
