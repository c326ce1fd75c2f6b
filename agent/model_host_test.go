package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
	"github.com/epagent/epagent/prompts"
	"github.com/epagent/epagent/prompts/fakeserver"
)

const writersChat = "[2026-05-01 09:00] Ines: I fly to Porto on 4 May 2026.\n[2026-05-01 09:05] Bo: Lovely, who waters the plants?\n"

func chatFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chat.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// layersOf are the texts of the entries and the summary of the only session.
func layersOf(t *testing.T, a *agent.Agent) (entries []string, summary string) {
	t.Helper()
	sessions, err := a.Store().Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(sessions), err)
	}
	stored, err := a.Store().Entries(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range stored {
		entries = append(entries, e.Text)
	}
	summary, err = a.Store().Summary(t.Context(), sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return entries, summary
}

// TestHostOnAModel: entries and summaries are written by the model over a socket;
// whatever the endpoint gives instead, no message is lost, what ran offline is said, or
// the import fails where the owner wants that.
func TestHostOnAModel(t *testing.T) {
	asSaid := []string{"Ines: I fly to Porto on 4 May 2026.", "Bo: Lovely, who waters the plants?"}
	bad := map[string]fakeserver.Response{
		"refused":      fakeserver.Refusal(),
		"cut off":      fakeserver.Finish("length", `{"entries":[{"text":"Ines`),
		"no JSON":      fakeserver.Chat(fakeserver.OpenAI, "{]"),
		"another form": fakeserver.Chat(fakeserver.OpenAI, `{"entries":7}`),
		"unknown ids":  fakeserver.Chat(fakeserver.OpenAI, `{"entries":[{"text":"Ines flies to Porto.","evidence":["t-none"],"happened_on":"","keywords":[],"persons":[],"place":"","topic":""}]}`),
		"503":          fakeserver.Error(503, "x", "no"),
	}
	names := []string{"good"}
	for name := range bad {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, host := range []string{"simple", "gas"} {
		for _, name := range names {
			if host == "gas" && name == "unknown ids" {
				continue // a summary names none: the reply is of another form there
			}
			for _, onError := range []engine.OnModelError{engine.ErrorOffline, engine.ErrorFail} {
				t.Run(host+" "+name+" "+string(onError), func(t *testing.T) {
					e := newEndpoint(t)
					stage := map[string]prompts.Name{"simple": prompts.StageEntries, "gas": prompts.StageSummary}[host]
					e.bad = func(r fakeserver.Request, _ int) (fakeserver.Response, bool) {
						response, ok := bad[name]
						return response, ok && r.Stage == stage
					}
					runner, err := prompts.Open(t.Context(), prompts.Config{BaseURL: e.Base(), Model: "m"}, prompts.Options{
						Retries: -1, Sleep: func(context.Context, time.Duration) error { return nil },
					})
					if err != nil {
						t.Fatal(err)
					}
					a := openModel(t, talkPolicy, agent.PromptCalls(runner, nil), func(o *agent.Options) {
						o.Model.Version, o.Model.OnError = runner.Version(), onError
						model := o.Model
						if host == "gas" {
							o.Host = func(s *memory.Store) memory.Host {
								return gas.New(s, gas.Options{Writer: agent.SummaryWriter(s, model)})
							}
						}
					})
					report, err := a.Import(t.Context(), chatFile(t, writersChat), agent.ImportOptions{})
					if onError == engine.ErrorFail && name != "good" {
						if err == nil {
							t.Error("no error")
						}
						return
					}
					if err != nil || slices.Contains(report.Degraded, string(stage)) == (name == "good") {
						t.Fatalf("degraded %v, %v", report.Degraded, err)
					}
					entries, summary := layersOf(t, a)
					switch {
					case name != "good" || host == "gas":
						if !slices.Equal(entries, asSaid) {
							t.Errorf("entries %q", entries)
						}
					case !slices.Equal(entries, []string{"Ines tells: Ines fly to Porto on 4 May 2026.", "Bo tells: Lovely, who waters the plants?"}):
						t.Errorf("entries %q", entries)
					}
					if strings.Contains(summary, "Ines told of a trip to Porto.") != (name == "good" && host == "gas") {
						t.Errorf("summary %q", summary)
					}
					found, err := a.Recall(t.Context(), agent.RecallRequest{Query: "Who waters the plants?"})
					if err != nil || len(found.Facts) == 0 {
						t.Errorf("recall: %+v, %v", found, err)
					}
				})
			}
		}
	}
}

// TestHostModelKeepsOut: what forgetting leaves of a session is laid out without the
// model: that one had the forgotten words in view when it wrote of the others.
func TestHostModelKeepsOut(t *testing.T) {
	m := &scripted{extract: asTold, annotate: categorised("travel", 0.9)}
	m.entries = func(in simple.EntriesCall) (out []simple.ModelEntry) {
		for _, turn := range in.Turns {
			out = append(out, simple.ModelEntry{Text: turn.Speaker + " writes: " + strings.TrimPrefix(turn.Text, "I "), Evidence: []string{turn.ID}})
		}
		return out
	}
	a := openModel(t, talkPolicy, m)
	if _, err := a.Import(t.Context(), chatFile(t, writersChat+"[2026-05-01 09:06] Ines: Nobody, the cactus needs nothing.\n"), agent.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	entries, _ := layersOf(t, a)
	if len(entries) != 3 || entries[1] != "Bo writes: Lovely, who waters the plants?" {
		t.Fatalf("entries %q", entries)
	}
	m.stages()
	judged, err := a.Store().Judged(t.Context(), memory.Judged{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range judged.Facts {
		if strings.Contains(f.Text, "cactus") {
			if _, err := a.Forget(t.Context(), agent.ForgetRequest{Facts: []privacy.FactID{f.ID}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if entries, _ = layersOf(t, a); !slices.Equal(entries, []string{"Ines: I fly to Porto on 4 May 2026.", "Bo: Lovely, who waters the plants?"}) {
		t.Errorf("entries %q", entries)
	}
	if stages := m.stages(); len(stages) > 0 {
		t.Errorf("forgetting asked the model for %v", stages)
	}
}
