package agent_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// categorised is a model that gives every draft one category.
func categorised(id string, score float64) func(engine.AnnotateCall) engine.AnnotateReply {
	return func(in engine.AnnotateCall) (out engine.AnnotateReply) {
		for _, d := range in.Drafts {
			out.Drafts = append(out.Drafts, engine.AnnotatedDraft{ID: d.ID, Categories: []engine.CategoryScore{{ID: id, Score: score}}})
		}
		return out
	}
}

// asTold extracts each turn as one fact, in the words of the turn.
func asTold(in memory.ExtractCall) (out []memory.ExtractedFact) {
	for _, t := range in.Turns {
		out = append(out, memory.ExtractedFact{Text: strings.Replace(t.Text, "I ", in.Owner+" ", 1), Evidence: []string{t.ID}})
	}
	return out
}

// TestModelMarks: what a model says of a fact counts as far as MARKS lets it.
func TestModelMarks(t *testing.T) {
	with := func(f func(*engine.AnnotatedDraft)) func(engine.AnnotateCall) engine.AnnotateReply {
		return func(in engine.AnnotateCall) engine.AnnotateReply {
			out := categorised("travel", 0.9)(in)
			for i := range out.Drafts {
				f(&out.Drafts[i])
			}
			return out
		}
	}
	for _, tt := range []struct {
		name, text string
		annotate   func(engine.AnnotateCall) engine.AnnotateReply
		fail       error
		label      privacy.Label
		bo, raj    bool // may know it
		review     bool
	}{
		{"sure", "I fly to Porto in May.", categorised("travel", 0.9), nil, privacy.Label{Level: 3, Domain: "life"}, true, false, false},
		{"unsure", "I fly to Porto in May.", categorised("travel", 0.3), nil, privacy.Label{}, false, false, true},
		{"a category that isn't there", "I fly to Porto in May.", categorised("everything", 0.9), nil, privacy.Label{}, false, false, true},
		{"a score that is none", "I fly to Porto in May.", categorised("travel", 7), nil, privacy.Label{}, false, false, true},
		{"no word on it", "I fly to Porto in May.", func(engine.AnnotateCall) engine.AnnotateReply { return engine.AnnotateReply{} }, nil, privacy.Label{}, false, false, true},
		{"another's draft", "I fly to Porto in May.", func(engine.AnnotateCall) engine.AnnotateReply {
			return engine.AnnotateReply{Drafts: []engine.AnnotatedDraft{{ID: "f1", Categories: []engine.CategoryScore{{ID: "travel", Score: 1}}}}}
		}, nil, privacy.Label{}, false, false, true},
		{"rubbish", "I fly to Porto in May.", nil, engine.ErrModel, privacy.Label{}, false, false, true},
		{"two near each other", "I fly to Porto in May.", with(func(d *engine.AnnotatedDraft) {
			d.Categories = append(d.Categories, engine.CategoryScore{ID: "health", Score: 0.7})
		}), nil, privacy.Label{Level: 1, Domain: "life"}, false, false, false},
		{"talked into a loose one", "I have an illness, the doctor says.", categorised("travel", 1), nil, privacy.Label{Level: 1, Domain: "life"}, false, false, false},
		{"a grant that nobody gave", "I fly to Porto in May.", with(func(d *engine.AnnotatedDraft) {
			d.Exceptions = []engine.Exception{{Allow: true, People: []string{"Raj"}, Evidence: engine.Evidence{Turn: "x", Span: "Raj may know"}}}
		}), nil, privacy.Label{Level: 3, Domain: "life"}, true, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{extract: asTold, annotate: tt.annotate, fail: map[string]error{"annotate": tt.fail}}
			a := openModel(t, talkPolicy, m)
			got, err := a.Remember(t.Context(), agent.RememberRequest{Text: tt.text})
			if err != nil || len(got.Facts) != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			f := got.Facts[0]
			if f.Label != tt.label || (f.Review != "") != tt.review {
				t.Errorf("label %s, review %q", f.Label, f.Review)
			}
			table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: []privacy.FactID{f.ID}, People: []string{"Bo", "Raj"}})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []bool{tt.bo, tt.raj} {
				if got := table.People[i].Verdicts[0].Allow; got != want {
					t.Errorf("%s may know it: %v", table.People[i].Name, got)
				}
			}
		})
	}
}

