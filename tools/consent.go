package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/epagent/epagent/agent"
)

// The model that drives the owner's connection may have read a stranger's text, so
// that what it asks for is not what the owner asks for. What only tightens is done.
// Everything else needs the owner's own word: asked for in place where the client
// can ask its user, else waiting until the owner decides by `epagent review`. No
// argument of a tool stands for a consent.

// origin says by which way changes and feedback came.
const origin = "mcp"

// changed is what became of a change. Effects are whom it lets in (+), whom it shuts
// out (-), and what else there is to know.
type changed struct {
	Applied bool     `json:"applied,omitempty"`
	Waits   int64    `json:"waits,omitempty"`
	Effects []string `json:"effects,omitempty"`
}

// maxLines is how many lines of each kind a result or a question shows.
const maxLines = 20

// changeVerbs are the verbs by which something changes.
type changeVerbs interface {
	Propose(ctx context.Context, c agent.Change, progress func(done, total int)) (*agent.Proposal, error)
	Agree(ctx context.Context, c agent.Change, key string, progress func(done, total int)) (*agent.Proposal, error)
	Await(ctx context.Context, c agent.Change, key, origin string) (int64, error)
}

// change does a change, asks for it, or has it wait.
func (s *Server) change(ctx context.Context, c agent.Change) (*agent.Proposal, changed, error) {
	p, err := s.propose(ctx, c)
	for range 3 {
		again := errors.Is(err, agent.ErrChanged)
		if err == nil {
			return p, outcome(p), nil
		}
		if p == nil || !errors.Is(err, agent.ErrConsent) && !errors.Is(err, agent.ErrChanged) {
			return p, changed{}, err
		}
		if s.declined.has(p.Key) {
			return p, declinedOutcome(p), nil
		}
		agreed, decided, askErr := s.consent(ctx, p, again)
		switch {
		case askErr != nil:
			return p, changed{}, askErr
		case !decided:
			id, err := s.verbs.Await(ctx, c, p.Key, origin)
			if err != nil {
				return p, changed{}, err
			}
			out := outcome(p)
			out.Waits = id
			return p, out, nil
		case !agreed:
			s.declined.add(p.Key)
			return p, declinedOutcome(p), nil
		}
		p, err = s.agree(ctx, c, p.Key)
	}
	return p, changed{}, err
}

// propose and agree change one thing at a time: a client may make several calls at
// once, and each is made from what the one before left. An import changes no policy,
// and takes long.
func (s *Server) propose(ctx context.Context, c agent.Change) (*agent.Proposal, error) {
	if c.Kind != agent.ChangeImport {
		s.changing.Lock()
		defer s.changing.Unlock()
	}
	return s.verbs.Propose(ctx, c, progress(ctx))
}

func (s *Server) agree(ctx context.Context, c agent.Change, key string) (*agent.Proposal, error) {
	if c.Kind != agent.ChangeImport {
		s.changing.Lock()
		defer s.changing.Unlock()
	}
	if err := s.stillApproved(ctx, c); err != nil {
		return nil, err
	}
	return s.verbs.Agree(ctx, c, key, progress(ctx))
}

func outcome(p *agent.Proposal) changed {
	out := changed{Applied: p.Done}
	for _, part := range []struct {
		mark  string
		lines []string
	}{{"+ ", p.Opens}, {"- ", p.Closes}, {"Note: ", p.Notes}} {
		for _, line := range firstLines(part.lines) {
			out.Effects = append(out.Effects, part.mark+oneLine(line))
		}
	}
	return out
}

func declinedOutcome(p *agent.Proposal) changed {
	out := outcome(p)
	out.Effects = append([]string{"Note: the owner declined; don't ask for it again"}, out.Effects...)
	return out
}

// firstLines bounds a list of lines, and says how many are left out.
func firstLines(lines []string) []string {
	out := make([]string, 0, min(len(lines), maxLines+1))
	for i, line := range lines {
		if i == maxLines {
			out = append(out, fmt.Sprintf("and %d more", len(lines)-maxLines))
			break
		}
		out = append(out, clip(line, 300))
	}
	return out
}

