package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// policyVerbs are the verbs of the policy tool, beside those of changes.
type policyVerbs interface {
	Policy(ctx context.Context) (*privacy.Policy, error)
	PolicyHistory(ctx context.Context) ([]memory.PolicyVersion, error)
	Preview(ctx context.Context, c agent.Change) (*agent.Proposal, error)
	Why(ctx context.Context, id privacy.FactID, name string, at agent.AsOf) (*agent.Why, error)
	Who(ctx context.Context, subject string, at agent.AsOf) ([]agent.Who, error)
	Knows(ctx context.Context, name string, page, size int, at agent.AsOf) (*agent.Knows, error)
}

type policyIn struct {
	Action     string   `json:"action" jsonschema:"enum=why,enum=who,enum=knows,enum=show,enum=history,enum=allow,enum=deny,enum=remove_rule,enum=plan,enum=apply,enum=undo"`
	Fact       string   `json:"fact,omitempty" jsonschema:"maxLength=1000" jsonschema_description:"Id; for who also a topic"`
	People     []string `json:"people,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Names or group:ID"`
	Categories []string `json:"categories,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Of facts"`
	About      string   `json:"about,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Words of facts"`
	Until      string   `json:"until,omitempty" jsonschema:"maxLength=40" jsonschema_description:"Last day, 2026-03-01"`
	Rule       string   `json:"rule,omitempty" jsonschema:"maxLength=64"`
	Source     string   `json:"source,omitempty" jsonschema:"maxLength=262144" jsonschema_description:"Whole policy.yaml"`
	Version    string   `json:"version,omitempty" jsonschema:"maxLength=64" jsonschema_description:"To undo to, or as of"`
	Page       int      `json:"page,omitempty" jsonschema:"minimum=1,maximum=100000"`
}

type policyOut struct {
	Verdicts []policyVerdict `json:"verdicts,omitempty"`
	Lines    []string        `json:"lines,omitempty"`
	Source   string          `json:"source,omitempty" jsonschema_extras:"minor=true"`
	changed
	More bool `json:"more"`
}

type policyVerdict struct {
	Fact   string `json:"fact"`
	Text   string `json:"text" jsonschema_extras:"minor=true"`
	Person string `json:"person"`
	Allow  bool   `json:"allow"`
	Reason string `json:"reason"`
}

func policyTool(s *Server) tool[policyIn, policyOut] {
	return tool[policyIn, policyOut]{
		name: "policy",
		description: "why: explain a verdict. who: everyone who may learn a fact. knows: all that a person may learn. " +
			"allow, deny: add a rule for facts of a condition. plan: effect of a new policy. " +
			"What lets anybody learn more is put to the owner and may wait.",
		hints: hints{destructive: true},
		run: func(ctx context.Context, in policyIn) (policyOut, string, error) {
			out, text, err := s.policyAction(ctx, in)
			return out, clip(text, maxBytes), err
		},
	}
}

// asOf reads the moment of a query.
func (in *policyIn) asOf() (agent.AsOf, error) {
	at, err := agent.ParseAsOf(in.Version)
	if err != nil {
		return at, publicf("argument \"version\": want a day, a time, a version, or VERSION@REVISION")
	}
	return at, nil
}

func (in *policyIn) one() (string, error) {
	if len(in.People) != 1 {
		return "", publicf("argument \"people\": want one name for %s", in.Action)
	}
	return in.People[0], nil
}

func (s *Server) policyAction(ctx context.Context, in policyIn) (policyOut, string, error) {
	switch in.Action {
	case "why":
		return s.policyWhy(ctx, in)
	case "who":
		return s.policyWho(ctx, in)
	case "knows":
		return s.policyKnows(ctx, in)
	case "show", "history":
		return s.policyShow(ctx, in)
	}
	c, err := in.change()
	if err != nil {
		return policyOut{}, "", err
	}
	if in.Action == "plan" {
		p, err := s.verbs.Preview(ctx, c)
		if err != nil {
			return policyOut{}, "", err
		}
		done := outcome(p)
		text := "Nothing is changed; it would do this:" + strings.TrimPrefix(done.text(""), "Nothing was changed.")
		if len(p.Opens)+len(p.Closes) == 0 {
			text = "Nothing is changed; no answer would change for anybody."
		}
		return policyOut{changed: done}, text, nil
	}
	_, done, err := s.change(ctx, c)
	if err != nil {
		return policyOut{}, "", err
	}
	return policyOut{changed: done}, done.text("The policy is changed."), nil
}

