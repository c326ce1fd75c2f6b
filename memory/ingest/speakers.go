package ingest

import (
	"slices"
	"strings"
)

// speakers names the people of an export so that one person has one name and
// two people have two, by the source's own ids, and counts what each has said.
type speakers struct {
	shown  map[string]string    // by id: the first name seen
	owners map[string]string    // id by name
	shared map[string]bool      // names that several ids bear
	before map[string]string    // id by name, of earlier sources
	marked map[string]bool      // ids that these put behind the name
	called map[string][]Account // by id, of earlier sources
	seen   map[speakerKey]*Speaker
	last   *Speaker
	lastAt speakerKey
}

type speakerKey struct{ conversation, name, id string }

// maxSpeakers is how many people are counted in each conversation of their own;
// beyond that they are counted over the source.
const maxSpeakers = 2_000

// Speaker is somebody who speaks in a source.
type Speaker struct {
	Name         string // as the turns bear it
	ID           string // the source's own id, "" none
	Conversation string // Conversation.ID
	Messages     int
	Self         bool
	First, Last  string // days, "" unknown
}

func newSpeakers(o Options, format string) *speakers {
	before, marked, called := map[string]string{}, map[string]bool{}, map[string][]Account{}
	for _, a := range o.Accounts {
		if a.Format == format && a.ID != "" {
			called[a.ID] = append(called[a.ID], a)
		}
		if a.Format != format || format == (emailReader{}).name() { // who has two addresses is one
			continue
		}
		marked[a.ID] = marked[a.ID] || strings.HasSuffix(a.Name, " ("+a.ID+")")
		if other, ok := before[a.Name]; !ok || a.ID < other {
			before[a.Name] = a.ID
		}
	}
	return &speakers{called: called, before: before, marked: marked, shown: map[string]string{}, owners: map[string]string{}, shared: map[string]bool{}, seen: map[speakerKey]*Speaker{}}
}

// see notes that name with id speaks in a conversation.
func (s *speakers) see(conversation, name, id string, self bool) {
	if s.seen[speakerKey{conversation, name, id}] == nil && len(s.seen) >= maxSpeakers {
		conversation = "" // a mailbox: thousands of threads among the same people
	}
	key := speakerKey{conversation, name, id}
	if s.seen[key] == nil {
		s.seen[key] = &Speaker{Name: name, ID: id, Conversation: conversation, Self: self}
	}
	s.know(name, id)
}

// know notes that somebody with an id takes part.
func (s *speakers) know(name, id string) {
	if id == "" || name == "" || s.shown[id] != "" {
		return
	}
	s.shown[id] = name
	if other, ok := s.owners[name]; ok && other != id {
		s.shared[name] = true
	}
	s.owners[name] = id
}

// count counts a message of somebody seen.
func (s *speakers) count(m *Message) {
	if m.Sender == "" || m.Bot {
		return
	}
	if s.last == nil || s.lastAt.conversation != m.Conversation || s.lastAt.name != m.Sender || s.lastAt.id != m.SenderID {
		s.lastAt = speakerKey{m.Conversation, m.Sender, m.SenderID}
		if s.last = s.seen[s.lastAt]; s.last == nil {
			s.last = s.seen[speakerKey{"", m.Sender, m.SenderID}]
		}
		if s.last != nil { // its strings hold no part of the source
			s.lastAt.name, s.lastAt.id = s.last.Name, s.last.ID
		}
	}
	if s.last == nil {
		return
	}
	s.last.Messages++
	if day := m.When.Date(); day != "" {
		if s.last.First == "" || day < s.last.First {
			s.last.First = strings.Clone(day)
		}
		if day > s.last.Last {
			s.last.Last = strings.Clone(day)
		}
	}
}

// list is everybody who has spoken, in order of conversation and name.
func (s *speakers) list() []Speaker {
	out := make([]Speaker, 0, len(s.seen))
	for _, p := range s.seen {
		one := *p
		one.Name = s.named(p.Name, p.ID)
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b Speaker) int {
		if n := len(a.Conversation) - len(b.Conversation); n != 0 { // c2 before c10
			return n
		}
		if n := strings.Compare(a.Conversation, b.Conversation); n != 0 {
			return n
		}
		if n := strings.Compare(a.Name, b.Name); n != 0 {
			return n
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

// named is the name of somebody with an id: the first that was seen, with the id
// where several bear it.
func (s *speakers) named(name, id string) string {
	if id == "" || name == "" {
		return name
	}
	shown, ok := s.shown[id]
	if !ok {
		return name
	}
	if other, ok := s.before[shown]; ok && other == id {
		return shown // what it is called already
	} else if s.shared[shown] || s.marked[id] || ok {
		return shown + " (" + id + ")"
	}
	return shown
}

// formerly are the names that the account with an id had in earlier sources.
func (s *speakers) formerly(id string) []Account {
	if s == nil || id == "" {
		return nil
	}
	return s.called[id]
}

// name is who speaks m.
func (s *speakers) name(m *Message) string { return s.named(m.Sender, m.SenderID) }

// participants are the people of c by the names that their turns bear.
func (s *speakers) participants(c *Conversation) []string {
	out := make([]string, len(c.Participants))
	for i, name := range c.Participants {
		out[i] = name
		if i < len(c.partIDs) {
			out[i] = s.named(name, c.partIDs[i])
		}
	}
	return out
}
