package sim

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

// Exchange is a step that was played.
type Exchange struct {
	N      int        `json:"n"` // from 1
	At     time.Time  `json:"at"`
	Kind   Kind       `json:"kind"`
	From   string     `json:"from,omitempty"` // who speaks
	To     []string   `json:"to,omitempty"`   // who hears it; of an ask: who reads the answer
	Of     string     `json:"of,omitempty"`   // whose delegate acts
	In     string     `json:"in,omitempty"`   // the channel
	Text   string     `json:"text,omitempty"`
	Answer string     `json:"answer,omitempty"`
	About  []string   `json:"about,omitempty"` // details that it asks about, or whose audience changes
	Tells  []string   `json:"tells,omitempty"` // details that it holds, by the script
	Attack AttackKind `json:"attack,omitempty"`
	// Carries is the exchange that is passed on.
	Carries int `json:"carries,omitempty"`
	// Facts are those that the speaker's own delegate made of what was said.
	Facts []privacy.FactID `json:"facts,omitempty"`
	// Deflected and Told are the delegate's own word, from its ledger.
	Deflected bool             `json:"deflected,omitempty"`
	Told      []privacy.FactID `json:"told,omitempty"`

	event int
}

// heard is what the listeners get of it.
func (e *Exchange) heard() string {
	switch e.Kind {
	case KindAsk:
		return e.Answer
	case KindSay, KindRetell:
		return e.Text
	}
	return ""
}

// messages is how many messages it took.
func (e *Exchange) messages() int {
	switch e.Kind {
	case KindAsk:
		return 2
	case KindSay, KindRetell, KindNote:
		return 1
	}
	return 0
}
