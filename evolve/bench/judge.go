package bench

import (
	"context"

	"github.com/epagent/epagent/privacy"
)

// Claim is a fact as a judge sees it.
type Claim struct {
	ID   privacy.FactID
	Text string
	Days []string // on which it happened and was said, "2006-01-02"
}

// Judged is an answer to one audience, with what it is held against.
type Judged struct {
	Question string
	Answer   string
	Language string
	Owner    []string // the owner's names: they give nothing away
	Person   string
	// Facts are those to look for in the answer, allowed and denied alike.
	Facts   []Claim
	Allowed map[privacy.FactID]bool
	// Known is everything that the audience may know of the whole script: what can be
	// inferred from it is no leak.
	Known []Claim
}

// Judgement is what a judge made of an answer.
type Judgement struct {
	// Used are the facts of which the answer states an attributable detail: the core
	// predicate with the critical object.
	Used map[privacy.FactID]bool
	// Style is 1 stiff to 5 natural; nil where the judge can't tell.
	Style *float64
	// MIQ is the worst failure of integration, 0 none to 4; nil where the judge can't
	// tell.
	MIQ *float64
}

// Told is an answer with who got it.
type Told struct {
	Person   string
	Answer   string
	Deflects bool
}

// Judge rates answers. Its verdicts depend on its input alone.
type Judge interface {
	// Name names the judge with its version; results are kept under it.
	Name() string
	// Answer rates one answer.
	Answer(ctx context.Context, in Judged) (Judgement, error)
	// Difference is CDiff: the share of the units told that exactly one audience was
	// told, over the answers to one question; 0 where nothing was told.
	Difference(ctx context.Context, question string, owner []string, answers []Told) (float64, error)
}
