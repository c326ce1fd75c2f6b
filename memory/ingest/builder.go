package ingest

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/epagent/epagent/privacy"
)

// builder takes what a reader finds, one message at a time, numbers messages and
// conversations and fills in who takes part. It keeps the messages (Read), counts
// them (the first pass of Open) or passes them on (Reading.Each): what it holds of
// them otherwise is bounded, see numbers.
type builder struct {
	out   *Export
	keep  bool                // messages go into out
	emit  func(*Message) bool // and on to here, until it says false
	ended bool                // it did
	count int                 // messages so far

	owner   owner
	self    map[selfKey]bool
	parts   []map[string]bool // who takes part, of conversations with many
	texts   map[string]string // names and ids, each held once
	numbers *numbers
	names   *speakers
	last    struct { // who spoke last: most messages follow one of their sender's
		conversation, name, id string
		self                   bool
	}
	file   string // that is being read
	warned map[string]bool
	mail   *mailThreads // mails wait for the rest of their thread
	many   *manyChats   // the conversations, where there may be too many for out
	again  bool         // many are known from a first reading
	opened int          // conversations of many
	stop   func()       // ends the reading early
	placed bool         // the user gave the zone
}

type selfKey struct{ name, id string }

// maxSkips is how many skipped rows are listed one by one; the rest are counted.
const maxSkips = 10_000

func newBuilder(format string, src *source, o Options) *builder {
	gap := o.Gap
	if gap == 0 {
		gap = DefaultGap
	}
	topic := o.TopicGap
	if topic == 0 {
		topic = DefaultTopicGap
	}
	b := &builder{
		out:    &Export{Format: format, source: src.name, gap: gap, topicGap: topic},
		keep:   true,
		owner:  newOwner(o, format),
		self:   map[selfKey]bool{},
		names:  newSpeakers(o, format),
		warned: map[string]bool{},
		texts:  map[string]string{},
		placed: o.TZ != nil,
	}
	b.out.speakers = b.names
	b.numbers = newNumbers(maphash.MakeSeed())
	b.numbers.all = true
	return b
}

// conversation opens a conversation and returns its label.
func (b *builder) conversation(c Conversation) string {
	if b.many != nil {
		b.opened++
		opened := label(b.opened - 1)
		if !b.again {
			b.many.open(&c)
		}
		for _, name := range c.Participants {
			b.takesPart(opened, name)
		}
		return opened
	}
	c.ID = label(len(b.out.Conversations))
	names := c.Participants
	c.Participants = nil
	b.out.Conversations = append(b.out.Conversations, c)
	b.parts = append(b.parts, nil)
	for _, name := range names {
		b.takesPart(c.ID, name)
	}
	return c.ID
}

// label is what conversation i of a source is called in it.
func label(i int) string { return "c" + strconv.Itoa(i+1) }

// labelled is the number of the conversation of a label.
func labelled(label string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(label, "c"))
	if err != nil {
		return 0
	}
	return n - 1
}

// conv is the conversation of a label, to be changed in place.
func (b *builder) conv(label string) *Conversation { return &b.out.Conversations[labelled(label)] }

// takesPart adds name to a conversation's participants, once.
func (b *builder) takesPart(conversation, name string) { b.member(conversation, name, "") }

// member is takesPart for somebody with an id, who may share a name.
func (b *builder) member(conversation, name, id string) {
	if name = cleanName(name); name == "" {
		return
	}
	i := labelled(conversation)
	if b.many != nil {
		b.joins(i, chatMember{name: name, address: id})
		return
	}
	c := &b.out.Conversations[i]
	if b.takes(i, name, id) {
		return
	}
	c.Participants = append(c.Participants, b.held(name)) // no part of a line, which would stay
	c.partIDs = append(c.partIDs, b.held(id))
}

// joins adds somebody to one of many conversations; nobody is new the second time.
func (b *builder) joins(chat int, who chatMember) {
	if !b.again && who.name != "" {
		b.many.join(chat, who)
	}
}

// fewParts is how many people are looked through one by one. A mailbox has thousands of
// threads with a few people each.
const fewParts = 12

// takes reports whether somebody takes part in conversation i: by the id, and without
// one by the name, which others who have an id may bear, too.
func (b *builder) takes(i int, name, id string) bool {
	c := &b.out.Conversations[i]
	if len(c.Participants) <= fewParts {
		for k, p := range c.Participants {
			if c.partIDs[k] == id && (id != "" || p == name) {
				return true
			}
		}
		return false
	}
	key := func(name, id string) string {
		if id != "" {
			return "id\x00" + id
		}
		return "name\x00" + name
	}
	if b.parts[i] == nil {
		b.parts[i] = map[string]bool{}
		for k, p := range c.Participants {
			b.parts[i][key(p, c.partIDs[k])] = true
		}
	}
	if b.parts[i][key(name, id)] {
		return true
	}
	b.parts[i][key(name, id)] = true
	return false
}

// held is a copy of a name or id that is kept once, however often it is kept.
func (b *builder) held(s string) string {
	if s == "" {
		return ""
	}
	if have, ok := b.texts[s]; ok {
		return have
	}
	s = strings.Clone(s)
	if len(b.texts) < 1<<14 {
		b.texts[s] = s
	}
	return s
}

