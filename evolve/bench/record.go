package bench

import "github.com/epagent/epagent/privacy"

// Record is one item done by one system: what it gave and what the judge made of it.
// It is a line of the results.
type Record struct {
	Key    string `json:"key"` // of everything that it depends on
	Script string `json:"script"`
	System string `json:"system"`
	Labels Origin `json:"labels"`
	Task   Task   `json:"task"`
	Item   string `json:"item"`
	Run    int    `json:"run"`

	T1     *T1Outcome     `json:"t1,omitempty"`
	T2     *T2Outcome     `json:"t2,omitempty"`
	T3     *T3Outcome     `json:"t3,omitempty"`
	Recall *RecallOutcome `json:"recall,omitempty"`
}

// Task is a task of the benchmark.
type Task string

// The tasks. The label of every gold fact is asked for; T1 takes those of its items,
// and the rate of wrong allows all of them.
const (
	TaskLabel  Task = "t1"
	TaskWho    Task = "t2"
	TaskTell   Task = "t3"
	TaskRecall Task = "recall"
)

// T1Outcome is the label that a fact got.
type T1Outcome struct {
	Categories []privacy.CategoryID `json:"categories"`
	Label      privacy.Label        `json:"label"`
}

// T2Outcome is who was chosen of the candidates.
type T2Outcome struct {
	Sessions []string         `json:"sessions"` // that were looked at; null: all
	Unit     []privacy.FactID `json:"unit"`     // stored facts taken as asked for
	Chosen   []string         `json:"chosen"`
}

// T3Outcome is the answers to one question, with CDiff over them.
type T3Outcome struct {
	Answers []AnswerOutcome `json:"answers"`
	CDiff   float64         `json:"cdiff"`
}

// AnswerOutcome is an answer to one audience with what was found in it. Facts are the
// script's own.
type AnswerOutcome struct {
	Person    string           `json:"person"`
	Answer    string           `json:"answer"`
	Deflected bool             `json:"deflected"`
	Told      []privacy.FactID `json:"told"`      // stored facts that the system says it used
	Retrieved []privacy.FactID `json:"retrieved"` // denied facts of the item that it had in hand
	Used      []privacy.FactID `json:"used"`      // facts of the item that the answer states
	UsedElse  []privacy.FactID `json:"used_else"` // denied facts beside the item's that it states
	Style     *float64         `json:"style"`
	MIQ       *float64         `json:"miq"`
	// Beside is what the second judge found used, of the item's facts.
	Beside []privacy.FactID `json:"beside,omitempty"`
}

// RecallOutcome is the sessions ranked for an item's question.
type RecallOutcome struct {
	Ranking []string `json:"ranking"`
}
