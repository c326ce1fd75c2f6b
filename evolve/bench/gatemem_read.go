package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// GateEpisode is an episode of GateMem (arXiv 2606.18829) with its checkpoints: a memory
// shared by several people.
type GateEpisode struct {
	ID       string `json:"episode_id"`
	Entities struct {
		Principals []GatePrincipal `json:"principals"`
	} `json:"entities"`
	Turns []GateTurn `json:"turns"`

	Checkpoints []GateCheckpoint `json:"-"`
}

// GatePrincipal is somebody of an episode.
type GatePrincipal struct {
	ID   string `json:"principal_id"`
	Role string `json:"role"`
	Name string `json:"display_name"`
}

// GateTurn is something said.
type GateTurn struct {
	ID      string        `json:"turn_id"`
	Time    string        `json:"timestamp"` // "2026-05-12T07:30"
	Speaker GatePrincipal `json:"speaker"`   // without a name
	Text    string        `json:"text"`

	at time.Time
}

// GateCheckpoint is a question, asked when the turns up to AsOf have been said. The
// product sees asker and question alone.
type GateCheckpoint struct {
	ID      string        `json:"checkpoint_id"`
	Episode string        `json:"episode_id"`
	AsOf    string        `json:"as_of_turn_id"`
	Asker   GatePrincipal `json:"asker"` // without a name
	Kind    GateKind      `json:"query_type"`
	Query   string        `json:"query_text"`
	Spec    struct {
		Include    []string `json:"include"`
		NotInclude []string `json:"not_include"`
	} `json:"judge_spec"`
	Leaks []string `json:"leak_targets"`

	include, leaks []*regexp.Regexp
}

// GateKind is what a checkpoint tests, as the data calls it.
type GateKind string

// The kinds.
const (
	GateUtility    GateKind = "utility"
	GateAccess     GateKind = "privacy"
	GateForgetting GateKind = "safety"
)

// ReadGateMem reads episodes and checkpoints: a JSON object a line each. ErrFormat names
// file, line and remedy.
func ReadGateMem(episodes, checkpoints Named) ([]GateEpisode, error) {
	var out []GateEpisode
	const remedy = "take the file as it was published"
	err := eachRecord(episodes, episodes.Name, func(line int, e *GateEpisode) error {
		if problem := e.check(); problem != "" {
			return formatError(episodes.Name, line, problem, remedy)
		}
		if slices.ContainsFunc(out, func(o GateEpisode) bool { return o.ID == e.ID }) {
			return formatError(episodes.Name, line, fmt.Sprintf("episode %q is there twice", e.ID), "give each episode once")
		}
		out = append(out, *e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	err = eachRecord(checkpoints, checkpoints.Name, func(line int, c *GateCheckpoint) error {
		i := slices.IndexFunc(out, func(e GateEpisode) bool { return e.ID == c.Episode })
		if i < 0 {
			return formatError(checkpoints.Name, line, fmt.Sprintf("checkpoint %q belongs to no episode that was given", c.ID), "give episodes and checkpoints of one domain")
		}
		problem := ""
		switch {
		case c.ID == "" || strings.TrimSpace(c.Query) == "":
			problem = "a checkpoint needs checkpoint_id and query_text"
		case seen[c.ID]:
			problem = fmt.Sprintf("checkpoint %q is there twice", c.ID)
		case out[i].turn(c.AsOf) < 0:
			problem = fmt.Sprintf("as_of_turn_id %q is no turn of the episode", c.AsOf)
		case out[i].name(c.Asker.ID) == "":
			problem = fmt.Sprintf("asker %q is no principal of the episode", c.Asker.ID)
		case c.Kind != GateUtility && c.Kind != GateAccess && c.Kind != GateForgetting:
			problem = fmt.Sprintf("query_type %q: want utility, privacy or safety", c.Kind)
		case c.Kind == GateUtility && len(c.Spec.Include) == 0, c.Kind != GateUtility && len(c.Leaks)+len(c.Spec.NotInclude) == 0:
			problem = "there is nothing to score by: utility needs judge_spec.include, others leak_targets or judge_spec.not_include"
		}
		if problem != "" {
			return formatError(checkpoints.Name, line, problem, remedy)
		}
		seen[c.ID] = true
		var err error
		if c.include, err = gatePatterns(c.Spec.Include); err == nil {
			c.leaks, err = gatePatterns(slices.Concat(c.Spec.NotInclude, c.Leaks))
		}
		if err != nil {
			return formatError(checkpoints.Name, line, err.Error(), "write the target as a literal text or in RE2 syntax")
		}
		out[i].Checkpoints = append(out[i].Checkpoints, *c)
		return nil
	})
	return out, err
}

// check reads the times, and says what is wrong, "" if nothing is.
func (e *GateEpisode) check() string {
	if e.ID == "" || len(e.Entities.Principals) == 0 || len(e.Turns) == 0 {
		return "an episode needs episode_id, entities.principals and turns"
	}
	names, ids := map[string]bool{}, map[string]bool{}
	for _, p := range e.Entities.Principals {
		if p.ID == "" || strings.TrimSpace(p.Name) == "" || names[p.Name] || ids[p.ID] {
			return fmt.Sprintf("principal %q: ids and names must be there, and differ", p.ID)
		}
		names[p.Name], ids[p.ID] = true, true
	}
	turns := map[string]bool{}
	for i := range e.Turns {
		t := &e.Turns[i]
		var err error
		if t.at, err = time.Parse("2006-01-02T15:04", t.Time); err != nil {
			if t.at, err = time.Parse("2006-01-02T15:04:05", t.Time); err != nil {
				return fmt.Sprintf("turn %q: timestamp %q isn't like 2026-05-12T07:30", t.ID, t.Time)
			}
		}
		if t.ID == "" || turns[t.ID] || !ids[t.Speaker.ID] || strings.TrimSpace(t.Text) == "" {
			return fmt.Sprintf("turn %q needs an id of its own, a principal as speaker, and text", t.ID)
		}
		turns[t.ID] = true
	}
	return ""
}

// turn is where a turn stands; -1 nowhere.
func (e *GateEpisode) turn(id string) int {
	return slices.IndexFunc(e.Turns, func(t GateTurn) bool { return t.ID == id })
}

// name is what a principal is called; "" who isn't one.
func (e *GateEpisode) name(id string) string {
	for _, p := range e.Entities.Principals {
		if p.ID == id {
			return p.Name
		}
	}
	return ""
}

// gateRegexp is how a target that is a regular expression is known: it groups, or names
// a class.
var gateRegexp = regexp.MustCompile(`\(\?|\\[dsw]`)

// gatePatterns are targets as patterns without case: literal texts between borders of
// words, or regular expressions. RE2 has no looking around; that no digit comes before
// or after is put into its terms.
func gatePatterns(targets []string) ([]*regexp.Regexp, error) {
	var out []*regexp.Regexp
	for _, t := range targets {
		pattern := strings.NewReplacer(`(?<!\d)`, `(?:^|\D)`, `(?!\d)`, `(?:\D|$)`).Replace(t)
		if !gateRegexp.MatchString(t) {
			pattern = `(?:^|[^\pL\pN])` + strings.Join(strings.Fields(regexp.QuoteMeta(t)), `\s+`) + `(?:[^\pL\pN]|$)`
		}
		re, err := regexp.Compile(`(?i)` + pattern)
		if err != nil {
			return nil, fmt.Errorf("target %q can't be read", t)
		}
		out = append(out, re)
	}
	return out, nil
}
