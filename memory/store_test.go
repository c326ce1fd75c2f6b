package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func options() memory.Options {
	return memory.Options{
		Now:     func() time.Time { return noon },
		Rebuild: func(s *memory.Session) (memory.Layers, error) { return simple.Compose(s), nil },
	}
}

func open(t testing.TB, path string, opts memory.Options) *memory.Store {
	t.Helper()
	s, err := memory.Open(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openNew(t testing.TB) *memory.Store {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "home", memory.FileName), options())
}

func apply(t testing.TB, s *memory.Store, b memory.Batch) memory.Applied {
	t.Helper()
	done, err := s.Apply(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// talk is a session in which the given lines are said in turn, a minute apart.
func talk(id, conversation string, lines ...string) memory.Session {
	s := memory.Session{
		ID: id, Conversation: conversation, Title: "chat", Channel: "dm", Participants: []string{"Mia", "Noor"},
		Start: privacy.At(noon), Source: memory.Source{Name: "chat.txt", Format: "plain"},
	}
	for i, line := range lines {
		who := s.Participants[i%2]
		s.Turns = append(s.Turns, memory.Turn{
			ID: fmt.Sprintf("%s-%d", id, i), Speaker: who, Self: who == "Mia", Kind: memory.Message, Text: line,
			When: privacy.At(noon.Add(time.Duration(i) * time.Minute)),
		})
	}
	return s
}

// fact is a real, trusted fact of Mia's that rests on the turns.
func fact(id privacy.FactID, text, session string, turns ...string) memory.Fact {
	return memory.Fact{Record: privacy.Record{
		ID: id, Text: text, Language: "en", Speaker: "Mia", OwnerSaid: true, Subject: "Mia", Listeners: []string{"Noor"},
		SaidAt: privacy.At(noon), Session: session, Evidence: turns,
		Marks: []privacy.Mark{
			{Kind: privacy.MarkCategory, Value: "health", By: privacy.ByMachine, Score: 0.8, At: noon},
			{Kind: privacy.MarkTruth, Value: "real", By: privacy.ByMachine},
			{Kind: privacy.MarkTrusted, Value: "true", By: privacy.ByMachine},
		},
	}, Source: memory.Source{Name: "chat.txt", Format: "plain"}}
}

// withLayers is a batch of sessions with the simple host's layers.
func withLayers(sessions ...memory.Session) memory.Batch {
	b := memory.Batch{Sessions: sessions}
	for i := range sessions {
		b.Layers = append(b.Layers, simple.Compose(&sessions[i]))
	}
	return b
}

var emptyIsNil = cmpopts.EquateEmpty()

func TestStoreRoundTrip(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "a home", "with #odd? %41 name", memory.FileName)
	s := open(t, path, options())
	session := talk("s1", "c1", "I moved to Ghent.", "How is the flat?", "我搬到了北京。")
	session.Group = true
	session.Turns[1].ReplyTo, session.Turns[1].Caption = session.Turns[0].ID, "a photo"
	session.Turns[2].When = privacy.Stamp{Local: "2025-03-01"}
	session.Subs = []memory.SubSession{{ID: "s1/mn", Pair: [2]string{"Mia", "Noor"}, Turns: []string{"s1-0", "s1-1"}}}
	b := withLayers(session)
	f := fact("f1", "Mia moved to Ghent.", "s1", "s1-0")
	f.HappenedAt = privacy.Stamp{Local: "2025-02-27"}
	b.Facts = []memory.Fact{f}
	b.EventRules = []privacy.EventRule{{ID: "r1", Event: "e1", Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.BySpoken, Turn: "s1-0", At: noon}}

	if diff := cmp.Diff(memory.Applied{Sessions: 1, Turns: 3, Facts: 1}, apply(t, s, b)); diff != "" {
		t.Errorf("first time (-want +got):\n%s", diff)
	}
	revision, err := s.Revision(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory.Applied{DuplicateTurns: 3}, apply(t, s, b)); diff != "" {
		t.Errorf("second time (-want +got):\n%s", diff)
	}
	if again, _ := s.Revision(ctx); again != revision {
		t.Errorf("applying again moved the revision from %d to %d", revision, again)
	}

	check := func(s *memory.Store) {
		t.Helper()
		got, err := s.Session(ctx, "s1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&session, got, emptyIsNil); diff != "" {
			t.Errorf("session (-want +got):\n%s", diff)
		}
		want := f
		want.Sessions, want.ImportedAt, want.Entries = []string{"s1"}, noon, []string{"s1/s1-0", "s1/s1-2"} // its evidence, then the nearest
		facts, at, err := s.Facts(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]memory.Fact{want}, facts, emptyIsNil); diff != "" || at != revision {
			t.Errorf("facts at %d, want %d (-want +got):\n%s", at, revision, diff)
		}
		entries, err := s.Entries(ctx, "s1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.Layers[0].Entries, entries, emptyIsNil); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
		if summary, err := s.Summary(ctx, "s1"); err != nil || summary != b.Layers[0].Summary {
			t.Errorf("summary %q, %v; want %q", summary, err, b.Layers[0].Summary)
		}
		if turns, err := s.Evidence(ctx, &facts[0]); err != nil || len(turns) != 1 || turns[0].ID != "s1-0" {
			t.Errorf("evidence: %v, %v", turns, err)
		}
		if rules, err := s.EventRules(ctx); err != nil || cmp.Diff(b.EventRules, rules) != "" {
			t.Errorf("rules: %v, %v", rules, err)
		}
	}
	check(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check(open(t, path, options()))
	check(open(t, path, memory.Options{ReadOnly: true}))

	if runtime.GOOS != "windows" {
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: mode %v, %v; want %v", name, info.Mode(), err, want)
			}
		}
	}
}

