package ingest

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// manyChats are the conversations of a source that may have hundreds of thousands with
// a few people each: the threads of mail, what was asked of an assistant. Who takes part
// is a list through the members, since people come to a thread late. See spill.
type manyChats struct {
	chats   *spill // chatBytes: places of id and title, first and last member, kind
	members *spill // memberBytes: the next member of the chat, and who it is
	there   *table // of chat and person
	texts   textSpill
	people  []chatMember
	numbers map[chatMember]int
	seed    maphash.Seed
	known   map[int]knownAs // what the caller has said of them
}

// knownAs is what a conversation of earlier imports is known by, see
// [Export.Identify] and [Export.Renamed].
type knownAs struct {
	id       string
	formerly map[string]string
}

// chatMember is somebody who takes part, or a program.
type chatMember struct {
	name, address string
	bot           bool
}

const (
	chatTitle   = 8 // place in texts, 0 none
	chatFirst   = 16
	chatLast    = 20
	chatKind    = 24 // place in chatKinds
	chatBytes   = 28
	memberBytes = 8
)

// chatKinds are the kinds by their numbers.
var chatKinds = []Kind{"", Direct, Group, Channel, Self, Bot}

func newManyChats() *manyChats {
	return &manyChats{
		chats: newSpill(chatBytes, manyPages), members: newSpill(memberBytes, fewPages), there: newTable(keyBytes, manyPages/2),
		texts: newTextSpill(fewPages), numbers: map[chatMember]int{}, seed: maphash.MakeSeed(), known: map[int]knownAs{},
	}
}

func (m *manyChats) close() {
	if m == nil {
		return
	}
	m.chats.close()
	m.members.close()
	m.there.close()
	m.texts.bytes.close()
}

func (m *manyChats) fault() error {
	if m == nil {
		return nil
	}
	for _, s := range []*spill{m.chats, m.members, m.texts.bytes} {
		if s.fault != nil {
			return s.fault
		}
	}
	return m.there.fault()
}

func (m *manyChats) n() int { return m.chats.n }

// open begins a conversation.
func (m *manyChats) open(c *Conversation) {
	id, title := m.texts.add(c.SourceID), uint64(0)
	if c.Title != nil {
		title = m.texts.add(*c.Title)
	}
	r := m.chats.at(m.chats.add(), true)
	binary.LittleEndian.PutUint64(r, id)
	binary.LittleEndian.PutUint64(r[chatTitle:], title)
	binary.LittleEndian.PutUint32(r[chatKind:], uint32(max(slices.Index(chatKinds, c.Kind), 0)))
}

// join adds somebody to a conversation, once.
func (m *manyChats) join(chat int, who chatMember) {
	person, ok := m.numbers[chatMember{address: who.address, name: who.nameless(), bot: who.bot}]
	if !ok {
		person = len(m.people)
		m.people = append(m.people, who)
		m.numbers[chatMember{address: who.address, name: who.nameless(), bot: who.bot}] = person
	}
	if _, ok := m.there.add(maphash.Comparable(m.seed, [2]int{chat, person})); !ok {
		return
	}
	n := m.members.add()
	binary.LittleEndian.PutUint32(m.members.at(n, true)[4:], uint32(person))
	r := m.chats.at(chat, true)
	last := binary.LittleEndian.Uint32(r[chatLast:])
	binary.LittleEndian.PutUint32(r[chatLast:], uint32(n+1))
	if last == 0 {
		binary.LittleEndian.PutUint32(r[chatFirst:], uint32(n+1))
		return
	}
	binary.LittleEndian.PutUint32(m.members.at(int(last-1), true), uint32(n+1))
}

// nameless is the name of somebody who is known by it alone.
func (w chatMember) nameless() string {
	if w.address != "" {
		return ""
	}
	return w.name
}

// get is a conversation as [builder.export] leaves it.
func (m *manyChats) get(chat int) *Conversation {
	r := m.chats.at(chat, false)
	id, title := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[chatTitle:])
	next := binary.LittleEndian.Uint32(r[chatFirst:])
	kind := chatKinds[int(binary.LittleEndian.Uint32(r[chatKind:]))%len(chatKinds)]
	c := &Conversation{ID: label(chat), Kind: kind, SourceID: m.texts.get(id)}
	if title != 0 {
		text := m.texts.get(title)
		c.Title = &text
	}
	for next > 0 {
		member := m.members.at(int(next-1), false)
		next = binary.LittleEndian.Uint32(member)
		who := m.people[min(int(binary.LittleEndian.Uint32(member[4:])), len(m.people)-1)]
		if who.bot {
			c.Bots = append(c.Bots, who.name)
			continue
		}
		c.Participants = append(c.Participants, who.name)
		c.partIDs = append(c.partIDs, who.address)
	}
	c.known, c.formerly = m.known[chat].id, m.known[chat].formerly
	c.settle()
	return c
}
