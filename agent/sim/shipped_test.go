package sim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent/sim"
)

// shipped are the simulations of examples/simulations.
func shipped(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.FromSlash("../../examples/simulations/*.yaml"))
	if err != nil || len(paths) < 6 {
		t.Fatalf("%d shipped simulations, %v; want six at least", len(paths), err)
	}
	return paths
}

func load(t testing.TB, path string) *sim.Script {
	t.Helper()
	s, err := sim.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every shipped simulation holds what it asserts, no leaks among it.
func TestShipped(t *testing.T) {
	for _, path := range shipped(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			s := load(t, path)
			if !s.Assert.NoLeaks {
				t.Error("it doesn't assert that nothing leaks")
			}
			got, err := sim.Run(t.Context(), s, sim.Options{Finder: byWords()})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range got.Assertions {
				if !a.Holds {
					t.Errorf("%s: fails: %s", a.Assertion, a.Detail)
				}
			}
			if testing.Verbose() {
				for _, c := range got.Matrix.Cells {
					t.Logf("%s learns %s: allowed %v, %s", c.Person, c.Detail, c.Allowed, c.Way())
				}
				for _, p := range got.Matrix.Probes {
					e := got.Exchanges[p.Exchange-1]
					if !p.Told {
						t.Logf("refused %s to %v: %q: %q", p.Detail, p.Readers, e.Text, e.Answer)
					}
				}
				t.Logf("%+v", got.Figures)
			}
		})
	}
}

// With the engine switched off every planted leak is found: whoever was given a fact
// that rests on words which hold a detail, and may not know it, is in the matrix.
func TestPlanted(t *testing.T) {
	for _, path := range shipped(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			s := load(t, path)
			got, err := sim.Run(t.Context(), s, sim.WithoutEngine(sim.Options{Finder: byWords()}))
			if err != nil {
				t.Fatal(err)
			}
			planted := sim.Planted(s, got)
			if len(planted) == 0 || got.Figures.Leaks == 0 || got.Figures.FirstLeak == nil {
				t.Fatalf("%d planted leaks, %d found: nothing is put to the test", len(planted), got.Figures.Leaks)
			}
			found := map[[2]string]bool{}
			for _, c := range got.Matrix.Cells {
				found[[2]string{c.Detail, c.Person}] = c.Leak
			}
			for _, p := range planted {
				if !found[[2]string{p.Detail, p.Person}] {
					e := got.Exchanges[p.Exchange-1]
					t.Errorf("%s was told %s in exchange %d, and it isn't found:\n%q\n%q", p.Person, p.Detail, p.Exchange, e.Text, e.Answer)
				}
			}
			for _, d := range s.Details {
				if len(d.Pieces) > 0 && !slices.ContainsFunc(got.Matrix.Cells, func(c sim.Cell) bool { return c.Detail == d.ID && c.Mosaic && c.Leak }) {
					t.Errorf("nobody puts %s together", d.ID)
				}
			}
			if got.Holds {
				t.Error("all assertions hold with the engine switched off")
			}
			t.Logf("%d planted, %d leaks in the matrix", len(planted), got.Figures.Leaks)
		})
	}
}

// Without the circle two friends put a detail together with the engine on: the matrix
// sees it, and the circle is what prevents it.
func TestCircleMatters(t *testing.T) {
	data, err := os.ReadFile(filepath.FromSlash("../../examples/simulations/collusion.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	const circle = "          - {id: the-two, people: [Vic Adler, Sam Oduya]}\n"
	before, after, ok := strings.Cut(string(data), "        circles:\n"+circle)
	if !ok {
		t.Fatal("the script has no circle to take out")
	}
	got := run(t, parse(t, before+after), sim.Options{})
	var who []string
	for _, c := range got.Matrix.Cells {
		if c.Leak && c.Detail == "move" && c.Mosaic {
			who = append(who, c.Person)
		}
	}
	if slices.Sort(who); !slices.Equal(who, []string{"Sam Oduya", "Vic Adler"}) || got.Figures.FirstLeak.Questions != 6 {
		t.Errorf("%v put it together, %+v", who, got.Figures.FirstLeak)
	}
}
