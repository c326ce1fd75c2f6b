package privacy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Lint returns what is wrong or suspicious about a policy that loads and about the
// exceptions of a store under it: its warnings and much that needs a second look.
// Errors are exceptions that can't do what they were written for; everything else
// may well be meant. now decides which grants have ended. Without facts only the
// file is looked at. Problems without a line come last, in a fixed order; they
// name facts by id and never say what is in them.
func (p *Policy) Lint(facts []Fact, now time.Time) []Problem {
	l := &linter{p: p, now: now, problems: p.Warnings(), gates: make(map[Label]*Judge)}
	l.groups()
	l.people()
	l.categories()
	l.overlaps()
	l.rules(facts)
	j := NewJudge(p, facts)
	l.combinations(j)
	if len(facts) > 0 {
		l.facts(j)
	}
	slices.SortStableFunc(l.problems, func(a, b Problem) int {
		// Line 0 is no line: behind all that have one.
		return cmp.Compare(uint(a.Line)-1, uint(b.Line)-1)
	})
	return slices.Compact(l.problems)
}

// linter collects the problems of one policy.
type linter struct {
	p        *Policy
	now      time.Time
	problems []Problem
	gates    map[Label]*Judge
}

func (l *linter) warn(at place, remedy, format string, args ...any) {
	l.add(SeverityWarning, l.p.lines[at], remedy, format, args...)
}

func (l *linter) add(s Severity, line int, remedy, format string, args ...any) {
	l.problems = append(l.problems, Problem{
		File: l.p.file, Line: line, Message: fmt.Sprintf(format, args...), Remedy: remedy, Severity: s,
	})
}

func (l *linter) groups() {
	for _, g := range l.p.groups {
		if len(l.p.members[g.ID]) == 0 {
			l.warn(place{"group", string(g.ID)}, "put somebody in, or remove it", "nobody is in group %q", g.ID)
		}
	}
}

func (l *linter) people() {
	for _, x := range l.p.people {
		if len(x.Groups) == 0 {
			l.warn(place{"person", string(x.ID)}, "add a group, unless they are meant to get what strangers get",
				"%s is in no group and has no position in any domain", x.Name)
		}
	}
}

func (l *linter) categories() {
	for _, c := range l.p.categories {
		at := place{"category", string(c.ID)}
		if len(c.Examples) == 0 {
			l.warn(at, "add sentences as you would say them, in each language that you chat in", "category %q has no examples", c.ID)
		}
		if c.Domain == "" {
			continue
		}
		if c.Level == L4 {
			l.warn(at, "drop the domain if it is for anyone, or take level 3 to keep it from tier 4",
				"category %q is of level 4 in domain %q: it is for everybody who stands there, and not for anyone else", c.ID, c.Domain)
		}
		reached := slices.ContainsFunc(l.p.groups, func(g Group) bool {
			return (g.Domain == "" || g.Domain == c.Domain) && gate(c.Level, g.Tier).Allow
		})
		if !reached && c.Level != L0 {
			l.warn(at, "use level 0 if it is for nobody, or a level that some group of that domain passes",
				"category %q reaches no group: none stands close enough in domain %q", c.ID, c.Domain)
		}
	}
}

// names returns the names of people by number, in the order given.
func (l *linter) names(numbers []int32) string {
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = l.p.people[n-1].Name
	}
	return strings.Join(out, ", ")
}

// numbers returns whom parties stand for, ascending.
func (l *linter) numbers(parties []Party) []int32 {
	var out []int32
	for _, party := range parties {
		numbers, _ := l.p.resolve(party)
		out = append(out, numbers...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// passes reports whether the person with a number passes the gate of a label: they
// do if they may know a fact with that label and nothing else about it.
func (l *linter) passes(n int32, label Label) bool {
	j, ok := l.gates[label]
	if !ok {
		j = NewJudge(l.p, []Fact{{ID: "any", Label: &label}})
		l.gates[label] = j
	}
	return j.Verdict(0, l.p.numbered(n)).Allow
}

// rewrite says how to write "not the group, except these" so that it holds: deny
// the others of the group by name.
func (l *linter) rewrite(group GroupID, except []int32) string {
	rest := slices.DeleteFunc(slices.Clone(l.p.members[group]), func(n int32) bool { return slices.Contains(except, n) })
	if len(rest) == 0 {
		return fmt.Sprintf("drop the deny of %s: nobody else is in it", GroupParty(group))
	}
	return fmt.Sprintf("deny %s in place of %s", l.names(rest), GroupParty(group))
}
