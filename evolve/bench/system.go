package bench

import (
	"slices"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
)

// Contestant is a system to compare: a configuration of the one pipeline. It differs
// from the product by what the memory holds and how that is marked, and by the stages
// that the agent's own options replace; the way to disclose is the product's in all
// of them, so nothing in the product can be switched to an ablation.
type Contestant struct {
	Name string
	// Holds is what is in the memory.
	Holds Holding
	// Plain tells what was permitted as it is stored: no projection and no guard.
	Plain bool
	// Summaries adds to each told fact the summary of its sessions.
	Summaries bool
	// Reads is which sessions the system is given, where --evidence doesn't say.
	Reads Reading
	// Chooses is how it answers T2.
	Chooses Choosing
	// Evolved is EP-Mem with the supplements of evolution, in this form; "" without.
	Evolved Form
}

// Holding is what a memory holds.
type Holding string

// The holdings.
const (
	HoldsFacts  Holding = "facts"       // facts with their marks
	HoldsLabels Holding = "labels"      // facts with their labels: no lists, no events
	HoldsOpen   Holding = "open facts"  // facts that everybody may know
	HoldsText   Holding = "text"        // turns that everybody may know
	HoldsHeard  Holding = "heard turns" // turns, each for those who were there
)

// ofTurns reports whether a memory holds turns in place of facts.
func (h Holding) ofTurns() bool { return h == HoldsText || h == HoldsHeard }

// Reading is which sessions a system looks at.
type Reading string

// The readings.
const (
	ReadsAsAsked  Reading = ""         // as the run's evidence says
	ReadsEvidence Reading = "evidence" // the item's own sessions
	ReadsAll      Reading = "all"
)

// Choosing is how a system tells who may be told.
type Choosing string

// The ways.
const (
	ChoosesNone         Choosing = ""             // it doesn't do T2
	ChoosesByVerdict    Choosing = "verdict"      // the composite verdict on the unit
	ChoosesByLabel      Choosing = "label"        // each fact by its label alone
	ChoosesByAttendance Choosing = "participants" // who took part in an evidence session
)

// Contestants lists the systems in the order of the reports. EP-Mem+Evo needs
// supplements (see [Options]).
func Contestants() []Contestant {
	return []Contestant{
		{Name: "NoEngine_full", Holds: HoldsText, Plain: true, Reads: ReadsAll, Chooses: ChoosesByAttendance},
		{Name: "NoEngine_evid", Holds: HoldsText, Plain: true, Reads: ReadsEvidence, Chooses: ChoosesByAttendance},
		{Name: "RoleHist", Holds: HoldsHeard, Plain: true, Reads: ReadsAll},
		{Name: "FilterOnly", Holds: HoldsLabels, Plain: true, Chooses: ChoosesByLabel},
		{Name: "w/o Disc", Holds: HoldsOpen, Chooses: ChoosesByAttendance},
		{Name: "w/o Desens", Holds: HoldsFacts, Plain: true, Summaries: true, Chooses: ChoosesByVerdict},
		{Name: EPMem, Holds: HoldsFacts, Chooses: ChoosesByVerdict},
		{Name: EPMemEvo + " auto", Holds: HoldsFacts, Chooses: ChoosesByVerdict, Evolved: FormAuto},
		{Name: EPMemEvo + " approved", Holds: HoldsFacts, Chooses: ChoosesByVerdict, Evolved: FormApproved},
	}
}

// Form is which supplements a system of evolution has.
type Form string

// The forms.
const (
	FormAuto     Form = "auto"     // only what may be applied without the owner
	FormApproved Form = "approved" // what an owner who knows the gold labels would approve, too
)

// The names of the systems that others refer to. EPMemEvo stands for both of its forms.
const (
	EPMem    = "EP-Mem"
	EPMemEvo = "EP-Mem+Evo"
)

// judges reports whether the labels of facts decide what the system tells.
func (c *Contestant) judges() bool { return c.Holds == HoldsFacts || c.Holds == HoldsLabels }

// labels reports whether the system gives facts labels at all (T1).
func (c *Contestant) labels() bool { return !c.Holds.ofTurns() }

// weights are those by which it ranks sessions.
func (c *Contestant) weights() memory.Weights {
	if c.Holds.ofTurns() {
		return memory.Weights{Alpha: 1}
	}
	return memory.DefaultWeights
}

// Supplement is what evolution learned for a script: options of an agent in place of
// the run's own, under a version of their own.
type Supplement struct {
	Version string
	Learned agent.Learned
	Stages  agent.Stages
}

// names of contestants, for messages.
func names(list []Contestant) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return slices.Clip(out)
}
