package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/epagent/epagent/memory/lexical"
	"github.com/epagent/epagent/privacy"
)

// Project implements [Projector] (PROJECTION 1, 4–7). It sees permitted facts
// only, so what it makes of them is the same whether or not anything is denied.
// Every state is told with its date and none as "current", which keeps rule 5
// whatever newer states the listener may not know; a habit or taste of which only
// the day of telling is known has none, since it would read as the day of the habit. What several facts of one event
// say alike is told once. A cover story is told only
// where covers are kept, and an unknown truth counts as a cover story.
func (o *Offline) Project(ctx context.Context, m Material) (Context, error) {
	if err := ctx.Err(); err != nil {
		return Context{}, err
	}
	out := Context{Question: m.Question, Language: m.Language, Owner: m.Owner, Details: []Detail{}, History: m.History}
	if out.Language == "" {
		out.Language = lexical.Language(m.Question)
	}
	facts := slices.DeleteFunc(slices.Clone(m.Facts), func(r privacy.Record) bool {
		return m.Truth[r.ID] != privacy.Real && m.Covers != string(privacy.CoversKeep)
	})
	slices.SortFunc(facts, func(a, b privacy.Record) int {
		return cmp.Or(when(&a).Compare(when(&b)), strings.Compare(string(a.ID), string(b.ID)))
	})
	facts = withoutDuplicates(facts, out.Language)
	var story []string
	said := map[string]bool{}
	for i := range facts {
		r := &facts[i]
		text := statement(r, out.Language)
		key := foldText(text)
		if text == "" || said[key] {
			continue
		}
		said[key] = true
		d := Detail{Fact: r.ID, Text: text, When: toldDay(r)}
		out.Details = append(out.Details, d)
		story = append(story, dated(d))
	}
	out.Storyline = strings.Join(story, "\n")
	out.Boundary = boundary(m.Question, out.Details, m.Owner)
	return out, nil
}

// dated puts the date of a detail before it.
func dated(d Detail) string {
	if d.When == "" {
		return d.Text
	}
	return d.When + ": " + d.Text
}

// statement returns the text of a fact in one line; one that rests on somebody
// else's word carries its speaker (PROJECTION 7).
func statement(r *privacy.Record, language string) string {
	text := strings.Join(strings.Fields(r.Text), " ")
	if text == "" || r.Speaker == "" || r.Gold() || baseOf(r).trusted {
		return text
	}
	switch language {
	case "zh":
		return r.Speaker + "说：" + text
	case "de":
		return r.Speaker + " sagt: " + text
	default:
		return r.Speaker + " says: " + text
	}
}

// boundary returns the words of the question that no detail speaks to, in their
// order: what a responder should leave alone, in the asker's own words.
func boundary(question string, details []Detail, owner string) []string {
	covered := map[string]bool{}
	for _, t := range lexical.Terms(owner) {
		covered[t] = true
	}
	for _, d := range details {
		for _, t := range lexical.Terms(d.Text) {
			covered[t] = true
		}
	}
	out := []string{}
	for _, w := range wholeWords(ownWords(question)) {
		terms := lexical.Terms(w)
		if len(terms) == 0 || askWords[terms[0]] {
			continue
		}
		if !slices.ContainsFunc(terms, func(t string) bool { return covered[t] }) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// wholeWords returns the words of a question as they stand there, without the marks
// around them: "84,000", "9.30", "brother-in-law's".
func wholeWords(question string) []string {
	var out []string
	for _, field := range strings.FieldsFunc(question, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("，。？！；：、…", r) }) {
		if w := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }); w != "" {
			out = append(out, w)
		}
	}
	return out
}
