package prompts_test

import (
	"strings"
	"testing"

	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

// A runner with other supplements sends them, has another version, and shares the usage;
// the one that it came from stays as it was.
func TestWith(t *testing.T) {
	server := fakeserver.New(func(fakeserver.Request) fakeserver.Response { return fakeserver.Chat(fakeserver.OpenAI, goodUnits) })
	defer server.Close()
	plain, err := prompts.Open(t.Context(), prompts.Config{BaseURL: server.Base(), Model: "m"}, prompts.Options{})
	if err != nil {
		t.Fatal(err)
	}
	notes := []prompts.Supplement{{ID: "s1", Stage: prompts.StageQueryUnits, Language: "en", Text: "A question for a time asks for days, too."}}
	with := plain.With(notes)
	notes[0].Text = "changed behind its back"
	for _, r := range []*prompts.Runner{plain, with, plain} {
		if _, err := prompts.Call(t.Context(), r, prompts.QueryUnits, prompts.Input[prompts.QueryUnitsIn, prompts.QueryUnitsOut]{
			Language: "en", Data: prompts.QueryUnitsIn{Question: "when?", Facts: []prompts.Item{{ID: "f1", Text: "x"}}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []bool{false, true, false} {
		if got := strings.Contains(server.Requests()[i].System, "asks for days, too."); got != want {
			t.Errorf("request %d: the note is there: %v, want %v", i, got, want)
		}
	}
	if plain.Version() == with.Version() || with.Version() == plain.With(nil).Version() || plain.Version() != plain.With(nil).Version() {
		t.Error("versions don't tell what the prompts hold")
	}
	if got := plain.Usage()[prompts.StageQueryUnits].Calls; got != 3 {
		t.Errorf("%d calls are counted, want 3", got)
	}
}
