package halves_test

import (
	"path/filepath"
	"testing"

	"github.com/epagent/epagent/evolve/bench"
	"github.com/epagent/epagent/evolve/bench/halves"
)

// scripts are the twelve that ship.
func scripts(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../../agent/testdata/scripts/*", "../../../examples/epbench/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		out = append(out, found...)
	}
	return out
}

// TestHeldOut: what one half of the scripts teaches never lets more in on the other, and
// approved by gold it gets better.
func TestHeldOut(t *testing.T) {
	if testing.Short() {
		t.Skip("it imports every script four times, which takes most of a minute")
	}
	dirs := scripts(t)
	taught, err := halves.Learn(t.Context(), dirs, halves.Options{})
	if err != nil {
		t.Fatal(err)
	}
	systems, err := bench.Find([]string{bench.EPMem, bench.EPMemEvo})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := bench.Run(t.Context(), dirs, bench.Options{
		Systems: systems, Evolution: taught.Evolution, Halves: taught.Halves,
		Tasks: []bench.Task{bench.TaskLabel, bench.TaskWho, bench.TaskTell},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(scores.Halves) != 2 {
		t.Fatalf("%d halves", len(scores.Halves))
	}
	for _, h := range scores.Halves {
		t.Logf("half %s: %v; %d failed items taught, %d candidates", h.Name, h.Scripts, h.Feedback, h.Tried)
		base := h.Overall[0]
		for _, r := range h.Overall {
			t.Logf("%-22s T1 %.3f %.3f wrong allow %.4f, T2 %.3f %.3f, PB %.4f all %.4f, sufficiency %.3f, overall %.3f", r.System,
				*r.T1.Level, *r.T1.Label, *r.T1.WrongAllow, *r.T2.Exact, *r.T2.Partial, *r.T3.PB, *r.T3.PBAll, *r.T3.Sufficiency, *r.T3.Overall)
			if *r.T3.PB > *base.T3.PB || *r.T3.PBAll > *base.T3.PBAll || *r.T1.WrongAllow > *base.T1.WrongAllow {
				t.Errorf("half %s: %s lets more in than %s", h.Name, r.System, base.System)
			}
		}
		for form, lessons := range h.Lessons {
			for _, l := range lessons {
				t.Logf("%s: %s", form, l)
			}
		}
		approved := h.Overall[2]
		if *approved.T1.Level <= *base.T1.Level || *approved.T2.Exact <= *base.T2.Exact {
			t.Errorf("half %s: approved by gold it isn't better: T1 %.3f and %.3f, T2 %.3f and %.3f", h.Name,
				*base.T1.Level, *approved.T1.Level, *base.T2.Exact, *approved.T2.Exact)
		}
	}
}
