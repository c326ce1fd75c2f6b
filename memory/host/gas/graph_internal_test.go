package gas

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
)

// TestJoinGoesOn: a graph that sessions are added to is the one that is made of all of
// them at once, and those that were handed out before stay as they were.
func TestJoinGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var known []memory.Association
		var now *tied
		place := 0
		for step := range rapid.IntRange(1, 6).Draw(t, "steps") {
			stay := len(known)
			for range rapid.IntRange(0, 4).Draw(t, "added") {
				var ties [grains][]node
				for g := range ties {
					for _, k := range known {
						if rapid.Bool().Draw(t, "tied") {
							ties[g] = append(ties[g], grains*k.Place+rapid.IntRange(0, grains-1).Draw(t, "grain"))
						}
					}
				}
				a := memory.Association{Session: fmt.Sprint("s", step, "-", place), Place: place, Ties: encode(ties)}
				if rapid.IntRange(0, 9).Draw(t, "waits") == 0 {
					a.Ties = nil
				}
				known = append(known, a)
				place += rapid.IntRange(1, 3).Draw(t, "gap")
			}
			var err error
			before := now
			if now, err = now.join(known, stay); err != nil {
				t.Fatal(err)
			}
			whole, err := (*tied)(nil).join(known, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(whole, now, cmp.AllowUnexported(tied{})); diff != "" {
				t.Fatalf("gone on from (-whole +now):\n%s", diff)
			}
			if before != nil {
				earlier, err := (*tied)(nil).join(known[:stay], 0)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(earlier, before, cmp.AllowUnexported(tied{})); diff != "" {
					t.Fatalf("what was handed out has changed:\n%s", diff)
				}
			}
		}
	})
}
