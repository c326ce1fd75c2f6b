package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/evolve/bench"
)

func systems(t *testing.T, names ...string) []bench.Contestant {
	t.Helper()
	out, err := bench.Find(names)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t *testing.T, o bench.Options, dirs ...string) *bench.Scores {
	t.Helper()
	scores, err := bench.Run(t.Context(), dirs, o)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// With gold labels and gold units only the engine is left: it chooses exactly those
// who may be told, gives nothing away, tells at least four fifths of what it may, and
// deflects where nothing may be told.
func TestGoldHolds(t *testing.T) {
	measures(t)
	for _, dir := range scripts(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			got := run(t, bench.Options{Labels: bench.FromGold, Units: bench.FromGold, Systems: systems(t, bench.EPMem)}, dir).Runs[0]
			if got.T1 != nil {
				t.Error("labels were asked for that are given")
			}
			if got.T2 == nil || got.T2.N == 0 || *got.T2.Exact != 1 || *got.T2.Partial != 1 {
				t.Errorf("T2 %+v", got.T2)
			}
			if got.T3 == nil || got.T3.N == 0 || *got.T3.PB != 0 || *got.T3.PC != 0 || *got.T3.PBAll != 0 || *got.T3.Sufficiency < 0.8 || *got.T3.Privacy != 1 {
				t.Errorf("T3 %s", asJSON(t, got.T3))
			}
			if got.T3.Deflected != nil && *got.T3.Deflected != 1 {
				t.Errorf("%v of the answers with nothing to tell were deflected", *got.T3.Deflected)
			}
		})
	}
}

// measures skips a test that measures the product on whole scripts where only faults of
// concurrency are looked for: TestSeeded and the small scripts run the same paths.
func measures(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures on whole scripts, which it does without -short")
	}
}

// Every system runs and differs in the direction that its ablation should give.
func TestSystemsDiffer(t *testing.T) {
	measures(t)
	for i, units := range []bench.Origin{bench.FromGold, bench.FromEngine} {
		scores := run(t, bench.Options{Labels: bench.FromGold, Units: units}, scripts(t)[i])
		of := map[string]bench.Result{}
		for _, r := range scores.Overall {
			of[r.System] = r
		}
		for _, c := range bench.Contestants() {
			if _, ran := of[c.Name]; ran != (c.Evolved == "") {
				t.Errorf("%s has run: %v", c.Name, ran)
			}
		}
		if len(scores.Runs) != len(of) {
			t.Fatalf("%d systems, %d rows", len(of), len(scores.Runs))
		}
		whole := of[bench.EPMem]
		more := func(what string, a, b *float64) {
			t.Helper()
			if a == nil || b == nil || *a <= *b {
				t.Errorf("units %s: %s: %s is not above %s", units, what, asJSON(t, a), asJSON(t, b))
			}
		}
		for _, name := range []string{"NoEngine_full", "NoEngine_evid", "FilterOnly", "w/o Disc"} {
			more(name+" chooses worse", whole.T2.Exact, of[name].T2.Exact)
			more(name+" leaks more", of[name].T3.PB, whole.T3.PB)
			more(name+" is worse overall", whole.T3.Overall, of[name].T3.Overall)
			more(name+" deflects less", whole.T3.Deflected, of[name].T3.Deflected)
		}
		more("w/o Desens leaks more", of["w/o Desens"].T3.PB, whole.T3.PB)
		if *of["w/o Desens"].T2.Exact != *whole.T2.Exact {
			t.Error("projection changes who may be told")
		}
		more("w/o Disc leaks more than a filter by label", of["w/o Disc"].T3.PB, of["FilterOnly"].T3.PB)
		more("the filter tells less than it may", whole.T3.Sufficiency, of["FilterOnly"].T3.Sufficiency)
		more("NoEngine_evid leaks more than RoleHist", of["NoEngine_evid"].T3.PB, of["RoleHist"].T3.PB)
		more("RoleHist tells less", whole.T3.Sufficiency, of["RoleHist"].T3.Sufficiency)
		more("answers differ by audience", whole.T3.CDiff, of["w/o Disc"].T3.CDiff)
		if of["RoleHist"].T2 != nil {
			t.Error("RoleHist doesn't choose")
		}
	}
}

