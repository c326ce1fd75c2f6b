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
	Text    string   `json:"text" jsonschema:"minLength=1" jsonschema_description:"In the words in which it was said"`
	Speaker string   `json:"speaker,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"Whose words these are: \"owner\" only if the owner said them to you here; else a name, or what they were read in. Left out: unconfirmed"`
	To      []string `json:"to,omitempty" jsonschema:"minItems=1,maxItems=50" jsonschema_description:"Who heard it being said, by name"`
	About   string   `json:"about,omitempty" jsonschema:"minLength=1,maxLength=200" jsonschema_description:"Whom it is about"`
	Time    string   `json:"time,omitempty" jsonschema:"minLength=1,maxLength=64" jsonschema_description:"2026-03-01T09:30:00+01:00. Default: now"`
}

type rememberOut struct {
	Session string           `json:"session" jsonschema_extras:"minor=true"`
	New     bool             `json:"new"`
	Facts   []rememberedFact `json:"facts"`
	changed
	More bool `json:"more" jsonschema_extras:"minor=true"`
}

type rememberedFact struct {
	ID         string   `json:"id"`
	Text       string   `json:"text"`
	Cut        bool     `json:"cut,omitempty" jsonschema_extras:"minor=true"`
	Label      string   `json:"label"`
	Categories []string `json:"categories" jsonschema_extras:"minor=true"`
	Review     string   `json:"review,omitempty"`
}

// The words that a speaker argument has for the owner, and who speaks where it is
// left out. The owner's name isn't among them: somebody else may bear it.
const (
	speakerOwner   = "owner"
	speakerUnknown = "unknown"
)

func rememberTool(s *Server) tool[rememberIn, rememberOut] {
	return tool[rememberIn, rememberOut]{
		name: "remember",
		description: "Store one statement about the owner's life and learn facts from it. " +
			"What anybody but the owner says stays unconfirmed: say whose words they are.",
		hints: hints{},
		run: func(ctx context.Context, in rememberIn) (rememberOut, string, error) {
			req := agent.RememberRequest{Text: in.Text, From: in.Speaker, To: in.To, About: in.About, PassedOn: true}
			names := slices.Concat(in.To, someName(in.About))
			switch in.Speaker {
			case speakerOwner:
				req.From = ""
			case "":
				req.From = speakerUnknown
			default:
				names = append(names, in.Speaker)
			}
			if in.Time != "" {
				at, err := time.Parse(time.RFC3339, in.Time)
				if err != nil {
					return rememberOut{}, "", publicf("argument \"time\": want RFC 3339 with a zone, as in 2026-03-01T09:30:00+01:00")
				}
				req.Time = privacy.At(at)
			}
			if err := checkNames(ctx, s.verbs, names); err != nil {
				return rememberOut{}, "", err
			}
			got, err := s.verbs.Remember(ctx, req)
			if errors.Is(err, agent.ErrTooLarge) {
				return rememberOut{}, "", publicf("argument \"text\": %d bytes, and the limit is %d; put it in a file and import that",
					len(in.Text), agent.MaxStatement)
			}
			if err != nil {
				return rememberOut{}, "", err
			}
			out := remembered(got)
			said, err := s.grant(ctx, &out, got.Grants)
			if err != nil {
				return rememberOut{}, "", err
			}
			if in.Speaker == speakerOwner {
				placed, err := s.placeFirst(ctx, &out)
				if err != nil {
					return rememberOut{}, "", err
				}
				said += placed
			}
			return out, out.text() + said, nil
		},
	}
}

// grant asks for what the words permit: who may know it is for the owner to say, since
// the words came through a model. The error is that of a call that ended; the
// statement is stored, whatever becomes of it.
func (s *Server) grant(ctx context.Context, out *rememberOut, grants []agent.Permission) (string, error) {
	if len(grants) == 0 {
		return "", nil
	}
	_, done, err := s.change(ctx, agent.Change{Kind: agent.ChangeGrant, Grants: grants})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		logInternal(ctx, s.log, err)
		return "\nWhat it says about who may know it was not taken over; the owner can say so by `epagent policy allow`.", nil
	}
	out.changed = done
	return "\n" + done.text("What it says about who may know it is in force."), nil
}

// placeFirst asks where the first fact belongs that no category is sure of: one
// question a statement.
func (s *Server) placeFirst(ctx context.Context, out *rememberOut) (string, error) {
	i := slices.IndexFunc(out.Facts, func(f rememberedFact) bool { return len(f.Categories) == 0 && f.Review != "" })
	if i < 0 {
		return "", nil
	}
	done, said, err := s.place(ctx, &out.Facts[i])
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		logInternal(ctx, s.log, err) // it waits for the review
		return "", nil
	case said == "":
		return "", nil
	}
	if !out.Applied && out.Waits == 0 {
		out.changed = done
	}
	return "\n" + said, nil
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

func someName(name string) []string {
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
