package bench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/prompts"
)

func scripted(reply func(stage prompts.Name, data string) (string, error)) *prompts.Runner {
	return prompts.NewRunner(&prompts.Scripted{Reply: reply}, prompts.Options{ID: "scripted", Retries: -1})
}

func TestModelJudge(t *testing.T) {
	var sent []string
	stated := `{"facts": [{"id": "a", "stated": "full"}, {"id": "b", "stated": "part"}], "style": 4, "miq": 1}`
	j := bench.NewModelJudge(scripted(func(stage prompts.Name, data string) (string, error) {
		if stage != prompts.StageJudge {
			return "", fmt.Errorf("stage %s", stage)
		}
		sent = append(sent, data)
		return stated, nil
	}), "m", nil)
	in := bench.Judged{
		Question: "Why?", Answer: "Because of the van.", Facts: []bench.Claim{{ID: "a", Text: "The van."}, {ID: "b", Text: "The bank."}},
		Allowed: map[privacy.FactID]bool{"b": true},
	}
	got, err := j.Answer(t.Context(), in)
	if err != nil || !got.Used["a"] || got.Used["b"] || *got.Style != 4 || *got.MIQ != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if strings.Contains(sent[0], "allowed") || strings.Contains(sent[0], "denied") {
		t.Error("the model is told which facts are denied")
	}
	// A reply that leaves a fact out is asked for again, and is no judgement.
	stated = `{"facts": [{"id": "a", "stated": "full"}], "style": 4, "miq": 1}`
	if _, err := j.Answer(t.Context(), in); !errors.Is(err, prompts.ErrInvalid) {
		t.Errorf("%v, want ErrInvalid", err)
	}
	if !strings.HasPrefix(j.Name(), "m ") {
		t.Errorf("name %q", j.Name())
	}
}

// CDiff on a model is the mean of the scores above 0 of three runs.
func TestModelDifference(t *testing.T) {
	one, both := `{"text": "x", "answers": ["a1"]}`, `{"text": "y", "answers": ["a1", "a2", "a1"]}`
	tests := []struct {
		name  string
		units []string // of each run
		want  float64
	}{
		{"all nothing", []string{"", "", ""}, 0},
		{"one run finds something", []string{"", one + "," + both, ""}, 0.5},
		{"zeros are left out", []string{one, both, one + "," + both}, 0.75},
	}
	for _, tt := range tests {
		run := 0
		j := bench.NewModelJudge(scripted(func(prompts.Name, string) (string, error) {
			run++
			return `{"units": [` + tt.units[run-1] + `]}`, nil
		}), "m", nil)
		got, err := j.Difference(t.Context(), "?", nil, []bench.Told{{Person: "A", Answer: "x"}, {Person: "B", Answer: "y"}})
		if err != nil || got != tt.want || run != 3 {
			t.Errorf("%s: %v after %d runs, %v; want %v", tt.name, got, run, err, tt.want)
		}
	}
}

// teller is a model that tells whatever it is shown and lets everybody know it.
func teller(stage prompts.Name, data string) (string, error) {
	reply := func(v any) (string, error) {
		out, err := json.Marshal(v)
		return string(out), err
	}
	switch stage {
	case prompts.StageProject:
		var in prompts.ProjectIn
		err := json.Unmarshal([]byte(data), &in)
		out := prompts.ProjectOut{Storyline: "What is known.", Details: []prompts.Detail{}}
		for _, f := range in.Facts {
			out.Details = append(out.Details, prompts.Detail{ID: f.ID, Text: f.Text})
		}
		if err != nil {
			return "", err
		}
		return reply(out)
	case prompts.StageRespond:
		var in prompts.RespondIn
		if err := json.Unmarshal([]byte(data), &in); err != nil {
			return "", err
		}
		out := prompts.RespondOut{Answer: "That is all.", Facts: []string{}}
		for _, d := range in.Details {
			out.Answer, out.Facts = d.Text+"\n"+out.Answer, append(out.Facts, d.ID)
		}
		return reply(out)
	case prompts.StageClaims:
		return reply(prompts.ClaimsOut{})
	case prompts.StageChoose:
		var in prompts.ChooseIn
		err := json.Unmarshal([]byte(data), &in)
		if err != nil || len(in.Material) == 0 || !strings.Contains(in.Policy, "groups:") {
			return "", fmt.Errorf("nothing to choose by: %w", err)
		}
		return reply(prompts.ChooseOut{Allowed: in.Candidates})
	}
	return "", prompts.ErrNoReply
}

// A model that tells all that it is shown: the engine gives nothing away, since it
// shows it nothing more; a system without a judgement does.
func TestRunOnModel(t *testing.T) {
	runner := scripted(teller)
	var judged atomic.Int64 // several items are judged at once
	judge := bench.NewModelJudge(scripted(func(stage prompts.Name, data string) (string, error) {
		if stage == prompts.StageDifference {
			return `{"units": []}`, nil
		}
		judged.Add(1)
		var in prompts.JudgeAnswerIn
		if err := json.Unmarshal([]byte(data), &in); err != nil {
			return "", err
		}
		out := prompts.JudgeAnswerOut{Facts: []prompts.JudgedFact{}, Style: 3}
		for _, f := range in.Facts {
			stated := "no"
			if strings.Contains(in.Answer, f.Text) {
				stated = "full"
			}
			out.Facts = append(out.Facts, prompts.JudgedFact{ID: f.ID, Stated: stated})
		}
		reply, err := json.Marshal(out)
		return string(reply), err
	}), "reader", nil)
	scores := run(t, bench.Options{
		Labels: bench.FromGold, Units: bench.FromGold, Systems: systems(t, "w/o Disc", bench.EPMem),
		Model: bench.Model{
			Name: "teller", Choose: bench.NewChooser(runner, nil),
			Options: agent.ModelOptions{Calls: agent.PromptCalls(runner, nil), Version: runner.Version()},
		},
		Judge: judge, Beside: bench.NewOfflineJudge(),
	}, scripts(t)[0])
	open, whole := scores.Runs[0], scores.Runs[1]
	if *whole.T3.PB != 0 || *whole.T2.Exact != 1 || *open.T3.PB == 0 || *open.T2.Exact > 0.5 {
		t.Errorf("open %s\nwhole %s", asJSON(t, open), asJSON(t, whole))
	}
	if judged.Load() != 2*15 || *whole.T3.Style != 3 || *whole.T3.MIQ != 0 || whole.Judges == nil || whole.Judges.N == 0 || whole.Judges.Agree < 0.8 {
		t.Errorf("%d answers judged, %s, agreement %s", judged.Load(), asJSON(t, whole.T3), asJSON(t, whole.Judges))
	}
}
