package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

// The two tools of a recipient. Nothing in them, in their schemas or in their
// results says who else there is, what is stored, or why an answer is as it is.

// recipientInstructions are the same for every recipient.
const recipientInstructions = `epagent answers for a person who is not in this conversation, and takes messages for them.
Put questions about that person to disclose and pass on its answer word for word: there is nothing more to be had.
With remember you leave what the person you speak for says, in their own words.`

type askIn struct {
	Question string `json:"question" jsonschema:"minLength=1,maxLength=8192" jsonschema_description:"The question, in the asker's words"`
}

type askOut struct {
	Answer string `json:"answer"`
}

func askTool(s *Server) tool[askIn, askOut] {
	return tool[askIn, askOut]{
		name:        "disclose",
		description: "Ask about the person who is answered for. Pass on the answer word for word and add nothing to it.",
		hints:       hints{},
		run: func(ctx context.Context, in askIn) (askOut, string, error) {
			who, err := s.speaker(ctx)
			if err != nil {
				return askOut{}, "", err
			}
			readers, err := s.verbs.Bound(ctx, who.binding)
			if err != nil {
				return askOut{}, "", err
			}
			got, err := s.verbs.Disclose(ctx, agent.DiscloseRequest{Question: in.Question, To: readers, Listener: true})
			if err != nil {
				return askOut{}, "", err
			}
			if got.Ledger == 0 && got.Withheld == nil {
				return askOut{}, "", agent.ErrNotRecorded
			}
			// What is recorded as told is told whole.
			return askOut{Answer: got.Answer}, got.Answer, nil
		},
	}
}

type leaveIn struct {
	Text string `json:"text" jsonschema:"minLength=1" jsonschema_description:"What they say, in their own words"`
}

type leaveOut struct {
	Noted bool `json:"noted"`
}

func leaveTool(s *Server) tool[leaveIn, leaveOut] {
	return tool[leaveIn, leaveOut]{
		name:        "remember",
		description: "Leave something that the person you speak for says, in their own words.",
		hints:       hints{},
		run: func(ctx context.Context, in leaveIn) (leaveOut, string, error) {
			who, err := s.speaker(ctx)
			if err != nil {
				return leaveOut{}, "", err
			}
			req, err := s.said(ctx, who, in.Text)
			if err != nil {
				return leaveOut{}, "", err
			}
			_, err = s.verbs.Remember(ctx, req)
			if errors.Is(err, agent.ErrTooLarge) {
				return leaveOut{}, "", publicf("argument \"text\": %d bytes, and the limit is %d; leave less at a time", len(in.Text), agent.MaxStatement)
			}
			if err != nil {
				return leaveOut{}, "", err
			}
			return leaveOut{Noted: true}, "Noted.", nil
		},
	}
}

// said is a recipient's statement. Who speaks comes from the connection; of a group
// it is one of them, it is not known who, and all of them hear it.
func (s *Server) said(ctx context.Context, who Principal, text string) (agent.RememberRequest, error) {
	readers, err := s.verbs.Bound(ctx, who.binding)
	if err != nil {
		return agent.RememberRequest{}, err
	}
	var names []string
	for _, r := range readers {
		names = append(names, r.Name)
	}
	if len(names) == 0 {
		return agent.RememberRequest{}, fmt.Errorf("whose words: %w", errNoSpeaker)
	}
	req := agent.RememberRequest{Text: text, From: strings.Join(names, " or ")}
	if len(names) > 1 {
		req.To = names
	}
	return req, nil
}

// recipientTexts are the public texts for a recipient, tried in order. What went
// wrong inside is the owner's business: all of it reads the same.
var recipientTexts = []borderText{
	{agent.ErrEmpty, "the text is blank; say something in it"},
	{memory.ErrBusy, "there is too much to do at the moment; try again"},
	{context.Canceled, "the call was cancelled"},
	{context.DeadlineExceeded, "the call took too long and was given up; try again"},
}

// recipientInternalText is all that a recipient learns of any other error.
const recipientInternalText = "this can't be done now; try again later"
