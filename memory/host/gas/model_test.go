package gas_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
)

var errCall = errors.New("no reply")

// grainsOf are the summary and the keywords of a session as the host stores them.
func grainsOf(t *testing.T, h memory.Host, s *memory.Session) (summary, keywords string, err error) {
	t.Helper()
	layers, err := h.Compose(t.Context(), s)
	for _, g := range layers.Grains {
		if g.Kind == "keywords" {
			keywords = g.Text
		}
	}
	return layers.Summary, keywords, err
}

// TestModelWriter: sentences and keywords count as far as the session bears them out.
func TestModelWriter(t *testing.T) {
	s := talk("s1", "I bought a cello for 900 euros", "A cello, how lovely", "The lessons in Ghent begin in May")
	offlineSummary, offlineKeywords, err := grainsOf(t, gas.New(nil, gas.Options{}), &s)
	if err != nil {
		t.Fatal(err)
	}
	speaker := s.Turns[0].Speaker
	for _, tt := range []struct {
		name, summary string
		keywords      []string
		want          string // behind the heading; "" the offline one
		wantKeywords  string
	}{
		{"good", speaker + " bought a cello for 900 euros. The lessons in Ghent begin in May.", []string{"cello", "lessons"}, speaker + " bought a cello for 900 euros. The lessons in Ghent begin in May.", "cello; lessons"},
		{"a sentence made up", "The cello cost 700 euros. The lessons in Ghent begin in May. Zelda plays the cello.", []string{"cello", "castle"}, "The lessons in Ghent begin in May.", "cello"},
		{"nothing of it", "All is well in Ohio.", []string{"castle"}, "", offlineKeywords},
		{"nothing", "", nil, "", offlineKeywords},
		{"endless", strings.Repeat("The cello is a cello. ", 200), nil, strings.TrimSpace(strings.Repeat("The cello is a cello. ", 45)), offlineKeywords},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &gas.ModelWriter{Call: func(_ context.Context, in gas.SummaryCall) (gas.SummaryReply, error) {
				if len(in.Turns) != 3 || in.Before != "" {
					t.Errorf("asked for %+v", in)
				}
				return gas.SummaryReply{Summary: tt.summary, Keywords: tt.keywords}, nil
			}}
			host := gas.New(nil, gas.Options{Writer: w})
			summary, keywords, err := grainsOf(t, host, &s)
			want := offlineSummary
			if tt.want != "" {
				want = memory.Heading(&s) + "\n" + tt.want
			}
			if err != nil || summary != want || keywords != tt.wantKeywords {
				t.Errorf("%q, %q, %v; want %q, %q", summary, keywords, err, want, tt.wantKeywords)
			}
			if host.Name() != gas.New(nil, gas.Options{}).Name() {
				t.Errorf("name %q", host.Name())
			}
		})
	}
}

// TestModelWriterParts: a long session goes in parts, each with the summary so far; one
// that fails leaves the whole to the offline writer, or fails.
func TestModelWriterParts(t *testing.T) {
	s := talk("s1", "I bought a cello", "I sold a horn", "I tuned a harp")
	offline, _, err := grainsOf(t, gas.New(nil, gas.Options{}), &s)
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []int{0, 2} {
		for _, fatal := range []bool{false, true} {
			calls := 0
			w := &gas.ModelWriter{
				Budget: 1,
				Call: func(_ context.Context, in gas.SummaryCall) (gas.SummaryReply, error) {
					if calls++; calls == fails {
						return gas.SummaryReply{}, errCall
					}
					if len(in.Turns) != 1 || (in.Before == "") != (calls == 1) {
						t.Errorf("call %d: %+v", calls, in)
					}
					thing := in.Turns[0].Text[strings.LastIndex(in.Turns[0].Text, " ")+1:]
					return gas.SummaryReply{Summary: strings.TrimSpace(in.Before + " Then it was a " + thing + "."), Keywords: []string{thing}}, nil
				},
				Failed: func(_ context.Context, err error) error {
					if fatal {
						return err
					}
					return nil
				},
			}
			summary, keywords, err := grainsOf(t, gas.New(nil, gas.Options{Writer: w}), &s)
			switch {
			case fails > 0 && fatal:
				if !errors.Is(err, errCall) {
					t.Errorf("%v", err)
				}
			case fails > 0:
				if err != nil || summary != offline {
					t.Errorf("%q, %v", summary, err)
				}
			case err != nil || !strings.HasSuffix(summary, "\nThen it was a cello. Then it was a horn. Then it was a harp.") || keywords != "cello; horn; harp":
				t.Errorf("%q, %q, %v", summary, keywords, err)
			}
		}
	}
	// One message is its own summary: no model is asked.
	one := talk("s2", "I bought a cello")
	w := &gas.ModelWriter{Call: func(context.Context, gas.SummaryCall) (gas.SummaryReply, error) {
		t.Error("asked")
		return gas.SummaryReply{}, nil
	}}
	if summary, _, err := grainsOf(t, gas.New(nil, gas.Options{Writer: w}), &one); err != nil || summary == "" {
		t.Errorf("%q, %v", summary, err)
	}
}
