package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

const (
	dimensions = 64
	// leastCount is how often WordNet must use a term, in glosses or by tag count, for
	// it to get a vector.
	leastCount = 1
	// What a sense's own words count, those of its gloss, of the examples there, and
	// of the senses related to it.
	ownPart, glossPart, examplePart, relatedPart = 1.0, 0.5, 0.2, 0.5
)

// Generate returns the file of vectors for the database in dir.
func Generate(dir string) ([]byte, error) {
	w, err := readWordNet(dir)
	if err != nil {
		return nil, err
	}
	var words []string
	for term, n := range w.counts {
		if n >= leastCount && usable(term) {
			words = append(words, term)
		}
	}
	slices.Sort(words)
	row := make(map[string]int, len(words))
	for i, word := range words {
		row[word] = i
	}
	m := w.matrix(row)
	m.positivePMI()
	vectors := m.factor(dimensions)

	var out bytes.Buffer
	fmt.Fprintf(&out, "epagent thesaurus 1\n%d %d\n", len(words), dimensions)
	previous := ""
	total := 0
	for _, word := range words {
		total += w.counts[word]
	}
	for i, word := range words {
		shared := 0
		for shared < min(len(previous), len(word), 255) && previous[shared] == word[shared] {
			shared++
		}
		previous = word
		rarity := math.Round(8 * -math.Log2(float64(w.counts[word])/float64(total)))
		out.WriteByte(byte(shared))
		out.WriteByte(byte(len(word) - shared))
		out.WriteString(word[shared:])
		out.WriteByte(byte(min(max(rarity, 0), 255)))
		out.Write(quantised(vectors[i]))
	}
	var forms []string
	for form, lemma := range w.irregular {
		_, known := row[form]
		if _, ok := row[lemma]; ok && !known && usable(form) {
			forms = append(forms, form)
		}
	}
	slices.Sort(forms)
	_ = binary.Write(&out, binary.LittleEndian, uint32(len(forms)))
	for _, form := range forms {
		out.WriteByte(byte(len(form)))
		out.WriteString(form)
		_ = binary.Write(&out, binary.LittleEndian, uint32(row[w.irregular[form]]))
	}
	return out.Bytes(), nil
}

// usable leaves out what is no word: numbers, and what is too long for the file.
func usable(term string) bool {
	if len(term) < 2 || len(term) > 60 {
		return false
	}
	for _, r := range term {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return true
}

func (w *wordnet) matrix(row map[string]int) *sparse {
	m := &sparse{rows: make([][]cell, len(row)), columns: len(w.keys)}
	for column, key := range w.keys {
		s := w.synsets[key]
		counts := map[int]float64{}
		add := func(terms []string, part float64) {
			for _, term := range terms {
				if i, ok := row[term]; ok {
					counts[i] += part
				}
			}
		}
		add(s.terms, ownPart)
		add(s.gloss, glossPart)
		add(s.examples, examplePart)
		for _, other := range s.related {
			if r := w.synsets[other]; r != nil {
				add(r.terms, relatedPart)
			}
		}
		for i, n := range counts {
			m.rows[i] = append(m.rows[i], cell{int32(column), n})
		}
	}
	return m
}

// quantised is a vector as bytes: 127 for its greatest number.
func quantised(v []float64) []byte {
	var most float64
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	out := make([]byte, len(v))
	for i, x := range v {
		if most > 0 {
			out[i] = byte(int8(math.Round(127 * x / most)))
		}
	}
	return out
}
