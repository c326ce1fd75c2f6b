package ingest

import (
	"strings"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
)

// How much is looked at to tell whether the topic has changed.
const (
	topicLook  = 4 // messages behind the silence
	topicBack  = 8 // and before it
	topicTerms = 4 // different terms that either side needs
)

// apart reports whether the talk behind a silence is about something else than
// before it: both sides say something, they share no term and no answer, and nothing
// behind the silence points back. What asks for discretion stays with what it may be
// about: a session is what the engine reads "don't tell her" in.
func apart(before, after []cutMessage) bool {
	before = before[max(0, len(before)-topicBack):]
	ids := make(map[string]bool, len(before))
	said := map[string]bool{}
	for _, m := range before {
		ids[m.id] = true
		if m.Kind == KindSystem {
			continue
		}
		for _, term := range lexical.Terms(m.Text) {
			said[term] = true
		}
	}
	if len(before) < topicLook || len(said) < topicTerms {
		return false
	}
	fresh := map[string]bool{}
	for i, m := range after {
		if ids[m.reply] || m.Kind == KindSystem || m.Quoted != nil {
			return false
		}
		text := strings.ToLower(m.Text)
		for _, word := range discretion {
			if strings.Contains(text, word) {
				return false
			}
		}
		if i == 0 && pointsBack(text) {
			return false
		}
		for _, term := range lexical.Terms(m.Text) {
			if said[term] {
				return false
			}
			fresh[term] = true
		}
	}
	return len(fresh) >= topicTerms
}

// discretion are parts of words by which people ask to keep something to themselves.
var discretion = strings.Fields(`tell told secret privat confidential between nobody anyone everyone mention share quiet leak
	告诉 保密 秘密 别说 不要说 说出去 外传 知道 sag erzähl geheim vertraulich verrat weitersag niemand jemand unter
	dile digas secreto dis dire secret niemandem`)

// backward are words that can only be understood from what was said before.
var backward = wordSet(`it that this these those they them he she him her his their so also too again
	das dies diese dieser es er sie ihn ihm ihr auch wieder 这 那 它 他 她 eso esto ça cela`)

func pointsBack(text string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if backward[w] {
			return true
		}
	}
	return strings.ContainsAny(text, "这那它他她")
}
