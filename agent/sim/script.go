package sim

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

// Script is a simulation as it is written (docs/simulate.md). Make one with [Load] or
// [Parse], which check it.
type Script struct {
	Version     int       `yaml:"version"`
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Language    string    `yaml:"language"` // of the attackers' words: "en" or "zh"
	Start       string    `yaml:"start"`    // the first day
	Days        int       `yaml:"days"`     // how many there are
	Seed        int64     `yaml:"seed"`
	Parties     []Party   `yaml:"parties"`
	Channels    []Channel `yaml:"channels"`
	Details     []Detail  `yaml:"details"`
	Timeline    []Event   `yaml:"timeline"`
	Assert      Assert    `yaml:"assert"`

	start  time.Time
	hash   string // of the file and of the policies that it names
	events []moment
}

// Party is somebody who takes part.
type Party struct {
	Name      string            `yaml:"name"`
	Aliases   []string          `yaml:"aliases"`
	Goal      string            `yaml:"goal"`      // what they want, for the reader and for a model
	Relations map[string]string `yaml:"relations"` // who others are to them
	Delegate  *Delegate         `yaml:"delegate"`
	// Lines are questions that a persona has, for an ask without text.
	Lines []string `yaml:"lines"`
	// Model words such questions by the goal, where a run has a model.
	Model bool `yaml:"model"`
	// Retells are those to whom a persona passes on what they are told.
	Retells []string `yaml:"retells"`
}

// Delegate is the policy of a party's agent: its text, or a file beside the script.
type Delegate struct {
	Policy     string `yaml:"policy"`
	PolicyFile string `yaml:"policy_file"`

	source []byte
	parsed *privacy.Policy
}

// Channel is a group chat.
type Channel struct {
	ID      string   `yaml:"id"`
	Members []string `yaml:"members"`
}

// Detail is something that is watched: who learns it, and whether they may.
type Detail struct {
	ID   string   `yaml:"id"`
	Of   string   `yaml:"of"` // whose it is
	Text string   `yaml:"text"`
	May  []string `yaml:"may"` // who may know it beside its owner; an audience step changes it
	// Pieces are statements that together tell the detail, each harmless by itself.
	Pieces []string `yaml:"pieces"`
	Enough int      `yaml:"enough"` // so many of them do; 0: all
}

// Event is something that happens at a moment, or again and again. Exactly one of the
// pointers is set.
type Event struct {
	At    string `yaml:"at"`    // "2026-03-02 18:30", "2026-03-02", or "day 3 18:30"
	Every string `yaml:"every"` // "7d", "12h", "30m"
	Times int    `yaml:"times"`

	Note     *Note     `yaml:"note"`
	Say      *Say      `yaml:"say"`
	Ask      *Ask      `yaml:"ask"`
	Policy   *Change   `yaml:"policy"`
	Audience *Audience `yaml:"audience"`
	Attack   *Attack   `yaml:"attack"`
}

// Note is something that happens to an owner, who notes it for their delegate.
type Note struct {
	Of    string   `yaml:"of"`
	Text  string   `yaml:"text"`
	Tells []string `yaml:"tells"` // details that it holds
}

// Say is a message between people: one to others, or in a group chat.
type Say struct {
	From  string   `yaml:"from"`
	To    []string `yaml:"to"`
	In    string   `yaml:"in"`
	Text  string   `yaml:"text"`
	Tells []string `yaml:"tells"`
}

// Ask is a probe: a question to a delegate, alone or in a group chat.
type Ask struct {
	From  string   `yaml:"from"`
	Of    string   `yaml:"of"`
	In    string   `yaml:"in"`
	Text  string   `yaml:"text"`
	About []string `yaml:"about"` // details that an answer could tell
}

// Change changes the policy of a delegate.
type Change struct {
	Of         string               `yaml:"of"`
	Move       string               `yaml:"move"`   // a person …
	Groups     []privacy.GroupID    `yaml:"groups"` // … into these groups, and no other
	Allow      []privacy.Party      `yaml:"allow"`
	Deny       []privacy.Party      `yaml:"deny"`
	Categories []privacy.CategoryID `yaml:"categories"` // of allow and deny
	Words      string               `yaml:"words"`      // of allow and deny: all of them are in the fact
}

// Audience changes who may know a detail from then on.
type Audience struct {
	Detail string   `yaml:"detail"`
	Add    []string `yaml:"add"`
	Remove []string `yaml:"remove"`
}

// Attack is a series of questions by people who want what they may not know.
type Attack struct {
	Kind  AttackKind `yaml:"kind"`
	By    []string   `yaml:"by"`
	Of    string     `yaml:"of"`
	As    string     `yaml:"as"` // whom an impersonator claims to be
	Asks  []string   `yaml:"asks"`
	About []string   `yaml:"about"`
}

// AttackKind is how an attacker goes about it.
type AttackKind string

// The kinds of attacks.
const (
	Impersonation AttackKind = "impersonation" // claims to be somebody else
	Pressure      AttackKind = "pressure"      // insists
	Collusion     AttackKind = "collusion"     // two or more tell each other what they got
	Mosaic        AttackKind = "mosaic"        // asks for small pieces, one after the other
)

// Assert is what must hold in the end.
type Assert struct {
	NoLeaks     bool      `yaml:"no_leaks"`
	OverRefusal *float64  `yaml:"over_refusal"` // at most this share
	Learned     []Learned `yaml:"learned"`
	Never       []Never   `yaml:"never"`
}

// Learned asserts that somebody learns a detail, by a moment if one is given.
type Learned struct {
	Detail string   `yaml:"detail"`
	By     []string `yaml:"by"`
	Until  string   `yaml:"until"`

	until time.Time
}

// Never asserts that nobody of a list learns a detail, allowed or not.
type Never struct {
	Detail string   `yaml:"detail"`
	By     []string `yaml:"by"`
}

// party returns the party who bears a name or alias.
func (s *Script) party(name string) *Party {
	key := privacy.NormalizeName(name)
	for i := range s.Parties {
		p := &s.Parties[i]
		if privacy.NormalizeName(p.Name) == key {
			return p
		}
		for _, alias := range p.Aliases {
			if privacy.NormalizeName(alias) == key {
				return p
			}
		}
	}
	return nil
}

func (s *Script) channel(id string) *Channel {
	for i := range s.Channels {
		if s.Channels[i].ID == id {
			return &s.Channels[i]
		}
	}
	return nil
}

func (s *Script) detail(id string) *Detail {
	for i := range s.Details {
		if s.Details[i].ID == id {
			return &s.Details[i]
		}
	}
	return nil
}
