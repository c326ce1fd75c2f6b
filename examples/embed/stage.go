package main

import (
	"context"
	"strings"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// letter is a stage: a responder with a voice of its own. It gets the permitted
// facts and nothing else, so it can't give away what it doesn't have; the guard
// still reads every word of it.
type letter struct{}

var _ engine.Responder = letter{}

// Respond words the answer from the projected context alone. Where there is nothing
// to tell it leaves the deflection to the offline stage: that one is the same
// whatever the reason.
func (letter) Respond(ctx context.Context, c engine.Context) (engine.Answer, error) {
	if len(c.Details) == 0 {
		return engine.NewOffline().Respond(ctx, c)
	}
	var told []privacy.FactID
	var lines []string
	for _, d := range c.Details {
		lines = append(lines, "* "+d.Text)
		told = append(told, d.Fact)
	}
	return engine.Answer{Text: "From " + c.Owner + ":\n" + strings.Join(lines, "\n"), Facts: told}, nil
}