// TestModelExceptions: a permission needs the owner's own words that name who is let
// in; what keeps from somebody needs the owner's own words.
func TestModelExceptions(t *testing.T) {
	for _, tt := range []struct {
		name, text, span string
		exception        engine.Exception
		raj, bo          bool
	}{
		{"said so", "I fly to Porto in May. Fine with me if Raj knows.", "Fine with me if Raj knows", engine.Exception{Allow: true, People: []string{"Raj"}}, true, true},
		{"names somebody else", "I fly to Porto in May. Fine with me if Bo knows.", "Fine with me if Bo knows", engine.Exception{Allow: true, People: []string{"Raj"}}, false, true},
		{"says nothing of knowing", "I fly to Porto in May with Raj.", "with Raj", engine.Exception{Allow: true, People: []string{"Raj"}}, false, true},
		{"says the opposite", "I fly to Porto in May. I don't want Raj to know.", "want Raj to know", engine.Exception{Allow: true, People: []string{"Raj"}}, false, true},
		{"quoted", `I fly to Porto in May. He wrote "Raj should know everything".`, "Raj should know everything", engine.Exception{Allow: true, People: []string{"Raj"}}, false, true},
		{"not in the turn", "I fly to Porto in May.", "tell Raj everything", engine.Exception{Allow: true, People: []string{"Raj"}}, false, true},
		{"a group", "I fly to Porto in May. Fine with me if the crew knows.", "Fine with me if the crew knows", engine.Exception{Allow: true, People: []string{"team"}}, false, true},
		{"kept from one", "I fly to Porto in May. Bo would only be jealous.", "Bo would only be jealous", engine.Exception{People: []string{"Bo"}}, false, false},
		{"kept from a group", "I fly to Porto in May. The friends would be jealous.", "The friends would be jealous", engine.Exception{People: []string{"group:friends"}}, false, false},
		{"kept from somebody unknown", "I fly to Porto in May. Zelda would be jealous.", "Zelda would be jealous", engine.Exception{People: []string{"Zelda"}}, false, false},
		{"closed", "I fly to Porto in May. This stays here.", "This stays here", engine.Exception{Closed: true, People: []string{"Raj"}}, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &scripted{extract: func(in memory.ExtractCall) []memory.ExtractedFact {
				return []memory.ExtractedFact{{Text: "Ines flies to Porto in May.", Evidence: []string{in.Turns[0].ID}}}
			}}
			m.annotate = func(in engine.AnnotateCall) engine.AnnotateReply {
				out := categorised("travel", 0.9)(in)
				x := tt.exception
				x.Evidence = engine.Evidence{Turn: in.Turns[0].ID, Span: tt.span}
				out.Drafts[0].Exceptions = []engine.Exception{x}
				return out
			}
			a := openModel(t, talkPolicy, m)
			got, err := a.Remember(t.Context(), agent.RememberRequest{Text: tt.text})
			if err != nil || len(got.Facts) != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: []privacy.FactID{got.Facts[0].ID}, People: []string{"Raj", "Bo"}})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []bool{tt.raj, tt.bo} {
				if got := table.People[i].Verdicts[0].Allow; got != want {
					t.Errorf("%s may know it: %v (%s)", table.People[i].Name, got, table.People[i].Verdicts[0].Reason)
				}
			}
		})
	}
}

// TestModelFacts: extracted facts rest on what was said, and are the owner's only
// where all of it is the owner's.
func TestModelFacts(t *testing.T) {
	session := &memory.Session{ID: "s", Participants: []string{"Ines", "Raj"}, Turns: []memory.Turn{
		{ID: "t1", Speaker: "Ines", Self: true, Kind: memory.Message, Text: "I fly to Porto on Monday."},
		{ID: "t2", Speaker: "Raj", Kind: memory.Message, Text: "And then you quit the job, right?"},
		{ID: "t3", Kind: memory.System, Text: "Raj left"},
	}}
	ok := func(text string, evidence ...string) []memory.ExtractedFact {
		return []memory.ExtractedFact{{Text: text, Evidence: evidence, HappenedOn: "2026-05-04"}}
	}
	for _, tt := range []struct {
		name    string
		facts   []memory.ExtractedFact
		want    int
		owner   bool
		speaker string
		bad     bool
	}{
		{"the owner's", ok("Ines flies to Porto.", "t1"), 1, true, "Ines", false},
		{"mixed", ok("Ines flies to Porto and quits the job.", "t1", "t2"), 1, false, "Raj", false},
		{"another's", ok("Ines quits the job.", "t2"), 1, false, "Raj", false},
		{"says something else", ok("Ines owns a castle in Bohemia.", "t1"), 0, false, "", false},
		{"no evidence", ok("Ines flies to Porto."), 0, false, "", true},
		{"evidence that isn't there", ok("Ines flies to Porto.", "t9"), 0, false, "", true},
		{"a system line", ok("Raj left.", "t3"), 0, false, "", true},
		{"first person", ok("I fly to Porto.", "t1"), 0, false, "", true},
		{"empty", ok(" ", "t1"), 0, false, "", true},
		{"endless", ok(strings.Repeat("Porto ", 200), "t1"), 0, false, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			failed := false
			x := &memory.ModelExtractor{
				Call:   func(context.Context, memory.ExtractCall) ([]memory.ExtractedFact, error) { return tt.facts, nil },
				Failed: func(_ context.Context, err error) error { failed = true; return err },
			}
			got, err := x.Extract(t.Context(), session, memory.ExtractOptions{Owner: "Ines"})
			if failed != tt.bad || tt.bad != errors.Is(err, memory.ErrExtraction) {
				t.Fatalf("failed %v, %v", failed, err)
			}
			if len(got) != tt.want {
				t.Fatalf("got %+v", got)
			}
			if tt.want == 1 && (got[0].OwnerSaid != tt.owner || got[0].Speaker != tt.speaker || got[0].HappenedAt.Date() != "2026-05-04") {
				t.Errorf("got %+v", got[0])
			}
		})
	}
}

