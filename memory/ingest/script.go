package ingest

import (
	"time"

	"github.com/epagent/epagent/privacy"
)

// Script is a benchmark script folder, format version 1: one owner's story with
// gold facts and the three tasks. All references in it have been checked.
type Script struct {
	Name     string // base name of the folder
	Policy   []byte // policy.yaml as it stands
	Owner    string // the policy's owner
	Sessions []ScriptSession
	Facts    []GoldFact
	T1       []T1Item
	T2       []T2Item
	T3       []T3Item

	lines  map[string][]int // of each row, by file
	broken bool             // a row or a file is missing
}

// Whole reports whether every row was read, so that its references have been checked.
func (s *Script) Whole() bool { return !s.broken }

// Line returns the line of a row's file on which it stands, counted from 1; 0 for a
// row that isn't there. Files are named as in the folder: "facts.jsonl".
func (s *Script) Line(file string, row int) int {
	if lines := s.lines[file]; row >= 0 && row < len(lines) {
		return lines[row]
	}
	return 0
}

// ScriptSession is a line of sessions.jsonl.
type ScriptSession struct {
	ID           string       `json:"id"`
	Time         time.Time    `json:"time"`
	Channel      string       `json:"channel"`
	Participants []string     `json:"participants"` // the owner among them
	Turns        []ScriptTurn `json:"turns"`
}

// ScriptTurn is one turn of a ScriptSession.
type ScriptTurn struct {
	ID      string `json:"id"`
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
	ReplyTo string `json:"reply_to,omitempty"` // a turn of the same session
}

// GoldFact is a line of facts.jsonl: an event-level fact with its gold marks.
type GoldFact struct {
	ID         privacy.FactID       `json:"id"`
	Sessions   []string             `json:"sessions"`
	Time       time.Time            `json:"time"`
	Text       string               `json:"text"`
	Categories []privacy.CategoryID `json:"categories"`
	Event      privacy.EventID      `json:"event,omitempty"`
	Truth      string               `json:"truth"` // "real" or "cover"
	Trusted    bool                 `json:"trusted"`
	Whitelist  []privacy.Party      `json:"whitelist"`
	Blacklist  []privacy.Party      `json:"blacklist"`
}

// T1Item asks for the level of one fact.
type T1Item struct {
	ID     string          `json:"id"`
	Fact   privacy.FactID  `json:"fact"`
	Level  privacy.Level   `json:"level"`
	Domain *privacy.Domain `json:"domain"`
}

// Label returns the gold label.
func (t T1Item) Label() privacy.Label {
	l := privacy.Label{Level: t.Level}
	if t.Domain != nil {
		l.Domain = *t.Domain
	}
	return l
}

// T2Item asks who may be told a set of facts together.
type T2Item struct {
	ID         string           `json:"id"`
	Question   string           `json:"question"`
	Facts      []privacy.FactID `json:"facts"`
	Sessions   []string         `json:"sessions"`
	Candidates []string         `json:"candidates"`
	Allowed    []string         `json:"allowed"` // some of Candidates
}

// T3Item is one question with several audiences.
type T3Item struct {
	ID        string           `json:"id"`
	Question  string           `json:"question"`
	Facts     []privacy.FactID `json:"facts"`
	Sessions  []string         `json:"sessions"`
	Audiences []T3Audience     `json:"audiences"`
}

// T3Audience is what one person may be told of a T3Item. Allowed and Denied
// share no fact.
type T3Audience struct {
	Person  string           `json:"person"`
	Allowed []privacy.FactID `json:"allowed"`
	Denied  []privacy.FactID `json:"denied"`
	Answer  string           `json:"answer"` // a gold answer in the owner's voice
}
