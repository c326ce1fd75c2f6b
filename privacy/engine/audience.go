package engine

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// audience resolves the words by which the owner calls people to people and
// groups of the policy: names, aliases, relations ("my mother", 我妈) through the
// notes, groups through ids and descriptions.
type audience struct {
	p       *privacy.Policy
	people  []privacy.Person
	notes   []noteText // of people, in order
	groups  []privacy.Group
	handles map[string][]handle // folded words → whom they stand for
	cjk     []string            // the handles in CJK, longest first
	longest int                 // of the handles in words
	starts  map[string]int      // first word of handles → the longest of them in words

	names     []string        // folded names of the owner and people, longest first
	nameTerms map[string]bool // their terms
}

// strength is how surely a handle stands for somebody. Only sure ones grant.
type strength uint8

const (
	weak strength = iota // a first name, a word of a description
	wide                 // everybody of a domain or of the family: enough to deny by
	sure                 // a name, an alias, a relation of the owner's own, a group's id
)

// handle is one reading of a word or phrase.
type handle struct {
	people   []privacy.PersonID
	groups   []privacy.GroupID
	strength strength
	relation string
	everyone bool
	plural   bool
}

// named reports whether the handle is a person's own name or alias.
func (h handle) named() bool { return h.relation == "" && len(h.people) == 1 && len(h.groups) == 0 }