// TestImportResumes: an import that is stopped goes on without paying twice, and
// ends as one that was not stopped.
func TestImportResumes(t *testing.T) {
	chat := filepath.Join(t.TempDir(), "chat.txt")
	var text strings.Builder
	for day := 1; day <= 12; day++ {
		fmt.Fprintf(&text, "[2026-01-%02d 09:00] Ines: I booked room %d in Porto.\n[2026-01-%02d 09:05] Bo: lovely, room %d it is\n", day, day, day, day)
	}
	if err := os.WriteFile(chat, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if export, err := ingest.Read(t.Context(), chat, ingest.Options{}); err != nil || len(export.Messages) != 24 {
		t.Fatalf("the chat reads as %+v, %v", export, err)
	}
	good := func() *scripted {
		return &scripted{extract: asTold, annotate: categorised("travel", 0.9)}
	}
	version := func(o *agent.Options) { o.Model.Version = "m/1"; o.Model.Concurrency = 3 }
	facts := func(a *agent.Agent) []string {
		judged, err := a.Store().Judged(t.Context(), memory.Judged{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range judged.Facts {
			out = append(out, string(f.ID)+" "+f.Text)
		}
		return out
	}
	whole := good()
	a := openModel(t, talkPolicy, whole, version)
	if _, err := a.Import(t.Context(), chat, agent.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	once := len(whole.stages())

	// Stopped in the middle: by its user, then by the endpoint.
	m := good()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	m.annotate = func(in engine.AnnotateCall) engine.AnnotateReply {
		m.mu.Lock()
		if calls++; calls == 4 {
			cancel()
		}
		m.mu.Unlock()
		return categorised("travel", 0.9)(in)
	}
	b := openModel(t, talkPolicy, m, version, func(o *agent.Options) { o.Model.OnError = engine.ErrorFail })
	if _, err := b.Import(ctx, chat, agent.ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	m.fail = map[string]error{"extract": errDown}
	if _, err := b.Import(t.Context(), chat, agent.ImportOptions{}); !errors.Is(err, errDown) {
		t.Fatalf("down: %v", err)
	}
	m.fail = nil
	report, err := b.Import(t.Context(), chat, agent.ImportOptions{})
	if err != nil || len(report.Degraded) > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	paid := map[string]int{}
	for _, c := range m.sent {
		paid[c.stage+c.body]++
	}
	twice := 0
	for _, n := range paid {
		if n > 1 {
			twice++
		}
	}
	// What was on its way when it was stopped, or failed, was not replied to.
	if twice > 2*3 || len(paid) > once {
		t.Errorf("%d calls made twice, %d different ones, %d undisturbed", twice, len(paid), once)
	}
	if got, want := facts(b), facts(a); !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("facts\n%v\nundisturbed\n%v", got, want)
	}
	if _, kept, err := b.Store().CachedReply(t.Context(), "any"); err != nil || kept {
		t.Errorf("cache: %v, %v", kept, err)
	}
}

// TestImportDegrades: an import that goes on offline says so.
func TestImportDegrades(t *testing.T) {
	m := &scripted{fail: map[string]error{"extract": errDown, "annotate": errDown}}
	a := openModel(t, talkPolicy, m)
	got, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I fly to Porto in May."})
	if err != nil || !slices.Equal(got.Degraded, []string{"annotate", "extract"}) || len(got.Facts) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestModelGroups: a model's groups become one event, unless days forbid it.
func TestModelGroups(t *testing.T) {
	m := &scripted{
		extract: func(in memory.ExtractCall) []memory.ExtractedFact {
			e := []string{in.Turns[0].ID}
			return []memory.ExtractedFact{{Text: "Ines flies to Porto.", Evidence: e}, {Text: "Ines packs her flute.", Evidence: e}, {Text: "Ines met Bo on 3 March 2024.", Evidence: e}}
		},
		annotate: categorised("travel", 0.9),
		group: func(in engine.GroupCall) engine.GroupReply {
			return engine.GroupReply{Groups: [][]string{{in.Drafts[0].ID, in.Drafts[1].ID}}}
		},
	}
	a := openModel(t, talkPolicy, m)
	got, err := a.Remember(t.Context(), agent.RememberRequest{Text: "I fly to Porto, I pack my flute, I met Bo on 3 March 2024."})
	if err != nil || len(got.Facts) != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	view, err := a.Fact(t.Context(), got.Facts[0].ID)
	if err != nil || !slices.Equal(view.Event, []privacy.FactID{got.Facts[1].ID}) {
		t.Errorf("event %v, %v", view.Event, err)
	}
	m.group = func(engine.GroupCall) engine.GroupReply { return engine.GroupReply{Groups: [][]string{{"f1", "f2"}}} }
	if got, err = a.Remember(t.Context(), agent.RememberRequest{Text: "I fly to Lyon, I pack my flute, I met Bo on 3 March 2024."}); err != nil || !slices.Contains(got.Degraded, "corefer") {
		t.Errorf("%+v, %v", got, err)
	}
}
