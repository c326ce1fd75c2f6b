package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/epagent/epagent/privacy"
	"github.com/epagent/epagent/privacy/engine"
)

// statements are sentences of which long utterances are made here: each keeps some
// stage at work.
var statements = []string{
	"I told Rhea it was a root canal but I was in Lund for an interview on 3 March. ",
	"Don't tell Rhea or my mother, you can tell Imke, nobody else at work knows. ",
	"I don't want my boss to know that the doctor found 3,400 things on 12 May 2026, ",
	"officially I'm at the dentist and as far as mum knows I'm on holiday ",
	"别告诉赵磊，我跟赵总说的是去看牙，其实我去面试了。",
	"Pavel said that Kit thinks that Tuan told her: ",
}

// TestLongStatements: what the stages of the way in take grows with the text, not
// with its square. The bound is some forty times what a free machine needs.
func TestLongStatements(t *testing.T) {
	p := mustPolicy(t, worldPolicy)
	const size = 64 << 10
	for i, piece := range statements {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			text := strings.Repeat(piece, size/len(piece))
			s := engine.Session{ID: "s", Utterances: []engine.Utterance{
				{ID: "a", Owner: true, Listeners: []string{"Kit"}, Text: text},
				{ID: "b", Speaker: "Kit", Text: text},
				{ID: "c", Owner: true, Listeners: []string{"Kit"}, Text: text},
			}}
			for d := range size / len(piece) {
				s.Drafts = append(s.Drafts, privacy.Record{ID: privacy.FactID(fmt.Sprint("f", d)), Text: fmt.Sprint("Nora, number ", d, ": ", piece), OwnerSaid: true, Evidence: []string{"a"}})
			}
			s.Drafts = append(s.Drafts, privacy.Record{ID: "whole", Text: text, OwnerSaid: true, Evidence: []string{"a"}})
			start := time.Now()
			wayIn(t, engine.NewOffline(), p, s)
			t.Log(time.Since(start)) // something quadratic runs into the timeout of go test
		})
	}
}

func wayIn(t testing.TB, o *engine.Offline, p *privacy.Policy, s engine.Session) {
	t.Helper()
	if _, err := o.Annotate(t.Context(), p, s, nil); err != nil {
		t.Fatal(err)
	}
	events, err := o.Corefer(t.Context(), s.Drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		s.Drafts[i].Marks = append(s.Drafts[i].Marks, events[i])
	}
	if _, _, err := o.Exceptions(t.Context(), p, s); err != nil {
		t.Fatal(err)
	}
}
