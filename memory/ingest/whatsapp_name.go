package ingest

import "strings"

// A contact's name may hold a colon: "Anna: Mama: on my way" is said by "Anna: Mama".
// It shows when every line that seems to be Anna's goes on with the same words.

// waColon is what follows a name over the whole file.
type waColon struct {
	second string   // what stands between the name and the next colon
	lines  int      // lines that have it
	early  []string // lines without a colon from before it was known
	broken bool     // a line goes on otherwise: the colon ends the name
}

// maxEarly is how many lines without a second colon may come before one that has it:
// notices of who was added, by whom.
const maxEarly = 8

func (s *waSurvey) seeColon(name, body string) {
	c := s.colons[name]
	if c == nil {
		c = &waColon{}
		s.colons[name] = c
	}
	if c.broken {
		return
	}
	if c.second == "" {
		second, _, ok := strings.Cut(body, ": ")
		if !ok {
			c.early = append(c.early, body)
			c.broken = len(c.early) > maxEarly
			return
		}
		c.second = strings.Clone(second)
		for _, line := range c.early {
			c.broken = c.broken || !strings.HasPrefix(line, second+" ")
		}
		c.early = nil
		c.broken = c.broken || !nameLike(second) || labels[strings.ToLower(second)]
	}
	switch rest, ok := strings.CutPrefix(body, c.second); {
	case ok && strings.HasPrefix(rest, ":"):
		c.lines++
	case ok && strings.HasPrefix(rest, " "): // a notice about them
	default:
		c.broken = true
	}
}

// longNames settles which names go on behind their colon: where three lines say so,
// or one and the title of the chat.
func (s *waSurvey) longNames(title string) {
	for name, c := range s.colons {
		full := name + ": " + c.second
		if c.broken || c.lines == 0 || c.lines < 3 && (title == "" || fileForm(title) != fileForm(full)) {
			delete(s.colons, name)
			continue
		}
		s.speakers[full] += s.speakers[name]
		delete(s.speakers, name)
	}
}

// sender is speaker, once it is known which names hold a colon.
func (s *waSurvey) sender(rest string) (name, body string, ok bool) {
	if name, body, ok = s.speaker(rest); !ok {
		return name, body, ok
	}
	c := s.colons[name]
	if c == nil {
		return name, body, true
	}
	after, is := strings.CutPrefix(body, c.second+":")
	if !is {
		return "", "", false // a notice about them
	}
	return name + ": " + c.second, strings.TrimPrefix(after, " "), true
}