func TestSessionGrows(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	whole := talk("s1", "c1", "one apple", "two pears", "three plums", "four figs")
	part := whole
	part.Turns = []memory.Turn{whole.Turns[0], whole.Turns[3]}
	part.Participants = []string{"Mia"}
	apply(t, s, withLayers(part))
	if diff := cmp.Diff(memory.Applied{Turns: 2, DuplicateTurns: 2}, apply(t, s, withLayers(whole))); diff != "" {
		t.Errorf("applied (-want +got):\n%s", diff)
	}
	got, err := s.Session(ctx, "s1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&whole, got, emptyIsNil); diff != "" {
		t.Errorf("the grown session (-want +got):\n%s", diff)
	}
	// The same messages under another session's id are known by their ids.
	other := whole
	other.ID = "s2"
	if diff := cmp.Diff(memory.Applied{DuplicateTurns: 4}, apply(t, s, withLayers(other))); diff != "" {
		t.Errorf("under another id (-want +got):\n%s", diff)
	}
	known, err := s.Known(ctx, "c1", []string{"s1-0", "nobody"})
	if err != nil || known["s1-0"] != memory.TurnStored || known["nobody"] != memory.TurnNew {
		t.Errorf("known: %v, %v", known, err)
	}
	if known, _ := s.Known(ctx, "c2", []string{"s1-0"}); known["s1-0"] != memory.TurnNew {
		t.Error("a turn of another conversation counts as known")
	}
}

