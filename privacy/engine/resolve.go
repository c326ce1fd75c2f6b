package engine

import (
	"strings"

	"github.com/epagent/epagent/privacy"
)

// Resolve returns a question with what it leaves out. One that names no matter of
// its own ("and when?", "who with?") is about the nearest earlier question of the
// same asker that does, which is put before it; any other stays as it is. Earlier
// are that asker's own words, oldest first, and nobody else's.
func Resolve(question string, earlier []string, owner ...string) string {
	if len(earlier) == 0 || namesMatter(question, owner) {
		return question
	}
	for i := len(earlier) - 1; i >= 0; i-- {
		if namesMatter(earlier[i], owner) {
			return earlier[i] + "\n" + question
		}
	}
	return question
}

// namesMatter reports whether a question says what it is about.
func namesMatter(question string, owner []string) bool {
	folded := foldText(question)
	if general.MatchString(folded) {
		return true
	}
	q := newAsked(question, folded, []Ranked{{Record: privacy.Record{OwnerSaid: true, Speaker: strings.Join(owner, " ; ")}}})
	for t := range q.topic {
		if !askWords[t] && !followWords[t] && !lastWords[t] {
			return true
		}
	}
	return len(q.phrased)+len(q.concepts)+len(q.dates) > 0
}

// followWords are terms of questions that go on from what was said before.
var followWords = stems("more else detail details again long far much many often sort kind exactly precisely reason explain elaborate continue go further rest other others another both either neither possible true right correct sounds great nice interesting cool")
