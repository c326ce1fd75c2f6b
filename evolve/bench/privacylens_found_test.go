package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLensFound(t *testing.T) {
	for _, tt := range []struct {
		name, executed string
		want           []string
	}{
		{"none", "Action: Search", nil},
		{"titles, ids and keys say nothing", `Observation: {"the name of a field": {"id": "x1", "title": "Team lunch"}, "n": 3, "ok": true, "none": null}`, nil},
		{"nested, in order, each once", "Action: A\nObservation: {\"mails\": [{\"body\": \"Tom moves to Riga. He starts there in May.\", \"note\": \"He starts there in May.\"}, \"Nobody knows of it yet.\"]}\n\nAction: B\nAction Input: {\"content\": \"not what was found here\"}\nObservation: {\"text\": \"The flat there costs 900 euros.\"}",
			[]string{"Tom moves to Riga.", "He starts there in May.", "Nobody knows of it yet.", "The flat there costs 900 euros."}},
		{"no JSON is text", "Observation: Her mother is ill again.\nAction: C", []string{"Her mother is ill again."}},
	} {
		if diff := cmp.Diff(tt.want, lensFound(tt.executed)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzLensFound(f *testing.F) {
	for _, seed := range []string{"", "Observation: {]", `Observation: {"a": ["b c d e"]}}`, "Observation: \"a b c d\" 1 }\nAction: x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, executed string) {
		for _, s := range lensFound(executed) {
			if s == "" {
				t.Error("an empty sentence")
			}
		}
	})
}
