package memory

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// OfflineExtractor extracts facts by rules, without a model: English and
// Chinese statements are put into the third person, those of other languages
// are kept word for word behind their speaker's name ("Jana: …"), since broken
// grammar is worse than a quotation. Small talk, reactions, questions, commands
// and sentences that only say who may know make no fact.
//
// Its rules stand with what they are about: writer calls people, tenseAt dates
// what is said without a year, matterOf tells facts from chatter, antecedent
// names "he" and "she". Where a rule isn't sure it leaves the words as said.
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

// statement is a sentence in the making of a fact.
type statement struct {
	text    string
	subject string
	when    privacy.Stamp
	joins   bool // it leans on the sentence before it
	weak    bool // too little to stand alone
	leads   bool // and yet a clause, which the sentence behind it may complete
	apart   bool // it mustn't stand in one fact with what was said before it
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
	var lead statement // too little for a fact, until the next sentence makes one of it
	for _, st := range said {
		n := utf8.RuneCountInString(st.text)
		if len(out) > 0 && count > 0 && !st.apart && (st.joins || st.weak && sameSubject(st.subject, out[len(out)-1].Subject)) && count < maxFactSentences && size+n <= maxFactRunes {
			last := &out[len(out)-1]
			last.Text = join(last.Text, strings.TrimPrefix(st.text, v.says()), language)
			if last.HappenedAt.IsZero() {
				last.HappenedAt = st.when
			}
			count, size = count+1, size+n
			continue
		}
		if st.weak {
			lead = statement{}
			if st.leads {
				lead = st
			}
			continue
		}
		if lead.text != "" && !st.apart && sameSubject(lead.subject, st.subject) {
			st.text = join(lead.text, st.text, language)
			n = utf8.RuneCountInString(st.text)
		}
		lead = statement{}
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

// sameSubject reports whether two sentences may be about the same: what little one
// tells of somebody is no part of a fact about somebody else.
func sameSubject(a, b string) bool { return a == b || a == "" || b == "" }

// attributed keeps sentences as they were said, behind the speaker's name.
func (v *voice) attributed(text string) []statement {
	var out []statement
	for _, s := range sentences(text) {
		s = strings.TrimSpace(s)
		if speaksEnglish(s) {
			out = append(out, v.english(s)...)
			continue
		}
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || len(lexical.Terms(s)) < leastTerms(s) || !strings.ContainsFunc(s, unicode.IsLetter) {
			continue
		}
		s, when := germanTimes(s, v.said)
		out = append(out, statement{text: v.speaker + ": " + s, subject: v.speaker, when: when})
	}
	return out
}

// leastTerms is how many terms a sentence kept as it was said must have to be more
// than small talk: fewer where it speaks of its speaker, and fewest where it names a
// thing or a number as well.
func leastTerms(sentence string) int {
	own, names := false, false
	for i, w := range strings.Fields(sentence) {
		w = strings.Trim(w, ".,;:!¡\"()")
		first, _ := utf8.DecodeRuneInString(w)
		own = own || ownWordsAbroad[strings.ToLower(w)]
		names = names || i > 0 && unicode.IsUpper(first) || unicode.IsDigit(first)
	}
	switch {
	case own && names:
		return 2
	case own:
		return 3
	}
	return 4
}

// ownWordsAbroad are "I", "my", "we" and "our" of the languages in Latin script that
// are told apart.
var ownWordsAbroad = words(`ich mein meine meinen meinem meiner wir unser unsere unseren je j'ai j'habite mon ma mes nous notre nos
	yo mi mis nosotros nuestro nuestra io mio mia miei noi nostro nostra ik mijn wij onze minä minun me meidän`)

// factID is "f" and ten characters that depend on the evidence alone.
func factID(turn string, ordinal int) privacy.FactID {
	h := sha256.New()
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(ordinal))
	h.Write(n[:])
	h.Write([]byte(turn))
	return privacy.FactID("f" + strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil))[:10]))
}
