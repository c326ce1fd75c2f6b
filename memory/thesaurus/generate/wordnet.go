package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/epagent/epagent/memory/lexical"
)

// synset is a sense with the words for it.
type synset struct {
	terms    []string // index terms of its lemmas of one word
	gloss    []string
	examples []string
	related  []string // keys of related synsets
}

// wordnet is the database as far as vectors need it.
type wordnet struct {
	keys      []string // of synsets, in the order of the files
	synsets   map[string]*synset
	counts    map[string]int    // how often a term is used, in glosses and by tag count
	irregular map[string]string // inflected term → term
}

var quoted = regexp.MustCompile(`"[^"]*"`)

func readWordNet(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[string]*synset{}, counts: map[string]int{}, irregular: map[string]string{}}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		if err := eachLine(filepath.Join(dir, "data."+part), w.synset); err != nil {
			return nil, err
		}
		if err := eachLine(filepath.Join(dir, part+".exc"), w.exception); err != nil {
			return nil, err
		}
	}
	return w, eachLine(filepath.Join(dir, "cntlist.rev"), w.count)
}

func eachLine(path string, do func(line string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it is only read
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		if strings.HasPrefix(s.Text(), "  ") {
			continue // the licence
		}
		if err := do(s.Text()); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return s.Err()
}

// synset reads a line of a data file: see wndb(5WN).
func (w *wordnet) synset(line string) error {
	head, gloss, _ := strings.Cut(line, " | ")
	fields := strings.Fields(head)
	if len(fields) < 5 {
		return fmt.Errorf("%d fields", len(fields))
	}
	key := fields[0] + partOf(fields[2])
	out := &synset{}
	n, err := strconv.ParseInt(fields[3], 16, 32)
	if err != nil || len(fields) < 5+2*int(n) {
		return fmt.Errorf("a count of words: %q", fields[3])
	}
	at := 4
	for range n {
		word, _, _ := strings.Cut(fields[at], "(")
		if !strings.Contains(word, "_") {
			out.terms = append(out.terms, lexical.Terms(word)...)
		}
		at += 2
	}
	pointers, err := strconv.Atoi(fields[at])
	if err != nil || len(fields) < at+1+4*pointers {
		return fmt.Errorf("a count of pointers: %q", fields[at])
	}
	at++
	for range pointers {
		if relations[fields[at]] {
			out.related = append(out.related, fields[at+1]+partOf(fields[at+2]))
		}
		at += 4
	}
	for _, example := range quoted.FindAllString(gloss, -1) {
		out.examples = append(out.examples, lexical.Terms(example)...)
	}
	out.gloss = lexical.Terms(quoted.ReplaceAllString(gloss, " "))
	for _, list := range [][]string{out.gloss, out.examples} {
		for _, term := range list {
			w.counts[term]++
		}
	}
	w.keys = append(w.keys, key)
	w.synsets[key] = out
	return nil
}

// partOf is the part of speech, with satellite adjectives among the adjectives.
func partOf(s string) string {
	if s == "s" {
		return "a"
	}
	return s
}

// relations are the pointers that say that two senses are near: hypernyms and
// hyponyms, similar, derived, entailed, caused, of a part, a member or a matter,
// antonyms, attributes, and domains of a topic.
var relations = map[string]bool{
	"@": true, "@i": true, "~": true, "~i": true, "&": true, "+": true, "*": true, ">": true, "\\": true, "<": true, "=": true, "!": true, "^": true, "$": true,
	"#p": true, "%p": true, "#m": true, "%m": true, "#s": true, "%s": true, ";c": true, "-c": true,
}

// count reads "lemma%sense key number count".
func (w *wordnet) count(line string) error {
	lemma, rest, _ := strings.Cut(line, "%")
	fields := strings.Fields(rest)
	if len(fields) < 3 || strings.Contains(lemma, "_") {
		return nil
	}
	n, err := strconv.Atoi(fields[len(fields)-1])
	for _, term := range lexical.Terms(lemma) {
		w.counts[term] += n
	}
	return err
}

// exception reads "went go".
func (w *wordnet) exception(line string) error {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return nil
	}
	form, lemma := lexical.Terms(fields[0]), lexical.Terms(fields[1])
	if len(form) == 1 && len(lemma) == 1 && form[0] != lemma[0] {
		if _, twice := w.irregular[form[0]]; !twice {
			w.irregular[form[0]] = lemma[0]
		}
	}
	return nil
}
