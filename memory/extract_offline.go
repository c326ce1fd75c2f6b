package memory

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// OfflineExtractor extracts facts by rules, without a model: English and
// Chinese statements are put into the third person, those of other languages
// are kept word for word behind their speaker's name ("Jana: …"), since broken
// grammar is worse than a quotation. Small talk, questions, commands and
// sentences that only say who may know make no fact.
//
// What anybody says stays data: a line that orders the reader about is at most
// a fact of its speaker. The zero value is ready and safe for concurrent use.
type OfflineExtractor struct{}

var _ Extractor = OfflineExtractor{}

const (
	maxFactRunes     = 220 // sentences are joined into one fact up to this
	maxFactSentences = 3   // sentences of one turn that may form one fact
)

// Extract implements [Extractor].
func (OfflineExtractor) Extract(ctx context.Context, s *Session, o ExtractOptions) ([]privacy.Record, error) {
	scene := newScene(s, o)
	var out []privacy.Record
	for i := range s.Turns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &s.Turns[i]
		if t.Kind != Message || t.Speaker == "" {
			continue
		}
		out = append(out, scene.facts(i)...)
	}
	return out, nil
}

// scene is what the words of a session refer to.
type scene struct {
	session  *Session
	names    map[string]string // how facts call a participant
	people   map[string]string // lower-case names and first names → how facts call them
	language string            // of the session, for turns too short to tell
}

func newScene(s *Session, o ExtractOptions) *scene {
	c := &scene{session: s, names: make(map[string]string, len(s.Participants)+1), people: map[string]string{}}
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
	speaker string // how facts call who speaks
	you     string // the one who is spoken to; "" if there are several
	we      string // "Ines and Tomas" where that is clear, else ""
	said    string // the day it was said, "" unknown
}

func (c *scene) voice(i int) *voice {
	t := &c.session.Turns[i]
	v := &voice{scene: c, turn: t, speaker: c.names[t.Speaker], said: t.When.Date()}
	if heard := c.session.Listeners(t); len(heard) == 1 {
		v.you = c.names[heard[0]]
		if v.you == "" {
			v.you = heard[0]
		}
	}
	return v
}

// statement is a sentence in the making of a fact.
type statement struct {
	text    string
	subject string
	when    privacy.Stamp
	joins   bool // it leans on the sentence before it
	weak    bool // too little to stand alone
}

// facts returns the facts of turn i.
func (c *scene) facts(i int) []privacy.Record {
	t := &c.session.Turns[i]
	text := ownWords(t.Text)
	if text == "" {
		return nil
	}
	language := c.languageOf(text)
	v := c.voice(i)
	var said []statement
	switch language {
	case "zh":
		said = v.chinese(text)
	case "en":
		said = v.english(text)
	default:
		said = v.attributed(text)
	}
	var out []privacy.Record
	count, size := 0, 0
	for _, st := range said {
		n := utf8.RuneCountInString(st.text)
		if len(out) > 0 && count > 0 && (st.joins || st.weak) && count < maxFactSentences && size+n <= maxFactRunes {
			last := &out[len(out)-1]
			last.Text = join(last.Text, strings.TrimPrefix(st.text, v.speaker+"说，"), language)
			if last.HappenedAt.IsZero() {
				last.HappenedAt = st.when
			}
			count, size = count+1, size+n
			continue
		}
		if st.weak {
			continue
		}
		out = append(out, privacy.Record{
			ID: factID(t.ID, len(out)), Text: st.text, Language: language,
			Speaker: v.speaker, OwnerSaid: t.Self, Subject: st.subject,
			Listeners: c.listeners(t), SaidAt: t.When, HappenedAt: st.when,
			Session: c.session.ID, Evidence: []string{t.ID},
		})
		count, size = 1, n
	}
	return out
}

