package simple_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func session() *memory.Session {
	return &memory.Session{
		ID: "s1", Conversation: "c1", Participants: []string{"Mia", "Noor"}, Start: privacy.At(noon),
		Turns: []memory.Turn{
			{ID: "t0", Kind: memory.System, Text: "Mia joined"},
			{ID: "t1", Speaker: "Mia", Kind: memory.Message, Text: "Hi  there", When: privacy.At(noon.Add(time.Minute))},
			{ID: "t2", Speaker: "Noor", Kind: memory.Message, Text: "hi hi"},
			{ID: "t3", Speaker: "Mia", Kind: memory.Message, Text: "The orthodontist in Ghent wants 4,000 euros for braces."},
			{ID: "t4", Speaker: "Noor", Kind: memory.Message, Text: " \n "},
			{ID: "t5", Speaker: "Noor", Kind: memory.Media, Caption: "a photo of a kitchen under water"},
			{ID: "t6", Speaker: "Mia", Kind: memory.Message, Text: "hi"},
			{ID: "t7", Speaker: "Mia", Kind: memory.Message, Text: "我下个月搬到北京工作。"},
		},
	}
}

func TestCompose(t *testing.T) {
	got := simple.Compose(session())
	var lines []string
	for _, e := range got.Entries {
		lines = append(lines, e.ID+" "+strings.Join(e.Turns, ",")+" "+e.When.Local[11:16]+" "+e.Text)
	}
	want := []string{
		"s1/t1 t1 12:01 Mia: Hi there",
		"s1/t2 t2 12:00 Noor: hi hi",
		"s1/t3 t3 12:00 Mia: The orthodontist in Ghent wants 4,000 euros for braces.",
		"s1/t5 t5 12:00 Noor: [a photo of a kitchen under water]",
		"s1/t6 t6 12:00 Mia: hi",
		"s1/t7 t7 12:00 Mia: 我下个月搬到北京工作。",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	wantSummary := "Mia, Noor · 2025-03-01\n" +
		"Mia: The orthodontist in Ghent wants 4,000 euros for braces.\n" +
		"Noor: [a photo of a kitchen under water]\n" +
		"Mia: 我下个月搬到北京工作。"
	if diff := cmp.Diff(wantSummary, got.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if empty := simple.Compose(&memory.Session{ID: "s"}); empty.Summary != "" || len(empty.Entries) != 0 || empty.Session != "s" {
		t.Errorf("a session without turns: %+v", empty)
	}
}

// Whatever is in a session, its layers restate its turns and nothing else, the
// same every time.
func TestComposeIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &memory.Session{ID: "s"}
		texts := map[string]string{}
		for i, text := range rapid.SliceOfN(rapid.String(), 0, 12).Draw(t, "texts") {
			id := fmt.Sprint("t", i)
			s.Turns = append(s.Turns, memory.Turn{ID: id, Speaker: rapid.SampledFrom([]string{"", "Mia", "Noor"}).Draw(t, "speaker"), Kind: memory.Message, Text: text})
			texts[id] = strings.Join(strings.Fields(text), " ")
		}
		got := simple.Compose(s)
		if diff := cmp.Diff(got, simple.Compose(s)); diff != "" {
			t.Fatalf("composed again:\n%s", diff)
		}
		stated := 0
		for _, text := range texts {
			if text != "" {
				stated++
			}
		}
		if len(got.Entries) != stated {
			t.Fatalf("%d entries for %d statements", len(got.Entries), stated)
		}
		for _, e := range got.Entries {
			if !strings.HasSuffix(e.Text, texts[e.Turns[0]]) {
				t.Fatalf("entry %q restates %q", e.Text, texts[e.Turns[0]])
			}
		}
		if n := utf8.RuneCountInString(got.Summary); n > 1000 {
			t.Fatalf("a summary of %d runes", n)
		}
	})
}

