package lexical

import (
	"slices"
	"strings"
	"unicode"
)

// personName is a name as questions are searched for it.
type personName struct {
	folded string
	words  []string // in Latin or another spaced script
	cjk    bool
}

func newPersonName(name string) personName {
	n := personName{folded: strings.Join(strings.Fields(fold(name)), " ")}
	scan(name, func(word string, cjk bool) {
		n.cjk = n.cjk || cjk
		n.words = append(n.words, word)
	})
	return n
}

// given is the name's first word.
func (n *personName) given() string {
	if len(n.words) == 0 {
		return n.folded
	}
	return n.words[0]
}

// in reports whether a question names n: by all of it, or by the given name alone.
func (n *personName) in(q *askedWords) (whole, given bool) {
	if n.cjk {
		return strings.Contains(q.folded, n.folded), false
	}
	if len(n.words) == 0 {
		return false, false
	}
	for i := range q.words {
		if q.words[i] != n.words[0] || !q.maybeName(i) {
			continue
		}
		given = true
		if i+len(n.words) <= len(q.words) && slices.Equal(q.words[i:i+len(n.words)], n.words) {
			whole = true
		}
	}
	return whole, given
}

// askedWords are the words of a question for finding names in it.
type askedWords struct {
	folded string
	words  []string
	upper  []bool // written with a capital
}

func readAsked(text string) *askedWords {
	q := &askedWords{folded: fold(text)}
	for _, piece := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:()/\"“”", r) }) {
		upper := false
		for _, r := range piece {
			if unicode.IsLetter(r) {
				upper = unicode.IsUpper(r)
				break
			}
		}
		scan(piece, func(word string, cjk bool) {
			if !cjk {
				q.words = append(q.words, word)
				q.upper = append(q.upper, upper)
			}
		})
	}
	return q
}

// maybeName reports whether word i may be a name: "will" and "may" only with a
// capital that doesn't open the question.
func (q *askedWords) maybeName(i int) bool {
	w := q.words[i]
	if stopWords[w] || timeWords[w] || w == "mark" {
		return q.upper[i] && i > 0
	}
	return true
}

// namedPeople are those whom a question names, by their place in a corpus; each
// with the number of the person, for somebody may go by several names.
type namedPeople map[int32]int

func (n namedPeople) has(p int32) bool { _, ok := n[p]; return ok }

// persons counts them.
func (n namedPeople) persons() int {
	seen := map[int]bool{}
	for _, number := range n {
		seen[number] = true
	}
	return max(len(seen), 1)
}

// named returns the people of the documents of set whom q names. A given name
// stands for everybody there who has it, unless somebody is named in full by it.
// Whoever goes by a name that q has goes by all their names: terms are those of
// all, by which texts are found that call them otherwise than q does.
func (c *Corpus) named(q Question, set *Set) (people namedPeople, terms map[string]bool) {
	terms = map[string]bool{}
	add := func(name string) {
		for _, term := range questionTerms(name) {
			terms[term] = true
		}
	}
	present := make([]bool, len(c.names))
	for i := range c.docs {
		if set.Has(i) {
			for _, p := range [2]int32{c.docs[i].by, c.docs[i].about} {
				if p >= 0 {
					present[p] = true
				}
			}
		}
	}
	asked := readAsked(q.Text)
	out, given := namedPeople{}, []int32{}
	inFull := map[string]bool{} // given names of those who are
	for at := range c.names {
		p := int32(at)
		if !present[p] {
			continue
		}
		switch whole, first := c.names[p].in(asked); {
		case whole:
			out[p] = at
			inFull[c.names[p].given()] = true
		case first:
			given = append(given, p)
		}
	}
	for _, p := range given {
		if !inFull[c.names[p].given()] {
			out[p] = int(p)
		}
	}
	for number, person := range q.People {
		names := make([]personName, len(person.Names))
		for i, name := range person.Names {
			names[i] = newPersonName(name)
		}
		if !slices.ContainsFunc(names, func(n personName) bool {
			whole, first := n.in(asked)
			return whole || first && !inFull[n.given()]
		}) {
			continue
		}
		for i, n := range names {
			add(person.Names[i])
			if p, ok := c.people[n.folded]; ok && present[p] {
				out[p] = len(c.names) + number
			}
		}
	}
	for p := range out {
		add(c.names[p].folded)
	}
	return out, terms
}
