package memory

import "github.com/epagent/epagent/privacy"

// Session is one stretch of a conversation: the parent in which its turns were
// said. It is layer F5 (metadata) together with its turns.
type Session struct {
	ID           string        `json:"id"`
	Conversation string        `json:"conversation"`      // stable identity of the chat, whatever file it came in
	Title        string        `json:"title,omitempty"`   // "" unknown
	Channel      string        `json:"channel,omitempty"` // as the source calls it: "dm", "group: Choir", "note", …
	Group        bool          `json:"group,omitempty"`   // more than two people take part
	Participants []string      `json:"participants"`
	Start        privacy.Stamp `json:"start,omitzero"`
	Source       Source        `json:"source"`
	Turns        []Turn        `json:"turns"`
	Subs         []SubSession  `json:"subs,omitempty"` // two-party parts of a group chat, along reply links
}

// SubSession is a two-party part of a group session (paper §"Memory Material
// Preprocessing"): the turns that answer each other between two people. The
// group stays known through the parent.
type SubSession struct {
	ID    string    `json:"id"`
	Pair  [2]string `json:"pair"`  // sorted
	Turns []string  `json:"turns"` // ids of the parent's turns, in order
}

// Turn is one message.
type Turn struct {
	ID      string        `json:"id"`
	Speaker string        `json:"speaker,omitempty"` // as named in the source; "" nobody (system lines)
	Self    bool          `json:"self,omitempty"`    // the owner spoke
	Kind    TurnKind      `json:"kind"`
	Text    string        `json:"text"`              // the words alone
	Caption string        `json:"caption,omitempty"` // description of something attached; not said by anybody
	When    privacy.Stamp `json:"when,omitzero"`
	ReplyTo string        `json:"reply_to,omitempty"` // id of the turn answered, "" none

	Print string `json:"print,omitempty"` // fingerprint: what another export of the chat knows it by; "" none
	Slot  string `json:"slot,omitempty"`  // its place, which stays when its words change; "" none
	// Formerly is the turn under other names that the same account had in earlier
	// sources. It is for Store.Meet and isn't stored.
	Formerly []FormerName `json:"-"`

	// Account is the app's own id of who speaks, with its format; "" none. It isn't
	// stored: what was forgotten is known by it under any name.
	Account Handle `json:"-"`
	Edited  bool   `json:"edited,omitempty"`  // its words are not the first ones
	Deleted bool   `json:"deleted,omitempty"` // it was taken back by who said it; Text is no words of it
}

// FormerName is a name that a speaker had, and a turn's fingerprint with it.
type FormerName struct{ Speaker, Print string }

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
	Name   string `json:"name"`   // base name of the file or folder; never a path of the machine
	Format string `json:"format"` // "plain", "notes", "locomo", "script", "remember"
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