// With labels of the engine T1 is scored, and the error is split by a rerun.
func TestEngineLabels(t *testing.T) {
	got := run(t, bench.Options{Systems: systems(t, "NoEngine_evid", bench.EPMem)}, scripts(t)[0])
	if got.Runs[0].T1 != nil || got.Runs[0].Error != nil {
		t.Error("a system without labels is scored on them")
	}
	r := got.Runs[1]
	if r.T1 == nil || r.T1.N != 10 || *r.T1.Label > *r.T1.Level || *r.T1.WrongAllow < 0 || *r.T1.WrongAllow > 0.5 {
		t.Errorf("T1 %s", asJSON(t, r.T1))
	}
	facts := 0
	for _, row := range r.T1.Confusion {
		for _, n := range row {
			facts += n
		}
	}
	if facts != 45 {
		t.Errorf("%d facts were given a level, want all 45", facts)
	}
	for name, e := range r.Error {
		if diff := e.Error - e.Labels - e.Engine; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: %+v doesn't add up", name, e)
		}
	}
	if e := r.Error["t2"]; len(r.Error) != 3 || e.Error != 1-*r.T2.Exact || e.Engine > 0.5 {
		t.Errorf("errors %+v", r.Error)
	}
}

// The same seed gives the same figures and intervals; each interval holds its figure.
func TestSeeded(t *testing.T) {
	o := bench.Options{Labels: bench.FromGold, Noise: 3, Seed: 7, Systems: systems(t, bench.EPMem, "NoEngine_evid"), Runs: 2}
	small := filepath.Join("testdata", "small")
	first, second := run(t, o, scripts(t)[1], small), run(t, o, scripts(t)[1], small)
	if diff := cmp.Diff(asJSON(t, first), asJSON(t, second)); diff != "" {
		t.Errorf("again (-first +second)\n%s", diff)
	}
	for _, r := range append(first.Runs, first.Overall...) {
		if want := map[string]int{filepath.Base(scripts(t)[1]): 2 * 15, "small": 2 * 2, "": 2 * 17}[r.Script]; r.T3.N != want {
			t.Errorf("%q: %d answers, want %d", r.Script, r.T3.N, want)
		}
		for what, figure := range map[string]*float64{"exact": r.T2.Exact, "partial": r.T2.Partial} {
			if ci := r.CI["t2"][what]; ci[0] > *figure || ci[1] < *figure || ci[0] > ci[1] {
				t.Errorf("%s %s: %v is outside of %v", r.System, what, *figure, ci)
			}
		}
	}
}

// Unrelated sessions can't help a reader who goes by who was there.
func TestNoise(t *testing.T) {
	measures(t)
	of := func(noise int) float64 {
		got := run(t, bench.Options{Labels: bench.FromGold, Noise: noise, Systems: systems(t, "NoEngine_evid")}, scripts(t)[0])
		return *got.Runs[0].T2.Partial
	}
	if without, with := of(0), of(6); with > without {
		t.Errorf("partial %v without noise, %v with", without, with)
	}
}

// Noise that a script hasn't is reported, and what there is, is drawn.
func TestNoiseShort(t *testing.T) {
	small := filepath.Join("testdata", "small")
	o := bench.Options{Labels: bench.FromGold, Units: bench.FromGold, Noise: 1000, Systems: systems(t, bench.EPMem), Tasks: []bench.Task{bench.TaskWho}}
	got := run(t, o, small)
	short := got.Config.Scripts[0].NoiseShort
	if short == nil || short.Items != got.Runs[0].T2.N || short.Fewest < 0 || short.Fewest >= 1000 {
		t.Fatalf("%+v", short)
	}
	const words = "noise 1000 (small has fewer unrelated sessions, down to "
	page, err := bench.HTML(got)
	if err != nil {
		t.Fatal(err)
	}
	if text := bench.Markdown(got); !strings.Contains(text, words) || !strings.Contains(string(page), words) {
		t.Errorf("the reports don't say so:\n%s", text)
	}
	o.Noise = 0
	if got := run(t, o, small); got.Config.Scripts[0].NoiseShort != nil {
		t.Error("without noise nothing is short")
	}
}

func TestEvidence(t *testing.T) {
	for _, e := range []bench.Evidence{bench.EvidenceGold, bench.EvidenceRetrieved, bench.EvidenceFull} {
		got := run(t, bench.Options{Labels: bench.FromGold, Evidence: e, Systems: systems(t, bench.EPMem)}, scripts(t)[1]).Runs[0]
		if got.Evidence != e || *got.T3.PB != 0 || got.Recall["10"] == nil || *got.Recall["10"] < *got.Recall["1"] {
			t.Errorf("%s: %s", e, asJSON(t, got))
		}
	}
}

