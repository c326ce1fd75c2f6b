package memory

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// scene is what the words of a session refer to.
type scene struct {
	session   *Session
	names     map[string]string // how facts call a participant
	people    map[string]string // lower-case names and first names → how facts call them
	nameWords map[string]bool   // the words of those names, in small letters
	language  string            // of the session, for turns too short to tell
	mentioned map[int][]mention // whom a turn names, as far as asked for
	about     string            // whom an unnamed "he", "she" or "they" means; "" nobody in particular
}

func newScene(s *Session, o ExtractOptions) *scene {
	c := &scene{session: s, names: make(map[string]string, len(s.Participants)+1), people: map[string]string{}, about: strings.TrimSpace(o.About)}
	owner := privacy.NormalizeName(o.Owner)
	for _, p := range s.Participants {
		c.names[p] = p
		if o.OwnerKnown && owner != "" && privacy.NormalizeName(p) == owner {
			c.names[p] = o.Owner
		}
	}
	var sample strings.Builder
	for i := range s.Turns {
		t := &s.Turns[i]
		if _, ok := c.names[t.Speaker]; !ok {
			c.names[t.Speaker] = t.Speaker
		}
		if t.Self && o.Owner != "" {
			c.names[t.Speaker] = o.Owner
		}
		if t.Kind == Message && sample.Len() < 600 {
			sample.WriteString(t.Text)
			sample.WriteByte('\n')
		}
	}
	c.language = languageOf(sample.String())
	c.nameWords = map[string]bool{}
	for source, name := range c.names {
		for w := range strings.FieldsSeq(strings.ToLower(source + " " + name)) {
			c.nameWords[w] = true
		}
	}
	for _, p := range s.Participants {
		c.know(p, c.names[p])
	}
	for p, name := range c.names {
		c.know(p, name)
	}
	return c
}

// know remembers a name, its first word and what facts call it.
func (c *scene) know(source, name string) {
	for _, n := range []string{source, name} {
		n = strings.ToLower(n)
		if n == "" {
			continue
		}
		c.people[n] = name
		if r := []rune(n); len(r) == 3 && hasHan(n) { // the given name of 唐小满
			if known, ok := c.people[string(r[1:])]; !ok || known == name {
				c.people[string(r[1:])] = name
			}
		}
		if first, _, ok := strings.Cut(n, " "); ok && utf8.RuneCountInString(first) > 1 && !strings.HasSuffix(first, ".") {
			if known, ok := c.people[first]; ok && known != name {
				name = min(known, name) // two of one first name: it stays as said
				delete(c.people, first)
				continue
			}
			c.people[first] = name
		}
	}
}

// voice is one turn's point of view: who "I", "you" and "we" are in it.
type voice struct {
	scene   *scene
	turn    *Turn
	speaker string    // how facts call who speaks
	you     string    // the one who is spoken to; "" if there are several
	we      string    // "Ines and Tomas" where that is clear, else ""
	said    string    // the day it was said, "" unknown
	index   int       // of the turn
	before  []mention // whom the sentences of the turn so far name
}

func (c *scene) voice(i int) *voice {
	t := &c.session.Turns[i]
	v := &voice{scene: c, turn: t, speaker: c.names[t.Speaker], said: t.When.Date(), index: i}
	if heard := c.session.Listeners(t); len(heard) == 1 {
		v.you = c.names[heard[0]]
		if v.you == "" {
			v.you = heard[0]
		}
	}
	return v
}

// languageOf is the language of a turn. Eight words of an alphabet are too few
// to tell apart languages that share it: then the session's counts, unless their
// common words are another language's and none is English alone.
func (c *scene) languageOf(text string) string {
	if hasHan(text) {
		return lexical.Language(text)
	}
	if strings.Count(text, " ") < 8 && c.language != "zh" {
		if l := lexical.Language(text); l != lexical.FallbackLanguage && c.language == lexical.FallbackLanguage && !slices.ContainsFunc(strings.Fields(text), onlyEnglish) {
			return l
		}
		return c.language
	}
	return languageOf(text)
}

// listeners names who heard t as facts call them.
func (c *scene) listeners(t *Turn) []string {
	heard := c.session.Listeners(t)
	out := make([]string, 0, len(heard))
	for _, p := range heard {
		if name := c.names[p]; name != "" {
			p = name
		}
		out = append(out, p)
	}
	return slices.Clip(out)
}

// named returns how facts call the participant whom a word names, or "". A word
// in small letters that is also a common one ("will", "may") names nobody.
func (c *scene) named(t token) string {
	name := c.people[t.lower]
	if name == "" || t.text != t.lower {
		return name
	}
	if _, month := monthsByName[t.lower]; month || inverting[t.lower] || modals[t.lower] || presentVerbs[t.lower] || adverbs[t.lower] || prepositions[t.lower] || interjections[t.lower] {
		return ""
	}
	return name
}
