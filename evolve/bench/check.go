package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// Checked is what a check of a script folder came to.
type Checked struct {
	Script   string                `json:"script"`
	Sessions int                   `json:"sessions"`
	Turns    int                   `json:"turns"`
	Facts    int                   `json:"facts"`
	T1       int                   `json:"t1"`
	T2       int                   `json:"t2"`
	T3       int                   `json:"t3"`
	Faults   []*ingest.ScriptFault `json:"faults"` // breaks of the format, and gold that isn't the calculus's
	// Notes are what is likely a mistake and breaks no rule.
	Notes []*ingest.ScriptFault `json:"notes"`
}

// Valid reports whether the script may be used.
func (c *Checked) Valid() bool { return len(c.Faults) == 0 }

// The files that a check speaks of.
const (
	policyFile   = "policy.yaml"
	sessionsFile = "sessions.jsonl"
	factsFile    = "facts.jsonl"
	t1File       = "t1.jsonl"
	t2File       = "t2.jsonl"
	t3File       = "t3.jsonl"
)

// Check reads a script folder by the letter of the format and holds its gold levels,
// allowed and denied sets against what the calculus makes of its gold facts and its
// policy. The error says what kept a file from being read.
func Check(dir string) (*Checked, error) {
	nowhere := func(problem, remedy string) (*Checked, error) {
		fault := &ingest.ScriptFault{File: dir, Problem: problem, Remedy: remedy}
		return &Checked{Script: filepath.Base(dir), Faults: []*ingest.ScriptFault{fault}, Notes: []*ingest.ScriptFault{}}, nil
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return nowhere("there is no such folder", "give the folder of a script")
	case err == nil && !info.IsDir():
		return nowhere("it is a file", "give the folder that it is in")
	}
	script, faults, err := ingest.CheckScript(dir)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	out := &Checked{Faults: faults, Notes: []*ingest.ScriptFault{}}
	if out.Faults == nil {
		out.Faults = []*ingest.ScriptFault{}
	}
	out.Script = script.Name
	out.Sessions, out.Facts = len(script.Sessions), len(script.Facts)
	out.T1, out.T2, out.T3 = len(script.T1), len(script.T2), len(script.T3)
	for _, s := range script.Sessions {
		out.Turns += len(s.Turns)
	}
	if !script.Whole() {
		return out, nil
	}
	policy, broken := parsePolicy(script)
	out.Faults = append(out.Faults, broken...)
	if policy == nil {
		return out, nil
	}
	g := newGold(script, policy)
	out.Faults = append(out.Faults, g.check()...)
	out.Notes = append(out.Notes, g.notes()...)
	return out, nil
}

// parsePolicy loads the policy of a script, nil with what is wrong with it.
func parsePolicy(s *ingest.Script) (*privacy.Policy, []*ingest.ScriptFault) {
	policy, err := privacy.Parse(policyFile, s.Policy)
	if err == nil {
		return policy, nil
	}
	var wrong *privacy.PolicyError
	if !errors.As(err, &wrong) {
		return nil, []*ingest.ScriptFault{{File: policyFile, Problem: err.Error(), Remedy: "write it as docs/policy.md describes"}}
	}
	var out []*ingest.ScriptFault
	for _, p := range wrong.Problems {
		out = append(out, &ingest.ScriptFault{File: policyFile, Line: p.Line, Problem: p.Message, Remedy: p.Remedy})
	}
	return nil, out
}

// gold is what the calculus makes of the gold facts of a script.
type gold struct {
	script *ingest.Script
	policy *privacy.Policy
	facts  map[privacy.FactID]*ingest.GoldFact
	judge  *privacy.Judge
}

