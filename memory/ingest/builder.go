package ingest

import (
	"slices"
	"strconv"
	"time"

	"github.com/epagent/epagent/privacy"
)

// builder takes what a reader finds and makes the Export. It numbers messages
// and conversations and fills in who takes part; it is where a later streaming
// import can listen, since readers hand over one message at a time.
type builder struct {
	out   *Export
	owner owner
	self  map[selfKey]bool
	index map[string]int // conversations by label
	parts []map[string]bool
	last  struct { // who spoke last: most messages follow one of their sender's
		conversation, name, id string
		self                   bool
	}
	warned map[string]bool
	mail   *mailThreads // mails wait for the rest of their thread
}

type selfKey struct{ name, id string }

// maxSkips is how many skipped rows are listed one by one; the rest are counted.
const maxSkips = 10_000

func newBuilder(format string, src *source, o Options) *builder {
	gap := o.Gap
	if gap == 0 {
		gap = DefaultGap
	}
	return &builder{
		out:    &Export{Format: format, source: src.name, gap: gap},
		owner:  newOwner(o),
		self:   map[selfKey]bool{},
		index:  map[string]int{},
		warned: map[string]bool{},
	}
}

// conversation opens a conversation and returns its label.
func (b *builder) conversation(c Conversation) string {
	c.ID = "c" + strconv.Itoa(len(b.out.Conversations)+1)
	names := c.Participants
	c.Participants = nil
	b.index[c.ID] = len(b.out.Conversations)
	b.out.Conversations = append(b.out.Conversations, c)
	b.parts = append(b.parts, map[string]bool{})
	for _, name := range names {
		b.takesPart(c.ID, name)
	}
	return c.ID
}

// conv is the conversation of a label, to be changed in place.
func (b *builder) conv(label string) *Conversation { return &b.out.Conversations[b.index[label]] }

// takesPart adds name to a conversation's participants, once.
func (b *builder) takesPart(conversation, name string) { b.member(conversation, name, "") }

// member is takesPart for somebody with an id, who may share a name.
func (b *builder) member(conversation, name, id string) {
	i := b.index[conversation]
	key := "name\x00" + name
	if id != "" {
		key = "id\x00" + id
	}
	if name == "" || b.parts[i][key] {
		return
	}
	b.parts[i][key] = true
	c := &b.out.Conversations[i]
	c.Participants = append(c.Participants, name)
	c.partIDs = append(c.partIDs, id)
}

// bot adds a program to a conversation, once.
func (b *builder) bot(conversation, name string) {
	i := b.index[conversation]
	if key := "bot\x00" + name; name != "" && !b.parts[i][key] {
		b.parts[i][key] = true
		b.out.Conversations[i].Bots = append(b.out.Conversations[i].Bots, name)
	}
}

// isSelf reports whether a sender is the owner.
func (b *builder) isSelf(name, id string) bool {
	key := selfKey{name, id}
	is, ok := b.self[key]
	if !ok {
		is = b.owner.is(name, id)
		b.self[key] = is
	}
	return is
}

// message adds m and returns its number. A notice has no speaker, whoever
// caused it; a program is never the owner.
func (b *builder) message(m Message) int {
	m.N = len(b.out.Messages) + 1
	switch {
	case m.Sender == "":
	case m.Bot:
		b.bot(m.Conversation, m.Sender)
		m.Self = false
	default:
		l := &b.last
		if l.conversation != m.Conversation || l.name != m.Sender || l.id != m.SenderID {
			b.member(m.Conversation, m.Sender, m.SenderID)
			l.conversation, l.name, l.id = m.Conversation, m.Sender, m.SenderID
			l.self = b.isSelf(m.Sender, m.SenderID)
		}
		m.Self = m.Self || l.self
	}
	if n := len(b.out.Messages); n == cap(b.out.Messages) {
		// Messages are big: growing by halves, as append does, would copy each of
		// them many times.
		b.out.Messages = slices.Grow(b.out.Messages, max(n, 64))
	}
	b.out.Messages = append(b.out.Messages, m)
	return m.N
}

// skip reports a row that was left out. Beyond maxSkips rows only the first of
// a kind would help nobody: a warning says that there are more.
func (b *builder) skip(line int, reason string) {
	if len(b.out.Skipped) >= maxSkips {
		b.warn("skipped_more: more rows were left out than are listed")
		return
	}
	b.out.Skipped = append(b.out.Skipped, Skip{Line: line, Reason: reason})
}

// warn tells the user something, each text once.
func (b *builder) warn(text string) { b.warnOnce(text, text) }

// warnOnce tells it once for key: a whole chat may share what is wrong with it.
func (b *builder) warnOnce(key, text string) {
	if !b.warned[key] {
		b.warned[key] = true
		b.out.Warnings = append(b.out.Warnings, text)
	}
}

// person adds an entry of an address book.
func (b *builder) person(p ProposedPerson) {
	if privacy.NormalizeName(p.Name) != "" {
		b.out.People = append(b.out.People, p)
	}
}

// export settles the kinds of the conversations and says what is unknown.
func (b *builder) export() *Export {
	if b.mail != nil {
		b.mail.write(b)
	}
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
	for i := range b.out.Messages {
		m := &b.out.Messages[i]
		if m.When.Instant.IsZero() && len(m.When.Local) > len(time.DateOnly) {
			b.warn("zone_unknown: times carry no zone and are kept as wall clock; give --tz to place them")
			break
		}
	}
	return b.out
}
