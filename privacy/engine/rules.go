package engine

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// ApplyRules returns facts with what the rules of the policy say of them at now,
// on top of what [Effective] made of their records. Records and facts go together
// by position. A rule asks for a fact's categories, its event, its id, the people
// whom its text names, and what it is about: every content word of the rule's
// "about" must be in the text.
func ApplyRules(p *privacy.Policy, records []privacy.Record, facts []privacy.Fact, now time.Time) []privacy.Fact {
	rules := p.Rules()
	if len(rules) == 0 || len(records) != len(facts) {
		return facts
	}
	about := make(map[string][]string)
	mentions := false
	for _, r := range rules {
		if r.About != "" {
			about[r.About] = lexical.Terms(r.About)
		}
		mentions = mentions || r.Mentions != ""
	}
	var names *audience
	if mentions {
		names = newAudience(p)
	}
	out := make([]privacy.Fact, len(facts))
	for i := range facts {
		t := target(&records[i], &facts[i], about)
		if names == nil {
			out[i] = p.ApplyRules(facts[i], t, now)
			continue
		}
		// Whom a text may mean is enough to deny; to allow, it must name them.
		t.Mentions = names.named(&records[i])
		sure := p.ApplyRules(facts[i], t, now)
		t.Mentions = append(t.Mentions, names.mentioned(records[i].Text)...)
		out[i] = p.ApplyRules(facts[i], t, now)
		out[i].OwnWhitelist = sure.OwnWhitelist
	}
	return out
}

// named returns the people whom a record names by a name or alias of the policy,
// or is about.
func (a *audience) named(r *privacy.Record) []privacy.PersonID {
	text := " " + foldText(r.Text) + " "
	var out []privacy.PersonID
	for _, q := range a.people {
		for _, name := range append([]string{q.Name}, q.Aliases...) {
			if standsIn(text, foldText(name)) || privacy.NormalizeName(r.Subject) == privacy.NormalizeName(name) {
				out = append(out, q.ID)
				break
			}
		}
	}
	return out
}

// standsIn reports whether a folded name stands in a folded text as a word; a name
// in a script without spaces may stand anywhere.
func standsIn(text, name string) bool {
	if name == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(name):])
		if hasCJK(name) || !unicode.IsLetter(before) && !unicode.IsDigit(before) && !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			return true
		}
		from = i + len(name)
	}
}

// target is a fact as the conditions of rules see it, without its mentions.
func target(r *privacy.Record, f *privacy.Fact, about map[string][]string) privacy.RuleTarget {
	t := privacy.RuleTarget{Fact: f.ID, Categories: f.Categories, Event: f.Event}
	if len(about) == 0 {
		return t
	}
	var has map[string]bool // of the text, made when first asked for
	t.Terms = func(text string) bool {
		if has == nil {
			has = make(map[string]bool)
			for _, term := range lexical.Terms(r.Text) {
				has[term] = true
			}
		}
		wanted := about[text]
		for _, term := range wanted {
			if !has[term] {
				return false
			}
		}
		return len(wanted) > 0
	}
	return t
}
