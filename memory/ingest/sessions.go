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
//   - at one of Options.TopicGap or more behind which the talk is about something
//     else (see apart);
//   - where the date changes and no clock is known;
//   - where a mail goes to other people than the one before it, so that nobody
//     counts as having read what wasn't sent to them;
//   - where it has grown to maxTurns, at the next change of the minute.
//
// A turn holds its speaker's own words and no others. Forwarded words become the
// caption of something attached, a program's words and a deleted message become
// system lines; a caption that the sender wrote counts as said. Two people of
// one name are told apart by the source's ids: "Alex (user7)".
//
// Everything in the result is new; equal exports give equal sessions, whatever
// the file was called, save for Source.
func (e *Export) Sessions() []memory.Session {
	var out []memory.Session
	first := map[string]int{}
	c := newCutter(e, nil, func(s *memory.Session) error {
		out = append(out, *s)
		return nil
	})
	c.began = func(id string, n int) { first[id] = n }
	for i := range e.Messages {
		_ = c.add(&e.Messages[i]) // the function above has no errors
	}
	_ = c.end()
	slices.SortStableFunc(out, func(a, b memory.Session) int { return first[a.ID] - first[b.ID] })
	return out
}

// Bounds on what waits for the end of its session.
const (
	maxTurns = 400     // of a session, up to the next change of the minute
	maxOpen  = 1 << 14 // messages in all sessions that are open
	maxWords = 4 << 20 // bytes of words of these
)

// cutter cuts a stream of messages into sessions.
type cutter struct {
	e     *Export
	give  func(*memory.Session) error
	began func(session string, n int)

	chats map[string]cutChat // by label; those that were needed last
	open  map[string]*cut
	held  int // messages in open
	words int // bytes of what they say
	names turnIDs
	all   bool           // turn ids of all messages are kept
	near  []string       // turn ids of the last messages, by number modulo its length
	far   map[int]string // of those that are answered from afar
	pins  map[int]bool   // which those are
	used  map[string]int // session ids of the source's own
}

// newCutter makes a cutter. pins are the numbers of messages that are answered from
// more than nearMessages afterwards; nil: everything is kept.
func newCutter(e *Export, pins map[int]bool, give func(*memory.Session) error) *cutter {
	c := &cutter{
		e: e, give: give, chats: map[string]cutChat{}, open: map[string]*cut{}, names: newTurnIDs(), pins: pins, all: pins == nil, far: map[int]string{}, used: map[string]int{},
	}
	if !c.all {
		c.near = make([]string, nearMessages)
	}
	return c
}

// cutChat is a conversation and what it is known by.
type cutChat struct {
	*Conversation
	id string
}

// maxChats is how many conversations a cutter remembers.
const maxChats = 1 << 12

// chat is the conversation with a label.
func (c *cutter) chat(label string) cutChat {
	chat, ok := c.chats[label]
	if !ok {
		if len(c.chats) >= maxChats {
			clear(c.chats)
		}
		if chat.Conversation = c.e.chat(label); chat.Conversation == nil {
			chat.Conversation = &Conversation{ID: label}
		}
		chat.id = conversationID(c.e.Format, chat.Conversation)
		c.chats[label] = chat
	}
	return chat
}

// cut is a session in the making.
type cut struct {
	messages []cutMessage
	maybe    int // where a session may begin: behind a silence; 0 nowhere
	touched  int // number of the last message
}

// cutMessage is a message with what it is known by.
type cutMessage struct {
	*Message
	id, reply   string // turn ids
	print, slot string
	formerly    []memory.FormerName
}

// add takes the next message.
func (c *cutter) add(m *Message) error {
	in := cutMessage{Message: m, id: m.ID}
	if c.e.Script == nil {
		chat := c.chat(m.Conversation)
		in.id = c.names.id(chat.id, m)
		in.print, in.slot, in.formerly = c.names.print(chat.id, c.names.knownAs(chat.Conversation, m.Sender), m, c.e.speakers.formerly(m.SenderID)...)
		if before := chat.before(m.Sender); before != "" { // what was forgotten is known by that name
			in.formerly = append(in.formerly, memory.FormerName{Speaker: before, Print: in.print})
		}
	}
	in.reply = c.turn(m.ReplyTo)
	c.keep(m.N, in.id)
	thread := m.Conversation
	if m.topic != "" {
		thread += "\x00" + m.topic
	}
	open := c.open[thread]
	if open != nil {
		last := open.messages[len(open.messages)-1].Message
		switch {
		case endsBefore(last, m, c.e.gap), len(open.messages) >= maxTurns && (len(open.messages) >= 2*maxTurns || !sameMinute(last, m)) && m.session == "":
			if err := c.close(thread); err != nil {
				return err
			}
			open = nil
		case m.session == "" && c.e.topicGap > 0:
			if a, b, ok := bothTimes(last.When, m.When); ok && b.Sub(a) >= c.e.topicGap {
				open.maybe = len(open.messages)
			}
		}
	}
	if open == nil {
		open = &cut{}
		c.open[thread] = open
	}
	open.messages = append(open.messages, in)
	open.touched = m.N
	c.held++
	c.words += len(m.Text)
	if open.maybe > 0 && len(open.messages) == open.maybe+topicLook {
		if at := open.maybe; apart(open.messages[:at], open.messages[at:]) {
			rest := slices.Clone(open.messages[at:])
			if err := c.emit(open.messages[:at]); err != nil {
				return err
			}
			c.let(open.messages[:at])
			open.messages = rest
		}
		open.maybe = 0
	}
	if c.held > maxOpen || c.words > maxWords {
		return c.sweep()
	}
	return nil
}

