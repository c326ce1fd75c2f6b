package evolve

import (
	"context"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// Ground is where candidates are tried: the owner's home, or the homes of a
// benchmark's scripts.
type Ground interface {
	// Replay runs the stages over every stored fact and every case with exactly the
	// given supplements in force. Nothing is stored. Equal input gives equal output
	// where no model takes part. Calls is what it cost; ErrBudget: more than
	// budget would be needed (0: no model may be called).
	Replay(ctx context.Context, set []Supplement, cases []Case, budget int) (*Replay, error)
}

// Replay is what came of one.
type Replay struct {
	Results []Result // one a case, in the order of the cases
	// Judges hold what everybody may know then: one a home, by its name ("" for the
	// owner's, [alone] for what the stages alone would give its facts, as they would later
	// ones). Two replays are compared by [privacy.Plan].
	Judges map[string]*privacy.Judge
	// Events are those of all facts, found anew, where a case asks about one; else nil.
	Events *agent.Coreferred
	Calls  int
}

// alone is the name of the owner's home as if they had decided nothing.
const alone = "alone"

// Figures are what a candidate's trial gave: the active set before, and with it.
type Figures struct {
	Cases      int  `json:"cases"`                // replayed
	Target     int  `json:"target"`               // of them, those of its evidence
	RightWas   int  `json:"right_was"`            // of all
	RightNow   int  `json:"right_now"`            //
	TargetWas  int  `json:"target_was"`           // right of the target
	TargetNow  int  `json:"target_now"`           //
	OpenWas    int  `json:"open_was"`             // wrong, and open
	OpenNow    int  `json:"open_now"`             //
	Broken     int  `json:"broken"`               // cases that were right and aren't
	Shown      int  `json:"shown"`                // pairs of fact and person that open, today or for facts like it
	Hidden     int  `json:"hidden"`               // pairs that close, likewise
	Facts      int  `json:"facts"`                // compared
	Decisions  int  `json:"decisions"`            // pairs of fact and person compared
	Moved      int  `json:"moved,omitempty"`      // facts that would be of an event with others
	Calls      int  `json:"calls"`                // of a model
	Unmeasured bool `json:"unmeasured,omitempty"` // no case shows its effect
}
