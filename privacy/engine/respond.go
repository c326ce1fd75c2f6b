package engine

import (
	"context"
	"strings"

	"github.com/epagent/epagent/privacy"
)

// voice is how the offline responder speaks in one language: the delegate's own
// first person. %s stands for the owner's name.
type voice struct {
	lead    string // before the details
	deflect string // when there is nothing to tell: always this, whatever the reason
	dated   string // how a day follows what it dates: %s stands for it
	asOf    string // how it follows a state, which may have changed since
}

var voices = map[string]voice{
	"en": {
		lead:    "Here is what I can share from %s:",
		deflect: "I have nothing I can pass on about that. Please ask %s directly.",
		dated:   " (%s)",
		asOf:    " (as of %s)",
	},
	"zh": {
		lead:    "关于%s，我能转告的是：",
		deflect: "这方面我没有可以转告的。请直接问%s吧。",
		dated:   "（%s）",
		asOf:    "（截至%s）",
	},
	"de": {
		lead:    "Das kann ich von %s weitergeben:",
		deflect: "Dazu kann ich nichts weitergeben. Bitte %s direkt fragen.",
		dated:   " (%s)",
		asOf:    " (Stand %s)",
	},
}

// nobodyNamed stands for an owner without a name.
var nobodyNamed = map[string]string{"en": "the person I speak for", "zh": "本人", "de": "die Person selbst"}

func voiceOf(language string) (string, voice) {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	if v, ok := voices[base]; ok {
		return base, v
	}
	return "en", voices["en"]
}

// Respond implements [Responder] by templates in the language of the question
// (English, Chinese, German; English else). It tells each detail
// on a line of its own, several as a list, each with its day unless its own
// words state it, and joins none into a claim of its own. Without details it gives
// one fixed deflection a language, the same for denied, forgotten and never
// known (PROJECTION 8); it repeats nothing of the question, counts nothing and
// says neither yes nor no.
func (o *Offline) Respond(ctx context.Context, c Context) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{}, err
	}
	language, v := voiceOf(c.Language)
	owner := strings.Join(strings.Fields(c.Owner), " ")
	if owner == "" {
		owner = nobodyNamed[language]
	}
	if len(c.Details) == 0 {
		return Answer{Text: strings.Replace(v.deflect, "%s", owner, 1)}, nil
	}
	var b strings.Builder
	b.WriteString(strings.Replace(v.lead, "%s", owner, 1))
	a := Answer{Facts: make([]privacy.FactID, 0, len(c.Details))}
	for _, d := range c.Details {
		b.WriteByte('\n')
		if len(c.Details) > 1 {
			b.WriteString("- ")
		}
		b.WriteString(told(d, language, v))
		a.Facts = append(a.Facts, d.Fact)
	}
	a.Text = b.String()
	return a, nil
}

// told words one detail, with its day where its text doesn't state that.
func told(d Detail, language string, v voice) string {
	if d.When == "" || statesDay(d.Text, d.When) {
		return d.Text
	}
	text, stop := cutStop(d.Text)
	pattern := v.dated
	if standingOf(&privacy.Record{Text: d.Text}) == state {
		pattern = v.asOf
	}
	return text + strings.Replace(pattern, "%s", dayIn(language, d.When), 1) + stop
}

// cutStop cuts the full stop from the end of a statement.
func cutStop(text string) (rest, stop string) {
	for _, stop := range []string{".", "。"} {
		if rest, ok := strings.CutSuffix(text, stop); ok && !strings.HasSuffix(rest, stop) {
			return rest, stop
		}
	}
	return text, ""
}
