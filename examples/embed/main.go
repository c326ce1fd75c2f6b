// Command embed shows how a program of yours holds a delegate: with its own memory
// host, its own embedder and its own stage. Everything runs offline.
//
// docs/embed.md walks through it.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

const policy = `
version: 1
owner: {name: Lea Brandt, aliases: [Lea], language: en}
domains: [work, life]
groups:
  - {id: close, tier: 1, domain: life}
  - {id: desk, tier: 2, domain: work}
people:
  - {name: Jonas, groups: [close]}
  - {name: Petra, groups: [desk]}
categories:
  - {id: health, name: Health, level: 1, domain: life, description: "illness, doctors, surgery, hospital"}
  - {id: projects, name: Projects, level: 3, domain: work, description: "meetings, deadlines, project, release, client"}
`

func main() {
	home, err := os.MkdirTemp("", "epagent-embed-")
	if err != nil {
		log.Fatal(err)
	}
	err = run(context.Background(), home, os.Stdout)
	if gone := os.RemoveAll(home); err == nil {
		err = gone
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run opens a delegate in a home folder, tells it two things, and lets two people
// ask.
func run(ctx context.Context, home string, out io.Writer) error {
	if _, err := agent.WritePolicy(home, []byte(policy)); err != nil {
		return err
	}
	a, err := agent.Open(ctx, home, agent.Options{
		Host:     func(s *memory.Store) memory.Host { return newNotebook(s) },
		Embedder: trigrams{},
		Stages:   agent.Stages{Responder: letter{}},
	})
	if err != nil {
		return err
	}
	defer a.Close()
	for _, text := range []string{
		"My surgery at the hospital is on 3 June 2026.",
		"The project release for the client is on 9 June 2026.",
	} {
		if _, err := a.Remember(ctx, agent.RememberRequest{Text: text}); err != nil {
			return err
		}
	}
	for _, who := range []string{"Jonas", "Petra"} {
		if err := ask(ctx, a, out, who); err != nil {
			return err
		}
	}
	return nil
}

// ask lets somebody talk with the delegate. Who it is comes from your program: a
// login, a phone number, a session; never from what they write.
func ask(ctx context.Context, a *agent.Agent, out io.Writer, who string) error {
	readers, err := a.Readers(ctx, []string{who})
	if err != nil {
		return err
	}
	talk, err := a.Converse(ctx, readers, agent.ConversationOptions{})
	if err != nil {
		return err
	}
	for _, message := range []string{"Is there a surgery or a project release?", "And when?"} {
		fmt.Fprintf(out, "%s: %s\n", who, message)
		_, err := talk.Say(ctx, message, func(piece string) error {
			_, err := io.WriteString(out, piece)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	return nil
}