func TestFactIsNeverDoubled(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "I have asthma."), talk("s2", "c2", "My asthma is back."))
	b.Facts = []memory.Fact{fact("f1", "Mia has asthma.", "s1", "s1-0")}
	apply(t, s, b)
	again := fact("f1", "Another wording.", "s2", "s2-0")
	again.Marks = append(again.Marks, privacy.Mark{Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.BySpoken, Turn: "s2-0"})
	if done := apply(t, s, memory.Batch{Facts: []memory.Fact{again, again}}); done.Facts != 0 {
		t.Errorf("%d new facts, want none", done.Facts)
	}
	apply(t, s, memory.Batch{FactMarks: map[privacy.FactID][]privacy.Mark{
		"f1":    {{Kind: privacy.MarkReserved, Value: "cy", By: privacy.ByTold}},
		"never": {{Kind: privacy.MarkReserved, Value: "cy", By: privacy.ByTold}},
	}})
	got, err := s.Fact(ctx, "f1")
	if err != nil {
		t.Fatal(err)
	}
	want := fact("f1", "Mia has asthma.", "s1", "s1-0", "s2-0")
	want.Sessions, want.ImportedAt, want.Entries = []string{"s1", "s2"}, noon, []string{"s1/s1-0", "s2/s2-0"}
	want.Marks = append(want.Marks,
		privacy.Mark{Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.BySpoken, Turn: "s2-0"},
		privacy.Mark{Kind: privacy.MarkReserved, Value: "cy", By: privacy.ByTold})
	if diff := cmp.Diff(&want, got, emptyIsNil); diff != "" {
		t.Errorf("fact (-want +got):\n%s", diff)
	}
	if _, err := s.Fact(ctx, "never"); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("marks made a fact: %v", err)
	}
}

func TestUpdateFact(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	apply(t, s, memory.Batch{Facts: []memory.Fact{fact("f1", "Mia likes fish.", "")}})
	r, err := memory.NewRecaller(s, memory.RecallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	finds := func(question string) bool {
		hits, err := r.Facts(ctx, memory.Query{Text: question, K: 3})
		if err != nil {
			t.Fatal(err)
		}
		return len(hits) > 0
	}
	if !finds("fish") {
		t.Fatal("the fact is not found")
	}
	if err := s.UpdateFact(ctx, "f1", func(f *memory.Fact) error { f.Text = "Mia likes cheese."; return nil }); err != nil {
		t.Fatal(err)
	}
	if finds("fish") || !finds("cheese") {
		t.Error("recall goes by the old text")
	}
	refuse := errors.New("no")
	if err := s.UpdateFact(ctx, "f1", func(f *memory.Fact) error { f.Text = "lost"; return refuse }); !errors.Is(err, refuse) {
		t.Errorf("error of the change: %v", err)
	}
	if err := s.UpdateFact(ctx, "f1", func(f *memory.Fact) error { f.ID = "f2"; return nil }); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("a changed id: %v", err)
	}
	if err := s.UpdateFact(ctx, "f9", func(*memory.Fact) error { return nil }); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
	if f, err := s.Fact(ctx, "f1"); err != nil || f.Text != "Mia likes cheese." {
		t.Errorf("a refused change left %v, %v", f, err)
	}
}

func TestApplyRefuses(t *testing.T) {
	twice := talk("s1", "c1", "a", "b")
	twice.Turns[1].ID = twice.Turns[0].ID
	nameless := talk("", "c1", "a")
	cases := map[string]memory.Batch{
		"session without id":           {Sessions: []memory.Session{talk("s0", "c0", "fine"), nameless}},
		"turn id twice":                {Sessions: []memory.Session{talk("s0", "c0", "fine"), twice}},
		"fact without id":              {Sessions: []memory.Session{talk("s0", "c0", "fine")}, Facts: []memory.Fact{{}}},
		"rule without id":              {Sessions: []memory.Session{talk("s0", "c0", "fine")}, EventRules: []privacy.EventRule{{}}},
		"entry of another session":     {Sessions: []memory.Session{talk("s0", "c0", "fine")}, Layers: []memory.Layers{{Session: "s0", Entries: []memory.Entry{{ID: "e", Session: "s9"}}}}},
		"session changes conversation": {Sessions: []memory.Session{talk("s0", "c0", "fine"), talk("s0", "c9", "other")}},
	}
	for name, b := range cases {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			if _, err := s.Apply(t.Context(), b); !errors.Is(err, memory.ErrInvalid) {
				t.Errorf("error %v, want ErrInvalid", err)
			}
			if list, err := s.Sessions(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("left behind: %v, %v", list, err)
			}
		})
	}
}