// keep remembers the turn id of a message, for those that answer it.
func (c *cutter) keep(n int, id string) {
	switch {
	case c.all:
		c.near = append(c.near, id)
	default:
		c.near[n%len(c.near)] = id
		if c.pins[n] {
			c.far[n] = id
		}
	}
}

// turn is the turn id of message n, "" for none.
func (c *cutter) turn(n int) string {
	switch {
	case n <= 0:
		return ""
	case c.all:
		return c.near[n-1]
	}
	if id, ok := c.far[n]; ok {
		return id
	}
	return c.near[n%len(c.near)]
}

// sweep closes the sessions that nothing was added to for longest: a mailbox has
// thousands of threads that nobody comes back to.
func (c *cutter) sweep() error {
	labels := make([]string, 0, len(c.open))
	for label := range c.open {
		labels = append(labels, label)
	}
	slices.SortFunc(labels, func(a, b string) int { return c.open[a].touched - c.open[b].touched })
	for _, label := range labels {
		if c.held <= maxOpen/2 && c.words <= maxWords/2 {
			return nil
		}
		if err := c.close(label); err != nil {
			return err
		}
	}
	return nil
}

// end closes what is open, in the order of the source.
func (c *cutter) end() error {
	labels := make([]string, 0, len(c.open))
	for label := range c.open {
		labels = append(labels, label)
	}
	slices.SortFunc(labels, func(a, b string) int { return c.open[a].messages[0].N - c.open[b].messages[0].N })
	for _, label := range labels {
		if err := c.close(label); err != nil {
			return err
		}
	}
	return nil
}

func (c *cutter) close(label string) error {
	open := c.open[label]
	delete(c.open, label)
	c.let(open.messages)
	return c.emit(open.messages)
}

// let gives an account of messages that are open no more.
func (c *cutter) let(messages []cutMessage) {
	c.held -= len(messages)
	for i := range messages {
		c.words -= len(messages[i].Text)
	}
}

func (c *cutter) emit(messages []cutMessage) error {
	first := messages[0]
	chat := c.chat(first.Conversation)
	s := c.session(messages, chat.Conversation, chat.id)
	if first.session != "" {
		if c.used[s.ID]++; c.used[s.ID] > 1 { // two samples of one name
			s.ID += "-" + strconv.Itoa(c.used[s.ID])
		}
	}
	if s.Group {
		s.Subs = Split(&s)
	}
	if c.began != nil {
		c.began(s.ID, first.N)
	}
	return c.give(&s)
}

func endsBefore(last, m *Message, gap time.Duration) bool {
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

// sameMinute reports whether two messages bear times of one minute.
func sameMinute(a, b *Message) bool {
	const minute = len("2006-01-02T15:04")
	return len(a.When.Local) >= minute && len(b.When.Local) >= minute && a.When.Local[:minute] == b.When.Local[:minute]
}

// bothTimes returns two stamps on one scale, and whether both have a clock.
func bothTimes(a, b privacy.Stamp) (time.Time, time.Time, bool) {
	if !a.Instant.IsZero() && !b.Instant.IsZero() {
		return a.Instant, b.Instant, true
	}
	ta, okA := wallClock(a.Local)
	tb, okB := wallClock(b.Local)
	return ta, tb, okA && okB
}

func (c *cutter) session(messages []cutMessage, conv *Conversation, conversation string) memory.Session {
	first := messages[0]
	participants := first.audience
	if participants == nil {
		participants = c.e.speakers.participants(conv)
	}
	s := memory.Session{
		Conversation: conversation,
		Channel:      conv.channel,
		Group:        len(participants) > 2 || first.audience == nil && (conv.Kind == Group || conv.Kind == Channel),
		Participants: append([]string(nil), participants...),
		Start:        first.When,
		Source:       memory.Source{Name: c.e.source, Format: c.e.Format},
		Turns:        make([]memory.Turn, 0, len(messages)),
	}
	if conv.Title != nil {
		s.Title = *conv.Title
	}
	if first.heading != "" {
		s.Title = first.heading
	}
	if s.Channel == "" {
		s.Channel = channel(conv)
	}
	for _, m := range messages {
		t := memory.Turn{
			ID: m.id, Speaker: c.e.speakers.name(m.Message), Self: m.Self && !m.Bot, Kind: turnKind(m.Message),
			Text: m.Text, Caption: captions(m.Media), When: m.When, ReplyTo: m.reply,
			Print: m.print, Slot: m.slot, Formerly: m.formerly, Edited: m.Edited, Deleted: m.Deleted,
		}
		if m.SenderID != "" {
			t.Account = memory.Handle{Format: c.e.Format, Handle: m.SenderID}
		}
		if (m.Forwarded || m.borrowed) && m.Text != "" {
			t.Text, t.Caption = "", strings.TrimLeft(t.Caption+"\n"+m.Text, "\n")
		}
		s.Turns = append(s.Turns, t)
	}
	switch own := first.session; {
	case c.e.Script != nil:
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
	case m.Forwarded, m.borrowed, m.Text == "" && m.Kind == KindMedia:
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
