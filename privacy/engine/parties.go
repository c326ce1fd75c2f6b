package engine

import (
	"slices"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// parties is a list of people and groups as the owner named them in one place.
type parties struct {
	handles    [][]handle // one a party: its readings
	pronoun    bool       // him, her, them: whoever was spoken of before
	everyone   bool       // anybody at all, unless scoped
	scoped     bool       // everybody of the handles' groups ("nobody at work")
	rest       bool       // "else", "other": apart from those who hear it
	unresolved []string   // words that should stand for somebody and don't
	used       int        // words read
}

func (q *parties) empty() bool {
	return len(q.handles) == 0 && !q.pronoun && !q.everyone && len(q.unresolved) == 0
}

// Words around parties. The lists are closed classes of the language.
var (
	determiners = set("my our the your that this any all both dear of please even anyone anybody everyone everybody those people in at from on with")
	othersOwn   = set("his her their")
	pronouns    = set("him her them he she they")
	separators  = set("and or nor not & either neither even also plus including especially")
	insideWords = set("at in on from of")
	restWords   = set("else other")
	// selfWords are the listener, the owner, and what one tells that is no person.
	selfWords = set(`me us you myself yourself yourselves ourselves i we it its itself that this these those there here what how when why where if whether which who whom
		lies lie truth fib fibs story stories tale tales joke jokes porkies time difference whole half off apart a an one two more much anything something everything nothing him/herself just
		to for so then now again too well yet because but while until unless before after by as is are was were be been being about mir uns`)
	// tagWords end a sentence after a comma and name nobody.
	tagWords    = set("ok okay please right deal yeah yes promise thanks thx though never ever really seriously alright agreed got mate dear love honey darling babe will would can could deal")
	commonNouns = set("truth time difference story thing things details detail way rest lot future past tale end beginning news answer reason price number date")
)

// listAfter reads a list of parties from the start of words.
func (a *audience) listAfter(words []string) parties {
	var q parties
	i, sep := 0, true // sep: a party may begin here
	for i < len(words) {
		word := words[i]
		if word == "," {
			i, sep = i+1, true
			continue
		}
		if !q.empty() && separators[word] {
			i, sep = i+1, true
			continue
		}
		if !sep {
			break
		}
		comma := i > 0 && words[i-1] == ","
		if comma && (tagWords[word] || strings.Contains(word, "'") || pronouns[word] && word != "him" && word != "her" && word != "them") {
			break // "don't tell Anna, she'd worry"
		}
		n, ok := a.party(words[i:], &q)
		if !ok {
			break
		}
		if last := len(q.unresolved) - 1; comma && last >= 0 && q.unresolved[last] == words[i+n-1] &&
			i+n < len(words) && words[i+n] != "," && !separators[words[i+n]] {
			q.unresolved = q.unresolved[:last] // after a comma another thought begins, not another name
			break
		}
		i, sep = i+n, false
		q.used = i
		for i < len(words) && restWords[words[i]] {
			q.rest = true
			i++
			q.used = i
		}
		if q.everyone && i < len(words) && insideWords[words[i]] {
			if n := a.scope(words[i:], &q); n > 0 {
				i += n
				q.used = i
			}
		}
	}
	return q
}

// listBefore reads the list of parties that ends where words end.
func (a *audience) listBefore(words []string) parties {
	for i := max(0, len(words)-12); i < len(words); i++ {
		if w := words[i]; w == "," || separators[w] || selfWords[w] && w != "that" {
			continue
		}
		if q := a.listAfter(words[i:]); !q.empty() && len(q.unresolved) == 0 && q.used == len(words)-i {
			return q
		}
	}
	// Nothing that is known ends here: the last word may still name somebody.
	if n := len(words); n > 0 {
		w := words[n-1]
		if !selfWords[w] && !separators[w] && !determiners[w] && w != "," && !commonNouns[w] {
			return parties{unresolved: []string{w}, used: 1}
		}
	}
	return parties{}
}

// party reads one party from the start of words into q, and how many words it
// took; false if none begins there.
func (a *audience) party(words []string, q *parties) (int, bool) {
	i, others := 0, false
	for i < len(words) {
		// A phrase that is known as it stands ("the others", "my first boss").
		if n, hs := a.longestHandle(words[i:]); n > 0 {
			if others && isRelation(strings.Join(words[i:i+n], " "), hs) {
				q.unresolved = append(q.unresolved, strings.Join(words[:i+n], " "))
				return i + n, true
			}
			// "anyone at work": the scope stands for itself; "everyone" is read below.
			if hs[0].everyone {
				q.everyone = true
				return i + n, true
			}
			q.add(hs, strings.Join(words[i:i+n], " "))
			return i + n, true
		}
		switch word := words[i]; {
		case othersOwn[word] && i+1 < len(words) && a.relationAt(words[i+1:]):
			others = true
			i++
		case pronouns[word]:
			q.pronoun = true
			return i + 1, true
		case determiners[word]:
			i++
		case selfWords[word] || commonNouns[word] || word == ",":
			return 0, false
		default:
			q.unresolved = append(q.unresolved, word)
			return i + 1, true
		}
	}
	return 0, false
}

// add takes the readings of one party. A relation that stands for nobody in the
// policy is unresolved.
func (q *parties) add(hs []handle, words string) {
	var kept []handle
	for _, h := range hs {
		if len(h.people)+len(h.groups) > 0 {
			kept = append(kept, h)
		}
	}
	if len(kept) == 0 {
		q.unresolved = append(q.unresolved, words)
		return
	}
	q.handles = append(q.handles, kept)
}

// scope reads "at work", "in the choir" after a word for everybody. The group
// in question takes the place of everybody; an unknown one leaves everybody.
func (a *audience) scope(words []string, q *parties) int {
	for i := 1; i < len(words) && i < 4; i++ {
		if n, hs := a.longestHandle(words[i:]); n > 0 {
			if groups := groupReadings(hs); len(groups) > 0 {
				q.handles = append(q.handles, groups)
				q.scoped = true
				return i + n
			}
		}
		if !determiners[words[i]] {
			// "nobody else at Brightwater": a place that the policy doesn't know as a group.
			return i + 1
		}
	}
	return 0
}

func groupReadings(hs []handle) []handle {
	var out []handle
	for _, h := range hs {
		if len(h.groups) > 0 {
			out = append(out, h)
		}
	}
	return out
}

func (a *audience) relationAt(words []string) bool {
	n, hs := a.longestHandle(words)
	return isRelation(strings.Join(words[:n], " "), hs)
}

// isRelation reports whether words say what somebody is to somebody. An alias
// can be such a word too: "mum" may be the owner's, "his mum" is not.
func isRelation(words string, hs []handle) bool {
	return relationWords[words] || slices.ContainsFunc(hs, func(h handle) bool { return h.relation != "" })
}

func (a *audience) longestHandle(words []string) (int, []handle) {
	for n := min(a.longest, len(words)); n >= 1; n-- {
		if hs := a.handles[strings.Join(words[:n], " ")]; len(hs) > 0 {
			return n, hs
		}
	}
	return 0, nil
}

// cjkFiller may stand between and after parties of a Chinese list.
var cjkFiller = []string{"那边", "那儿", "那里", "这边", "这儿", "面前", "跟前", "他们", "她们", "她们俩", "他们俩", "还有", "以及", "或者", "尤其是", "尤其", "特别是", "和", "跟", "与", "及", "或", "、", "，", ",", "们", "也", "都", "先", "再", "千万", "暂时", "家长", "知道", "的人", "那头", "里", "上", "本人", "自己", "俩"}

// listCJK reads a list of parties from Chinese text. All of s is read: what is
// neither known nor filler is unresolved.
func (a *audience) listCJK(s string) parties {
	var q parties
	s = strings.Join(strings.Fields(s), "")
	for s != "" {
		if n := a.partyCJK(s, &q); n > 0 {
			s = s[n:]
			continue
		}
		if rest, ok := cutAnyPrefix(s, cjkFiller); ok {
			s = rest
			continue
		}
		if rest, ok := cutAnyPrefix(s, []string{"我们", "咱们", "你们", "我", "你", "您", "咱", "自己", "这个", "那个", "这", "那", "其他", "别的"}); ok {
			s = rest
			continue
		}
		if rest, ok := cutAnyPrefix(s, []string{"他", "她", "TA", "ta"}); ok {
			q.pronoun = true
			s = rest
			continue
		}
		q.unresolved = append(q.unresolved, s)
		break
	}
	return q
}

// partyCJK reads one known party at the start of s and returns its length in
// bytes, 0 if none is there.
func (a *audience) partyCJK(s string, q *parties) int {
	rest, others := s, false
	for _, own := range []string{"我们", "咱们", "我家", "我", "咱", "你们", "你", "您"} {
		if r, ok := strings.CutPrefix(rest, own); ok {
			rest = strings.TrimPrefix(r, "的")
			break
		}
	}
	if len(rest) == len(s) {
		for _, other := range []string{"他", "她"} {
			if r, ok := strings.CutPrefix(rest, other); ok {
				rest, others = strings.TrimPrefix(r, "的"), true
			}
		}
	}
	for _, k := range a.cjk {
		if !strings.HasPrefix(rest, k) {
			continue
		}
		hs := a.handles[k]
		if others && !isRelation(k, hs) {
			continue
		}
		n := len(s) - len(rest) + len(k)
		switch {
		case others:
			q.unresolved = append(q.unresolved, s[:n])
		case hs[0].everyone:
			q.everyone = true
		default:
			q.add(hs, k)
		}
		return n
	}
	// A name in Latin letters inside Chinese text.
	if words := splitWords(rest); len(words) > 0 && strings.HasPrefix(rest, words[0].text) && !hasCJK(words[0].text) {
		if n, hs := a.longestHandle([]string{foldText(words[0].text)}); n > 0 {
			q.add(hs, words[0].text)
			return len(s) - len(rest) + len(words[0].text)
		}
	}
	return 0
}

func cutAnyPrefix(s string, prefixes []string) (string, bool) {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(s, p); ok {
			return rest, true
		}
	}
	return s, false
}

