package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/privacy"
)

// completer completes names, groups, categories and sessions for the owner's client.
// What can't be found out completes to nothing.
type completer struct {
	server *Server
}

// maxCompletions is the protocol's own limit.
const maxCompletions = 100

// CompletePromptArgument completes an argument of a prompt.
func (c completer) CompletePromptArgument(ctx context.Context, prompt string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	switch prompt + " " + argument.Name {
	case promptReply + " name":
		return c.complete(ctx, argument.Value, c.people), nil
	case promptReview + " category":
		return c.complete(ctx, argument.Value, c.categories), nil
	}
	return none(), nil
}

// CompleteResourceArgument completes the variable of a resource template.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	prefix, _, _ := strings.Cut(uri, "{")
	switch prefix {
	case uriPerson:
		return c.complete(ctx, argument.Value, c.people), nil
	case uriGroup:
		return c.complete(ctx, argument.Value, c.groups), nil
	case uriCategory:
		return c.complete(ctx, argument.Value, c.categories), nil
	case uriSession:
		return c.complete(ctx, argument.Value, c.sessions), nil
	}
	return none(), nil
}

func none() *mcp.Completion { return &mcp.Completion{Values: []string{}} }

// complete lists what begins with what was typed, however it is spelled, then what
// has it further on.
func (c completer) complete(ctx context.Context, typed string, candidates func(context.Context) []string) *mcp.Completion {
	who, err := c.server.speaker(ctx)
	if err != nil || !who.IsOwner() || len(typed) > 200 {
		return none()
	}
	key := privacy.NormalizeName(typed)
	var first, then []string
	for _, candidate := range candidates(ctx) {
		switch n := privacy.NormalizeName(candidate); {
		case strings.HasPrefix(n, key):
			first = append(first, candidate)
		case strings.Contains(n, key):
			then = append(then, candidate)
		}
	}
	slices.Sort(first)
	slices.Sort(then)
	all := slices.Compact(append(first, then...))
	out := &mcp.Completion{Values: all, Total: len(all)}
	if len(all) > maxCompletions {
		out.Values, out.HasMore = all[:maxCompletions], true
	}
	if out.Values == nil {
		out.Values = []string{}
	}
	return out
}

func (c completer) policy(ctx context.Context) (*privacy.Policy, bool) {
	policy, err := c.server.verbs.Policy(ctx)
	return policy, err == nil
}

func (c completer) people(ctx context.Context) []string {
	policy, ok := c.policy(ctx)
	if !ok {
		return nil
	}
	var out []string
	for _, p := range policy.People() {
		out = append(out, p.Name)
		out = append(out, p.Aliases...)
	}
	return out
}

func (c completer) groups(ctx context.Context) []string {
	policy, ok := c.policy(ctx)
	if !ok {
		return nil
	}
	var out []string
	for _, g := range policy.Groups() {
		out = append(out, string(g.ID))
	}
	return out
}

func (c completer) categories(ctx context.Context) []string {
	policy, ok := c.policy(ctx)
	if !ok {
		return nil
	}
	var out []string
	for _, category := range policy.Categories() {
		out = append(out, string(category.ID))
	}
	return out
}

func (c completer) sessions(ctx context.Context) []string {
	sessions, err := c.server.verbs.Sessions(ctx)
	if err != nil {
		return nil
	}
	var out []string
	for i := range sessions {
		out = append(out, sessions[i].ID)
	}
	return out
}
