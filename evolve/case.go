package evolve

import (
	"github.com/epagent/epagent/privacy"
)

// CaseKind is what a kept case asks of the stages.
type CaseKind string

// The kinds of cases.
const (
	CaseLabel  CaseKind = "label"  // what a fact is about, and how far it may travel
	CaseAnswer CaseKind = "answer" // what a question is answered with
	CaseTest   CaseKind = "test"   // an assertion beside the policy
	CaseEvent  CaseKind = "event"  // which facts it shares an event with
)

// Where a case comes from.
const (
	FromReview   = "review"   // the owner decided on the fact
	FromFeedback = "feedback" // the owner said what would have been right
	FromPolicy   = "policy"   // a test of the policy's own
	FromBench    = "bench"    // gold of a benchmark
)

// Case is a kept case: something of which it is known what is right. It refers to
// stored facts and ledger entries and copies no words of theirs, so that a forgotten
// fact takes its cases along.
type Case struct {
	ID     string   `json:"id"`
	Kind   CaseKind `json:"kind"`
	Source string   `json:"source"`
	Home   string   `json:"home,omitempty"` // of several that are replayed together: a script's name

	Fact       privacy.FactID       `json:"fact,omitempty"`       // label
	Categories []privacy.CategoryID `json:"categories,omitempty"` // label: the right ones; none with Label or NotFact
	Label      *privacy.Label       `json:"label,omitempty"`      // label: the right one; nil: that of Categories
	NotFact    bool                 `json:"not_fact,omitempty"`   // label: it is no fact at all

	Event Event `json:"event,omitzero"` // event: the right one, of Fact

	Entry int64            `json:"entry,omitempty"` // answer: the ledger entry with question and recipients
	Tell  []privacy.FactID `json:"tell,omitempty"`  // answer: what must be told
	Keep  []privacy.FactID `json:"keep,omitempty"`  // answer: what must not

	Test     string `json:"test,omitempty"`     // test: its file and line
	Feedback int64  `json:"feedback,omitempty"` // that it comes from; 0 none
}

// says is how the owner reads which case it is.
func (c *Case) says() string {
	words := c.ID
	if c.Kind == CaseTest {
		words = "the policy's " + c.ID
	}
	if c.Home != "" {
		return c.Home + ", " + words
	}
	return words
}

// Result is what became of a case in one replay.
type Result struct {
	Case string `json:"case"`
	// Right: the stages gave what is right.
	Right bool `json:"right"`
	// Open: they gave a wider audience, or told more, than is right.
	Open bool `json:"open,omitempty"`
	// Placed, of a label, are the categories that the stages gave the fact.
	Placed []privacy.CategoryID `json:"-"`
}
