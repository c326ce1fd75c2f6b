package engine

import (
	"context"
	"slices"

	"github.com/epagent/epagent/privacy"
)

// spokenDraft is what a model found the owner to have said about who may know a
// draft.
type spokenDraft struct {
	exceptions []Exception
	told       []privacy.PersonID
}

// Exceptions implements [Excepter]: those of the offline stage, and what the model
// found besides in the same call that gave the categories.
//
// What keeps from somebody counts if its span stands in the owner's own words;
// people whom the policy doesn't know close the draft. What permits needs more: the
// span speaks of telling or knowing, names each of those it lets in, and stands in a
// turn that the draft rests on or in one beside it. Else it grants nothing and asks
// for a review.
func (m *Model) Exceptions(ctx context.Context, p *privacy.Policy, s Session) ([][]privacy.Mark, []privacy.EventRule, error) {
	marks, rules, err := m.off.Exceptions(ctx, p, s)
	m.mu.Lock()
	found := m.spoken[s.ID]
	delete(m.spoken, s.ID)
	m.mu.Unlock()
	if err != nil || len(found) != len(s.Drafts) {
		return marks, rules, err
	}
	a := m.off.compile(p).audience
	ruled := map[string]bool{}
	for _, r := range rules {
		ruled[r.ID] = true
	}
	for i := range s.Drafts {
		d := &s.Drafts[i]
		var more []privacy.Mark
		for _, x := range found[i].exceptions {
			more = append(more, a.exceptionMarks(p, s, d, x)...)
		}
		for _, k := range more {
			if !slices.ContainsFunc(marks[i], func(have privacy.Mark) bool {
				return have.Kind == k.Kind && have.Value == k.Value && have.Turn == k.Turn
			}) {
				marks[i] = append(marks[i], k)
			}
		}
		for _, id := range found[i].told {
			marks[i] = append(marks[i], privacy.Mark{Kind: privacy.MarkToldTo, Value: string(id), By: privacy.ByMachine, Rule: "MARKS 7, by model"})
		}
		for _, r := range eventRules(d, more) {
			if !ruled[r.ID] {
				ruled[r.ID] = true
				rules = append(rules, r)
			}
		}
	}
	return marks, rules, nil
}

// exceptionMarks are the marks of one exception that a model named.
func (a *audience) exceptionMarks(p *privacy.Policy, s Session, d *privacy.Record, x Exception) []privacy.Mark {
	u, ok := ownersSpan(s, x.Evidence)
	if !ok {
		return nil // nobody said so, or not the owner
	}
	if x.Allow {
		return a.grantMarks(p, s, d, x, u)
	}
	var out []privacy.Mark
	if x.Closed {
		// Whoever heard it knows it; whom a model names besides is let in by nobody.
		out = append(out, spoken(privacy.MarkClosed, "true", u, "MARKS 2"))
		for _, id := range listeners(p, u) {
			out = append(out, spoken(privacy.MarkWhitelist, string(id), u, "MARKS 2"))
		}
		return out
	}
	for _, name := range x.People {
		switch person, known := p.Person(name); {
		case known:
			out = append(out, spoken(privacy.MarkBlacklist, string(person.ID), u, "MARKS 3"))
		case isGroup(p, name):
			g := groupOf(name)
			for _, id := range p.Members(g) {
				out = append(out, spoken(privacy.MarkBlacklist, string(id), u, "MARKS 3"))
			}
			out = append(out, spoken(privacy.MarkBlacklist, string(privacy.GroupParty(g)), u, "MARKS 3"))
		default:
			// Somebody is meant, and it isn't clear who.
			out = append(out, spoken(privacy.MarkClosed, "true", u, "MARKS 3"), privacy.Mark{Kind: privacy.MarkReview, Value: "it is to be kept from somebody whom the policy doesn't know", By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID})
		}
	}
	return out
}

// grantMarks are those of a permission. Groups are not let in by a model: who they
// are is said by the offline stage, or by the owner.
func (a *audience) grantMarks(p *privacy.Policy, s Session, d *privacy.Record, x Exception, u *Utterance) []privacy.Mark {
	asks := []privacy.Mark{{Kind: privacy.MarkReview, Value: "a permission that isn't clear", By: privacy.ByMachine, Rule: "exceptions", Turn: u.ID}}
	span := foldText(x.Span)
	speaks := containsAny(span, englishCues) || hasCJK(span) && containsAny(span, chineseCues)
	if !speaks || !d.OwnerSaid || !besideEvidence(s, d, u.ID) || len(x.People) == 0 || denies(span) {
		return asks
	}
	named := a.mentioned(x.Span)
	var out []privacy.Mark
	for _, name := range x.People {
		person, known := p.Person(name)
		if !known || !slices.Contains(named, person.ID) {
			return asks
		}
		out = append(out, spoken(privacy.MarkWhitelist, string(person.ID), u, "MARKS 4"))
	}
	return out
}

// denies reports whether a span has a word of denial: it is no permission to anybody
// as long as it isn't read with more care than here.
func denies(span string) bool {
	for _, w := range splitWords(span) {
		if denialWords[w.text] {
			return true
		}
	}
	return containsAny(span, denialCJK)
}

var (
	denialWords = set("not don't dont doesn't never nobody no without except but isn't mustn't shouldn't can't cannot won't wouldn't n't stop hide kein keine nicht nie")
	denialCJK   = w("别 不 莫 勿 没 甭 瞒 除了")
)

// besideEvidence reports whether a turn is one that the draft rests on, or next to
// one.
func besideEvidence(s Session, d *privacy.Record, turn string) bool {
	for i := range s.Utterances {
		if s.Utterances[i].ID != turn {
			continue
		}
		for _, k := range []int{i - 1, i, i + 1} {
			if k >= 0 && k < len(s.Utterances) && slices.Contains(d.Evidence, s.Utterances[k].ID) {
				return true
			}
		}
	}
	return false
}

func groupOf(name string) privacy.GroupID {
	if g, ok := privacy.Party(name).Group(); ok {
		return g
	}
	return privacy.GroupID(name)
}

func isGroup(p *privacy.Policy, name string) bool {
	_, ok := p.Group(groupOf(name))
	return ok
}
