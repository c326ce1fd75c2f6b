package privacy_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/privacy"
)

// vectorFile is a file of test vectors. A label is [level, domain or null]; the
// recipient that bears the owner's name stands for the owner principal.
type vectorFile struct {
	Cases []vectorCase `json:"cases"`
}

type vectorCase struct {
	ID       string                 `json:"id"`
	Policy   json.RawMessage        `json:"policy"`
	Facts    []vectorFact           `json:"facts"`
	Labels   map[string]vectorLabel `json:"labels"`
	Verdicts []struct {
		Fact      string `json:"fact"`
		Recipient string `json:"recipient"`
		Allow     bool   `json:"allow"`
		Reason    string `json:"reason"`
	} `json:"verdicts"`
	Composites []struct {
		Facts      []privacy.FactID `json:"facts"`
		Ceiling    vectorLabel      `json:"ceiling"`
		Recipients map[string]struct {
			Allow   bool     `json:"allow"`
			Reasons []string `json:"reasons"`
		} `json:"recipients"`
	} `json:"composites"`
	Audiences []struct {
		Fact       string   `json:"fact"`
		Recipients []string `json:"recipients"`
		Allow      bool     `json:"allow"`
	} `json:"audiences"`
}

type vectorFact struct {
	ID         privacy.FactID       `json:"id"`
	Categories []privacy.CategoryID `json:"categories"`
	Label      *vectorLabel         `json:"label"`
	Event      privacy.EventID      `json:"event"`
	Truth      string               `json:"truth"`
	Trusted    bool                 `json:"trusted"`
	Whitelist  []privacy.Party      `json:"whitelist"`
	Blacklist  []privacy.Party      `json:"blacklist"`
	Reserved   []privacy.Party      `json:"reserved"`
	Closed     bool                 `json:"closed"`
}

func (f vectorFact) fact() privacy.Fact {
	out := privacy.Fact{
		ID: f.ID, Categories: f.Categories, Event: f.Event, Link: privacy.LinkConfirmed, Trusted: f.Trusted,
		Whitelist: f.Whitelist, Blacklist: f.Blacklist, Reserved: f.Reserved, Closed: f.Closed,
	}
	if f.Truth == "real" {
		out.Truth = privacy.Real
	}
	if f.Label != nil {
		out.Label = &f.Label.Label
	}
	return out
}

type vectorLabel struct{ privacy.Label }

func (l *vectorLabel) UnmarshalJSON(b []byte) error {
	var domain *privacy.Domain
	if err := json.Unmarshal(b, &[]any{&l.Level, &domain}); err != nil {
		return err
	}
	if domain != nil {
		l.Domain = *domain
	}
	return nil
}

// TestVectors runs the vectors of the repository and those of every file that
// EPAGENT_VECTORS lists.
func TestVectors(t *testing.T) {
	paths := []string{filepath.Join("testdata", "vectors.json.gz")}
	for _, path := range filepath.SplitList(os.Getenv("EPAGENT_VECTORS")) {
		if path != "" {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".json")
		file := readVectors(t, path)
		if len(file.Cases) == 0 {
			t.Errorf("%s has no cases", path)
		}
		for _, c := range file.Cases {
			t.Run(base+"/"+c.ID, func(t *testing.T) { runVector(t, c) })
		}
	}
}

func readVectors(t *testing.T, path string) vectorFile {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(src))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if src, err = io.ReadAll(z); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	var file vectorFile
	if err := json.Unmarshal(src, &file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file
}

func runVector(t *testing.T, c vectorCase) {
	if len(c.Labels)+len(c.Verdicts)+len(c.Composites)+len(c.Audiences) == 0 {
		t.Fatal("the case expects nothing")
	}
	policy, err := privacy.Parse(c.ID, c.Policy)
	if err != nil {
		t.Fatal(err)
	}
	facts := make([]privacy.Fact, len(c.Facts))
	for i, f := range c.Facts {
		facts[i] = f.fact()
	}
	judge := privacy.NewJudge(policy, facts)
	recipient := func(name string) privacy.Recipient {
		if policy.IsOwner(name) {
			return privacy.OwnerPrincipal()
		}
		return policy.Recipient(name)
	}
	index := func(id string) int {
		i, ok := judge.Index(privacy.FactID(id))
		if !ok {
			t.Fatalf("no fact %s", id)
		}
		return i
	}
	for id, want := range c.Labels {
		if got := judge.Label(index(id)); got != want.Label {
			t.Errorf("label of %s: got %s, want %s", id, got, want.Label)
		}
	}
	for _, want := range c.Verdicts {
		got := judge.Verdict(index(want.Fact), recipient(want.Recipient))
		if got.Allow != want.Allow || got.Reason.String() != want.Reason {
			t.Errorf("%s for %s: got %v %s, want %v %s", want.Fact, want.Recipient,
				got.Allow, got.Reason, want.Allow, want.Reason)
		}
	}
	for _, want := range c.Composites {
		for name, expect := range want.Recipients {
			got := judge.Unit(want.Facts, recipient(name))
			var reasons []string
			for _, v := range got.Verdicts {
				reasons = append(reasons, v.Reason.String())
			}
			if got.Allow != expect.Allow || got.Ceiling != want.Ceiling.Label {
				t.Errorf("unit %v for %s: got %v under %s, want %v under %s", want.Facts, name,
					got.Allow, got.Ceiling, expect.Allow, want.Ceiling.Label)
			}
			if diff := cmp.Diff(expect.Reasons, reasons); diff != "" {
				t.Errorf("unit %v for %s: reasons (-want +got):\n%s", want.Facts, name, diff)
			}
		}
	}
	for _, want := range c.Audiences {
		rs := make([]privacy.Recipient, len(want.Recipients))
		for i, name := range want.Recipients {
			rs[i] = recipient(name)
		}
		if got := judge.Audience(index(want.Fact), rs); got.Allow != want.Allow {
			t.Errorf("%s for %v: got %v %s, want %v", want.Fact, want.Recipients, got.Allow, got.Reason, want.Allow)
		}
	}
}
