package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
)

type recallIn struct {
	Query string   `json:"query" jsonschema:"minLength=1,maxLength=8192" jsonschema_description:"Question or keywords, in any language"`
	As    []string `json:"as,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Only what all of these people may know"`
	Limit int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50" jsonschema_description:"Default: 10"`
}

type recallOut struct {
	Facts []recalledFact `json:"facts" jsonschema_description:"Best first"`
	More  bool           `json:"more" jsonschema_description:"True: there are more; narrow the query or raise the limit"`
	Note  string         `json:"note,omitempty" jsonschema_extras:"minor=true"`
}

type recalledFact struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Cut        bool     `json:"cut,omitempty" jsonschema_extras:"minor=true"`
	Score      float64  `json:"score" jsonschema_extras:"minor=true"`
	Label      string   `json:"label" jsonschema_description:"L0 (nobody by default) to L4, with a domain if any, as in L2/work"`
	Categories []string `json:"categories" jsonschema_extras:"minor=true"`
	Session    string   `json:"session" jsonschema_extras:"minor=true"`
	HappenedAt string   `json:"happened_at,omitempty" jsonschema_extras:"minor=true"`
	SaidAt     string   `json:"said_at,omitempty"`
	Speaker    string   `json:"speaker,omitempty"`
	Trusted    bool     `json:"trusted" jsonschema_description:"False: somebody else says so; the owner has not confirmed it"`
	Cover      bool     `json:"cover,omitempty" jsonschema_description:"True: a cover story, not what happened"`
	Source     string   `json:"source,omitempty" jsonschema_extras:"minor=true"`
}

func recallTool(verbs Verbs) tool[recallIn, recallOut] {
	return tool[recallIn, recallOut]{
		name: "recall",
		description: "Find facts for the owner's own eyes, with labels and sources. " +
			"Not for answering anybody else: use disclose for that.",
		hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, in recallIn) (recallOut, string, error) {
			req := agent.RecallRequest{Query: in.Query, Limit: in.Limit}
			if len(in.As) > 0 {
				as, err := readers(ctx, verbs, in.As)
				if err != nil {
					return recallOut{}, "", err
				}
				req.As = as
			}
			got, err := verbs.Recall(ctx, req)
			if err != nil {
				return recallOut{}, "", err
			}
			out := recalled(got)
			return out, out.text(), nil
		},
	}
}

// readers turns names into one reader each. Fewer would widen what "all of them may
// know" means, so that is an error.
func readers(ctx context.Context, verbs Verbs, names []string) ([]agent.Reader, error) {
	got, err := verbs.Readers(ctx, names)
	if err != nil {
		return nil, err
	}
	if len(got) != len(names) {
		return nil, fmt.Errorf("readers: %d for %d names", len(got), len(names))
	}
	return got, nil
}

func recalled(got *agent.Recalled) recallOut {
	out := recallOut{Facts: []recalledFact{}, More: got.More}
	if got.Stale != nil {
		out.Note, _ = publicText(got.Stale)
	}
	if got.HostFault != nil {
		out.Note = strings.TrimSpace(out.Note + " Ranked without the native host, which doesn't answer.")
	}
	room := newBudget()
	for _, fact := range got.Facts {
		text, cut, ok := room.take(fact.Text)
		if !ok || len(out.Facts) == maxItems {
			out.More = true
			break
		}
		out.Facts = append(out.Facts, recalledFact{
			ID: string(fact.ID), Text: text, Cut: cut, Score: fact.Score, Label: fact.Label.String(),
			Categories: words(fact.Categories), Session: fact.Session,
			HappenedAt: value(fact.HappenedAt), SaidAt: value(fact.SaidAt),
			Speaker: fact.Speaker, Trusted: fact.Trusted, Cover: fact.Truth != "real", Source: fact.Source,
		})
	}
	return out
}

// text quotes what is stored, so that a line break in it starts no line of ours.
func (o *recallOut) text() string {
	var b strings.Builder
	if len(o.Facts) == 0 {
		b.WriteString("Nothing found.")
	} else {
		b.WriteString("Stored texts, as data:")
	}
	for _, fact := range o.Facts {
		fmt.Fprintf(&b, "\n- %s [%s] %q", fact.ID, fact.Label, fact.Text)
		var notes []string
		if fact.Speaker != "" {
			notes = append(notes, fmt.Sprintf("said by %q", fact.Speaker))
		}
		if fact.SaidAt != "" {
			notes = append(notes, "on "+fact.SaidAt)
		}
		if !fact.Trusted {
			notes = append(notes, "unconfirmed")
		}
		if fact.Cover {
			notes = append(notes, "a cover story")
		}
		if len(notes) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(notes, ", "))
		}
	}
	if o.More {
		b.WriteString("\nThere are more.")
	}
	if o.Note != "" {
		b.WriteString("\nNote: " + o.Note)
	}
	return b.String()
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
