package engine

import (
	"strings"

	"github.com/epagent/epagent/privacy"
)

// sayings reads utterance i, one of the owner's.
func (a *audience) sayings(t *talk, i int) []saying {
	var (
		out     []saying
		near    nearby
		looked  bool               // whether near and forward are known
		forward bool               // the utterance announces what comes next
		read    int                // clauses before it are in before
		before  []privacy.PersonID // for pronouns: who was named last
		cs      = t.clauses(i)     // all clauses of the utterance
	)
	for k := range cs {
		c := &cs[k]
		zh, en := hasCJK(c.text) && containsAny(c.text, chineseCues), containsAny(c.text, englishCues)
		if !zh && !en {
			continue
		}
		if !looked {
			looked, near = true, t.context(a, i)
			text := t.turn(i).folded
			forward = forwardCue.matches(text) || strings.HasSuffix(strings.TrimSpace(text), ":")
			before = near.people
		}
		for ; read < k; read++ {
			if named := a.lastNamed(cs[read].text); len(named) > 0 {
				before = named
			}
		}
		var found []saying
		if zh {
			found = a.chinese(*c, before)
		}
		if en {
			found = append(found, a.english(*c, before, near.secrecy)...)
		}
		for _, s := range found {
			if s.says() {
				s.forward, s.clause = forward, k
				s.aside.text = restOfSentence(cs, k, s.aside.text)
				if s.permitsOnly() && hedged(cs, k) {
					s.grant, s.review = nil, "a permission that depends on something"
				}
				out = append(out, s)
			}
		}
	}
	return out
}

// restOfSentence returns aside and the clauses after k of its sentence: what is
// said there is another thought, as far as who may know is concerned.
func restOfSentence(cs []clause, k int, aside string) string {
	for j := k + 1; j < len(cs) && cs[j].sentence == cs[k].sentence && len(aside) < maxClause; j++ {
		aside += " , " + cs[j].text
	}
	return aside
}

// hedged reports whether what follows clause k makes a permission in it depend on
// something: "you can tell Anna, but only once it is signed".
func hedged(cs []clause, k int) bool {
	for j := k + 1; j < len(cs) && cs[j].sentence == cs[k].sentence; j++ {
		if hedgeInside.MatchString(cs[j].text) {
			return true
		}
	}
	for j := k + 1; j < len(cs) && cs[j].sentence <= cs[k].sentence+1; j++ {
		if cs[j].sentence > cs[k].sentence {
			return hedgeAfter.MatchString(cs[j].text)
		}
	}
	return false
}

// split cuts a clause around what says who may know: what may be the matter of it
// (before, and after it unless a comma begins another thought), and the rest.
func split(lead, tail string) (within, aside part) {
	if i := strings.IndexByte(tail, ','); i >= 0 {
		return part{text: lead + " " + tail[:i]}, part{text: tail[i:]}
	}
	return part{text: lead + " " + tail}, part{}
}
