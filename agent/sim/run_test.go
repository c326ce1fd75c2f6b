package sim_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/epagent/epagent/agent/sim"
	"github.com/epagent/epagent/agent/sim/finder"
	"github.com/epagent/epagent/evolve/bench"
)

// byWords finds leaks without a model.
func byWords() sim.Finder { return finder.New(bench.NewOfflineJudge()) }

// resultFiles are those that say what came of a run.
var resultFiles = []string{sim.TranscriptFile, sim.MatrixFile, sim.ResultFile, sim.TimelineFile, sim.LedgerFile}

func results(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range resultFiles {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(data)
	}
	return out
}

func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	for _, name := range resultFiles {
		if want[name] != got[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func run(t testing.TB, s *sim.Script, o sim.Options) *sim.Result {
	t.Helper()
	if o.Finder == nil {
		o.Finder = byWords()
	}
	got, err := sim.Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The script that the other tests change holds what it asserts, and its denial takes
// effect on the way.
func TestSmall(t *testing.T) {
	got := run(t, parse(t, small), sim.Options{})
	for _, a := range got.Assertions {
		if !a.Holds {
			t.Errorf("%s: %s", a.Assertion, a.Detail)
		}
	}
	f := got.Figures
	if f.Exchanges != 11 || f.Questions != 8 || f.Messages != 17 || f.Learned != 1 || f.Refusal.Probes != 3 {
		t.Errorf("%+v", f)
	}
	if c := got.Matrix.Cells[0]; c.Person != "Per Holm" || !c.Allowed || c.Leak || c.Origin != sim.FromDelegate || c.Way() != "delegate of Nora Beck → Per Holm (2)" {
		t.Errorf("%+v", c)
	}
}

// Offline the same script and seed give the same results byte for byte, and another
// seed another transcript.
func TestDeterministic(t *testing.T) {
	s := load(t, filepath.FromSlash("../../examples/simulations/housemates-money.yaml"))
	first, second, other := t.TempDir(), t.TempDir(), t.TempDir()
	run(t, s, sim.Options{Folder: first})
	run(t, s, sim.Options{Folder: second})
	want := results(t, first)
	same(t, want, results(t, second))
	seed := int64(99)
	run(t, s, sim.Options{Folder: other, Seed: &seed})
	if want[sim.TranscriptFile] == results(t, other)[sim.TranscriptFile] {
		t.Error("another seed gives the same transcript")
	}
}

// A run that was stopped anywhere goes on, and comes to what an unbroken one does.
func TestResume(t *testing.T) {
	s := load(t, filepath.FromSlash("../../examples/simulations/housemates-money.yaml"))
	whole := t.TempDir()
	run(t, s, sim.Options{Folder: whole})
	want := results(t, whole)

	t.Run("cancelled again and again", func(t *testing.T) {
		folder := t.TempDir()
		stops := 0
		for n := 5; ; n += 20 {
			ctx, cancel := context.WithCancel(t.Context())
			_, err := sim.Run(ctx, s, sim.Options{Folder: folder, Finder: byWords(), Progress: func(_ time.Time, played, _ int) {
				if played >= n {
					cancel()
				}
			}})
			cancel()
			if err == nil {
				break
			}
			if stops++; !errors.Is(err, context.Canceled) || stops > 20 {
				t.Fatal(err)
			}
		}
		if stops < 3 {
			t.Errorf("stopped %d times", stops)
		}
		same(t, want, results(t, folder))
	})
	// Killed behind a moment and before its line: the homes are ahead of the journal.
	for _, lost := range []int{1, 7, 40} {
		folder := t.TempDir()
		run(t, s, sim.Options{Folder: folder})
		journal := filepath.Join(folder, "journal.jsonl")
		data, err := os.ReadFile(journal)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		keep := bytes.Join(lines[:len(lines)-1-lost], nil)
		if err := os.WriteFile(journal, append(keep, `[{"n":`...), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, s, sim.Options{Folder: folder})
		if got := results(t, folder); lost == 1 {
			same(t, want, got)
		} else if want[sim.LedgerFile] != got[sim.LedgerFile] {
			t.Errorf("%d moments lost: the ledger differs: something was asked twice", lost)
		}
	}
}

// A folder is for one run, and a foreign folder is left alone.
func TestFolder(t *testing.T) {
	s := parse(t, small)
	folder := t.TempDir()
	run(t, s, sim.Options{Folder: folder, Code: "a"})
	if _, err := sim.Run(t.Context(), s, sim.Options{Folder: folder, Code: "b", Finder: byWords()}); !errors.Is(err, sim.ErrOtherRun) {
		t.Errorf("%v, want ErrOtherRun", err)
	}
	if err := sim.Clear(folder); err != nil {
		t.Error(err)
	}
	run(t, s, sim.Options{Folder: folder, Code: "b"})

	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sim.Run(t.Context(), s, sim.Options{Folder: foreign, Finder: byWords()}); !errors.Is(err, sim.ErrFolder) {
		t.Errorf("%v, want ErrFolder", err)
	}
	if err := sim.Clear(foreign); !errors.Is(err, sim.ErrFolder) {
		t.Errorf("%v, want ErrFolder", err)
	}
	if _, err := os.Stat(filepath.Join(foreign, "thesis.txt")); err != nil {
		t.Error(err)
	}
	if _, err := sim.Run(t.Context(), s, sim.Options{}); !errors.Is(err, sim.ErrOptions) {
		t.Errorf("%v, want ErrOptions", err)
	}
}

// A model words the questions of a party that has one, and is given what the party
// heard from delegates.
func TestPersona(t *testing.T) {
	text := bytes.ReplaceAll([]byte(small), []byte(`aliases: [Per], lines`), []byte(`aliases: [Per], model: true, goal: "Travel along", lines`))
	p := &wording{}
	got := run(t, parse(t, string(text)), sim.Options{Persona: p})
	if got.Exchanges[1].Text != "question 1" || p.calls != 3 || p.heard != 2 || p.goal != "Travel along" {
		t.Errorf("%q, %+v", got.Exchanges[1].Text, p)
	}
}

type wording struct {
	calls, heard int
	goal         string
}

func (w *wording) Word(_ context.Context, p *sim.Party, owner string, heard []string) (string, error) {
	w.calls++
	w.heard, w.goal = len(heard), p.Goal
	return " question " + string(rune('0'+w.calls)) + "\n", nil
}