// languageOf is the language of a turn. Eight words of an alphabet are too few
// to tell apart languages that share it: then the session's counts.
func (c *scene) languageOf(text string) string {
	if hasHan(text) {
		return lexical.Language(text)
	}
	if strings.Count(text, " ") < 8 && c.language != "zh" {
		return c.language
	}
	return languageOf(text)
}

// languageOf is lexical.Language, save that a text with a good share of words
// that only English has is English: "me" and "no" are common elsewhere too.
func languageOf(text string) string {
	language := lexical.Language(text)
	if language == lexical.FallbackLanguage || hasHan(text) {
		return language
	}
	n, hints := 0, 0
	for w := range strings.FieldsSeq(text) {
		n++
		if englishOnly[strings.ToLower(strings.Trim(w, ".,!?\"()"))] {
			hints++
		}
	}
	if hints*6 >= n && hints > 0 {
		return lexical.FallbackLanguage
	}
	return language
}

var englishOnly = words("i i'm i've i'll i'd my the and you you're are have it it's to with that this they he she for your at been his her what they're don't can't")

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

// attributed keeps sentences as they were said, behind the speaker's name.
func (v *voice) attributed(text string) []statement {
	var out []statement
	for _, s := range sentences(text) {
		s = strings.TrimSpace(s)
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || len(lexical.Terms(s)) < 4 || !strings.ContainsFunc(s, unicode.IsLetter) {
			continue
		}
		s, when := germanTimes(s, v.said)
		out = append(out, statement{text: v.speaker + ": " + s, subject: v.speaker, when: when})
	}
	return out
}

// maxSentence bounds a sentence in bytes. Text without marks is cut at it: facts
// stay short, and no rule that looks around in a sentence gets slow on a hostile one.
const maxSentence = 600

// sentences are lexical.Sentences, long ones cut at a comma or a blank.
func sentences(text string) []string {
	var out []string
	for _, s := range lexical.Sentences(text) {
		for len(s) > maxSentence {
			cut := maxSentence
			for !utf8.RuneStart(s[cut]) {
				cut--
			}
			if i := strings.LastIndexAny(s[:cut], ",;，；、"); i > cut/2 {
				_, n := utf8.DecodeRuneInString(s[i:])
				cut = i + n
			} else if i := strings.LastIndexByte(s[:cut], ' '); i > cut/2 {
				cut = i
			}
			out = append(out, strings.TrimSpace(s[:cut]))
			s = strings.TrimSpace(s[cut:])
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// factID is "f" and ten characters that depend on the evidence alone.
func factID(turn string, ordinal int) privacy.FactID {
	h := sha256.New()
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(ordinal))
	h.Write(n[:])
	h.Write([]byte(turn))
	return privacy.FactID("f" + strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:10]))
}

// ownWords drops what isn't the writer's: quoted lines, pictures, control
// characters.
func ownWords(s string) string {
	if strings.ContainsRune(s, '>') {
		lines := strings.Split(s, "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), ">") })
		s = strings.Join(lines, "\n")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' ' + ('\n'-' ')*b2r(r == '\n')
		case r < 0x20 || r == 0x7f || r == utf8.RuneError:
			return -1
		case r < 0x2190:
			if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r == 0x2060 {
				return -1
			}
			if r == '’' || r == '‘' {
				return '\''
			}
			return r
		case r >= 0x1f000 || r >= 0x2190 && r <= 0x2bff || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe000 && r <= 0xf8ff:
			return ' ' // pictures
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

func b2r(b bool) rune {
	if b {
		return 1
	}
	return 0
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x3400 && unicode.Is(unicode.Han, r) })
}

func join(a, b, language string) string {
	if language == "zh" {
		return a + b
	}
	return a + " " + b
}

// closed writes s as a sentence: first letter upper case, a full stop at its end.
func closed(s, stop string) string {
	s = strings.TrimRight(strings.TrimSpace(s), " ,;:-–—~…，；：、～")
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, "\"”」")); !strings.ContainsRune(".!?。！？", last) {
		s += stop
	}
	return s
}

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}