func TestSessionLists(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	late, early := talk("a", "c1", "x"), talk("b", "c2", "y", "z")
	late.Start = privacy.At(noon.Add(time.Hour))
	apply(t, s, memory.Batch{Sessions: []memory.Session{late, early}})
	list, err := s.Sessions(ctx)
	if err != nil || len(list) != 2 || list[0].ID != "b" || list[0].Turns != 2 || list[1].ID != "a" {
		t.Errorf("sessions: %+v, %v", list, err)
	}
	if list, err := s.SessionsOf(ctx, "c1"); err != nil || len(list) != 1 || list[0].ID != "a" {
		t.Errorf("of one conversation: %+v, %v", list, err)
	}
	if turn, session, err := s.Turn(ctx, "b-1"); err != nil || turn.Text != "z" || session != "b" {
		t.Errorf("turn: %+v, %q, %v", turn, session, err)
	}
	other := talk("c", "c3", "other")
	other.Turns[0].ID = "b-1"
	apply(t, s, memory.Batch{Sessions: []memory.Session{other}})
	if _, _, err := s.Turn(ctx, "b-1"); !errors.Is(err, memory.ErrAmbiguous) {
		t.Errorf("a turn id of two conversations: %v", err)
	}
	for name, err := range map[string]error{
		"turn":    func() error { _, _, err := s.Turn(ctx, "none"); return err }(),
		"session": func() error { _, err := s.Session(ctx, "none"); return err }(),
	} {
		if !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("unknown %s: %v", name, err)
		}
	}
}

func TestExemplarsLedgerPolicy(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	id, err := s.AddExemplar(ctx, memory.Exemplar{Text: "Mia has asthma.", Category: "health", Fact: "f1"})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Exemplars(ctx); err != nil || len(got) != 1 || got[0].Category != "health" || !got[0].At.Equal(noon) {
		t.Errorf("exemplars: %+v, %v", got, err)
	}
	if err := s.RemoveExemplar(ctx, id); err != nil {
		t.Error(err)
	}
	if err := s.RemoveExemplar(ctx, id); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}

	revision, _ := s.Revision(ctx)
	entry, err := s.Record(ctx, memory.LedgerEntry{To: []string{"bo", "cy"}, Question: "how are you?", Policy: "h1", Action: "disclose", Permitted: []privacy.FactID{"f1", "f2"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"dee"}, At: noon.Add(-time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, memory.LedgerEntry{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("an entry for nobody: %v", err)
	}
	if err := s.Finish(ctx, entry, "fine", []privacy.FactID{"f2"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(ctx, 99, "fine", nil); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("finish an unknown entry: %v", err)
	}
	want := memory.LedgerEntry{ID: entry, At: noon, To: []string{"bo", "cy"}, Question: "how are you?", Policy: "h1", Action: "disclose",
		Permitted: []privacy.FactID{"f1", "f2"}, Answer: "fine", Told: []privacy.FactID{"f2"}, Finished: true}
	for name, filter := range map[string]memory.LedgerFilter{"to": {To: "cy"}, "since": {Since: noon}} {
		got, err := s.Ledger(ctx, filter)
		if diff := cmp.Diff([]memory.LedgerEntry{want}, got, emptyIsNil); err != nil || diff != "" {
			t.Errorf("ledger by %s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	for _, hash := range []string{"h1", "h1", "h2", "h1"} {
		if err := s.PolicyVersion(ctx, memory.PolicyVersion{Hash: hash, Source: []byte("people:\n"), At: noon, Author: "owner", Note: "by hand"}); err != nil {
			t.Fatal(err)
		}
	}
	versions, err := s.PolicyVersions(ctx)
	var hashes []string
	for _, v := range versions {
		hashes = append(hashes, v.Hash)
	}
	if err != nil || !slices.Equal(hashes, []string{"h1", "h2", "h1"}) {
		t.Errorf("policy versions %v, %v", hashes, err)
	}
	if after, _ := s.Revision(ctx); after != revision {
		t.Errorf("telling somebody moved the revision from %d to %d", revision, after)
	}
}
