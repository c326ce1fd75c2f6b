package ingest

import (
	"path"
	"strings"
	"time"
)

// Where signal-export begins a message: below an empty line, and what stands above that
// ends in two blanks, which are Markdown's break of a line. A stamp elsewhere was pasted
// into a message. Older versions leave out the blanks, or the empty line too: what most
// stamps of a file have is asked of each.

// signalPlace is where a line stands.
type signalPlace struct {
	first bool // no message stands above
	blank bool // below an empty line
	ended bool // what stands above is a whole message
}

// signalPlaces follows the lines of a file.
type signalPlaces struct {
	blank, ended, begun bool
}

// see takes the next line and says where it stands; head tells whether it has the form
// of one that opens a message.
func (p *signalPlaces) see(line string, head bool) signalPlace {
	at := signalPlace{first: !p.begun, blank: p.blank, ended: p.ended}
	p.begun = p.begun || head
	bare := strings.TrimSpace(line)
	if p.blank = bare == ""; !p.blank && !signalReact.MatchString(bare) {
		p.ended = strings.HasSuffix(line, "  ") || strings.HasSuffix(bare, "(This message was deleted)") || strings.HasSuffix(bare, "(This message was deleted.)")
	}
	return at
}

// signalHeads is what most stamps of a file have, and who speaks by them.
type signalHeads struct {
	places               signalPlaces
	heads, blanks, ended int // behind the first: all, below an empty line, of these below a whole message
	speaks               [3]map[string]bool
}

// see takes a line of the first pass. real tells whether the time of a head can be read.
func (h *signalHeads) see(line, name string, head, real bool) {
	at := h.places.see(line, head)
	if !head {
		return
	}
	strict := 0
	switch {
	case at.first:
		strict = 2
	case at.blank && at.ended:
		h.ended++
		strict = 2
	case at.blank:
		strict = 1
	}
	if !at.first {
		if h.heads++; at.blank {
			h.blanks++
		}
	}
	for i := 0; i <= strict && real; i++ {
		if h.speaks[i] == nil {
			h.speaks[i] = map[string]bool{}
		}
		if !h.speaks[i][name] && len(h.speaks[i]) < maxSpeakers {
			h.speaks[i][strings.Clone(name)] = true
		}
	}
}

// strict is how much of a place the file's own heads have: nothing, the empty line, or
// the end of a message above it too.
func (h *signalHeads) strict() int {
	switch {
	case h.blanks*2 <= h.heads:
		return 0
	case h.ended*2 <= h.blanks:
		return 1
	}
	return 2
}

// speakers are those who speak by heads in the right place.
func (h *signalHeads) speakers() map[string]bool { return h.speaks[h.strict()] }

// opens reports whether a stamp in such a place opens a message. Below an empty line it
// also does without the blanks where its name speaks elsewhere and its time, known by
// timed, doesn't go back: what was pasted was said before.
func (h *signalHeads) opens(at signalPlace, name string, when, last time.Time, timed bool) bool {
	strict := h.strict()
	return at.first || strict == 0 || at.blank && (strict == 1 || at.ended || timed && !when.Before(last) && h.speaks[2][name])
}

// signalMarkdown reports whether the head of a file is signal-export's.
func signalMarkdown(src *source) bool {
	var h signalHeads
	all, marks := 0, 0
	for i, line := range strings.Split(strings.TrimLeft(string(src.head), "\r\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		m := signalHead.FindStringSubmatch(line)
		name, real := "", false
		switch {
		case m != nil:
			name = signalName(m[3])
			_, real = signalTime(m)
			if all++; strings.HasSuffix(line, "  ") || signalMedia.MatchString(line) {
				marks++
			}
		case i == 0:
			return false
		case signalReact.MatchString(line), signalMedia.MatchString(line):
			marks++
		}
		if h.see(line, name, m != nil, real); i > 400 {
			break
		}
	}
	markdown := strings.EqualFold(path.Ext(src.name), ".md") && (h.strict() > 0 || marks > 0) && h.speakers()["Me"]
	return all > 0 && (marks*3 >= all || h.strict() == 2 || markdown || src.name == "chat.md")
}
