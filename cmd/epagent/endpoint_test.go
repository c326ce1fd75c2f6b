package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// endpointCommand is the script command "endpoint good|down": it starts a local
// OpenAI-compatible server, and sets EPAGENT_BASE_URL and EPAGENT_MODEL for what
// follows.
func endpointCommand(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: endpoint good|down")
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if args[0] == "down" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":{"message":"bad key","type":"invalid_request_error"}}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		reply, _ := json.Marshal(modelReply(body))
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "c", "object": "chat.completion", "model": "m",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": string(reply)}}},
		})
	}))
	ts.Defer(server.Close)
	ts.Setenv("EPAGENT_BASE_URL", server.URL+"/v1")
	ts.Setenv("EPAGENT_MODEL", "m")
}

// modelReply is what a simple model replies to a request: facts as they were said, in
// the category that is named in them.
func modelReply(body []byte) any {
	var request struct {
		Messages       []struct{ Content string }
		ResponseFormat struct {
			JSONSchema struct{ Name string } `json:"json_schema"`
		} `json:"response_format"`
	}
	_ = json.Unmarshal(body, &request)
	var data struct {
		Owner      string
		Turns      []struct{ ID, Text string }
		Facts      []struct{ ID, Text string }
		Details    []struct{ ID, Text string }
		Categories []struct{ ID string }
	}
	for _, m := range request.Messages {
		if _, rest, ok := strings.Cut(m.Content, ">>>\n"); ok {
			line, _, _ := strings.Cut(rest, "\n")
			_ = json.Unmarshal([]byte(line), &data)
		}
	}
	list := []any{}
	ids := []string{}
	for _, f := range data.Facts {
		ids = append(ids, f.ID)
	}
	switch request.ResponseFormat.JSONSchema.Name {
	case "extract":
		for _, t := range data.Turns {
			text := strings.Replace(t.Text, "My ", data.Owner+"'s ", 1)
			list = append(list, map[string]any{"text": strings.Replace(text, "I ", data.Owner+" ", 1), "subject": data.Owner, "happened_on": "", "evidence": []string{t.ID}})
		}
		return map[string]any{"facts": list}
	case "annotate":
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
	case "query_units":
		return map[string]any{"facts": ids, "connect": false}
	case "project":
		for _, f := range data.Facts {
			list = append(list, map[string]any{"id": f.ID, "text": f.Text})
		}
		return map[string]any{"storyline": "", "details": list}
	case "respond":
		answer := "As far as I know:"
		ids = ids[:0]
		for _, d := range data.Details {
			answer += " " + d.Text
			ids = append(ids, d.ID)
		}
		return map[string]any{"answer": answer, "facts": ids}
	case "claims":
		return map[string]any{"unsupported": 0, "yes_or_no": false}
	default:
		return map[string]any{"groups": []any{}}
	}
}