// change is the change that the arguments describe.
func (in *policyIn) change() (agent.Change, error) {
	note := "through an assistant: " + in.Action
	switch in.Action {
	case "plan", "apply":
		if in.Source == "" {
			return agent.Change{}, publicf("argument \"source\" is missing: give the whole new policy.yaml")
		}
		return agent.Change{Kind: agent.ChangePolicy, Source: in.Source, Note: note}, nil
	case "undo":
		return agent.Change{Kind: agent.ChangeUndo, Version: in.Version, Note: note}, nil
	case "remove_rule":
		if in.Rule == "" {
			return agent.Change{}, publicf("argument \"rule\" is missing: give the rule's id")
		}
		return agent.Change{Kind: agent.ChangeRemoveRule, RuleID: privacy.RuleID(in.Rule), Note: note}, nil
	}
	rule := privacy.Rule{Fact: privacy.FactID(in.Fact), About: in.About, Note: "through an assistant"}
	for _, id := range in.Categories {
		rule.Categories = append(rule.Categories, privacy.CategoryID(id))
	}
	if len(in.People) == 0 {
		return agent.Change{}, publicf("argument \"people\" is missing: name whom the rule is for")
	}
	if in.Fact == "" && in.About == "" && len(in.Categories) == 0 {
		return agent.Change{}, publicf("which facts? give argument \"fact\", \"categories\" or \"about\"")
	}
	for _, name := range in.People {
		if in.Action == "allow" {
			rule.Allow = append(rule.Allow, privacy.Party(name))
		} else {
			rule.Deny = append(rule.Deny, privacy.Party(name))
		}
	}
	if in.Until != "" {
		day, err := time.Parse(time.DateOnly, in.Until)
		if err != nil || in.Action != "allow" {
			return agent.Change{}, publicf("argument \"until\": want a day as in 2026-03-01, and only with allow")
		}
		rule.Until = day.AddDate(0, 0, 1)
	}
	return agent.Change{Kind: agent.ChangeAddRule, Rule: &rule, Note: note}, nil
}

func (s *Server) policyWhy(ctx context.Context, in policyIn) (policyOut, string, error) {
	name, err := in.one()
	if err != nil {
		return policyOut{}, "", err
	}
	at, err := in.asOf()
	if err != nil {
		return policyOut{}, "", err
	}
	w, err := s.verbs.Why(ctx, privacy.FactID(in.Fact), name, at)
	if err != nil {
		return policyOut{}, "", err
	}
	out := policyOut{Verdicts: []policyVerdict{{
		Fact: string(w.Fact), Text: clip(w.Text, maxColumn), Person: w.To, Allow: w.Verdict.Allow, Reason: w.Verdict.Reason.String(),
	}}}
	for _, step := range w.Steps {
		mark := ""
		if step.Decided {
			mark = " (decided)"
		}
		out.Lines = append(out.Lines, fmt.Sprintf("%s: %s%s", step.Rule, oneLine(clip(step.Looked, 300)), mark))
	}
	for _, c := range w.Changes {
		out.Lines = append(out.Lines, fmt.Sprintf("would turn it, and %d other verdicts: %s", len(c.Opens)+len(c.Hides), oneLine(clip(c.Describe, 300))))
	}
	out.Lines, out.More = page(out.Lines, in.Page)
	return out, out.text(), nil
}

