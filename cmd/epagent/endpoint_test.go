package main

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

// endpointCommand is the script command "endpoint good|down": it starts a local
// OpenAI-compatible server, and sets EPAGENT_BASE_URL and EPAGENT_MODEL for what
// follows.
func endpointCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: endpoint good|down")
	}
	server := fakeserver.New(func(r fakeserver.Request) fakeserver.Response {
		if args[0] == "down" {
			return fakeserver.Error(http.StatusUnauthorized, "invalid_api_key", "bad key")
		}
		reply, err := json.Marshal(modelReply(r.Stage, r.Data))
		if err != nil {
			return fakeserver.Error(http.StatusInternalServerError, "x", "no reply")
		}
		return fakeserver.Chat(fakeserver.OpenAI, string(reply))
	})
	ts.Defer(server.Close)
	ts.Setenv("EPAGENT_BASE_URL", server.Base())
	ts.Setenv("EPAGENT_MODEL", "m")
}

// modelReply is what a simple model replies to a request: facts as they were said, in
// the category that is named in them.
func modelReply(stage prompts.Name, sent string) any {
	var data struct {
		Owner      string
		Turns      []struct{ ID, Speaker, Text string }
		Facts      []struct{ ID, Text string }
		Details    []struct{ ID, Text string }
		Categories []struct{ ID string }
	}
	_ = json.Unmarshal([]byte(sent), &data) // what isn't there stays empty
	list := []any{}
	ids := []string{}
	for _, f := range data.Facts {
		ids = append(ids, f.ID)
	}
	switch stage {
	case prompts.StageEntries:
		for _, t := range data.Turns {
			text := t.Speaker + " tells: " + strings.Replace(strings.Replace(t.Text, "My ", "The ", 1), "I ", t.Speaker+" ", 1)
			list = append(list, map[string]any{"text": text, "evidence": []string{t.ID}, "happened_on": "", "keywords": []string{}, "persons": []string{t.Speaker}, "place": "", "topic": ""})
		}
		return map[string]any{"entries": list}
	case prompts.StageSummary:
		words := strings.Fields(data.Turns[0].Text)
		return map[string]any{"summary": data.Turns[0].Speaker + " spoke of " + words[len(words)-1], "keywords": words}
	case prompts.StageExtract:
		for _, t := range data.Turns {
			text := strings.Replace(t.Text, "My ", data.Owner+"'s ", 1)
			list = append(list, map[string]any{"text": strings.Replace(text, "I ", data.Owner+" ", 1), "subject": data.Owner, "happened_on": "", "evidence": []string{t.ID}})
		}
		return map[string]any{"facts": list}
	case prompts.StageAnnotate:
		for _, f := range data.Facts {
			scores := []any{}
			for _, c := range data.Categories {
				if strings.Contains(f.Text, c.ID) {
					scores = append(scores, map[string]any{"id": c.ID, "score": 0.9})
				}
			}
			list = append(list, map[string]any{"id": f.ID, "categories": scores, "cover": []any{}, "exceptions": []any{}})
		}
		return map[string]any{"facts": list}
	case prompts.StageQueryUnits:
		return map[string]any{"facts": ids, "connect": false}
	case prompts.StageProject:
		for _, f := range data.Facts {
			list = append(list, map[string]any{"id": f.ID, "text": f.Text})
		}
		return map[string]any{"storyline": "", "details": list}
	case prompts.StageRespond:
		answer := "As far as I know:"
		ids = ids[:0]
		for _, d := range data.Details {
			answer += " " + d.Text
			ids = append(ids, d.ID)
		}
		return map[string]any{"answer": answer, "facts": ids}
	case prompts.StageClaims:
		return map[string]any{"unsupported": 0, "yes_or_no": false}
	default:
		return map[string]any{"groups": []any{}}
	}
}
