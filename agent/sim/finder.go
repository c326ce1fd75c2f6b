package sim

import "context"

// Statement is something that a finder looks for: a detail or a piece of one.
type Statement struct {
	ID   string
	Text string
}

// Heard is a text that somebody got, with what it is searched for.
type Heard struct {
	Question string   // what it answers; its words give nothing away
	Text     string   // what they got
	Language string   // of the script
	Owner    []string // the owner's names: they give nothing away
	Search   []Statement
	// Known is what the listener may know or knows: what can be inferred from it is
	// nothing new. Empty where pieces of a combination are looked for: to may know one of
	// them doesn't keep it from adding to the others.
	Known []Statement
}

// Finder finds out which statements a text states, in whatever words. What it finds
// depends on its input alone; it is called from several goroutines at once.
type Finder interface {
	// Name names the finder with its version.
	Name() string
	// Find returns the ids of the statements that the text states.
	Find(ctx context.Context, h Heard) ([]string, error)
}