func (s *Server) policyWho(ctx context.Context, in policyIn) (policyOut, string, error) {
	subject := strings.TrimSpace(in.Fact)
	if subject == "" {
		return policyOut{}, "", publicf("argument \"fact\" is missing: give the id of a fact, or a topic")
	}
	at, err := in.asOf()
	if err != nil {
		return policyOut{}, "", err
	}
	found, err := s.verbs.Who(ctx, subject, at)
	if err != nil {
		return policyOut{}, "", err
	}
	var all []policyVerdict
	var nobody []string
	for _, w := range found {
		for _, x := range w.Who {
			all = append(all, policyVerdict{
				Fact: string(w.Fact), Text: clip(w.Text, 300), Person: personWord(x.Name), Allow: x.Verdict.Allow, Reason: x.Verdict.Reason.String(),
			})
		}
		if len(w.Who) == 0 {
			nobody = append(nobody, fmt.Sprintf("nobody may know %s", w.Fact))
		}
	}
	out := policyOut{}
	out.Verdicts, out.More = page(all, in.Page)
	more := false
	out.Lines, more = page(nobody, in.Page)
	out.More = out.More || more
	return out, out.text(), nil
}

func (s *Server) policyKnows(ctx context.Context, in policyIn) (policyOut, string, error) {
	name, err := in.one()
	if err != nil {
		return policyOut{}, "", err
	}
	at, err := in.asOf()
	if err != nil {
		return policyOut{}, "", err
	}
	k, err := s.verbs.Knows(ctx, name, max(in.Page, 1), maxItems, at)
	if err != nil {
		return policyOut{}, "", err
	}
	out := policyOut{More: k.Page < k.Pages}
	for _, group := range k.Categories {
		for _, f := range group.Facts {
			out.Verdicts = append(out.Verdicts, policyVerdict{
				Fact: string(f.ID), Text: clip(f.Text, maxColumn), Person: k.Name, Allow: true, Reason: f.Reason.String(),
			})
		}
	}
	return out, out.text(), nil
}

func (s *Server) policyShow(ctx context.Context, in policyIn) (policyOut, string, error) {
	if in.Action == "history" {
		versions, err := s.verbs.PolicyHistory(ctx)
		if err != nil {
			return policyOut{}, "", err
		}
		var lines []string
		for i := len(versions) - 1; i >= 0; i-- {
			v := versions[i]
			lines = append(lines, fmt.Sprintf("%d: %.12s of %s by %s: %s", v.Seq, v.Hash, v.At.UTC().Format(time.RFC3339), v.Author, oneLine(clip(v.Note, 200))))
		}
		out := policyOut{}
		out.Lines, out.More = page(lines, in.Page)
		return out, out.text(), nil
	}
	if in.Version != "" {
		return policyOut{}, "", publicf("show gives the policy in force; `epagent policy show --at` gives an earlier one")
	}
	policy, err := s.verbs.Policy(ctx)
	if err != nil {
		return policyOut{}, "", err
	}
	out := policyOut{Source: clip(string(policy.Source()), maxBytes), More: len(policy.Source()) > maxBytes}
	return out, out.Source, nil
}

func (o *policyOut) text() string {
	var lines []string
	for _, v := range o.Verdicts {
		verb := "may not know"
		if v.Allow {
			verb = "may know"
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %q (%s)", v.Person, verb, v.Fact, v.Text, v.Reason))
	}
	lines = append(lines, o.Lines...)
	if len(lines) == 0 {
		lines = []string{"Nothing found."}
	}
	if o.More {
		lines = append(lines, "There is more; ask for the next page.")
	}
	return strings.Join(lines, "\n")
}

// personWord names the person of a verdict; the one without a name is anybody whom
// the policy doesn't know.
func personWord(name string) string {
	if name == "" {
		return "anybody else"
	}
	return name
}

// page returns one page of a list, counting from 1 (0 is 1), and whether there is a
// next one.
func page[T any](all []T, n int) ([]T, bool) {
	from := (max(n, 1) - 1) * maxItems
	if from >= len(all) {
		return nil, false
	}
	to := min(from+maxItems, len(all))
	return all[from:to], to < len(all)
}