func newGold(s *ingest.Script, p *privacy.Policy) *gold {
	g := &gold{script: s, policy: p, facts: map[privacy.FactID]*ingest.GoldFact{}}
	var records []privacy.Record
	var last time.Time
	for _, f := range s.GoldFacts() {
		records = append(records, f.Record)
	}
	for i := range s.Facts {
		g.facts[s.Facts[i].ID] = &s.Facts[i]
	}
	for _, session := range s.Sessions {
		if session.Time.After(last) {
			last = session.Time
		}
	}
	marks := engine.ApplyRules(p, records, engine.Effective(p, records, nil), last)
	g.judge = privacy.NewJudge(p, marks)
	return g
}

// label is the gold label of a fact.
func (g *gold) label(id privacy.FactID) privacy.Label {
	i, ok := g.judge.Index(id)
	if !ok {
		return privacy.Label{}
	}
	return g.judge.Label(i)
}

// goldLabel is the label that an item states. L0 is nobody's in every domain.
func goldLabel(t *ingest.T1Item) privacy.Label {
	if t.Level == privacy.L0 {
		return privacy.Label{}
	}
	return t.Label()
}

// allows reports whether somebody may be told a fact.
func (g *gold) allows(id privacy.FactID, person string) bool {
	r, err := g.policy.Lookup(person)
	return err == nil && g.judge.VerdictOf(id, r).Allow
}

// allowsAll reports whether somebody may be told facts in their connection.
func (g *gold) allowsAll(ids []privacy.FactID, person string) bool {
	r, err := g.policy.Lookup(person)
	return err == nil && g.judge.Unit(ids, r).Allow
}

// check returns where the gold of the tasks isn't what follows from the facts.
func (g *gold) check() []*ingest.ScriptFault {
	var out []*ingest.ScriptFault
	fault := func(file string, row int, id, remedy, format string, args ...any) {
		out = append(out, &ingest.ScriptFault{
			File: file, Line: g.script.Line(file, row), ID: id, Problem: fmt.Sprintf(format, args...), Remedy: remedy,
		})
	}
	const mend = "correct this, or the fact's categories and lists"
	for i, t := range g.script.T1 {
		switch want, got := g.label(t.Fact), goldLabel(&t); {
		case t.Level == privacy.L0 && t.Domain != nil:
			fault(t1File, i, t.ID, "write null", "level 0 is nobody's and has no domain")
		case got != want:
			fault(t1File, i, t.ID, mend, "level and domain are %s, and the calculus gives %s %s", got, t.Fact, want)
		}
	}
	for i, t := range g.script.T2 {
		if len(t.Facts) == 0 {
			continue // a fault of its own, and there is nothing to judge
		}
		for _, person := range t.Candidates {
			want, got := g.allowsAll(t.Facts, person), slices.Contains(t.Allowed, person)
			switch {
			case want && !got:
				fault(t2File, i, t.ID, mend, "the calculus lets %q know it all, and allowed doesn't name them", person)
			case got && !want:
				fault(t2File, i, t.ID, mend, "allowed names %q, and the calculus denies it: %s", person, g.whyNot(t.Facts, person))
			}
		}
	}
	for i, t := range g.script.T3 {
		for _, a := range t.Audiences {
			for _, id := range t.Facts {
				want, got := g.allows(id, a.Person), slices.Contains(a.Allowed, id)
				switch {
				case want && !got:
					fault(t3File, i, t.ID, mend, "the calculus allows %s to %q, and allowed doesn't hold it", id, a.Person)
				case got && !want:
					fault(t3File, i, t.ID, mend, "%s is allowed to %q, and the calculus denies it: %s", id, a.Person, g.whyNot([]privacy.FactID{id}, a.Person))
				}
			}
		}
	}
	return out
}

// whyNot names the denials of facts for somebody: "f03 cross_domain, f04 level0".
func (g *gold) whyNot(ids []privacy.FactID, person string) string {
	r, err := g.policy.Lookup(person)
	if err != nil {
		return "the name can't be told from another's"
	}
	var out []string
	for i, v := range g.judge.Unit(ids, r).Verdicts {
		if !v.Allow {
			out = append(out, fmt.Sprintf("%s %v", ids[i], v.Reason))
		}
	}
	return strings.Join(out, ", ")
}
