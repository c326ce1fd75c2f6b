package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

// searched is a host with a search of its own.
type searched struct {
	memory.Host
	search func(ctx context.Context, question string) ([]memory.NativeHit, error)
}

func (h searched) Search(ctx context.Context, question string, _ int) ([]memory.NativeHit, error) {
	return h.search(ctx, question)
}

// Patience implements memory.Patient.
func (searched) Patience() time.Duration { return 20 * time.Millisecond }

// faultyHosts are hosts that can't be searched, each in its way.
var faultyHosts = map[string]func(ctx context.Context, question string) ([]memory.NativeHit, error){
	"fails": func(context.Context, string) ([]memory.NativeHit, error) {
		return nil, errors.New("the offer by Halvorsen is in a broken file")
	},
	"fails at a word": func(_ context.Context, question string) ([]memory.NativeHit, error) {
		if strings.Contains(question, "offer") {
			return nil, errors.New("no")
		}
		return nil, nil
	},
	"panics": func(context.Context, string) ([]memory.NativeHit, error) { panic("offer") },
	"hangs":  func(context.Context, string) ([]memory.NativeHit, error) { select {} },
}

// TestHostReachesNobodyElse: whatever a host does when it is asked, others get what
// they get with one that works, since none is asked for them; and the owner's recall
// goes on without it and says so.
func TestHostReachesNobodyElse(t *testing.T) {
	facts := []fact{
		{ID: "f1", Text: "Ines has an offer from Halvorsen.", Categories: []privacy.CategoryID{"career"}, Time: now.AddDate(0, 0, -3), Trusted: true, Truth: "real"},
		{ID: "f2", Text: "Ines has a flight to Lisbon in June.", Categories: []privacy.CategoryID{"travel"}, Time: now.AddDate(0, 0, -2), Trusted: true, Truth: "real"},
	}
	questions := []string{"Does Ines have an offer?", "When is the flight to Lisbon?", "What is new with Ines?", "Does Ines have a dog?"}
	openWith := func(host func(*memory.Store) memory.Host) *agent.Agent {
		home := t.TempDir()
		if _, err := agent.WritePolicy(home, []byte(sameWithoutPolicy)); err != nil {
			t.Fatal(err)
		}
		a, err := agent.Open(t.Context(), home, agent.Options{Now: func() time.Time { return now }, Host: host})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		put(t, a, facts...)
		return a
	}
	asJSON := func(v any) string {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// shown is all that is made for others: answers, who may know what, and their view.
	shown := func(a *agent.Agent) []string {
		var out []string
		for _, q := range questions {
			for _, name := range []string{"Tomas", "Raj", "A Stranger"} {
				out = append(out, disclose(t, a, q, name).Answer)
				readers, err := a.Readers(t.Context(), []string{name})
				if err != nil {
					t.Fatal(err)
				}
				view, err := a.Recall(t.Context(), agent.RecallRequest{Query: q, As: readers})
				if err != nil || len(view.Degraded) > 0 {
					t.Fatalf("recall as %s: %v, degraded %q", name, err, view.Degraded)
				}
				out = append(out, asJSON(view))
			}
			table, err := a.Partition(t.Context(), agent.PartitionRequest{Topic: q})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, asJSON(table))
		}
		return out
	}
	whole := openWith(nil)
	want := shown(whole)
	for name, search := range faultyHosts {
		t.Run(name, func(t *testing.T) {
			asked := 0
			a := openWith(func(s *memory.Store) memory.Host {
				return searched{simple.New(s), func(ctx context.Context, q string) ([]memory.NativeHit, error) {
					asked++
					return search(ctx, q)
				}}
			})
			if diff := cmp.Diff(want, shown(a)); diff != "" {
				t.Errorf("it shows (-want +got)\n%s", diff)
			}
			if asked != 0 {
				t.Errorf("it was asked %d times for others", asked)
			}
			mine, err := a.Recall(t.Context(), agent.RecallRequest{Query: "offer"})
			if err != nil {
				t.Fatal(err)
			}
			if len(mine.Facts) == 0 || mine.Facts[0].ID != "f1" || !cmp.Equal(mine.Degraded, []string{agent.DegradedHost}) || !errors.Is(mine.HostFault, memory.ErrHost) {
				t.Errorf("the owner's recall: %+v", mine)
			}
		})
	}
}
