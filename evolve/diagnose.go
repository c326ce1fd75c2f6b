package evolve

import (
	"context"
	"slices"

	"github.com/epagent/epagent/prompts"
)

// ruleDiagnoser says which stage is at fault by comparing the trace with what the owner
// said is right.
type ruleDiagnoser struct{}

// NewRuleDiagnoser returns the diagnosis by rule.
func NewRuleDiagnoser() Diagnoser { return ruleDiagnoser{} }

// Diagnose implements [Diagnoser].
func (ruleDiagnoser) Diagnose(_ context.Context, t *Trace) (Finding, error) {
	f := Finding{Language: t.Language, By: ByRule}
	at := func(stage prompts.Name, why string) (Finding, error) {
		f.Stage, f.Reason = stage, why
		return f, nil
	}
	told := t.Entry != nil && t.Fact != nil && slices.Contains(t.Entry.Told, t.Fact.ID)
	permitted := t.Entry != nil && t.Fact != nil && slices.Contains(t.Entry.Permitted, t.Fact.ID)
	switch f.Kind = kindOf(t); f.Kind {
	case "missed", "invented", "wrong-person", "wrong-time":
		return at(prompts.StageExtract, "the stored fact is not what was said")
	case "wrong-event":
		return at(prompts.StageCorefer, "the fact belongs to another event")
	case "wrong-category":
		if t.Fact != nil {
			return at(prompts.StageAnnotate, "the fact was put elsewhere than the owner says")
		}
	case "should-not-have-told", "cover-broken":
		switch {
		case t.Fact == nil:
		case told && t.labelStands():
			return at(StageExceptions, "the label is right, and who may know isn't")
		case told:
			return at(prompts.StageAnnotate, "the fact was open to who asked, and told")
		case t.Entry != nil:
			return at(StageGuard, "the answer tells what it doesn't use")
		default:
			return at(prompts.StageAnnotate, "the fact is open to whom it should not be")
		}
	case "should-have-told":
		switch {
		case t.Fact == nil:
		case permitted && !told:
			return at(prompts.StageRespond, "the fact was permitted and found, and not told")
		case t.Entry != nil && told:
		default:
			return at(prompts.StageAnnotate, "the fact was closed to who asked")
		}
	case "too-vague":
		return at(prompts.StageProject, "what was permitted is told too vaguely")
	case "wrong-tone":
		return at(prompts.StageRespond, "it is the wording that is wrong")
	}
	return f, nil
}

// labelStands reports whether what the owner says is right is what the annotator gave.
func (t *Trace) labelStands() bool {
	if t.Right.Label != nil {
		return *t.Right.Label == t.Label
	}
	right, had := slices.Sorted(slices.Values(t.Right.Categories)), slices.Sorted(slices.Values(t.Categories))
	return len(right) > 0 && slices.Equal(right, had)
}
