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
		reworded  = modelOnly + ", and no word or bound of its rules would be right for other sentences, too; "
		answer    = "a case that no later candidate may break"
		noAnswer  = kept + ": the entry's words are gone, or it told nothing"
	)
	caseIf := func(shown bool) string {
		if shown {
			return answer
		}
		return noAnswer
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
		return FeedbackUse{"corefer", r.useEvent(others)}
	case "wrong-person":
		return FeedbackUse{"extract", reworded + "`epagent people merge` or `split` says who is one person, `epagent fact edit --text` rewords this fact"}
	case "wrong-time":
		return FeedbackUse{"extract", reworded + "`epagent import --tz` gives the zone of a chat, `epagent fact edit --text` rewords this fact"}
	case "missed":
		return FeedbackUse{"extract", reworded + "`epagent remember` keeps what was missed"}
	case "invented":
		return FeedbackUse{"extract", reworded + "`epagent review set --not-a-fact` takes the fact away, and what says the same waits for you from then on"}
	case "should-have-told":
		return FeedbackUse{"annotate, or respond where it was found and not told", caseIf(r.Entry != 0 && r.Fact != "")}
	case "should-not-have-told":
		return FeedbackUse{"annotate, exceptions or guard, as the entry shows", caseIf(r.Entry != 0)}
	case "cover-broken":
		return FeedbackUse{"exceptions or guard, as the entry shows", caseIf(r.Entry != 0)}
	case "too-vague":
		return FeedbackUse{"project", modelOnly + ", since the projection leaves out, or blurs, what who asked may not know; `epagent why` says what that is, `epagent review set` or `epagent policy allow` lets them know it"}
	case "wrong-tone":
		return FeedbackUse{"respond", modelOnly + ", since without one the facts are told as they are worded"}
	}
	return FeedbackUse{}
}

// useEvent is what a run makes offline of feedback on an event.
func (r FeedbackRequest) useEvent(others bool) string {
	const (
		kept    = "a case that a bound on joining events has to get right"
		lesson  = ", and where three facts agree such a bound, which waits for you"
		foreign = "; its words are somebody else's, and nothing is learned from them"
		now     = "; `epagent fact event` puts this fact right"
	)
	out := kept + lesson
	if others {
		out = kept + foreign
	}
	if strings.TrimSpace(r.Expected) == "" {
		out += "; of a fact that began its event it takes by --expected the fact or the event that it belongs to"
	}
	return out + now
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

// SaysOf is [FeedbackRequest.Says] of feedback on a fact, or an entry, of this home.
func (a *Agent) SaysOf(ctx context.Context, r FeedbackRequest) string {
	if r.Entry != 0 && !a.shows(ctx, r.Entry, r.Fact) {
		r.Entry = 0 // no case follows from it
	}
	f, err := a.store.Fact(ctx, r.Fact)
	return r.Says(r.Fact != "" && err == nil && OfOthers(f))
}