// denied is what a list says when it denies.
type denied struct {
	people []privacy.PersonID
	groups []privacy.GroupID
	closed bool   // nobody at all, or somebody who can't be told from others
	review string // the words that the owner should look at, "" without
}

// deny reads q as people who may not know. A relation with several candidates,
// and words that stand for nobody known, close the fact instead (fail closed).
// Named people and every reading of a group are denied.
func (q *parties) deny(before []privacy.PersonID) denied {
	var d denied
	for _, hs := range q.handles {
		var people []privacy.PersonID
		plural, found := false, false
		best := weak
		for _, h := range hs {
			best = max(best, h.strength)
		}
		for _, h := range hs {
			if len(h.groups) > 0 && h.strength < best {
				continue // "the pod" is the group of that name, not every description with the word
			}
			found = true
			d.groups = append(d.groups, h.groups...)
			people = append(people, h.people...)
			plural = plural || h.plural
		}
		slices.Sort(people)
		people = slices.Compact(people)
		d.people = append(d.people, people...)
		if len(people) > 1 && !plural || !found {
			d.closed, d.review = true, "more than one person may be meant"
		}
		if best == weak && len(people) == 0 && !q.scoped {
			// A group that only its description suggests may be too small a circle.
			d.review = "a group is meant that only a description suggests"
		}
	}
	if q.pronoun {
		if len(before) > 0 {
			d.people = append(d.people, before...)
		} else {
			d.closed, d.review = true, "a pronoun stands for nobody known"
		}
	}
	if len(q.unresolved) > 0 {
		d.closed, d.review = true, "nobody of the policy is called: "+strings.Join(q.unresolved, ", ")
	}
	if q.everyone && !q.scoped {
		d.closed = true
	}
	slices.Sort(d.people)
	d.people = slices.Compact(d.people)
	slices.Sort(d.groups)
	d.groups = slices.Compact(d.groups)
	return d
}

// grant reads q as people who may know: all of it sure and unambiguous, else
// nobody and the reason for a review. A group is its members of today (MARKS 4).
func (q *parties) grant(p *privacy.Policy, before []privacy.PersonID) ([]privacy.PersonID, string) {
	var out []privacy.PersonID
	switch {
	case q.everyone:
		return nil, "everybody may know: say by hand how far"
	case len(q.unresolved) > 0:
		return nil, "nobody of the policy is called: " + strings.Join(q.unresolved, ", ")
	case q.pronoun && len(before) != 1:
		return nil, "a pronoun may stand for more than one person"
	case q.pronoun:
		out = append(out, before...)
	}
	for _, hs := range q.handles {
		hs = slices.DeleteFunc(slices.Clone(hs), func(h handle) bool { return h.strength < sure })
		if len(hs) != 1 || len(hs[0].people) > 1 && !hs[0].plural || len(hs[0].groups) > 1 {
			return nil, "more than one person or group may be meant, or none for sure"
		}
		out = append(out, hs[0].people...)
		for _, g := range hs[0].groups {
			out = append(out, p.Members(g)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), ""
}
