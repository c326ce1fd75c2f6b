package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
)

// notes returns what breaks no rule and is likely a mistake.
func (g *gold) notes() []*ingest.ScriptFault {
	return slices.Concat(g.sessionNotes(), g.factNotes(), g.evidenceNotes(), g.groupNotes())
}

// note is a note on a row.
func (g *gold) note(file string, row int, id, remedy, format string, args ...any) *ingest.ScriptFault {
	return &ingest.ScriptFault{
		File: file, Line: g.script.Line(file, row), ID: id, Problem: fmt.Sprintf(format, args...), Remedy: remedy,
	}
}

func (g *gold) sessionNotes() []*ingest.ScriptFault {
	var out []*ingest.ScriptFault
	var last time.Time
	strangers := map[string]bool{}
	for i, s := range g.script.Sessions {
		if s.Time.Before(last) {
			out = append(out, g.note(sessionsFile, i, s.ID, "sort the sessions by time", "it begins before the session above it"))
		}
		last = s.Time
		for _, name := range s.Participants {
			if _, ok := g.policy.Person(name); !ok && !g.policy.IsOwner(name) && !strangers[name] {
				strangers[name] = true
				out = append(out, g.note(sessionsFile, i, s.ID, "spell the name as in the policy, or leave it: a stranger gets what strangers get", "%q takes part and is nobody of %s", name, policyFile))
			}
		}
	}
	return out
}

func (g *gold) factNotes() []*ingest.ScriptFault {
	var out []*ingest.ScriptFault
	for i, f := range g.script.Facts {
		for _, who := range f.Whitelist {
			if slices.ContainsFunc(f.Blacklist, func(not privacy.Party) bool { return g.same(who, not) }) {
				out = append(out, g.note(factsFile, i, string(f.ID), "keep it in one list; the blacklist wins", "%q stands in whitelist and blacklist", who))
			}
		}
		covers := slices.ContainsFunc(g.script.Facts, func(other ingest.GoldFact) bool {
			return f.Event != "" && other.Event == f.Event && other.Truth == privacy.Real.String()
		})
		if f.Truth == privacy.Cover.String() && !covers {
			out = append(out, g.note(factsFile, i, string(f.ID), "give it the event of what it covers", "it is a cover story, and no real fact is of its event"))
		}
	}
	return out
}

// same reports whether two entries of lists name one group or one person.
func (g *gold) same(a, b privacy.Party) bool {
	p, ok := g.policy.Person(string(a))
	q, known := g.policy.Person(string(b))
	return a == b || ok && known && p.ID == q.ID
}

// evidenceNotes are of items whose sessions don't tell all that they ask for.
func (g *gold) evidenceNotes() []*ingest.ScriptFault {
	var out []*ingest.ScriptFault
	evidence := func(file string, row int, id string, facts []privacy.FactID, sessions []string) {
		for _, f := range facts {
			told := g.facts[f]
			if told == nil {
				continue
			}
			missing := slices.DeleteFunc(slices.Clone(told.Sessions), func(s string) bool { return slices.Contains(sessions, s) })
			switch {
			case len(missing) == 0:
			case len(missing) == len(told.Sessions):
				out = append(out, g.note(file, row, id, "add the one that tells it", "none of its sessions tells fact %s", f))
			default:
				out = append(out, g.note(file, row, id, "add it", "its sessions leave out %s, which tells fact %s, too", missing[0], f))
			}
		}
	}
	for i, t := range g.script.T2 {
		evidence(t2File, i, t.ID, t.Facts, t.Sessions)
	}
	for i, t := range g.script.T3 {
		evidence(t3File, i, t.ID, t.Facts, t.Sessions)
	}
	return out
}

// groupNotes are of groups that nobody is in. They stand in the policy, which has no
// lines by rows.
func (g *gold) groupNotes() []*ingest.ScriptFault {
	var out []*ingest.ScriptFault
	for _, group := range g.policy.Groups() {
		if len(g.policy.Members(group.ID)) == 0 {
			out = append(out, &ingest.ScriptFault{File: policyFile, ID: string(group.ID), Problem: "nobody is in this group", Remedy: "put people in it, or take it out"})
		}
	}
	return out
}
