package engine

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// sayings reads utterance i, one of the owner's: clause by clause, and what runs
// through several clauses where its sentence ends.
func (a *audience) sayings(t *talk, i int) []saying {
	r := sayingReader{a: a, t: t, i: i, cs: t.clauses(i)}
	for k := 0; k < len(r.cs); {
		end := r.stretch(k)
		heeded := false
		for ; k < end; k++ {
			heeded = r.clause(k) || heeded
		}
		r.sentence(end, heeded)
	}
	return r.out
}

// sayingReader reads the clauses of one utterance in order.
type sayingReader struct {
	a  *audience
	t  *talk
	i  int
	cs []clause // all clauses of the utterance

	near    nearby
	looked  bool               // whether near and forward are known
	forward bool               // the utterance announces what comes next
	read    int                // clauses before it are in before
	before  []privacy.PersonID // for pronouns: who was named last
	first   int                // where the stretch begins that is read
	text    string             // of the stretch
	out     []saying
}

// stretch begins at clause k and returns where it ends: with its sentence, or
// where it gets too long to be read at once.
func (r *sayingReader) stretch(k int) int {
	r.first, r.text = k, r.cs[k].text
	end := k + 1
	for end < len(r.cs) && r.cs[end].sentence == r.cs[k].sentence && len(r.text)+len(r.cs[end].text) < maxClause {
		r.text += " , " + r.cs[end].text
		end++
	}
	return end
}

// look finds out what a clause before k has to do with it.
func (r *sayingReader) look(k int) {
	if !r.looked {
		r.looked, r.near = true, r.t.context(r.a, r.i)
		text := r.t.turn(r.i).folded
		r.forward = forwardCue.matches(text) || strings.HasSuffix(strings.TrimSpace(text), ":")
		r.before = r.near.people
	}
	for ; r.read < k; r.read++ {
		if named := r.a.lastNamed(r.cs[r.read].text); len(named) > 0 {
			r.before = named
		}
	}
}

// clause reads clause k and reports whether it says who may know.
func (r *sayingReader) clause(k int) bool {
	c := &r.cs[k]
	zh, en := hasCJK(c.text) && containsAny(c.text, chineseCues), containsAny(c.text, englishCues)
	if !zh && !en {
		return false
	}
	r.look(k)
	var found []saying
	if zh {
		found = r.a.chinese(*c, r.before)
	}
	if en {
		found = append(found, r.a.english(*c, r.before, r.near.secrecy)...)
	}
	return r.take(found, k)
}

// sentence reads the stretch that ends before clause end; heeded is whether its
// clauses said something by themselves.
func (r *sayingReader) sentence(end int, heeded bool) {
	c := &r.cs[end-1]
	if !containsAny(r.text, evasionCues) || c.question && (questionLed.MatchString(r.text) || zhQuestion.MatchString(r.text)) {
		return
	}
	var before []privacy.PersonID
	if r.looked {
		before = r.near.people
	}
	found := r.a.evasions(r.text, before)
	if len(found) == 0 && !heeded {
		if q := r.a.unreadIn(r.text); !q.empty() {
			d := q.deny(nil)
			found = append(found, saying{deny: d.people, groups: d.groups, closed: true, review: unread, within: part{text: r.text}})
		}
	}
	if len(found) > 0 {
		r.look(end - 1)
		r.take(found, end-1)
	}
}

// evasionCues are pieces of which every sentence has one that is read as a whole.
var evasionCues = append(slices.Clone(englishCues), append(w("found ask wonder inquire curious think believe assume convinced impression suspect guess discover reveal whisper confess admit hint warn leak spill call 问 以为"), chineseCues...)...)

func (r *sayingReader) take(found []saying, k int) bool {
	said := false
	for _, s := range found {
		if !s.says() {
			continue
		}
		said = true
		s.forward, s.clause = r.forward, k
		s.aside.text = restOfSentence(r.cs, k, s.aside.text)
		if (s.permitsOnly() || s.alibi != nil && len(s.grant) > 0) && hedged(r.cs, k) {
			s.grant, s.review = nil, "a permission that depends on something"
		}
		r.out = append(r.out, s)
	}
	return said
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
