package ingest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/ingest"
	"github.com/epagent/epagent/memory/lexical"
)

// TestExtractionCoverage measures, over our own scripts and those that
// EPAGENT_SCRIPTS lists, the share of gold facts of which offline extraction finds at least a part: a
// record of one of the fact's sessions with two of its content words (numbers
// and names of the people who take part don't count).
func TestExtractionCoverage(t *testing.T) {
	own, err := filepath.Glob("../../agent/testdata/scripts/*")
	if err != nil || len(own) == 0 {
		t.Fatalf("no scripts of our own: %v", err)
	}
	for i, dir := range append(slices.Clip(own), filepath.SplitList(os.Getenv("EPAGENT_SCRIPTS"))...) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			e, err := ingest.Read(t.Context(), dir, ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			bySession := map[string][]map[string]bool{}
			names := map[string]bool{}
			records, turns := 0, 0
			for _, s := range e.Sessions() {
				for _, p := range s.Participants {
					for _, term := range lexical.Terms(p) {
						names[term] = true
					}
				}
				got, err := (memory.OfflineExtractor{}).Extract(t.Context(), &s, memory.ExtractOptions{Owner: e.Script.Owner, OwnerKnown: true})
				if err != nil {
					t.Fatal(err)
				}
				records, turns = records+len(got), turns+len(s.Turns)
				for _, r := range got {
					terms := map[string]bool{}
					for _, term := range lexical.Terms(r.Text) {
						terms[term] = true
					}
					bySession[s.ID] = append(bySession[s.ID], terms)
				}
			}
			found := 0
			for _, f := range e.Script.Facts {
				if covered(f, bySession, names) {
					found++
				} else {
					t.Logf("nothing of %s", f.ID)
				}
			}
			share := float64(found) / float64(len(e.Script.Facts))
			t.Logf("%d of %d gold facts found in part (%.0f %%); %d records from %d turns", found, len(e.Script.Facts), 100*share, records, turns)
			// Others' scripts are measured only: how they are written is theirs.
			if i < len(own) && share < 0.75 {
				t.Errorf("coverage %.2f, want at least 0.75", share)
			}
		})
	}
}

func covered(f ingest.GoldFact, bySession map[string][]map[string]bool, names map[string]bool) bool {
	for _, id := range f.Sessions {
		for _, terms := range bySession[id] {
			shared := map[string]bool{}
			for _, term := range lexical.Terms(f.Text) {
				if terms[term] && !names[term] && (term[0] < '0' || term[0] > '9') {
					shared[term] = true
				}
			}
			if len(shared) >= 2 {
				return true
			}
		}
	}
	return false
}