func newAudience(p *privacy.Policy) *audience {
	a := &audience{p: p, people: p.People(), groups: p.Groups(), handles: map[string][]handle{}, starts: map[string]int{}, nameTerms: map[string]bool{}}
	for _, q := range a.people {
		a.notes = append(a.notes, readNote(q))
		for _, name := range append([]string{q.Name, string(q.ID)}, q.Aliases...) {
			a.add(name, handle{people: []privacy.PersonID{q.ID}, strength: sure})
		}
	}
	a.addFirstNames()
	a.addRelations()
	a.addGroups()
	for _, e := range everyoneWords {
		a.add(e, handle{everyone: true})
	}
	for _, e := range everyoneCJK {
		a.add(e, handle{everyone: true})
	}
	for k := range a.handles {
		if hasCJK(k) {
			a.cjk = append(a.cjk, k)
		}
		fields := strings.Fields(k)
		a.longest = max(a.longest, len(fields))
		a.starts[fields[0]] = max(a.starts[fields[0]], len(fields))
	}
	a.gatherNames()
	slices.SortFunc(a.cjk, func(x, y string) int {
		if d := utf8.RuneCountInString(y) - utf8.RuneCountInString(x); d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	return a
}

func (a *audience) gatherNames() {
	owner := a.p.Owner()
	all := append([]string{owner.Name}, owner.Aliases...)
	for _, q := range a.people {
		all = append(append(all, q.Name), q.Aliases...)
	}
	for _, name := range all {
		for _, t := range lexical.Terms(name) {
			a.nameTerms[t] = true
		}
		if name = foldText(name); name != "" {
			a.names = append(a.names, name)
		}
	}
	slices.SortFunc(a.names, func(x, y string) int { return cmp.Or(len(y)-len(x), strings.Compare(x, y)) })
	a.names = slices.Compact(a.names)
}

// add notes that words stand for h. A name of the policy is never read as
// anything else.
func (a *audience) add(words string, h handle) {
	key := phraseKey(words)
	if key == "" || a.p.IsOwner(key) {
		return
	}
	for _, have := range a.handles[key] {
		if have.named() && have.strength == sure {
			return
		}
	}
	a.handles[key] = append(a.handles[key], h)
}

// phraseKey is how handles and the words of a chat meet: folded, without what
// is neither letter nor digit, single blanks between words.
func phraseKey(s string) string {
	var out []string
	for _, w := range splitWords(s) {
		out = append(out, strings.TrimSuffix(foldText(w.text), "'s"))
	}
	return strings.Join(out, " ")
}

// addFirstNames lets the first word of a name stand for its person where it is
// nobody else's: enough to deny by, not to grant by.
func (a *audience) addFirstNames() {
	bearers := map[string][]privacy.PersonID{}
	for _, q := range a.people {
		fields := strings.Fields(phraseKey(q.Name))
		if len(fields) < 2 || utf8.RuneCountInString(fields[0]) < 2 {
			continue
		}
		bearers[fields[0]] = append(bearers[fields[0]], q.ID)
	}
	for first, ids := range bearers {
		if len(a.handles[first]) == 0 {
			a.add(first, handle{people: ids, strength: weak})
		}
	}
}

func (a *audience) addRelations() {
	held := map[string][]privacy.PersonID{} // relation → who stands in it
	for _, r := range relations {
		best := 0
		var who []privacy.PersonID
		for i, q := range a.people {
			s := 0
			for _, word := range r.words {
				s = max(s, a.notes[i].score(word))
			}
			for _, word := range r.cjk {
				s = max(s, a.notes[i].scoreCJK(word))
			}
			switch {
			case s == 0 || s < best:
			case s > best:
				best, who = s, []privacy.PersonID{q.ID}
			default:
				who = append(who, q.ID)
			}
		}
		held[r.id] = who
	}
	for _, r := range relations {
		who := slices.Clone(held[r.id])
		if r.plural || len(who) == 0 {
			for _, also := range relationAlso[r.id] {
				who = append(who, held[also]...)
			}
		}
		slices.Sort(who)
		who = slices.Compact(who)
		for _, word := range append(slices.Clone(r.words), r.cjk...) {
			a.add(word, handle{people: who, strength: sure, relation: r.id, plural: r.plural})
		}
	}
	// What a note says in so many words ("my first boss") stands for its person.
	for _, q := range a.people {
		for _, part := range strings.FieldsFunc(foldText(q.Note), func(r rune) bool { return strings.ContainsRune(",;.，；。", r) }) {
			part, ok := strings.CutPrefix(strings.TrimSpace(part), "my ")
			if n := len(strings.Fields(part)); ok && n >= 2 && n <= 3 {
				a.add(part, handle{people: []privacy.PersonID{q.ID}, strength: sure, relation: "note"})
			}
		}
	}
}

// noteText is what is known of a person beside the name, folded once.
type noteText struct {
	aliases    []string // as phraseKey
	rawAliases []string
	words      string // of the note, as phraseKey, blanks around
	raw        string
}

func readNote(q privacy.Person) noteText {
	n := noteText{words: " " + phraseKey(q.Note) + " ", raw: foldText(q.Note)}
	for _, alias := range q.Aliases {
		n.aliases = append(n.aliases, phraseKey(alias))
		n.rawAliases = append(n.rawAliases, foldText(alias))
	}
	return n
}

// score tells how plainly aliases or note call somebody the owner's word:
// 4 an alias, 3 "my boss" or a note that begins with it, 2 "my younger brother",
// 1 the word anywhere, 0 not, or somebody else's ("his wife", "X's mother").
func (n *noteText) score(word string) int {
	if slices.Contains(n.aliases, word) {
		return 4
	}
	i := strings.Index(n.words, " "+word+" ")
	if i < 0 {
		return 0
	}
	if i == 0 || strings.Contains(n.words, " my "+word+" ") {
		return 3
	}
	before := strings.Fields(n.words[:i])
	last := before[len(before)-1]
	if slices.Contains([]string{"his", "her", "their", "former", "ex", "of"}, last) || strings.Contains(n.raw, "'s "+word) || strings.Contains(n.raw, word+" of ") {
		return 0
	}
	if k := len(before); k >= 2 && before[k-2] == "my" && last != "first" && last != "old" && last != "last" {
		return 2
	}
	return 1
}

func (n *noteText) scoreCJK(word string) int {
	if slices.Contains(n.rawAliases, word) {
		return 4
	}
	i := strings.Index(n.raw, word)
	if i < 0 {
		return 0
	}
	if i == 0 || strings.Contains(n.raw, "我"+word) || strings.Contains(n.raw, "我的"+word) {
		return 3
	}
	if before, _ := utf8.DecodeLastRuneInString(n.raw[:i]); utf8.RuneCountInString(word) < 2 || strings.ContainsRune("他她的前", before) {
		return 0
	}
	return 1
}

func (a *audience) addGroups() {
	byDomain := map[privacy.Domain][]privacy.GroupID{}
	for _, g := range a.groups {
		byDomain[g.Domain] = append(byDomain[g.Domain], g.ID)
	}
	var family, friends []privacy.GroupID
	for _, g := range a.groups {
		h := handle{groups: []privacy.GroupID{g.ID}, strength: sure, plural: true}
		id := strings.NewReplacer("-", " ", "_", " ").Replace(string(g.ID))
		a.add(id, h)
		if s, ok := strings.CutSuffix(id, "s"); ok && len(s) > 2 {
			a.add(s, h)
		} else {
			a.add(id+"s", h)
		}
		if a.mostly(g.ID, func(r relation) bool { return r.family }) {
			family = append(family, g.ID)
		}
		if a.mostly(g.ID, func(r relation) bool { return r.id == "friend" || r.id == "best friend" }) {
			friends = append(friends, g.ID)
		}
		for _, word := range descriptionWords(g.Description) {
			h.strength = weak
			if hasCJK(word) && utf8.RuneCountInString(word) >= 3 {
				h.strength = wide // three characters in a row are no accident
			}
			a.add(word, h)
		}
	}
	several := func(words, cjk []string, groups []privacy.GroupID) {
		if len(groups) == 0 {
			return
		}
		for _, word := range append(slices.Clone(words), cjk...) {
			if !a.hasGroupID(word) {
				a.add(word, handle{groups: groups, strength: wide, plural: true})
			}
		}
	}
	several(workWords, workCJK, byDomain["work"])
	several(teamWords, teamCJK, byDomain["work"])
	several(familyWords, familyCJK, family)
	several(friendsWords, friendsCJK, friends)
}

func (a *audience) hasGroupID(word string) bool {
	return slices.ContainsFunc(a.groups, func(g privacy.Group) bool { return foldText(string(g.ID)) == word })
}

// mostly reports whether at least half of the members of g are, by their notes
// or aliases, in a relation of the kind.
func (a *audience) mostly(g privacy.GroupID, kind func(relation) bool) bool {
	n, of := 0, 0
	for i, q := range a.people {
		if !slices.Contains(q.Groups, g) {
			continue
		}
		of++
		note := &a.notes[i]
		if slices.ContainsFunc(relations, func(r relation) bool {
			return kind(r) && (slices.ContainsFunc(r.words, func(w string) bool { return note.score(w) >= 2 }) ||
				slices.ContainsFunc(r.cjk, func(w string) bool { return note.scoreCJK(w) >= 3 }))
		}) {
			n++
		}
	}
	return n > 0 && 2*n >= of
}

// descriptionWords are the words and CJK phrases by which a description can be
// referred to.
func descriptionWords(s string) []string {
	var out []string
	for _, w := range splitWords(s) {
		f := strings.TrimSuffix(foldText(w.text), "'s")
		if hasCJK(f) {
			rs := []rune(f)
			for n := 2; n <= 5; n++ {
				for i := 0; i+n <= len(rs); i++ {
					if g := string(rs[i : i+n]); contentCJK(g) && !vagueWords[g] {
						out = append(out, g)
					}
				}
			}
			continue
		}
		if len(f) > 3 && !lexical.IsStopWord(f) && !vagueWords[f] {
			out = append(out, f)
		}
	}
	return out
}

// vagueWords occur in descriptions of groups and stand for no group.
var vagueWords = set("people friends nearly everything about from with their building someone talk know knows tell told now then deal career sit wider work life 一起 什么 朋友 天天 同事 晚上 大家 时候 打交道 交道 办事")

// contentCJK reports whether no character of s carries grammar only.
func contentCJK(s string) bool {
	for _, r := range s {
		if r == '人' || len(lexical.Terms(string(r))) == 0 {
			return false
		}
	}
	return true
}

func set(list string) map[string]bool {
	out := map[string]bool{}
	for _, s := range strings.Fields(list) {
		out[s] = true
	}
	return out
}

func hasCJK(s string) bool {
	for _, r := range s {
		if isCJKRune(r) {
			return true
		}
	}
	return false
}

func isCJKRune(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// mentioned returns the people whom a statement may be naming, by name, first
// name or relation, sorted. It would rather name one too many.
func (a *audience) mentioned(text string) []privacy.PersonID {
	var out []privacy.PersonID
	take := func(hs []handle) {
		for _, h := range hs {
			if len(h.groups) == 0 {
				out = append(out, h.people...)
			}
		}
	}
	a.eachHandle(text, func(_ int, hs []handle) { take(hs) })
	if hasCJK(text) {
		f := foldText(text)
		for _, k := range a.cjk {
			if strings.Contains(f, k) {
				take(a.handles[k])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// eachHandle calls yield for every run of words of text that stands for somebody,
// with the place of its first word.
func (a *audience) eachHandle(text string, yield func(at int, hs []handle)) {
	words := splitWords(text)
	folded := make([]string, len(words))
	for i, w := range words {
		folded[i] = strings.TrimSuffix(foldText(w.text), "'s")
	}
	for i, first := range folded {
		// A word with blanks inside can come of folding; it begins with what is before them.
		if head, _, cut := strings.Cut(first, " "); cut {
			first = head
		}
		for n := 1; n <= a.starts[first] && i+n <= len(folded); n++ {
			key := folded[i]
			if n > 1 {
				key = strings.Join(folded[i:i+n], " ")
			}
			if hs := a.handles[key]; len(hs) > 0 {
				yield(i, hs)
			}
		}
	}
}
