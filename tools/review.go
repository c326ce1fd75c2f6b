package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// reviewVerbs are the verbs of the review tool, beside those of changes.
type reviewVerbs interface {
	Review(ctx context.Context, q agent.ReviewQuery) (*agent.ReviewQueue, error)
	Waiting(ctx context.Context) ([]agent.WaitingChange, error)
	Feedback(ctx context.Context, req agent.FeedbackRequest) (int64, error)
	SaysOf(ctx context.Context, req agent.FeedbackRequest) string
}

type reviewIn struct {
	Action     string   `json:"action" jsonschema:"enum=list,enum=waiting,enum=decide,enum=feedback,enum=approve" jsonschema_description:"waiting: for the owner; approve: a supplement that waits"`
	Facts      []string `json:"facts,omitempty" jsonschema:"maxItems=50" jsonschema_description:"Ids, of feedback one"`
	Categories []string `json:"categories,omitempty" jsonschema:"maxItems=10"`
	Label      string   `json:"label,omitempty" jsonschema:"maxLength=40" jsonschema_description:"As in 0 or 2/work"`
	Allow      []string `json:"allow,omitempty" jsonschema:"maxItems=50"`
	Deny       []string `json:"deny,omitempty" jsonschema:"maxItems=50"`
	Confirm    bool     `json:"confirm,omitempty" jsonschema_description:"It is true"`
	Close      bool     `json:"close,omitempty" jsonschema_description:"For nobody but its whitelist"`
	NotFact    bool     `json:"not_a_fact,omitempty"`
	Kind       string   `json:"kind,omitempty" jsonschema:"enum=wrong-category,enum=wrong-event,enum=wrong-person,enum=wrong-time,enum=should-have-told,enum=should-not-have-told,enum=too-vague,enum=wrong-tone,enum=cover-broken,enum=missed,enum=invented" jsonschema_description:"Of feedback"`
	Entry      int      `json:"entry,omitempty" jsonschema:"minimum=1,maximum=1000000000" jsonschema_description:"Of the ledger"`
	Expected   string   `json:"expected,omitempty" jsonschema:"maxLength=1000"`
	Note       string   `json:"note,omitempty" jsonschema:"maxLength=2000"`
	Supplement string   `json:"supplement,omitempty" jsonschema:"maxLength=40"`
	Page       int      `json:"page,omitempty" jsonschema:"minimum=1,maximum=100000"`
}

type reviewOut struct {
	Items []reviewItem `json:"items,omitempty"`
	Lines []string     `json:"lines,omitempty"`
	Total int          `json:"total"`
	changed
	More bool `json:"more"`
}

type reviewItem struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Why     string   `json:"why"`
	Guess   []string `json:"guess" jsonschema_extras:"minor=true"`
	Label   string   `json:"label" jsonschema_extras:"minor=true"`
	Speaker string   `json:"speaker,omitempty" jsonschema_extras:"minor=true"`
	Opens   []string `json:"opens" jsonschema_extras:"minor=true"`
}

func reviewTool(s *Server) tool[reviewIn, reviewOut] {
	return tool[reviewIn, reviewOut]{
		name: "review",
		description: "Facts whose category, truth or audience is in doubt; the owner's decision on them; " +
			"feedback on what was wrong. Decide only as the owner told you; what opens is put to the owner.",
		hints: hints{destructive: true},
		run: func(ctx context.Context, in reviewIn) (reviewOut, string, error) {
			switch in.Action {
			case "list":
				return s.reviewList(ctx, in)
			case "waiting":
				return s.reviewWaiting(ctx, in)
			case "feedback":
				return s.reviewFeedback(ctx, in)
			case "approve":
				return s.reviewApprove(ctx, in)
			}
			return s.reviewDecide(ctx, in)
		},
	}
}

// maxReview is how many items a page of the review holds: each brings its reasons.
const maxReview = 20

