package ingest

import (
	"slices"
	"strconv"
	"time"
)

// builder takes what a reader finds and makes the Export. It numbers messages
// and conversations and fills in who takes part; it is where a later streaming
// import can listen, since readers hand over one message at a time.
type builder struct {
	out   *Export
	owner owner
	parts map[string]map[string]bool // participants by conversation label and name
}

func newBuilder(format string, src *source, o Options) *builder {
	gap := o.Gap
	if gap == 0 {
		gap = DefaultGap
	}
	return &builder{
		out:   &Export{Format: format, source: src.name, gap: gap},
		owner: newOwner(o),
		parts: map[string]map[string]bool{},
	}
}

// conversation opens a conversation and returns its label.
func (b *builder) conversation(c Conversation) string {
	c.ID = "c" + strconv.Itoa(len(b.out.Conversations)+1)
	names := c.Participants
	c.Participants = nil
	b.out.Conversations = append(b.out.Conversations, c)
	b.parts[c.ID] = map[string]bool{}
	for _, name := range names {
		b.takesPart(c.ID, name)
	}
	return c.ID
}

// takesPart adds name to a conversation's participants, once.
func (b *builder) takesPart(conversation, name string) {
	if name == "" || b.parts[conversation][name] {
		return
	}
	b.parts[conversation][name] = true
	i := slices.IndexFunc(b.out.Conversations, func(c Conversation) bool { return c.ID == conversation })
	b.out.Conversations[i].Participants = append(b.out.Conversations[i].Participants, name)
}

// message adds m and returns its number.
func (b *builder) message(m Message) int {
	m.N = len(b.out.Messages) + 1
	if m.Sender != "" {
		b.takesPart(m.Conversation, m.Sender)
		m.Self = m.Self || b.owner.is(m.Sender, m.SenderID)
	}
	b.out.Messages = append(b.out.Messages, m)
	return m.N
}

func (b *builder) skip(line int, reason string) {
	b.out.Skipped = append(b.out.Skipped, Skip{Line: line, Reason: reason})
}

func (b *builder) warn(text string) {
	if !slices.Contains(b.out.Warnings, text) {
		b.out.Warnings = append(b.out.Warnings, text)
	}
}

// export settles the kinds of the conversations and says what is unknown.
func (b *builder) export() *Export {
	for i := range b.out.Conversations {
		c := &b.out.Conversations[i]
		if c.Kind != "" {
			continue
		}
		c.Kind = Direct
		if len(c.Participants) > 2 {
			c.Kind = Group
		}
	}
	zoneless := func(m Message) bool { return m.When.Instant.IsZero() && len(m.When.Local) > len(time.DateOnly) }
	if slices.ContainsFunc(b.out.Messages, zoneless) {
		b.warn("zone_unknown: times carry no zone and are kept as wall clock; give --tz to place them")
	}
	return b.out
}
