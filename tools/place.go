package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// What the owner just said and no category is sure of is for nobody until the owner
// places it. A client that can ask its user asks right then; where the place lets
// somebody in, that is asked for as any change is (consent.go).

// categoryKey is the field of the answer.
const categoryKey = "category"

// place asks the owner where a fact belongs, and puts it there. The text says what
// came of it; it is "" where nobody was asked, or nothing was chosen. Who closes the
// question isn't asked for places again over this server: the review has them.
func (s *Server) place(ctx context.Context, fact *rememberedFact) (changed, string, error) {
	who, err := s.speaker(ctx)
	if err != nil {
		return changed{}, "", err
	}
	closed := "place\x00" + who.key()
	if s.declined.has(closed) || !s.takes(ctx, mcp.MethodElicitationCreate) {
		return changed{}, "", nil
	}
	policy, err := s.verbs.Policy(ctx)
	if err != nil || len(policy.Categories()) == 0 {
		return changed{}, "", nil // without a policy there is no place
	}
	answer, err := s.ask(ctx, placeQuestion(policy, fact.Text), consentWait)
	switch {
	case ctx.Err() != nil:
		return changed{}, "", ctx.Err()
	case err != nil || answer.Elicitation == nil:
		return changed{}, "", nil
	case answer.Elicitation.Action != mcp.ElicitationResponseActionAccept:
		s.declined.add(closed)
		return changed{}, "", nil
	}
	content, _ := answer.Elicitation.Content.(map[string]any)
	chosen, _ := content[categoryKey].(string)
	category, ok := policy.Category(privacy.CategoryID(chosen))
	if !ok {
		return changed{}, "", nil
	}
	decision := agent.Decision{Edit: agent.Edit{Categories: []privacy.CategoryID{category.ID}}}
	p, done, err := s.change(ctx, agent.Change{Kind: agent.ChangeDecide, Facts: []privacy.FactID{privacy.FactID(fact.ID)}, Decision: &decision})
	if err != nil {
		return changed{}, "", err
	}
	if done.Applied && p.Decided != nil && len(p.Decided.Edits) == 1 {
		fact.Categories, fact.Label, fact.Review = []string{string(category.ID)}, p.Decided.Edits[0].Label.String(), ""
	}
	return done, done.text(fmt.Sprintf("The owner placed %s in %s.", fact.ID, category.ID)), nil
}

// placeQuestion is a form with one choice, in the order of the policy.
func placeQuestion(policy *privacy.Policy, text string) mcp.InputRequest {
	var ids []string
	var b strings.Builder
	fmt.Fprintf(&b, "Where does this belong? No category is sure, so that nobody is told.\n\n%q\n", clip(text, 300))
	for _, c := range policy.Categories() {
		ids = append(ids, string(c.ID))
		fmt.Fprintf(&b, "\n%s: %s, %s", c.ID, oneLine(clip(c.Name, 100)), c.Label())
	}
	b.WriteString("\n\nClose this to leave it for `epagent review`.")
	return mcp.NewElicitationInputRequest(mcp.ElicitationParams{
		Message: b.String(),
		RequestedSchema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				categoryKey: map[string]any{"type": "string", "title": "Category", "enum": ids},
			},
			"required": []string{categoryKey},
		},
	})
}
