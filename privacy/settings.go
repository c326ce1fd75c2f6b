package privacy

// ToldByOwner is what follows for a fact from the owner having told it to
// somebody (MARKS 5).
type ToldByOwner string

// The choices of told_by_owner.
const (
	ToldGrant  ToldByOwner = "grant"  // the listeners are whitelisted on that fact alone (default)
	ToldAsk    ToldByOwner = "ask"    // the owner is asked in the review
	ToldIgnore ToldByOwner = "ignore" // nothing follows
)

// CoverAudience is who may hear a cover story (MARKS 7).
type CoverAudience string

// The choices of cover_audience.
const (
	CoverTold CoverAudience = "told" // only those it was told to (default)
	CoverGate CoverAudience = "gate" // whoever its label lets pass
)

// CoverStories is what the agent does with cover stories (MARKS 7).
type CoverStories string

// The choices of cover_stories.
const (
	CoversDeflect CoverStories = "deflect" // never assert what is known to be false (default)
	CoversKeep    CoverStories = "keep"    // keep the story up with those who heard it
)

// Untrusted is what happens to facts that don't rest on the owner's own words
// (MARKS 8).
type Untrusted string

// The choices of untrusted.
const (
	UntrustedHold      Untrusted = "hold"      // closed and in review until the owner confirms (default)
	UntrustedAttribute Untrusted = "attribute" // told as the claim of their speaker
	UntrustedGate      Untrusted = "gate"      // judged by their label like any other fact
)

// Ask is when a question of somebody's waits for the owner's word instead of being
// answered by the rules alone.
type Ask string

// The choices of ask.
const (
	AskNever     Ask = "never"     // the rules alone answer (default)
	AskSensitive Ask = "sensitive" // where nobody has decided yet, and the first time that somebody asks about a matter of level 1
	AskAlways    Ask = "always"    // the first time that somebody asks about any matter, unless the owner let them in or shut them out by name
)

// Settings are the settings of MARKS.md. The calculus reads none of them: they
// decide which marks a fact gets and how a permitted fact is told.
type Settings struct {
	ToldByOwner   ToldByOwner   // told_by_owner
	CoverAudience CoverAudience // cover_audience
	CoverStories  CoverStories  // cover_stories
	Untrusted     Untrusted     // untrusted
	Ask           Ask           // ask

	// LabelThreshold is the score, 0..1, below which the annotator gives a fact
	// no category (MARKS 1). 0 means the annotator's own default.
	LabelThreshold float64
	// LabelMargin is the distance from the best score, 0..1, within which a
	// category still counts for the label (MARKS 1). 0 means the annotator's own
	// default.
	LabelMargin float64
}

// DefaultSettings returns the settings of a policy that has none.
func DefaultSettings() Settings {
	return Settings{
		ToldByOwner:   ToldGrant,
		CoverAudience: CoverTold,
		CoverStories:  CoversDeflect,
		Untrusted:     UntrustedHold,
		Ask:           AskNever,
	}
}