// consent asks the owner about exactly this proposal; again says that it is another
// one than the owner has just agreed to. decided is false where nobody
// was asked, or nobody answered.
func (s *Server) consent(ctx context.Context, p *agent.Proposal, again bool) (agreed, decided bool, err error) {
	answer, err := s.ask(ctx, mcp.NewElicitationInputRequest(mcp.ElicitationParams{
		Message: consentText(p, again),
		RequestedSchema: map[string]any{
			"type": "object",
			"properties": map[string]any{
				"agree": map[string]any{"type": "boolean", "title": "Agree", "description": "Yes: do it. No: nothing is changed."},
			},
			"required": []string{"agree"},
		},
	}), consentWait)
	switch {
	case ctx.Err() != nil:
		return false, false, ctx.Err()
	case err != nil || answer.Elicitation == nil:
		return false, false, nil
	}
	switch answer.Elicitation.Action {
	case mcp.ElicitationResponseActionAccept:
		content, _ := answer.Elicitation.Content.(map[string]any)
		yes, ok := content["agree"].(bool)
		return yes && ok, true, nil
	case mcp.ElicitationResponseActionDecline:
		return false, true, nil
	}
	return false, false, nil // cancelled: it was not decided
}

// consentText is the plan as the owner reads it: whom it lets in by name, to which
// facts, and that it was not the owner who asked. What is stored is quoted, so that
// nothing in it can pass for a line of ours.
func consentText(p *agent.Proposal, again bool) string {
	var b strings.Builder
	switch {
	case again && p.Change.Kind == agent.ChangeImport:
		b.WriteString("The file has changed since you agreed: nothing was taken in. This is what it holds now.\n\n")
	case again:
		b.WriteString("What it would do has changed since you agreed: nothing was done. This is what it would do now.\n\n")
	}
	fmt.Fprintf(&b, "Your assistant asks for a change (%s) by which more may become known. It may do so because of a text that somebody else wrote. Agree only if you want it yourself.\n", p.Change.Kind)
	if len(p.People) > 0 {
		fmt.Fprintf(&b, "\nLets in: %s\n", clip(quoted(p.People), 2000))
	}
	for _, line := range firstLines(p.Opens) {
		fmt.Fprintf(&b, "+ %s\n", oneLine(line))
	}
	for i, line := range p.Closes {
		if i == 5 {
			fmt.Fprintf(&b, "- and %d more\n", len(p.Closes)-5)
			break
		}
		fmt.Fprintf(&b, "- %s\n", oneLine(clip(line, 300)))
	}
	if len(p.Facts) > 0 {
		b.WriteString("\nThe facts:\n")
	}
	for i, f := range p.Facts {
		if i == 10 {
			fmt.Fprintf(&b, "and %d more\n", len(p.Facts)-10)
			break
		}
		fmt.Fprintf(&b, "%s: %q\n", f.ID, clip(f.Text, 200))
	}
	for i, line := range p.Notes {
		if i == 5 {
			break
		}
		fmt.Fprintf(&b, "Note: %s\n", oneLine(clip(line, 300)))
	}
	return strings.TrimRight(b.String(), "\n")
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = oneLine(name)
	}
	return list(out)
}

// oneLine keeps a text to its line.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		return r
	}, text)
}

// text says what became of a change.
func (c changed) text(done string) string {
	var b strings.Builder
	switch {
	case c.Applied:
		b.WriteString(done)
	case c.Waits != 0:
		fmt.Fprintf(&b, "Nothing was changed yet: it would let somebody learn more, so it waits for the owner as number %d (`epagent review`). Don't ask for it again.", c.Waits)
	default:
		b.WriteString("Nothing was changed.")
	}
	for _, line := range c.Effects {
		b.WriteString("\n" + line)
	}
	return b.String()
}

// refusals are the proposals that the owner declined: whoever drives the connection
// can't wear the owner down by asking again.
type refusals struct {
	mu   sync.Mutex
	keys map[string]bool
}

// maxRefusals bounds what is remembered of them.
const maxRefusals = 1000

func (r *refusals) has(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys[key]
}

func (r *refusals) add(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil || len(r.keys) >= maxRefusals {
		r.keys = map[string]bool{}
	}
	r.keys[key] = true
}