// A run that is stopped goes on where it was, and comes to the same.
func TestResume(t *testing.T) {
	measures(t)
	dir := scripts(t)[0]
	settings := func(folder string, progress func()) (bench.Options, *bench.Results) {
		results, err := bench.OpenResults(folder)
		if err != nil {
			t.Fatal(err)
		}
		return bench.Options{
			Labels: bench.FromGold, Systems: systems(t, "NoEngine_evid", bench.EPMem), Results: results, Code: "test",
			Progress: func(string, string, int, int) { progress() },
		}, results
	}
	folder := filepath.Join(t.TempDir(), "results")
	ctx, cancel := context.WithCancel(t.Context())
	done := 0
	o, results := settings(folder, func() {
		if done++; done == 20 {
			cancel()
		}
	})
	if _, err := bench.Run(ctx, []string{dir}, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	items := filepath.Join(folder, bench.ItemsFile)
	kept, err := os.ReadFile(items)
	if err != nil || strings.Count(string(kept), "\n") != 20 {
		t.Fatalf("%d items kept, %v", strings.Count(string(kept), "\n"), err)
	}
	// The last line was cut off by the stop.
	if err := os.WriteFile(items, kept[:len(kept)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	again := 0
	o, results = settings(folder, func() { again++ })
	resumed := run(t, o, dir)
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	whole := 0
	o, results = settings(filepath.Join(t.TempDir(), "whole"), func() { whole++ })
	fresh := run(t, o, dir)
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	if again != whole-19 {
		t.Errorf("%d items done after the stop, want %d", again, whole-19)
	}
	if diff := cmp.Diff(asJSON(t, fresh), asJSON(t, resumed)); diff != "" {
		t.Errorf("(-fresh +resumed)\n%s", diff)
	}
	for _, name := range []string{bench.ConfigFile, bench.ScoresFile, bench.HTMLFile, bench.MarkdownFile} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Another program, or another seed of noise, doesn't use them.
	third := 0
	o, results = settings(folder, func() { third++ })
	o.Code = "another"
	run(t, o, dir)
	if err := results.Close(); err != nil {
		t.Fatal(err)
	}
	if third != whole {
		t.Errorf("another program did %d of %d items", third, whole)
	}
}

func TestResultsBroken(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, bench.ItemsFile), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bench.OpenResults(folder); !errors.Is(err, bench.ErrFormat) || !strings.Contains(err.Error(), "items.jsonl:1") {
		t.Errorf("%v", err)
	}
}

// A script without supplements counts for EP-Mem+Evo as EP-Mem does.
func TestEvolution(t *testing.T) {
	dirs := scripts(t)[:2]
	o := bench.Options{
		Labels: bench.FromGold, Systems: systems(t, bench.EPMem, bench.EPMemEvo),
		Evolution: func(_ bench.Form, script string) (bench.Supplement, bool) {
			return bench.Supplement{Version: "1"}, script == filepath.Base(dirs[0])
		},
		EvolveScripts: []string{filepath.Base(dirs[0])}, EvolveStages: []string{"annotate"},
	}
	got := run(t, o, dirs...)
	if len(got.Runs) != 4 || len(got.Overall) != 3 {
		t.Fatalf("%d rows, %d overall", len(got.Runs), len(got.Overall))
	}
	a, b := got.Overall[0], got.Overall[1]
	if *a.T2.Exact != *b.T2.Exact || a.T2.N != b.T2.N || *a.T3.Sufficiency != *b.T3.Sufficiency {
		t.Errorf("%s\n%s", asJSON(t, a), asJSON(t, b))
	}
	want := "evolution for " + filepath.Base(dirs[0]) + " alone, evolution of annotate alone"
	if c := asJSON(t, got.Config); !strings.Contains(c, `"evolve_stages"`) || !strings.Contains(bench.Markdown(got), want) {
		t.Errorf("what evolution was run for isn't kept: %s", c)
	}
}

func TestOptions(t *testing.T) {
	dir := scripts(t)[0]
	for name, o := range map[string]bench.Options{
		"labels": {Labels: "silver"}, "units": {Units: "x"}, "evidence": {Evidence: "some"}, "noise": {Noise: -1}, "runs": {Runs: -1}, "too many runs": {Runs: bench.MaxRuns + 1},
		"supplements": {Systems: systems(t, bench.EPMemEvo)},
	} {
		if _, err := bench.Run(t.Context(), []string{dir}, o); !errors.Is(err, bench.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := bench.Find([]string{"EP-Mem", "best"}); !errors.Is(err, bench.ErrOptions) || !strings.Contains(err.Error(), "NoEngine_full") {
		t.Error(err)
	}
	if twice, err := bench.Find([]string{"EP-Mem+Evo", "EP-Mem", "EP-Mem", "EP-Mem+Evo auto"}); err != nil || len(twice) != 3 {
		t.Errorf("%v, %v: want each once", twice, err)
	}
	if _, err := bench.Run(t.Context(), nil, bench.Options{}); !errors.Is(err, bench.ErrNoScripts) {
		t.Error(err)
	}
	if _, err := bench.Run(t.Context(), []string{dir, dir}, bench.Options{Labels: bench.FromGold, Systems: systems(t, bench.EPMem)}); !errors.Is(err, bench.ErrOptions) {
		t.Errorf("a script twice: %v", err)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
