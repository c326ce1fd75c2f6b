package ingest

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// Sessions cuts the messages into sessions, each conversation on its own and in
// the order of the source. A source's own sessions are kept (LoCoMo, scripts).
// Else a session ends
//
//   - where the source draws a line: a day separator, a heading of a note;
//   - at a silence of Options.Gap or more between two known times;
//   - where the date changes and no clock is known;
//   - where a mail goes to other people than the one before it, so that nobody
//     counts as having read what wasn't sent to them.
//
// A turn holds its speaker's own words and no others. Forwarded words become the
// caption of something attached, a program's words and a deleted message become
// system lines; a caption that the sender wrote counts as said. Two people of
// one name are told apart by the source's ids: "Alex (user7)".
//
// Everything in the result is new; equal exports give equal sessions, whatever
// the file was called, save for Source.
func (e *Export) Sessions() []memory.Session {
	byLabel := make(map[string]*Conversation, len(e.Conversations))
	ids := make(map[string]string, len(e.Conversations))
	open := make(map[string]*cut, len(e.Conversations))
	for i := range e.Conversations {
		c := &e.Conversations[i]
		byLabel[c.ID] = c
		ids[c.ID] = conversationID(e.Format, c)
	}
	speakers := newSpeakers(e)
	names := turnIDs{seen: make(map[string]int, len(e.Messages))}
	turns := make(map[int]string, len(e.Messages)) // turn ids by Message.N
	var cuts []*cut
	for i := range e.Messages {
		m := &e.Messages[i]
		if e.Script != nil {
			turns[m.N] = m.ID
		} else {
			turns[m.N] = names.id(ids[m.Conversation], m)
		}
		c := open[m.Conversation]
		if c == nil || c.endsBefore(m, e.gap) {
			c = &cut{first: m}
			open[m.Conversation] = c
			cuts = append(cuts, c)
		}
		c.messages = append(c.messages, m)
		c.last = m
	}
	out := make([]memory.Session, 0, len(cuts))
	used := make(map[string]int, len(cuts))
	for _, c := range cuts {
		s := e.session(c, byLabel[c.first.Conversation], ids[c.first.Conversation], turns, speakers)
		if used[s.ID]++; used[s.ID] > 1 { // two samples of one name
			s.ID += "-" + strconv.Itoa(used[s.ID])
		}
		if s.Group {
			s.Subs = split(&s)
		}
		out = append(out, s)
	}
	return out
}

// cut is a session in the making.
type cut struct {
	first, last *Message
	messages    []*Message
}

func (c *cut) endsBefore(m *Message, gap time.Duration) bool {
	last := c.last
	if m.session != last.session || m.section != last.section || !slices.Equal(m.audience, last.audience) {
		return true
	}
	if m.session != "" {
		return false
	}
	if a, b, ok := bothTimes(last.When, m.When); ok {
		return b.Sub(a) >= gap
	}
	a, b := last.When.Date(), m.When.Date()
	return a != "" && b != "" && a != b
}

// bothTimes returns two stamps on one scale, and whether both have a clock.
func bothTimes(a, b privacy.Stamp) (time.Time, time.Time, bool) {
	if !a.Instant.IsZero() && !b.Instant.IsZero() {
		return a.Instant, b.Instant, true
	}
	const layout = "2006-01-02T15:04:05"
	ta, errA := time.Parse(layout, a.Local)
	tb, errB := time.Parse(layout, b.Local)
	return ta, tb, errA == nil && errB == nil
}

func (e *Export) session(c *cut, conv *Conversation, conversation string, turns map[int]string, speakers *speakers) memory.Session {
	participants := c.first.audience
	if participants == nil {
		participants = speakers.participants(conv)
	}
	s := memory.Session{
		Conversation: conversation,
		Channel:      conv.channel,
		Group:        len(participants) > 2 || c.first.audience == nil && (conv.Kind == Group || conv.Kind == Channel),
		Participants: append([]string(nil), participants...),
		Start:        c.first.When,
		Source:       memory.Source{Name: e.source, Format: e.Format},
		Turns:        make([]memory.Turn, 0, len(c.messages)),
	}
	if conv.Title != nil {
		s.Title = *conv.Title
	}
	if h := c.first.heading; h != "" {
		s.Title = h
	}
	if s.Channel == "" {
		s.Channel = channel(conv)
	}
	for _, m := range c.messages {
		t := memory.Turn{
			ID: turns[m.N], Speaker: speakers.name(m), Self: m.Self && !m.Bot, Kind: turnKind(m),
			Text: m.Text, Caption: captions(m.Media), When: m.When, ReplyTo: turns[m.ReplyTo],
		}
		if m.Forwarded && m.Text != "" {
			t.Text, t.Caption = "", strings.TrimLeft(t.Caption+"\n"+m.Text, "\n")
		}
		s.Turns = append(s.Turns, t)
	}
	switch own := c.first.session; {
	case e.Script != nil:
		s.ID = own
	case own != "":
		s.ID = own + "-" + digest(conversation, own)
	default:
		s.ID = "s-" + digest(conversation, s.Turns[0].ID)
	}
	return s
}

// channel words a conversation as memory.Session.Channel does.
func channel(c *Conversation) string {
	switch {
	case c.Kind == Direct:
		return "dm"
	case c.Kind == Self:
		return "note"
	case c.Title != nil:
		return string(c.Kind) + ": " + *c.Title
	}
	return string(c.Kind)
}

func turnKind(m *Message) memory.TurnKind {
	switch {
	case m.Kind == KindSystem, m.Deleted, m.Bot:
		return memory.System
	case m.Forwarded, m.Text == "" && m.Kind == KindMedia:
		return memory.Media
	case m.Kind == KindMessage, m.Kind == KindMedia:
		return memory.Message
	}
	return memory.System
}

func captions(media []Media) string {
	var out []string
	for _, m := range media {
		if m.Caption != "" {
			out = append(out, m.Caption)
		}
	}
	return strings.Join(out, "\n")
}
