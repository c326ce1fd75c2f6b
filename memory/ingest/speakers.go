package ingest

// speakers names the people of an export so that one person has one name and
// two people have two, by the source's own ids.
type speakers struct {
	shown map[string]string // by id: the first name seen, with the id where the name is shared
}

func newSpeakers(e *Export) *speakers {
	s := &speakers{shown: map[string]string{}}
	owners := map[string]string{} // id by name
	shared := map[string]bool{}
	for i := range e.Messages {
		m := &e.Messages[i]
		if m.Sender == "" || m.SenderID == "" || s.shown[m.SenderID] != "" {
			continue
		}
		s.shown[m.SenderID] = m.Sender
		if other, ok := owners[m.Sender]; ok && other != m.SenderID {
			shared[m.Sender] = true
		}
		owners[m.Sender] = m.SenderID
	}
	for id, name := range s.shown {
		if shared[name] {
			s.shown[id] = name + " (" + id + ")"
		}
	}
	return s
}

// name is who speaks m.
func (s *speakers) name(m *Message) string {
	if name, ok := s.shown[m.SenderID]; ok && m.SenderID != "" && m.Sender != "" {
		return name
	}
	return m.Sender
}

// participants are the people of c by the names that their turns bear.
func (s *speakers) participants(c *Conversation) []string {
	out := make([]string, len(c.Participants))
	for i, name := range c.Participants {
		if i < len(c.partIDs) {
			if shown, ok := s.shown[c.partIDs[i]]; ok && c.partIDs[i] != "" {
				name = shown
			}
		}
		out[i] = name
	}
	return out
}
