package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epagent/epagent/agent"
)

func (c *cli) chatCommand() *cobra.Command {
	var to []string
	var o agent.ConversationOptions
	cmd := &cobra.Command{
		Use:   "chat [--to NAME…]",
		Short: "Talk: let somebody talk with your delegate, or ask your own memory",
		Long: `Hold a conversation, a message a line. With --to NAME it is NAME who writes: each
message is answered with what NAME may know, checked, recorded and kept as NAME's
untrusted words. With several --to all of them read, and only what all may know is
told. Who reads is bound when the conversation begins; nothing in a message changes it.
A message may lean on the ones before it ("and when?").

Without --to it is your own view, and marked so: everything may show, and nothing is
recorded. There a line "/wrong KIND [FACT] [#ENTRY] [= WHAT IS RIGHT] [-- NOTE]" is feedback,
as by "epagent feedback"; in a conversation with somebody it is their message like any other.
#ENTRY is the number of an answer in "epagent ledger".

Lines can come from a pipe; --json prints an object a message. An interrupted answer
is in the ledger as far as it has left. --resume goes on where a conversation ended.`,
		Example: `  epagent chat --to Greta
  epagent chat --to Raj --to Karin --from Raj
  epagent chat --to Greta --resume last
  printf 'how was the trip?\nand when?\n' | epagent chat --to Greta --json
  epagent chat`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(to) == 0 && (o.Resume != "" || o.Speaker != "") {
				return usagef("--resume and --from are for conversations with somebody; give --to NAME")
			}
			return c.with(cmd.Context(), func(a *agent.Agent) error {
				talk, name, err := c.beginChat(cmd.Context(), a, to, o)
				if err != nil {
					return err
				}
				return c.chat(cmd.Context(), a, talk, name)
			})
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&to, "to", nil, "who reads the answers (repeat for several); default: you")
	f.StringVar(&o.Speaker, "from", "", "which of several --to writes the messages")
	f.StringVar(&o.Resume, "resume", "", "go on with the conversation of this id, or with the last one that these had")
	return cmd
}

// beginChat begins a conversation and says on stderr whose it is.
func (c *cli) beginChat(ctx context.Context, a *agent.Agent, to []string, o agent.ConversationOptions) (*agent.Conversation, string, error) {
	if len(to) == 0 {
		talk, err := a.ConverseAsOwner(ctx)
		c.say("your own view: everything may show; give --to NAME to see what NAME is told")
		return talk, "owner", err
	}
	readers, err := a.Listeners(ctx, to)
	if err != nil {
		return nil, "", err
	}
	names := make([]string, len(readers))
	for i, r := range readers {
		names[i] = r.Name
		if o.Speaker == to[i] {
			o.Speaker = r.Name
		}
	}
	talk, err := a.Converse(ctx, readers, o)
	if err != nil {
		return nil, "", err
	}
	name := strings.Join(names, ", ")
	c.say("conversation %s with %s", talk.ID(), clean(name))
	return talk, name, nil
}

// said is the object of one message.
type said struct {
	Conversation string `json:"conversation,omitempty"` // none for the owner's own view
	View         string `json:"view"`                   // "recipient" or "owner"
	*agent.Disclosure
}

// chat answers line after line until the input ends.
func (c *cli) chat(ctx context.Context, a *agent.Agent, talk *agent.Conversation, name string) error {
	prompt := terminal(c.in) && !c.json
	lines := c.inputLines(ctx)
	var refused error // of a message: the others are answered all the same
	for {
		if prompt {
			fmt.Fprintf(c.err, "%s> ", clean(name))
		}
		line, err := lines()
		if errors.Is(err, io.EOF) {
			return refused
		}
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		if rest, ok := wrongLine(line); ok && talk.ID() == "" {
			if err := c.wrong(ctx, a, rest); errors.Is(err, context.Canceled) {
				return err
			} else if err != nil {
				if err := c.sayRefused(talk, err); err != nil {
					return err
				}
				refused = quiet{exitFailed}
			}
			continue
		}
		err = c.answerLine(ctx, talk, line)
		var withheld quiet
		if errors.As(err, &withheld) {
			refused = withheld
			continue
		}
		if errors.Is(err, agent.ErrMessage) {
			if err := c.sayRefused(talk, err); err != nil {
				return err
			}
			refused = quiet{exitFailed}
		} else if err != nil {
			return err
		}
	}
}

// sayRefused says why a line wasn't taken; with --json as an object, too, so that a script
// can tell which is which.
func (c *cli) sayRefused(talk *agent.Conversation, err error) error {
	c.say("%v", err)
	if !c.json {
		return nil
	}
	return c.writeJSON(struct {
		Conversation string `json:"conversation,omitempty"`
		Error        string `json:"error"`
	}{talk.ID(), err.Error()})
}

// answerLine answers one message: as it leaves, or as one object with --json.
func (c *cli) answerLine(ctx context.Context, talk *agent.Conversation, line string) error {
	if c.json {
		d, err := talk.Say(ctx, line, nil)
		if err != nil {
			return err
		}
		c.sayDegraded(d.Degraded)
		view := "recipient"
		if talk.ID() == "" {
			view = "owner"
		}
		if err := c.writeJSON(said{Conversation: talk.ID(), View: view, Disclosure: d}); err != nil {
			return err
		}
		return c.withheld(d)
	}
	mark := ""
	if talk.ID() == "" {
		mark = "[your own view] "
	}
	d, err := talk.Say(ctx, line, func(piece string) error {
		_, err := io.WriteString(c.out, mark+cleanLines(piece))
		mark = ""
		return err
	})
	if d != nil {
		fmt.Fprintln(c.out)
		c.sayDegraded(d.Degraded)
	}
	if err != nil {
		return err
	}
	return c.withheld(d)
}

// sayDegraded says on stderr that stages ran offline in a model's place.
func (c *cli) sayDegraded(stages []string) {
	if len(stages) > 0 {
		c.say("the model failed; done offline: %s", strings.Join(stages, ", "))
	}
}

// cleanLines is clean for text of several lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		blank := ""
		if strings.HasSuffix(lines[i], " ") {
			blank = " "
		}
		lead := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		lines[i] = lead + strings.TrimSpace(clean(lines[i])) + blank
	}
	return strings.Join(lines, "\n")
}

// inputLines returns a function that reads the next line. It gives up when ctx
// ends, although a read can't be taken back.
func (c *cli) inputLines(ctx context.Context) func() (string, error) {
	type read struct {
		line string
		err  error
	}
	next := make(chan read)
	go func() {
		for {
			line, err := c.lines.ReadString('\n')
			if errors.Is(err, io.EOF) && strings.TrimSpace(line) != "" {
				err = nil
			}
			select {
			case next <- read{strings.TrimRight(line, "\r\n"), err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return func() (string, error) {
		select {
		case r := <-next:
			return r.line, r.err
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}
