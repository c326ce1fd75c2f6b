package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/agent"
)

const lineFact = "fabcdefghij"

func knownInTest(word string) bool { return word == lineFact }

// A line of feedback is read whole: nothing of it is lost, or taken for something else.
func TestReadFeedback(t *testing.T) {
	for _, tt := range []struct {
		line string
		want agent.FeedbackRequest
	}{
		{"wrong-category fq3k7d2mabc = health", agent.FeedbackRequest{Kind: "wrong-category", Fact: "fq3k7d2mabc", Expected: "health"}},
		{"wrong-category fq3k7d2mabc health", agent.FeedbackRequest{Kind: "wrong-category", Fact: "fq3k7d2mabc", Expected: "health"}},
		{"wrong-category fq3k7d2mabc=health", agent.FeedbackRequest{Kind: "wrong-category", Fact: "fq3k7d2mabc", Expected: "health"}},
		{"wrong-category x = health -- no hobby", agent.FeedbackRequest{Kind: "wrong-category", Fact: "x", Expected: "health", Note: "no hobby"}},
		{"wrong-category = health", agent.FeedbackRequest{Kind: "wrong-category", Expected: "health"}},
		{"wrong-time " + lineFact + " -- it was later", agent.FeedbackRequest{Kind: "wrong-time", Fact: lineFact, Note: "it was later"}},
		{"wrong-time " + lineFact + " 3 May = my birthday", agent.FeedbackRequest{Kind: "wrong-time", Fact: lineFact, Expected: "3 May = my birthday"}},
		{"too-vague 2 = the day", agent.FeedbackRequest{Kind: "too-vague", Entry: 2, Expected: "the day"}},
		{"too-vague #2 the day", agent.FeedbackRequest{Kind: "too-vague", Entry: 2, Expected: "the day"}},
		{"too-vague the day", agent.FeedbackRequest{Kind: "too-vague", Expected: "the day"}},
		{"should-have-told " + lineFact + " #2 she asked", agent.FeedbackRequest{Kind: "should-have-told", Fact: lineFact, Entry: 2, Note: "she asked"}},
		{"should-have-told 2 " + lineFact, agent.FeedbackRequest{Kind: "should-have-told", Fact: lineFact, Entry: 2}},
		{"should-not-have-told 2 fq3k7d2mabc", agent.FeedbackRequest{Kind: "should-not-have-told", Fact: "fq3k7d2mabc", Entry: 2}},
		{"missed 2 children came", agent.FeedbackRequest{Kind: "missed", Note: "2 children came"}},
		{"missed #2 the children", agent.FeedbackRequest{Kind: "missed", Entry: 2, Note: "the children"}},
		{"missed #running again", agent.FeedbackRequest{Kind: "missed", Note: "#running again"}},
		{"missed fortunately I came", agent.FeedbackRequest{Kind: "missed", Note: "fortunately I came"}},
		{"invented " + lineFact, agent.FeedbackRequest{Kind: "invented", Fact: lineFact}},
		{"missed = what I said -- twice", agent.FeedbackRequest{Kind: "missed", Expected: "what I said", Note: "twice"}},
	} {
		got, err := readFeedback(tt.line, "", knownInTest)
		if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
			t.Errorf("%q: %v (-want +got)\n%s", tt.line, err, diff)
		}
	}
	for _, line := range []string{"", "  ", "too-vague #0", "too-vague 0 = x", "too-vague #99999999999999999999", "missed #0"} {
		if _, err := readFeedback(line, "", knownInTest); !errors.Is(err, agent.ErrFeedback) {
			t.Errorf("%q: %v, want ErrFeedback", line, err)
		}
	}
	// Beside a fact that is shown.
	got, err := readFeedback("wrong-category "+lineFact+" = health", lineFact, knownInTest)
	if diff := cmp.Diff(agent.FeedbackRequest{Kind: "wrong-category", Fact: lineFact, Expected: "health"}, got); err != nil || diff != "" {
		t.Errorf("shown: %v\n%s", err, diff)
	}
	for line, want := range map[string]bool{"/wrong": true, " /wrong missed x": true, "/wrongly": false, "say /wrong": false} {
		if _, is := wrongLine(line); is != want {
			t.Errorf("%q is feedback: %v", line, is)
		}
	}
}

// Whatever is typed: no panic, and no number, fact or text that isn't in the line.
func FuzzReadFeedback(f *testing.F) {
	for _, line := range []string{"wrong-category x = health -- y", "too-vague 2=the day", "missed #2 -- x", "#1 #2", "=", "-- --", "invented " + lineFact} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		req, err := readFeedback(line, "", knownInTest)
		if err != nil {
			if !errors.Is(err, agent.ErrFeedback) {
				t.Fatalf("%v, want ErrFeedback", err)
			}
			return
		}
		for _, part := range []string{string(req.Kind), string(req.Fact), req.Expected, req.Note} {
			if !strings.Contains(line, part) {
				t.Errorf("%q isn't in %q", part, line)
			}
		}
		if req.Entry < 0 {
			t.Errorf("entry %d", req.Entry)
		}
	})
}