// bot adds a program to a conversation, once.
func (b *builder) bot(conversation, name string) {
	name = cleanName(name)
	i := labelled(conversation)
	if b.many != nil {
		b.joins(i, chatMember{name: name, bot: true})
		return
	}
	if name != "" && !slices.Contains(b.out.Conversations[i].Bots, name) {
		b.out.Conversations[i].Bots = append(b.out.Conversations[i].Bots, name)
	}
}

// isSelf reports whether a sender is the owner.
func (b *builder) isSelf(name, id string) bool {
	key := selfKey{name, id}
	is, ok := b.self[key]
	if !ok {
		is = b.owner.is(name, id)
		b.self[selfKey{strings.Clone(name), strings.Clone(id)}] = is
	}
	return is
}

// message adds m and returns its number. A notice has no speaker, whoever
// caused it; a program is never the owner.
func (b *builder) message(m Message) int {
	if b.ended {
		return 0
	}
	b.count++
	m.N = b.count
	if name := cleanName(m.Sender); name != m.Sender {
		if m.Sender = name; name == "" {
			m.Sender = "unknown"
		}
	}
	m.Actor, m.ForwardedFrom = cleanName(m.Actor), cleanName(m.ForwardedFrom)
	switch {
	case m.Sender == "":
	case m.Bot:
		b.bot(m.Conversation, m.Sender)
		m.Self = false
	default:
		l := &b.last
		if l.conversation != m.Conversation || l.name != m.Sender || l.id != m.SenderID {
			name, id := strings.Clone(m.Sender), strings.Clone(m.SenderID)
			b.member(m.Conversation, name, id)
			l.conversation, l.name, l.id = m.Conversation, name, id
			l.self = b.isSelf(name, id)
			b.names.see(m.Conversation, name, id, m.Self || l.self)
			if m.Self && id != "" { // the source's own word
				b.owner.sure[id] = true
			}
		}
		m.Self = m.Self || l.self
	}
	if m.TimeText == "" && m.When.Local == "" && m.When.Instant.IsZero() {
		m.TimeText = m.given // of a calendar that isn't known: as it stands
	}
	b.names.count(&m)
	if m.Deleted {
		b.out.Deletions++
	}
	b.out.seeTime(&m)
	if m.ReplyTo > 0 && b.count-m.ReplyTo >= nearMessages {
		b.numbers.pin(m.ReplyTo)
	}
	if b.emit != nil && !b.emit(&m) {
		b.ended = true
		if b.stop != nil {
			b.stop()
		}
		return m.N
	}
	if b.keep {
		if n := len(b.out.Messages); n == cap(b.out.Messages) {
			// Messages are big: growing by halves, as append does, would copy each of
			// them many times.
			b.out.Messages = slices.Grow(b.out.Messages, max(n, 64))
		}
		b.out.Messages = append(b.out.Messages, m)
	}
	return m.N
}

// seeTime notes whether times carry no zone.
func (e *Export) seeTime(m *Message) {
	if !e.zoneless && m.When.Instant.IsZero() && len(m.When.Local) > len(time.DateOnly) {
		e.zoneless = true
	}
}

// skip reports a row that was left out. Beyond maxSkips rows only the first of
// a kind would help nobody: a warning says that there are more.
func (b *builder) skip(line int, reason string) { b.left(Skip{Line: line, Reason: reason}) }

// skipMessage reports a message that was left out, of a source in which lines mean
// nothing. id is the source's own, "" none: then its place counts.
func (b *builder) skipMessage(id, reason string) {
	if id = cleanName(id); id == "" {
		id = "no. " + strconv.Itoa(b.count+len(b.out.Skipped)+1)
	}
	b.left(Skip{Message: strings.Clone(id), Reason: reason})
}

func (b *builder) left(s Skip) {
	if len(b.out.Skipped) >= maxSkips {
		b.warn("skipped_more: more rows were left out than are listed")
		return
	}
	if s.File == "" {
		s.File = b.file
	}
	b.out.Skipped = append(b.out.Skipped, s)
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
	p.Name = cleanName(p.Name)
	for i := range p.Aliases {
		p.Aliases[i] = cleanName(p.Aliases[i])
	}
	if privacy.NormalizeName(p.Name) != "" {
		b.out.People = append(b.out.People, p)
	}
}

// personOnce adds somebody by address, once.
func (b *builder) personOnce(p ProposedPerson) {
	key := "person\x00" + p.Name + "\x00" + p.Addresses[0]
	if !b.warned[key] {
		b.warned[key] = true
		b.person(p)
	}
}

// export settles the kinds of the conversations and says what is unknown.
func (b *builder) export() *Export {
	for i := range b.out.Conversations {
		b.out.Conversations[i].settle()
	}
	b.out.mail, b.out.many = b.mail, b.many
	if b.out.zoneless && !b.placed {
		b.warn("zone_unknown: times carry no zone and are kept as wall clock; give --tz to place them")
	}
	b.parts, b.texts = nil, map[string]string{}
	return b.out
}

// settle says what kind of conversation it is where the source doesn't.
func (c *Conversation) settle() {
	if c.Title != nil {
		title := cleanName(*c.Title)
		c.Title = &title
	}
	if c.Kind != "" {
		return
	}
	c.Kind = Direct
	if len(c.Participants) > 2 {
		c.Kind = Group
	}
}