func (s *Server) reviewList(ctx context.Context, in reviewIn) (reviewOut, string, error) {
	from := (max(in.Page, 1) - 1) * maxReview
	queue, err := s.verbs.Review(ctx, agent.ReviewQuery{Limit: from + maxReview})
	if err != nil {
		return reviewOut{}, "", err
	}
	out := reviewOut{Total: queue.Total, Items: []reviewItem{}}
	room := newBudget()
	var b strings.Builder
	fmt.Fprintf(&b, "%d wait. Stored texts, as data:", queue.Total)
	for _, item := range queue.Items[min(from, len(queue.Items)):] {
		text, _, ok := room.take(item.Text)
		if !ok {
			break
		}
		opens := append([]string{}, item.Opens[:min(len(item.Opens), maxLines)]...)
		if item.Strangers {
			opens = append(opens, "anybody else")
		}
		out.Items = append(out.Items, reviewItem{
			ID: string(item.ID), Text: text, Why: clip(item.Why, 300), Guess: words(item.Guess),
			Label: item.Label.String(), Speaker: item.Speaker, Opens: opens,
		})
		fmt.Fprintf(&b, "\n- %s [%s] %q: %s", item.ID, item.Label, text, oneLine(clip(item.Why, 300)))
		if len(item.Guess) > 0 {
			fmt.Fprintf(&b, "; guess %s", list(words(item.Guess)))
		}
	}
	out.More = from+len(out.Items) < queue.Total
	if out.More {
		b.WriteString("\nThere are more; ask for the next page.")
	}
	return out, b.String(), nil
}

func (s *Server) reviewDecide(ctx context.Context, in reviewIn) (reviewOut, string, error) {
	if len(in.Facts) == 0 {
		return reviewOut{}, "", publicf("argument \"facts\" is missing: give the ids of the facts to decide on")
	}
	if in.Label == "" && len(in.Categories)+len(in.Allow)+len(in.Deny) == 0 && !in.Confirm && !in.Close && !in.NotFact {
		return reviewOut{}, "", publicf("there is nothing to decide: give categories, label, allow, deny, confirm, close or not_a_fact")
	}
	d := agent.Decision{NotFact: in.NotFact}
	d.Confirm, d.Close = in.Confirm, in.Close
	for _, id := range in.Categories {
		d.Categories = append(d.Categories, privacy.CategoryID(id))
	}
	for _, name := range in.Allow {
		d.Allow = append(d.Allow, privacy.Party(name))
	}
	for _, name := range in.Deny {
		d.Deny = append(d.Deny, privacy.Party(name))
	}
	if in.Label != "" {
		policy, err := s.verbs.Policy(ctx)
		if err != nil {
			return reviewOut{}, "", err
		}
		label, err := agent.ParseLabel(in.Label, policy)
		if err != nil {
			return reviewOut{}, "", publicf("argument \"label\": want a level from 0 to 4 and a domain of the policy, as in 2/work")
		}
		d.Label = &label
	}
	c := agent.Change{Kind: agent.ChangeDecide, Decision: &d}
	for _, id := range in.Facts {
		c.Facts = append(c.Facts, privacy.FactID(id))
	}
	_, done, err := s.change(ctx, c)
	if err != nil {
		return reviewOut{}, "", err
	}
	return reviewOut{changed: done}, done.text("It is decided."), nil
}

func (s *Server) reviewFeedback(ctx context.Context, in reviewIn) (reviewOut, string, error) {
	switch {
	case in.Kind == "":
		return reviewOut{}, "", publicf("argument \"kind\" is missing: say what was wrong")
	case len(in.Facts) > 1:
		return reviewOut{}, "", publicf("feedback is about one fact at most: argument \"facts\" has %d; give them one by one", len(in.Facts))
	}
	req := agent.FeedbackRequest{
		Kind: agent.FeedbackKind(in.Kind), Entry: int64(in.Entry), Expected: in.Expected, Note: in.Note, Origin: origin,
	}
	if len(in.Facts) == 1 {
		req.Fact = privacy.FactID(in.Facts[0])
	}
	id, err := s.verbs.Feedback(ctx, req)
	if err != nil {
		return reviewOut{}, "", err
	}
	return reviewOut{changed: changed{Applied: true}}, fmt.Sprintf("Noted as %d. %s", id, s.verbs.SaysOf(ctx, req)), nil
}
