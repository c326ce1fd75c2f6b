package simple_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
)

var errCall = errors.New("no reply")

// TestModelWriter: what a model writes for a window counts as far as its messages bear
// it out; what they say beside is kept as it was said.
func TestModelWriter(t *testing.T) {
	ctx := t.Context()
	s := session()
	good := simple.ModelEntry{
		Text: "The orthodontist in Ghent wants 4,000 euros from Mia for braces.", Evidence: []string{"t3"}, HappenedOn: "2025-03-01",
		Keywords: []string{"braces", "castle", "braces"}, Persons: []string{"Mia", "Zelda"}, Place: "Ghent", Topic: "dentist",
	}
	with := func(f func(*simple.ModelEntry)) []simple.ModelEntry {
		e := good
		f(&e)
		return []simple.ModelEntry{e}
	}
	for _, tt := range []struct {
		name    string
		entries []simple.ModelEntry
		taken   bool
	}{
		{"good", []simple.ModelEntry{good}, true},
		{"nothing", nil, false},
		{"a message that wasn't given", with(func(e *simple.ModelEntry) { e.Evidence = []string{"t3", "t99"} }), false},
		{"a system line", with(func(e *simple.ModelEntry) { e.Evidence = []string{"t0"} }), false},
		{"no message", with(func(e *simple.ModelEntry) { e.Evidence = nil }), false},
		{"no words", with(func(e *simple.ModelEntry) { e.Text = " " }), false},
		{"endless", with(func(e *simple.ModelEntry) { e.Text += strings.Repeat(" braces", 100) }), false},
		{"another number", with(func(e *simple.ModelEntry) { e.Text = "Mia's braces cost 5,000 euros." }), false},
		{"somebody made up", with(func(e *simple.ModelEntry) { e.Text = "Zelda wants braces." }), false},
		{"as I", with(func(e *simple.ModelEntry) { e.Text = "I want braces." }), false},
		{"another message's words", with(func(e *simple.ModelEntry) { e.Evidence = []string{"t6"} }), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			w := &simple.ModelWriter{Call: func(_ context.Context, in simple.EntriesCall) ([]simple.ModelEntry, error) {
				calls++
				if len(in.Turns) != 6 || in.Turns[3].Text != "[a photo of a kitchen under water]" || in.Turns[0].When == "" || in.Language != "en" {
					t.Errorf("asked for %+v", in)
				}
				return tt.entries, nil
			}}
			got, err := simple.NewWith(nil, simple.Options{Writer: w}).Compose(ctx, s)
			if err != nil || calls != 1 {
				t.Fatalf("%d calls, %v", calls, err)
			}
			offline := simple.Compose(s)
			if got.Summary != offline.Summary || len(got.Entries) != len(offline.Entries) {
				t.Fatalf("%d entries for %d messages", len(got.Entries), len(offline.Entries))
			}
			for i, e := range got.Entries {
				if !slices.Equal(e.Turns, offline.Entries[i].Turns) {
					t.Errorf("entry %d rests on %v", i, e.Turns)
				}
				if e.Turns[0] != "t3" || !tt.taken {
					if e.Text != offline.Entries[i].Text {
						t.Errorf("entry %d is %q", i, e.Text)
					}
					continue
				}
				if e.Text != good.Text || !slices.Equal(e.Persons, []string{"Mia"}) || !slices.Equal(e.Keywords, []string{"braces"}) ||
					e.Place != "Ghent" || e.Topic != "dentist" || e.When.Date() != "2025-03-01" {
					t.Errorf("entry %+v", e)
				}
			}
		})
	}
}

// TestModelWriterFails: a failed call leaves the messages as they are, or fails.
func TestModelWriterFails(t *testing.T) {
	s := session()
	for _, fatal := range []bool{false, true} {
		failed := 0
		w := &simple.ModelWriter{
			Call: func(context.Context, simple.EntriesCall) ([]simple.ModelEntry, error) { return nil, errCall },
			Failed: func(_ context.Context, err error) error {
				if failed++; fatal {
					return err
				}
				return nil
			},
			Budget: 60,
		}
		host := simple.NewWith(nil, simple.Options{Writer: w})
		got, err := host.Compose(t.Context(), s)
		switch {
		case fatal && !errors.Is(err, errCall):
			t.Errorf("%v", err)
		case !fatal && (err != nil || len(got.Entries) != 6 || failed < 2):
			t.Errorf("%d entries, %d failed calls, %v", len(got.Entries), failed, err)
		}
		// One name, whoever writes, so that a home opens with and without a model.
		if host.Name() != simple.New(nil).Name() {
			t.Errorf("name %q", host.Name())
		}
		if layers, err := memory.OfflineHost(host).Compose(t.Context(), s); err != nil || len(layers.Entries) != 6 {
			t.Errorf("offline: %v", err)
		}
	}
	// One message has nothing around it that would explain it: no model is asked.
	one := &memory.Session{ID: "s", Turns: []memory.Turn{{ID: "t", Speaker: "Mia", Kind: memory.Message, Text: "hello"}}}
	w := &simple.ModelWriter{Call: func(context.Context, simple.EntriesCall) ([]simple.ModelEntry, error) {
		t.Error("asked")
		return nil, nil
	}}
	if got, err := simple.NewWith(nil, simple.Options{Writer: w}).Compose(t.Context(), one); err != nil || len(got.Entries) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}
