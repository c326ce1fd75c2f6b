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
	dated   string // a detail with its date: %d the date, %t the text
}

var voices = map[string]voice{
	"en": {
		lead:    "Here is what I can share from %s:",
		deflect: "I have nothing I can pass on about that. Please ask %s directly.",
		dated:   "%d: %t",
	},
	"zh": {
		lead:    "关于%s，我能转告的是：",
		deflect: "这方面我没有可以转告的。请直接问%s吧。",
		dated:   "%d：%t",
	},
	"de": {
		lead:    "Das kann ich von %s weitergeben:",
		deflect: "Dazu kann ich nichts weitergeben. Bitte %s direkt fragen.",
		dated:   "%d: %t",
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
// (English, Chinese, German; English else). It tells the details side by side,
// one a line, and joins none into a claim of its own. Without details it gives
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
		b.WriteString("\n- ")
		if d.When == "" {
			b.WriteString(d.Text)
		} else {
			b.WriteString(strings.NewReplacer("%d", d.When, "%t", d.Text).Replace(v.dated))
		}
		a.Facts = append(a.Facts, d.Fact)
	}
	a.Text = b.String()
	return a, nil
}
