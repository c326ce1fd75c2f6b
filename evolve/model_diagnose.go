package evolve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/prompts"
)

// ModelDiagnoser asks a chat model for the stage at fault and a note for it. The model
// learns the kind of the feedback, and the owner's own comment where it names nobody and
// tells no fact: no question, fact or answer.
type ModelDiagnoser struct {
	Runner *prompts.Runner
	Name   string // of the model
	Before func() // told before a call is made; nil: nobody

	active    []Supplement
	forbidden *Forbidden
}

var _ Diagnoser = (*ModelDiagnoser)(nil)

// callsOfOne is how many calls a diagnosis costs at most, with its repairs.
const callsOfOne = 3

// begin tells what is in force and what a note may not hold.
func (m *ModelDiagnoser) begin(active []Supplement, f *Forbidden) { m.active, m.forbidden = active, f }

// may takes the calls of a diagnosis from what is left, if there are enough.
func (m *ModelDiagnoser) may(left *int) bool {
	if *left < callsOfOne {
		return false
	}
	*left -= callsOfOne
	return true
}

// ownChannels are the ways by which the owner writes in person. By another way a comment
// may be what somebody else wanted to be written.
var ownChannels = []string{"command", "chat", "review"}

// stagesOf are the stages that a kind of feedback may be about.
var stagesOf = map[agent.FeedbackKind][]prompts.Name{
	"wrong-category":       {prompts.StageAnnotate},
	"wrong-event":          {prompts.StageCorefer},
	"wrong-person":         {prompts.StageExtract},
	"wrong-time":           {prompts.StageExtract},
	"should-have-told":     {prompts.StageAnnotate, prompts.StageQueryUnits, prompts.StageProject, prompts.StageRespond},
	"should-not-have-told": {prompts.StageAnnotate, prompts.StageCorefer},
	"too-vague":            {prompts.StageQueryUnits, prompts.StageProject, prompts.StageRespond},
	"wrong-tone":           {prompts.StageRespond},
	"cover-broken":         {prompts.StageAnnotate, prompts.StageCorefer, prompts.StageRespond},
	"missed":               {prompts.StageExtract},
	"invented":             {prompts.StageExtract},
}

// Diagnose implements [Diagnoser].
func (m *ModelDiagnoser) Diagnose(ctx context.Context, t *Trace) (Finding, error) {
	kind := agent.FeedbackKind(t.Feedback.Kind)
	stages := stagesOf[kind]
	if len(stages) == 0 {
		return Finding{}, nil
	}
	in := prompts.DiagnoseIn{Kind: string(kind), Comment: m.comment(t)}
	for _, s := range stages {
		in.Stages = append(in.Stages, string(s))
	}
	for _, s := range m.active {
		if s.Lesson == nil && slices.Contains(stages, s.Stage) {
			in.Existing = append(in.Existing, s.Text)
		}
	}
	if m.Before != nil {
		m.Before()
	}
	out, err := prompts.Call(ctx, m.Runner, prompts.Diagnose, prompts.Input[prompts.DiagnoseIn, prompts.DiagnoseOut]{
		Data: in, Language: t.Language,
		Check: func(out prompts.DiagnoseOut) error {
			if !slices.Contains(in.Stages, out.Stage) {
				return errors.New("stage is none of those given")
			}
			return nil
		},
	})
	if err != nil {
		return Finding{}, fmt.Errorf("the model gave no diagnosis: %w", err)
	}
	return Finding{
		Kind: kind, Stage: prompts.Name(out.Stage), Language: t.Language, By: ByModel + " " + m.Name,
		Reason: "by the model", Note: strings.TrimSpace(out.Note),
	}, nil
}

// comment is the owner's note, if it came from the owner in person and names nobody and
// tells nothing of a case.
func (m *ModelDiagnoser) comment(t *Trace) string {
	note := strings.TrimSpace(t.Feedback.Note)
	if note == "" || !slices.Contains(ownChannels, t.Feedback.Origin) {
		return ""
	}
	s := Supplement{Stage: prompts.StageRespond, Text: note, Evidence: []int64{t.Feedback.ID}}
	if Check(s, m.forbidden) != nil {
		return ""
	}
	return note
}

// noteProposer makes candidates of the notes that a model wrote with its diagnoses.
type noteProposer struct{}

func (noteProposer) Propose(_ context.Context, m Material) ([]Supplement, error) {
	var out []Supplement
	for _, f := range m.Findings {
		if f.Note != "" {
			out = append(out, NewNote(f.Stage, f.Language, f.Note, f.By, f.Feedback))
		}
	}
	out = merged(out)
	return out[:min(len(out), max(m.Budget, 0))], nil
}
