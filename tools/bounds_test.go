package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/privacy"
)

// What recall returns is bounded, and says so, whatever the agent finds.
func TestRecallIsBounded(t *testing.T) {
	cases := []struct {
		name        string
		facts, size int
		more, cut   bool
		least       int
	}{
		{"few and short", 3, 100, false, false, 3},
		{"more than asked for", 60, 100, true, false, 50},
		{"more than 1 MiB", 50, 200 << 10, true, false, 1},
		{"one that is too long", 1, 5 << 20, false, true, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := dial(t, &fakeVerbs{recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) {
				out := &agent.Recalled{}
				for i := range c.facts {
					out.Facts = append(out.Facts, agent.RecalledFact{
						ID: privacy.FactID(fmt.Sprintf("f%d", i)), Text: strings.Repeat("字", c.size/len("字")),
					})
				}
				return out, nil
			}})
			r := p.call("recall", `{"query":"a","limit":50}`)
			got := factsOf(t, r)
			if got.More != c.more || len(got.Facts) < c.least || len(got.Facts) > 50 {
				t.Errorf("%d facts, more %v; want at least %d, more %v", len(got.Facts), got.More, c.least, c.more)
			}
			if cut := got.Facts[0].Cut; cut != c.cut {
				t.Errorf("cut %v, want %v", cut, c.cut)
			}
			if size := len(r.Structured) + len(r.text()); size > 1<<20 {
				t.Errorf("a result of %d bytes", size)
			}
		})
	}
}

// A result that can't be written is an error and not silence.
func TestUnwritableResult(t *testing.T) {
	p := dial(t, &fakeVerbs{recall: func(context.Context, agent.RecallRequest) (*agent.Recalled, error) {
		return &agent.Recalled{Facts: []agent.RecalledFact{{ID: "f1", Score: math.NaN()}}}, nil
	}})
	if r := p.call("recall", `{"query":"a"}`); !r.IsError || r.text() != "internal error, see the server's log" {
		t.Errorf("isError %v: %s", r.IsError, r.text())
	}
}

func TestPartitionIsBounded(t *testing.T) {
	p := dial(t, &fakeVerbs{partition: func(_ context.Context, r agent.PartitionRequest) (*agent.Partition, error) {
		out := &agent.Partition{}
		for i := range r.Limit {
			out.Facts = append(out.Facts, agent.PartitionFact{ID: privacy.FactID(fmt.Sprint(i)), Text: strings.Repeat("x", 1<<20)})
		}
		for i := range 200 {
			row := agent.PartitionPerson{Name: fmt.Sprint("Person ", i)}
			for _, f := range out.Facts {
				row.Verdicts = append(row.Verdicts, agent.FactVerdict{Fact: f.ID, Reason: privacy.ReasonLevel0})
			}
			out.People = append(out.People, row)
		}
		return out, nil
	}})
	r := p.call("partition", `{"topic":"a"}`)
	var got struct {
		Facts  []struct{ Cut bool }      `json:"facts"`
		People []struct{ Reason string } `json:"people"`
		More   bool                      `json:"more"`
	}
	if err := json.Unmarshal(r.Structured, &got); err != nil {
		t.Fatal(err)
	}
	if r.IsError || !got.More || len(got.People) != 50 || len(got.Facts) == 0 || !got.Facts[0].Cut {
		t.Errorf("isError %v, more %v, %d people, %d facts", r.IsError, got.More, len(got.People), len(got.Facts))
	}
	if size := len(r.Structured) + len(r.text()); size > 1<<20 {
		t.Errorf("a result of %d bytes", size)
	}
}

// An answer that could only be shown in part is not shown at all.
func TestAnswerIsBounded(t *testing.T) {
	p := dial(t, &fakeVerbs{disclose: func(context.Context, agent.DiscloseRequest) (*agent.Disclosure, error) {
		return &agent.Disclosure{Action: agent.Answered, Answer: strings.Repeat("x", 1<<20)}, nil
	}})
	if r := p.call("disclose", `{"question":"a","to":["Bo"]}`); !r.IsError || !strings.Contains(r.text(), "limit") || len(r.text()) > 500 {
		t.Errorf("isError %v: %d bytes", r.IsError, len(r.text()))
	}
}
