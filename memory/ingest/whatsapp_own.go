package ingest

import (
	"strings"
)

// A chat may hold lines of another one that somebody pasted into a message, with
// stamps of their own. Which stamps are the export's is settled by its first line and
// by how many lines bear them; foreign lines that the export's own come back after are
// one paste, however long, and belong to the message that they stand in.

// waOwn weighs the stamps of one family against all others.
type waOwn struct {
	family [7]byte
	own    int // lines that bear it
	pastes int // runs of foreign lines between own ones
	run    int // foreign lines since the last own one
	first  int // number of the first of these
	begins int // foreign lines before the first own one
}

// see takes the family of a stamped line.
func (w *waOwn) see(n int, f [7]byte) {
	switch {
	case f != w.family:
		if w.run++; w.run == 1 {
			w.first = n
		}
		return
	case w.own == 0:
		w.begins = w.run
	case w.run > 0:
		w.pastes++
	}
	w.own++
	w.run = 0
}

// wins reports whether the family is the file's. Foreign lines at either end are no
// paste that is over: each counts. Each paste takes two own lines, since a text in which
// two forms take turns is no export.
func (w *waOwn) wins() bool {
	return w.own > 0 && w.own >= 2*(w.pastes+w.run+w.begins)
}

// waStyled reports whether WhatsApp writes such stamps: "[date, time:seconds]", or
// those that end in " - " and have no seconds.
func waStyled(s waStamp) bool {
	ios := s.style[2] == '['
	return ios == s.clock.seconds || ios && s.style[4] == ','
}

// besideClock is what stands beside the clocks of a family: words that aren't known.
type besideClock struct {
	words  map[string]bool
	spoken int // lines with one by somebody, less those of nobody
}

func (b *besideClock) see(word string, spoken bool) {
	switch {
	case word == "":
		return
	case spoken:
		b.spoken++
	default:
		b.spoken--
	}
	b.words[word] = true
}

// parts reports whether the words may be of parts of the day: few, and before what people
// say. Else they are names.
func (b *besideClock) parts() bool {
	return len(b.words) == 0 || len(b.words) <= 4 && b.spoken >= 1
}

// waOwnOf finds the family of stamps that is the export's in the head of a text: that
// of its first line, else the commonest. It reports false where the text is no export:
// where nobody speaks and nothing is told of anybody, it is somebody's notes.
func waOwnOf(head string) (found [7]byte, ok bool) {
	type stamped struct {
		line   int
		family [7]byte
	}
	var seen []stamped
	styled, count := map[[7]byte]bool{}, map[[7]byte]int{}
	clocks, heard := map[[7]byte]*besideClock{}, map[[7]byte]bool{}
	lines, notice := 0, false
	for raw := range strings.SplitSeq(head, "\n") {
		if len(seen) == 0 && lines == 0 && strings.TrimSpace(unmark(raw)) == "" {
			continue
		}
		if lines++; lines > 400 {
			break
		}
		s, rest, is := cutStamp(strings.TrimSuffix(raw, "\r"))
		if !is {
			if _, _, odd := oddStamp(raw); lines == 1 && !odd {
				return found, false
			}
			continue
		}
		name, _, spoken := waSender(rest)
		if lines == 1 && (!spoken || waNotice(name, rest)) {
			notice = true // Android exports begin with one
		}
		f := family(s.style)
		if clocks[f] == nil {
			clocks[f] = &besideClock{words: map[string]bool{}}
		}
		clocks[f].see(s.word, spoken)
		heard[f] = heard[f] || spoken || waNotice(name, rest)
		seen, count[f] = append(seen, stamped{lines, f}), count[f]+1
		if known, is := styled[f]; !is || known {
			styled[f] = waStyled(s)
		}
	}
	if len(seen) == 0 {
		return found, false
	}
	top := seen[0].family
	for _, s := range seen {
		if count[s.family] > count[top] {
			top = s.family
		}
	}
	for _, f := range [][7]byte{seen[0].family, top} {
		if !styled[f] || !clocks[f].parts() || !heard[f] {
			continue
		}
		own := waOwn{family: f}
		for _, s := range seen {
			own.see(s.line, s.family)
		}
		if own.wins() && (own.own >= 2 || notice || lines <= 3) {
			return f, true
		}
		if own.begins == 0 && own.own >= 2 {
			return f, true // too many others: read refuses it, and nobody else takes it apart
		}
	}
	return found, false
}
