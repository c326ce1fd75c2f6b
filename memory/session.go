package memory

import "github.com/epagent/epagent/privacy"

// Session is one stretch of a conversation: the parent in which its turns were
// said. It is layer F5 (metadata) together with its turns.
type Session struct {
	ID           string
	Conversation string // stable identity of the chat, whatever file it came in
	Title        string // "" unknown
	Channel      string // as the source calls it: "dm", "group: Choir", "note", …
	Group        bool   // more than two people take part
	Participants []string
	Start        privacy.Stamp
	Source       Source
	Turns        []Turn
	Subs         []SubSession // two-party parts of a group chat, along reply links
}

// SubSession is a two-party part of a group session (paper §"Memory Material
// Preprocessing"): the turns that answer each other between two people. The
// group stays known through the parent.
type SubSession struct {
	ID    string
	Pair  [2]string // sorted
	Turns []string  // ids of the parent's turns, in order
}

// Turn is one message.
type Turn struct {
	ID      string
	Speaker string // as named in the source; "" nobody (system lines)
	Self    bool   // the owner spoke
	Kind    TurnKind
	Text    string // the words alone
	Caption string // description of something attached; not said by anybody
	When    privacy.Stamp
	ReplyTo string // id of the turn answered, "" none
}

// TurnKind is what a turn is.
type TurnKind string

// The kinds of turns. Only a Message carries somebody's words.
const (
	Message TurnKind = "message"
	System  TurnKind = "system"
	Media   TurnKind = "media"
)

// Source is where a session came from.
type Source struct {
	Name   string // base name of the file or folder; never a path of the machine
	Format string // "plain", "notes", "locomo", "script", "remember"
}

// Listeners returns who heard turn t of s: the other one of its two-party
// sub-session, else every participant but its speaker.
func (s *Session) Listeners(t *Turn) []string {
	for _, sub := range s.Subs {
		for _, id := range sub.Turns {
			if id != t.ID {
				continue
			}
			if sub.Pair[0] == t.Speaker {
				return []string{sub.Pair[1]}
			}
			return []string{sub.Pair[0]}
		}
	}
	var out []string
	for _, p := range s.Participants {
		if p != t.Speaker {
			out = append(out, p)
		}
	}
	return out
}
