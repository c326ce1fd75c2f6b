package agent

import (
	"context"
	"strings"
)

// FeedbackUse is which stage a piece of feedback speaks about, and what a run makes of it
// where no stage runs on a model.
type FeedbackUse struct {
	Stages  string
	Offline string
}

// Use is what a run can make of the feedback; zero where its kind is none. Others: the
// words of its fact aren't the owner's.
func (r FeedbackRequest) Use(others bool) FeedbackUse {
	const (
		kept      = "nothing but keeping it"
		modelOnly = kept + ": a note for the stage needs a model"
		answer    = "a case that no later candidate may break"
		noEntry   = kept + ": with an entry of the ledger it is a case"
	)
	caseIf := func(known bool) string {
		if known {
			return answer
		}
		return noEntry
	}
	switch r.Kind {
	case "wrong-category":
		switch expected := strings.TrimSpace(r.Expected); {
		case expected == "":
			return FeedbackUse{"annotate", kept + " until you say what is right, here or by deciding on the fact"}
		case SaysNoFact(expected):
			return FeedbackUse{"annotate", kept}
		case others:
			return FeedbackUse{"annotate", "a case that every later candidate has to get right; its words are somebody else's, and nothing is learned from them"}
		}
		return FeedbackUse{"annotate", "a case that every later candidate has to get right, and lessons where other facts agree"}
	case "wrong-event":
		return FeedbackUse{"corefer", modelOnly}
	case "wrong-person", "wrong-time", "missed", "invented":
		return FeedbackUse{"extract", modelOnly}
	case "should-have-told":
		return FeedbackUse{"annotate, or respond where it was found and not told", caseIf(r.Entry != 0 && r.Fact != "")}
	case "should-not-have-told":
		return FeedbackUse{"annotate, exceptions or guard, as the entry shows", caseIf(r.Entry != 0)}
	case "cover-broken":
		return FeedbackUse{"exceptions or guard, as the entry shows", caseIf(r.Entry != 0)}
	case "too-vague":
		return FeedbackUse{"project", modelOnly}
	case "wrong-tone":
		return FeedbackUse{"respond", modelOnly}
	}
	return FeedbackUse{}
}

// Says is what becomes of the feedback, in a sentence for the owner; the same wherever it
// is given.
func (r FeedbackRequest) Says(others bool) string {
	use := r.Use(others)
	out := "It speaks about " + use.Stages + "; offline a run makes of it " + use.Offline + "."
	if others && !strings.Contains(use.Offline, "somebody else's") {
		out += " Its words are somebody else's: nothing is learned from them."
	}
	return out
}

// SaysOf is [FeedbackRequest.Says] of feedback on a fact of this home.
func (a *Agent) SaysOf(ctx context.Context, r FeedbackRequest) string {
	f, err := a.store.Fact(ctx, r.Fact)
	return r.Says(r.Fact != "" && err == nil && OfOthers(f))
}
