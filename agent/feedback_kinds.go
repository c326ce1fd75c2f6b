package agent

// FeedbackUse is which stage a kind of feedback speaks about, and what a run can do with
// it where no stage runs on a model.
type FeedbackUse struct {
	Stages  string
	Offline string
}

// Use is what a run can make of feedback of a kind; zero for no kind.
func (k FeedbackKind) Use() FeedbackUse {
	const modelAlone = "nothing but keeping it: a note for the stage needs a model"
	switch k {
	case "wrong-category":
		return FeedbackUse{"annotate", "lessons, and a case that every later candidate has to get right"}
	case "wrong-event":
		return FeedbackUse{"corefer", modelAlone}
	case "wrong-person", "wrong-time", "missed", "invented":
		return FeedbackUse{"extract", modelAlone}
	case "should-have-told":
		return FeedbackUse{"annotate, or respond where it was found and not told", "with an entry of the ledger a case that every later candidate has to keep right"}
	case "should-not-have-told":
		return FeedbackUse{"annotate, exceptions or guard, as the entry shows", "with an entry of the ledger a case: no candidate that opens it is taken"}
	case "cover-broken":
		return FeedbackUse{"exceptions or guard, as the entry shows", "with an entry of the ledger a case: no candidate that opens it is taken"}
	case "too-vague":
		return FeedbackUse{"project", modelAlone}
	case "wrong-tone":
		return FeedbackUse{"respond", modelAlone}
	}
	return FeedbackUse{}
}
