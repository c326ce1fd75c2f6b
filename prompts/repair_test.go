package prompts

import (
	"encoding/json"
	"testing"
)

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, "```json\n{\"a\":[1,],}\n```", `x {"a":"}"} y`, `{"a":"\"`, `<think>{</think>{"a":{}}`, `{{}`, "", `{"a":"b,]"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		got := repair(reply)
		if got == nil {
			return
		}
		if got[0] != '{' || got[len(got)-1] != '}' {
			t.Fatalf("%q", got)
		}
		// What was JSON by itself is that JSON.
		if json.Valid([]byte(reply)) && reply[0] == '{' && string(got) != reply && reply[len(reply)-1] == '}' && !containsThink(reply) {
			t.Fatalf("%q became %q", reply, got)
		}
	})
}

func containsThink(s string) bool { return len(withoutThinking(s)) != len(s) }
