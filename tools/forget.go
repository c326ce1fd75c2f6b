package tools

import (
	"context"
	"fmt"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

type forgetIn struct {
	Facts   []string `json:"facts,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Ids. Give one of facts, session, person"`
	Session string   `json:"session,omitempty" jsonschema:"minLength=1,maxLength=200"`
	Person  string   `json:"person,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"All of or about them"`
	DryRun  bool     `json:"dry_run,omitempty" jsonschema_description:"Only say what would go"`
}

type forgetOut struct {
	Facts []string `json:"facts"`
	Kept  []string `json:"kept" jsonschema_description:"Stay: they rest on another source too"`
	Turns int      `json:"turns" jsonschema_extras:"minor=true"`
	changed
	More bool `json:"more" jsonschema_extras:"minor=true"`
}

func forgetTool(s *Server) tool[forgetIn, forgetOut] {
	return tool[forgetIn, forgetOut]{
		name:        "forget",
		description: "Remove facts, a session, or a person from every layer, for good. Only when the owner asks for it; try dry_run first.",
		hints:       hints{destructive: true, idempotent: true},
		run: func(ctx context.Context, in forgetIn) (forgetOut, string, error) {
			given := 0
			for _, there := range []bool{len(in.Facts) > 0, in.Session != "", in.Person != ""} {
				if there {
					given++
				}
			}
			if given != 1 {
				return forgetOut{}, "", publicf("give one of the arguments \"facts\", \"session\" and \"person\"")
			}
			req := agent.ForgetRequest{Session: in.Session, Person: in.Person, DryRun: in.DryRun}
			for _, id := range in.Facts {
				req.Facts = append(req.Facts, privacy.FactID(id))
			}
			c := agent.Change{Kind: agent.ChangeForget, Forget: &req}
			var p *agent.Proposal
			var done changed
			var err error
			if in.DryRun {
				if p, err = s.verbs.Preview(ctx, c); err == nil {
					done = outcome(p)
				}
			} else {
				p, done, err = s.change(ctx, c)
			}
			if err != nil {
				return forgetOut{}, "", err
			}
			out := forgetOut{Facts: []string{}, Kept: []string{}, changed: done}
			if p.Forgotten != nil {
				out.Turns = p.Forgotten.Turns
				out.Facts, out.More = bounded(words(p.Forgotten.Facts))
				var more bool
				out.Kept, more = bounded(words(p.Forgotten.Kept))
				out.More = out.More || more
			}
			what := fmt.Sprintf("%d facts and %d turns", len(p.Forgotten.Facts), out.Turns)
			if in.DryRun {
				return out, what + " would go. Nothing was forgotten.", nil
			}
			return out, done.text(what + " are forgotten."), nil
		},
	}
}

// bounded is the first page of a list, never nil.
func bounded(all []string) ([]string, bool) {
	first, more := page(all, 1)
	return append([]string{}, first...), more
}
