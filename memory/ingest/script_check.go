package ingest

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/epagent/epagent/privacy"
)

// check verifies the rules of the format: ids are unique, references exist, the
// owner takes part in every session.
func (c *scriptReading) check() {
	s := c.script
	p := c.readCast()
	if p == nil {
		return
	}
	s.Owner = p.Owner.Name
	k := checker{scriptReading: c, cast: p, sessions: map[string]bool{}, facts: map[privacy.FactID]bool{}, ids: map[string]bool{}}
	k.rows(sessionsFile, len(s.Sessions), func(i int) { k.session(&s.Sessions[i]) })
	k.rows(factsFile, len(s.Facts), func(i int) { k.fact(&s.Facts[i]) })
	k.rows(t1File, len(s.T1), func(i int) { k.t1(&s.T1[i]) })
	k.rows(t2File, len(s.T2), func(i int) { k.t2(&s.T2[i]) })
	k.rows(t3File, len(s.T3), func(i int) { k.t3(&s.T3[i]) })
}

// cast is what of a policy the references of a script name. The policy itself
// is loaded and checked by package privacy.
type cast struct {
	Owner struct {
		Name    string   `yaml:"name"`
		Aliases []string `yaml:"aliases"`
	} `yaml:"owner"`
	Domains []string `yaml:"domains"`
	Groups  []struct {
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

func (c *scriptReading) readCast() *cast {
	var p cast
	if err := yaml.Unmarshal(c.script.Policy, &p); err != nil {
		c.fault(policyFile, 0, "", "write it as docs/policy.md describes", "%v: %s", ErrFormat, yaml.FormatError(err, false, false))
		return nil
	}
	if p.Owner.Name == "" {
		c.fault(policyFile, 0, "", "give owner.name", "the owner has no name")
		return nil
	}
	return &p
}

// checker checks the rows of a script, one after the other.
type checker struct {
	*scriptReading
	cast     *cast
	people   map[string]bool
	sessions map[string]bool
	facts    map[privacy.FactID]bool
	ids      map[string]bool

	file string // of the row at hand
	line int
	id   string
}

func (c *checker) rows(file string, n int, one func(i int)) {
	for i := range n {
		c.file, c.line = file, c.lines[file][i]
		one(i)
	}
}

// fault notes a fault of the row at hand.
func (c *checker) fault(remedy, format string, args ...any) {
	c.scriptReading.fault(c.file, c.line, c.id, remedy, format, args...)
}

func (c *checker) unique(id string) {
	c.id = id
	switch {
	case id == "":
		c.fault("give it one", "an id is missing")
	case c.ids[id]:
		c.fault("ids are unique within a script: choose another", "the id occurs twice")
	}
	c.ids[id] = true
}

func (c *checker) person(name string) {
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
		c.fault("spell the name as there, or add the person", "%q is nobody of %s", name, policyFile)
	}
}

func (c *checker) party(p privacy.Party) {
	g, ok := p.Group()
	if !ok {
		c.person(string(p))
		return
	}
	for _, known := range c.cast.Groups {
		if known.ID == string(g) {
			return
		}
	}
	c.fault("spell the id as there, or add the group", "%q is no group of %s", g, policyFile)
}

// text reports an empty text, which only a check by the letter minds.
func (c *checker) text(key, text string) {
	if c.strict && strings.TrimSpace(text) == "" {
		c.fault("write it", "%s is empty", key)
	}
}

// once reports what stands in a list twice.
func once[T comparable](c *checker, key string, list []T) {
	for i, v := range list {
		if c.strict && slices.Contains(list[:i], v) {
			c.fault("keep one", "%v stands twice in %s", v, key)
		}
	}
}

func (c *checker) session(s *ScriptSession) {
	c.unique(s.ID)
	c.sessions[s.ID] = true
	if s.Time.IsZero() {
		c.fault("give it in RFC 3339", "no time")
	}
	if !slices.Contains(s.Participants, c.cast.Owner.Name) {
		c.fault("name the owner among the participants, by the name in "+policyFile, "the owner takes no part in it")
	}
	once(c, "participants", s.Participants)
	c.text("channel", s.Channel)
	if c.strict && len(s.Turns) == 0 {
		c.fault("write what was said", "it has no turns")
	}
	earlier := map[string]bool{}
	for _, t := range s.Turns {
		c.unique(t.ID)
		if !slices.Contains(s.Participants, t.Speaker) {
			c.fault("spell the name as in participants, or add it there", "speaker %q takes no part in session %q", t.Speaker, s.ID)
		}
		if t.ReplyTo != "" && !earlier[t.ReplyTo] {
			c.fault("a turn answers an earlier one of its session", "it answers %q, which is no earlier turn of session %q", t.ReplyTo, s.ID)
		}
		c.text("text", t.Text)
		earlier[t.ID] = true
	}
}

func (c *checker) fact(f *GoldFact) {
	c.unique(string(f.ID))
	c.facts[f.ID] = true
	c.refs(f.Sessions, nil)
	if strings.TrimSpace(f.Text) == "" {
		c.fault("say in the third person what happened", "no text")
	}
	if c.strict && f.Time.IsZero() {
		c.fault("give it in RFC 3339", "no time")
	}
	if len(f.Sessions) == 0 {
		c.fault("name those that tell it", "no session")
	}
	if f.Truth != privacy.Real.String() && f.Truth != privacy.Cover.String() {
		c.fault("write real or cover", "truth %q: want real or cover", f.Truth)
	}
	for _, id := range f.Categories {
		if !slices.ContainsFunc(c.cast.Categories, func(k struct {
			ID string `yaml:"id"`
		}) bool {
			return k.ID == string(id)
		}) {
			c.fault("spell the id as there, or add the category", "%q is no category of %s", id, policyFile)
		}
	}
	once(c, "categories", f.Categories)
	for _, p := range slices.Concat(f.Whitelist, f.Blacklist) {
		c.party(p)
	}
	once(c, "whitelist", f.Whitelist)
	once(c, "blacklist", f.Blacklist)
}

func (c *checker) t1(t *T1Item) {
	c.unique(t.ID)
	c.refs(nil, []privacy.FactID{t.Fact})
	if !t.Level.Valid() {
		c.fault("write 0 to 4", "level %d: want 0 to 4", t.Level)
	}
	if t.Domain != nil && c.strict && !slices.Contains(c.cast.Domains, string(*t.Domain)) {
		c.fault("write null or one of them", "domain %q is none of %s", *t.Domain, policyFile)
	}
}

func (c *checker) t2(t *T2Item) {
	c.unique(t.ID)
	c.evidence(t.Question, t.Sessions, t.Facts)
	for _, name := range t.Allowed {
		if !slices.Contains(t.Candidates, name) {
			c.fault("only candidates can be allowed", "allowed %q is no candidate", name)
		}
	}
	if c.strict && len(t.Candidates) == 0 {
		c.fault("name whom the question is about", "no candidates")
	}
	for _, name := range t.Candidates {
		c.person(name)
	}
	once(c, "candidates", t.Candidates)
	once(c, "allowed", t.Allowed)
}

func (c *checker) t3(t *T3Item) {
	c.unique(t.ID)
	c.evidence(t.Question, t.Sessions, t.Facts)
	if c.strict && len(t.Audiences) == 0 {
		c.fault("name who asks", "no audiences")
	}
	var people []string
	for _, a := range t.Audiences {
		people = append(people, a.Person)
		c.person(a.Person)
		c.text("the answer for "+a.Person, a.Answer)
		once(c, "allowed", a.Allowed)
		once(c, "denied", a.Denied)
		for _, f := range slices.Concat(a.Allowed, a.Denied) {
			if !slices.Contains(t.Facts, f) {
				c.fault("add it to facts, or take it out", "%q of %q is none of its facts", f, a.Person)
			}
		}
		for _, f := range t.Facts {
			in, out := slices.Contains(a.Allowed, f), slices.Contains(a.Denied, f)
			switch {
			case in && out:
				c.fault("keep it in one of the two", "%q is both allowed and denied to %q", f, a.Person)
			case !in && !out && c.strict:
				c.fault("put it into allowed or denied", "%q is neither allowed nor denied to %q", f, a.Person)
			}
		}
	}
	once(c, "audiences", people)
}

// evidence checks what t2 and t3 items have in common.
func (c *checker) evidence(question string, sessions []string, facts []privacy.FactID) {
	c.text("question", question)
	c.refs(sessions, facts)
	once(c, "sessions", sessions)
	once(c, "facts", facts)
	if c.strict && len(sessions) == 0 {
		c.fault("name the sessions that answer it", "no sessions")
	}
	if c.strict && len(facts) == 0 {
		c.fault("name the facts that it asks for", "no facts")
	}
}

// refs checks that sessions and facts exist.
func (c *checker) refs(sessions []string, facts []privacy.FactID) {
	for _, s := range sessions {
		if !c.sessions[s] {
			c.fault("name one of "+sessionsFile, "session %q doesn't exist", s)
		}
	}
	for _, f := range facts {
		if !c.facts[f] {
			c.fault("name one of "+factsFile, "fact %q doesn't exist", f)
		}
	}
}
