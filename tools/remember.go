package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

type rememberIn struct {
	Text  string   `json:"text" jsonschema:"minLength=1" jsonschema_description:"The statement, in the words in which it was said"`
	From  string   `json:"from,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"Who said it, if anybody but the owner: a person, a web page, a file. What they say stays unconfirmed. Leave out only for the owner's own words"`
	To    []string `json:"to,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Who heard it being said, by name. What the owner told somebody, that person knows"`
	About string   `json:"about,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"Whom it is about, where the text doesn't say"`
	Time  string   `json:"time,omitempty" jsonschema:"minLength=1,maxLength=64" jsonschema_description:"When it was said, RFC 3339, as in 2026-03-01T09:30:00+01:00. Default: now"`
}

type rememberOut struct {
	Session string           `json:"session" jsonschema_description:"Id of the stored statement"`
	New     bool             `json:"new" jsonschema_description:"False: the very same statement was there already"`
	Facts   []rememberedFact `json:"facts" jsonschema_description:"What was understood from it"`
	More    bool             `json:"more" jsonschema_description:"True: more facts were stored than are listed"`
}

type rememberedFact struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Cut        bool     `json:"cut,omitempty" jsonschema_description:"True: the text is stored whole and shown in part"`
	Label      string   `json:"label" jsonschema_description:"L0 (nobody by default) to L4, with a domain if any, as in L2/work"`
	Categories []string `json:"categories"`
	Review     string   `json:"review,omitempty" jsonschema_description:"Why the owner should look at it"`
}

func rememberTool(verbs Verbs) tool[rememberIn, rememberOut] {
	return tool[rememberIn, rememberOut]{
		name:  "remember",
		title: "Remember a statement",
		description: "Store one statement about the owner's life and learn facts from it. " +
			"Give from whenever the words are not the owner's own.",
		hints: hints{idempotent: false, destructive: false},
		run: func(ctx context.Context, in rememberIn) (rememberOut, string, error) {
			req := agent.RememberRequest{Text: in.Text, From: in.From, To: in.To, About: in.About}
			if in.Time != "" {
				at, err := time.Parse(time.RFC3339, in.Time)
				if err != nil {
					return rememberOut{}, "", publicf("argument \"time\": want RFC 3339 with a zone, as in 2026-03-01T09:30:00+01:00")
				}
				req.Time = privacy.At(at)
			}
			if err := checkNames(ctx, verbs, slices.Concat(in.To, present(in.From), present(in.About))); err != nil {
				return rememberOut{}, "", err
			}
			got, err := verbs.Remember(ctx, req)
			if errors.Is(err, agent.ErrTooLarge) {
				return rememberOut{}, "", publicf("argument \"text\": %d bytes, and the limit is %d; put it in a file and import that",
					len(in.Text), agent.MaxStatement)
			}
			if err != nil {
				return rememberOut{}, "", err
			}
			out := remembered(got)
			return out, out.text(), nil
		},
	}
}

// checkNames refuses names that can be mistaken for somebody's, so that one person
// doesn't become two. A policy that doesn't load is no reason not to remember:
// nothing is told by it.
func checkNames(ctx context.Context, verbs Verbs, names []string) error {
	if len(names) == 0 {
		return nil
	}
	_, err := verbs.Readers(ctx, names)
	if errors.Is(err, agent.ErrNoPolicy) || errors.Is(err, agent.ErrPolicyBroken) {
		return nil
	}
	return err
}

func present(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

func remembered(got *agent.Remembered) rememberOut {
	out := rememberOut{Session: got.Session, New: got.New, Facts: []rememberedFact{}}
	room := newBudget()
	for _, fact := range got.Facts {
		text, cut, ok := room.take(fact.Text)
		if !ok || len(out.Facts) == maxItems {
			out.More = true
			break
		}
		out.Facts = append(out.Facts, rememberedFact{
			ID: string(fact.ID), Text: text, Cut: cut, Label: fact.Label.String(),
			Categories: words(fact.Categories), Review: fact.Review,
		})
	}
	return out
}

func (o *rememberOut) text() string {
	var b strings.Builder
	if o.New {
		b.WriteString("Stored.")
	} else {
		b.WriteString("Stored before; nothing new.")
	}
	for _, fact := range o.Facts {
		fmt.Fprintf(&b, "\n- %s [%s] %q", fact.ID, fact.Label, clip(fact.Text, maxColumn))
		if fact.Review != "" {
			fmt.Fprintf(&b, " (to be reviewed: %s)", fact.Review)
		}
	}
	if o.More {
		b.WriteString("\nMore facts were stored than are listed here.")
	}
	return b.String()
}

// words turns a list of ids into plain strings, never nil.
func words[T ~string](ids []T) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}