func TestSearch(t *testing.T) {
	ctx := t.Context()
	store, err := memory.Open(ctx, filepath.Join(t.TempDir(), memory.FileName), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	host := simple.New(store)
	if hits, err := host.Search(ctx, "braces", 3); err != nil || len(hits) != 0 {
		t.Errorf("an empty store: %v, %v", hits, err)
	}
	layers, err := host.Compose(ctx, session())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Apply(ctx, memory.Batch{Sessions: []memory.Session{*session()}, Layers: []memory.Layers{layers}}); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"what do braces cost?": "s1/t3", "北京": "s1/t7", "the kitchen photo": "s1/t5"} {
		hits, err := host.Search(ctx, question, 2)
		if err != nil || len(hits) == 0 || hits[0].Entry != want || hits[0].Session != "s1" || hits[0].Score != 1 {
			t.Errorf("%s: %+v, %v; want %s", question, hits, err, want)
		}
	}
	// Every entry of the session has to do with it, those with the words first.
	all, err := host.Search(ctx, "hi Mia", 0)
	if err != nil || len(all) != 6 {
		t.Fatalf("all: %+v, %v", all, err)
	}
	for k := 1; k <= len(all); k++ {
		if hits, err := host.Search(ctx, "hi Mia", k); err != nil || !slices.Equal(hits, all[:k]) {
			t.Errorf("the first %d: %+v, %v; of all %+v", k, hits, err, all[:k])
		}
	}
	if sessions, err := host.Sessions(ctx, "braces", 1); err != nil || len(sessions) != 1 || sessions[0] != (memory.SessionHit{Session: "s1", Score: 1}) {
		t.Errorf("sessions: %+v, %v", sessions, err)
	}
	if sessions, err := host.Sessions(ctx, "xylophone", 1); err != nil || len(sessions) > 0 {
		t.Errorf("sessions of a vain question: %+v, %v", sessions, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := host.Search(cancelled, "hi", 1); err == nil {
		t.Error("a cancelled search has no error")
	}
}

// What an entry is marked with beside its words.
func TestComposeMarks(t *testing.T) {
	s := session()
	s.Turns = append(s.Turns, memory.Turn{ID: "t8", Speaker: "Noor", Kind: memory.Message, Text: "Mia, shall we go to New Haven in May? Braces again?"})
	entries := simple.Compose(s).Entries
	last := entries[len(entries)-1]
	if !slices.Equal(last.Persons, []string{"Noor", "Mia"}) || last.Place != "New Haven" || !slices.Contains(last.Keywords, "braces") || last.Topic == "" {
		t.Errorf("marks of %q: persons %q, place %q, keywords %q, topic %q", last.Text, last.Persons, last.Place, last.Keywords, last.Topic)
	}
	for _, e := range entries {
		if e.Turns[0] == "t3" && e.Place != "Ghent" {
			t.Errorf("the place of %q: %q", e.Text, e.Place)
		}
		if e.Topic == "" {
			t.Errorf("%q has no topic", e.Text)
		}
	}
}

// windowWriter writes one entry a window, or what give says.
type windowWriter struct {
	windows *[]simple.Window
	give    func(simple.Window) ([]simple.Written, error)
}

func (w windowWriter) Version() string { return "fake" }

func (w windowWriter) Write(_ context.Context, window simple.Window) ([]simple.Written, error) {
	*w.windows = append(*w.windows, window)
	return w.give(window)
}

func TestWriter(t *testing.T) {
	ctx := t.Context()
	s := &memory.Session{ID: "s", Participants: []string{"Mia"}, Start: privacy.At(noon)}
	for i := range 45 {
		s.Turns = append(s.Turns, memory.Turn{ID: fmt.Sprint("t", i), Speaker: "Mia", Kind: memory.Message, Text: fmt.Sprint("message ", i)})
	}
	whole := func(w simple.Window) ([]simple.Written, error) {
		return []simple.Written{{Text: fmt.Sprintf("Mia said %d things from %s on.", len(w.Turns), w.Turns[0].ID), Turns: []string{w.Turns[1].ID, w.Turns[0].ID}, Persons: []string{"Mia"}}}, nil
	}
	for _, tt := range []struct{ window, windows, first int }{{0, 3, 20}, {10, 6, 10}, {simple.WholeSession, 1, 45}, {1, 45, 1}} {
		var seen []simple.Window
		give := whole
		if tt.window == 1 {
			give = func(w simple.Window) ([]simple.Written, error) {
				return []simple.Written{{Text: w.Turns[0].Text, Turns: []string{w.Turns[0].ID}}}, nil
			}
		}
		got, err := simple.NewWith(nil, simple.Options{Writer: windowWriter{&seen, give}, Window: tt.window}).Compose(ctx, s)
		var written []memory.Entry // the others are messages that no entry rests on
		rested := 0
		for _, e := range got.Entries {
			if rested += len(e.Turns); !strings.HasPrefix(e.Text, "Mia: ") {
				written = append(written, e)
			}
		}
		if err != nil || len(seen) != tt.windows || len(written) != tt.windows || len(seen[0].Turns) != tt.first || rested != 45 {
			t.Errorf("windows of %d: %d with %d entries on %d messages, %v", tt.window, len(seen), len(written), rested, err)
			continue
		}
		for i := 1; i < len(seen); i++ {
			if !slices.Equal(seen[i].Before, []string{written[i-1].Text}) {
				t.Errorf("window %d knows %q of the one before", i, seen[i].Before)
			}
		}
		if e := got.Entries[0]; tt.window != 1 && (!slices.Equal(e.Turns, []string{"t0", "t1"}) || e.When != s.Start) {
			t.Errorf("entry %+v", e)
		}
	}
	// What can't be a window's own entries is left, and no words are lost.
	for name, bad := range map[string][]simple.Written{
		"nothing": nil, "no words": {{Text: " ", Turns: []string{"t1"}}}, "no turn": {{Text: "x"}}, "another's turn": {{Text: "x", Turns: []string{"t44", "t999"}}},
	} {
		var seen []simple.Window
		got, err := simple.NewWith(nil, simple.Options{Writer: windowWriter{&seen, func(simple.Window) ([]simple.Written, error) { return bad, nil }}}).Compose(ctx, s)
		if err != nil || len(got.Entries) != 45 {
			t.Errorf("%s: %d entries, %v", name, len(got.Entries), err)
		}
	}
	var seen []simple.Window
	fails := windowWriter{&seen, func(simple.Window) ([]simple.Written, error) { return nil, context.DeadlineExceeded }}
	if got, err := simple.NewWith(nil, simple.Options{Writer: fails}).Compose(ctx, s); !errors.Is(err, context.DeadlineExceeded) || len(got.Entries) > 0 {
		t.Errorf("a writer that fails: %+v, %v", got, err)
	}
}
