package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"

	"github.com/epagent/epagent/agent"
)

// Origin is where labels or query units come from.
type Origin string

// The origins.
const (
	FromEngine Origin = "engine" // made by the system
	FromGold   Origin = "gold"   // those of the script
)

// Evidence is which sessions a system looks at for T2 and T3.
type Evidence string

// The choices of evidence.
const (
	EvidenceGold      Evidence = "gold"      // the item's own
	EvidenceRetrieved Evidence = "retrieved" // those that the system ranks first
	EvidenceFull      Evidence = "full"      // all of the script
)

// MaxRuns is how many runs one command takes the mean of at most.
const MaxRuns = 1000

// retrievedDepth is how many sessions EvidenceRetrieved takes.
const retrievedDepth = 10

// Model is what the stages run on.
type Model struct {
	Name    string // "offline", or the name at the endpoint
	Options agent.ModelOptions
	// Choose asks the model who may be told; nil offline.
	Choose Chooser
}

// Offline is the name of running without a model.
const Offline = "offline"

// Options are the settings of a run. The zero value runs every system offline, with
// labels and units of the engine on gold evidence.
type Options struct {
	Systems  []Contestant // default: all that can run
	Labels   Origin       // default: FromEngine
	Units    Origin       // default: FromEngine
	Evidence Evidence     // default: EvidenceGold
	Noise    int          // unrelated sessions added to each T2 item
	Runs     int          // results are the mean of so many; 0: 1, or 5 with noise and a model
	Seed     int64
	Model    Model
	Judge    Judge // default: the offline one
	// Beside is a second judge, whose agreement with Judge is reported; nil for none.
	// With a model as Judge it is the offline one.
	Beside Judge
	// Tasks are those that are done; nil: all, and those with labels of the engine again
	// with gold labels.
	Tasks []Task
	// Evolution gives what evolution learned for a script, in a form; nil: EP-Mem+Evo
	// isn't run.
	Evolution func(form Form, script string) (Supplement, bool)
	// Halves are the parts of the scripts that are reported by themselves, too.
	Halves []Half
	// EvolveScripts and EvolveStages say in the record which scripts and stages Evolution
	// is for; empty: all.
	EvolveScripts, EvolveStages []string
	// Feedback is given each failed item of EP-Mem with labels of the engine; nil: nobody.
	Feedback func(FeedbackItem)
	// Results keeps what was done, so that a run that was stopped goes on; nil keeps
	// nothing.
	Results *Results
	// Code identifies the program: results of another one aren't used.
	Code string
	// Progress is told of what is done; nil: nobody.
	Progress func(script, system string, done, total int)
}

// withDefaults fills what is not set.
func (o Options) withDefaults() Options {
	if o.Labels == "" {
		o.Labels = FromEngine
	}
	if o.Units == "" {
		o.Units = FromEngine
	}
	if o.Evidence == "" {
		o.Evidence = EvidenceGold
	}
	if o.Model.Name == "" {
		o.Model.Name = Offline
	}
	if o.Judge == nil {
		o.Judge = NewOfflineJudge()
	}
	if o.Runs <= 0 {
		o.Runs = 1
		if o.Noise > 0 && o.Model.Name != Offline {
			o.Runs = 5
		}
	}
	if len(o.Systems) == 0 {
		for _, c := range Contestants() {
			if c.Evolved == "" || o.Evolution != nil {
				o.Systems = append(o.Systems, c)
			}
		}
	}
	if o.Progress == nil {
		o.Progress = func(string, string, int, int) {}
	}
	return o
}

// Check reports settings that can't be run. The error names them.
func (o *Options) Check() error {
	switch {
	case o.Labels != "" && o.Labels != FromEngine && o.Labels != FromGold:
		return fmt.Errorf("%w: labels %q: want engine or gold", ErrOptions, o.Labels)
	case o.Units != "" && o.Units != FromEngine && o.Units != FromGold:
		return fmt.Errorf("%w: units %q: want engine or gold", ErrOptions, o.Units)
	case o.Evidence != "" && o.Evidence != EvidenceGold && o.Evidence != EvidenceRetrieved && o.Evidence != EvidenceFull:
		return fmt.Errorf("%w: evidence %q: want gold, retrieved or full", ErrOptions, o.Evidence)
	case o.Noise < 0:
		return fmt.Errorf("%w: noise %d: want a number from 0", ErrOptions, o.Noise)
	case o.Runs < 0 || o.Runs > MaxRuns:
		return fmt.Errorf("%w: runs %d: want a number from 1 to %d", ErrOptions, o.Runs, MaxRuns)
	}
	for _, c := range o.Systems {
		if c.Evolved != "" && o.Evolution == nil {
			return fmt.Errorf("%w: %s needs supplements, and there are none", ErrOptions, c.Name)
		}
	}
	return nil
}

// does reports whether a task is done.
func (o *Options) does(t Task) bool { return o.Tasks == nil || slices.Contains(o.Tasks, t) }

// Find returns the systems of the given names, each once; ErrOptions lists those that are known.
func Find(wanted []string) ([]Contestant, error) {
	var out []Contestant
next:
	for _, name := range wanted {
		known := false
		for _, c := range Contestants() {
			if c.Name == name || c.Evolved != "" && name == EPMemEvo {
				known = true
				if !slices.ContainsFunc(out, func(o Contestant) bool { return o.Name == c.Name }) {
					out = append(out, c)
				}
			}
		}
		if known {
			continue next
		}
		return nil, fmt.Errorf("%w: system %q: want one of %q", ErrOptions, name, names(Contestants()))
	}
	return out, nil
}

// hasher hashes a list of texts so that no two lists run together.
type hasher struct{ hash.Hash }

func newHash() hasher { return hasher{sha256.New()} }

func (h hasher) add(list ...string) {
	for _, s := range list {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
}

func (h hasher) sum() string { return hex.EncodeToString(h.Sum(nil))[:24] }
