package main

import (
	"context"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/prompts"
)

// wordedPersona words the questions of a simulation's personas on a chat model.
type wordedPersona struct {
	runner   *prompts.Runner
	language string
	before   func() // told of each call before it is made
}

var _ sim.Persona = wordedPersona{}

// Word implements [sim.Persona].
func (w wordedPersona) Word(ctx context.Context, p *sim.Party, owner string, heard []string) (string, error) {
	w.before()
	out, err := prompts.Call(ctx, w.runner, prompts.Persona, prompts.Input[prompts.PersonaIn, prompts.PersonaOut]{
		Data:     prompts.PersonaIn{Name: p.Name, Goal: p.Goal, Relations: p.Relations, Owner: owner, Heard: heard},
		Language: w.language,
	})
	return out.Question, err
}
