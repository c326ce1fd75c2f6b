package lexical

import (
	"slices"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/spanish"
)

// stemmer is a stemmer of a language that [Language] tells by its words.
type stemmer struct {
	language string
	stem     func(*snowballstem.Env) bool
}

var stemmersOf = []stemmer{
	{"de", german.Stem}, {"es", spanish.Stem}, {"fi", finnish.Stem}, {"fr", french.Stem}, {"it", italian.Stem}, {"nl", dutch.Stem},
}

// IndexTerms returns the terms under which a text is found: [Terms], and where the
// text is in another language with a stemmer than English the stems of that, each
// marked with it ("de:operation"). So a text in any language is found by its exact
// words and names, and by other forms of its words in its own language.
func IndexTerms(s string) []string {
	out := Terms(s)
	language := Language(s)
	for _, of := range stemmersOf {
		if of.language == language {
			out = append(out, of.terms(s)...)
		}
	}
	return out
}

// questionTerms returns the terms by which a question searches: those that a text
// in each of the languages would have. A question is often too short to tell its
// language, and a term of the wrong one finds nothing.
func questionTerms(s string) []string {
	out := Terms(s)
	for _, of := range stemmersOf {
		for _, term := range of.terms(s) {
			if !slices.Contains(out, term) {
				out = append(out, term)
			}
		}
	}
	return out
}

// terms are the marked stems of the words of s.
func (of stemmer) terms(s string) []string {
	var out []string
	env := stemmers.Get().(*snowballstem.Env)
	defer stemmers.Put(env)
	scan(s, func(word string, cjk bool) {
		if cjk || stopWords[word] || word[0] >= '0' && word[0] <= '9' {
			return
		}
		env.SetCurrent(word)
		of.stem(env)
		out = append(out, of.language+":"+env.Current())
	})
	return out
}
