package memory_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/simple"
	"github.com/epagent/epagent/privacy"
)

// grep returns the files of the store's home that hold any of the words.
func grep(t *testing.T, s *memory.Store, words ...string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Dir(s.Path()), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(content, []byte(w)) {
				found = append(found, filepath.Base(path)+": "+w)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The words that must be nowhere once the fact is forgotten.
var secretWords = []string{"9 November", "pregnant", "Pregnant"}

// pregnancy is a store that holds a secret in every layer there is.
func pregnancy(t *testing.T) (*memory.Store, memory.Batch) {
	t.Helper()
	ctx := t.Context()
	s := openNew(t)
	session := talk("s1", "c1", "I am pregnant, due 9 November", "How lovely!", "I also started to learn Dutch.", "Good luck with the grammar.")
	session.Title = "Pregnant, due 9 November"
	session.Turns[1].ReplyTo = "s1-0"
	session.Subs = []memory.SubSession{{ID: "s1/mn", Pair: [2]string{"Mia", "Noor"}, Turns: []string{"s1-0", "s1-1"}}}
	other := talk("s2", "c2", "The flat in Ghent is cold.", "Get a heater.")
	b := withLayers(session, other)
	secret := fact("f1", "Mia is pregnant, due 9 November.", "s1", "s1-0")
	secret.Marks = append(secret.Marks, privacy.Mark{Kind: privacy.MarkEvent, Value: "e1", By: privacy.ByMachine})
	cover := fact("f2", "Mia is off wine for a cure.", "s2", "s2-0")
	cover.Marks = []privacy.Mark{{Kind: privacy.MarkTruth, Value: "cover", By: privacy.ByHand}, {Kind: privacy.MarkEvent, Value: "e1", By: privacy.ByMachine}}
	dutch := fact("f3", "Mia learns Dutch.", "s1", "s1-2", "s1-0")
	dutch.Marks = append(dutch.Marks,
		privacy.Mark{Kind: privacy.MarkWhitelist, Value: "noor", By: privacy.ByTold, Turn: "s1-0"},
		privacy.Mark{Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.BySpoken, Turn: "s1-0"},
		privacy.Mark{Kind: privacy.MarkReview, Value: "pregnant?", By: privacy.ByMachine, Turn: "s1-0"})
	b.Facts = []memory.Fact{secret, cover, dutch}
	b.EventRules = []privacy.EventRule{{ID: "r1", Event: "e1", Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.BySpoken, Turn: "s1-0"}}
	apply(t, s, b)
	if _, err := s.AddExemplar(ctx, memory.Exemplar{Text: "Mia is pregnant, due 9 November.", Category: "health", Fact: "f1"}); err != nil {
		t.Fatal(err)
	}
	told, err := s.Record(ctx, memory.LedgerEntry{To: []string{"greta"}, Question: "When is the baby due?", Policy: "h1", Action: "disclose", Permitted: []privacy.FactID{"f1", "f3"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(ctx, told, "I am pregnant, due 9 November.", []privacy.FactID{"f1"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"bo"}, Question: "Is Mia due 9 November, pregnant?", Policy: "h1", Action: "deflect"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"bo"}, Question: "Does Mia still swim?", Policy: "h1", Action: "disclose"}); err != nil {
		t.Fatal(err)
	}
	if len(grep(t, s, secretWords...)) == 0 {
		t.Fatal("the words can't be found even before: the grep is no test")
	}
	return s, b
}

func TestForgetFactLeavesNothing(t *testing.T) {
	ctx := t.Context()
	s, b := pregnancy(t)
	r, err := memory.NewRecaller(s, memory.RecallOptions{Host: simple.New(s)})
	if err != nil {
		t.Fatal(err)
	}
	recall := func() (out []privacy.FactID) {
		for _, question := range []string{"due date", "I am pregnant, due 9 November", "cure"} {
			hits, err := r.Facts(ctx, memory.Query{Text: question})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				out = append(out, h.Fact)
			}
		}
		return out
	}
	if !slices.Contains(recall(), "f1") || !slices.Contains(recall(), "f2") {
		t.Fatalf("recall before: %v", recall())
	}

	want := memory.Forgotten{Facts: []privacy.FactID{"f1", "f2"}, Turns: 2, Kept: []privacy.FactID{"f3"}, LedgerEntries: 2, Exemplars: 1, Unknown: []string{"f9"}}
	dry, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"f1", "f9"}, DryRun: true})
	if diff := cmp.Diff(want, dry); err != nil || diff != "" {
		t.Errorf("dry run: %v (-want +got):\n%s", err, diff)
	}
	if _, err := s.Fact(ctx, "f1"); err != nil {
		t.Fatalf("the dry run was none: %v", err)
	}
	got, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"f1", "f9"}})
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("forgotten: %v (-want +got):\n%s", err, diff)
	}
	check := func(s *memory.Store) {
		t.Helper()
		if found := grep(t, s, secretWords...); len(found) > 0 {
			t.Errorf("still in the home: %v", found)
		}
		var export strings.Builder
		if err := s.ExportTo(ctx, &export); err != nil {
			t.Fatal(err)
		}
		for _, w := range append([]string{"\"f1\"", "off wine"}, secretWords...) {
			if strings.Contains(export.String(), w) {
				t.Errorf("still in the export: %s", w)
			}
		}
	}
	check(s)
	if got := recall(); slices.Contains(got, "f1") || slices.Contains(got, "f2") {
		t.Errorf("recall in the same process finds %v", got)
	}
	if summary, err := s.Summary(ctx, "s1"); err != nil || !strings.Contains(summary, "Dutch") {
		t.Errorf("the summary was not rebuilt: %q, %v", summary, err)
	}

	// What shares the turn stays: its text, its denials; not the grant.
	kept, err := s.Fact(ctx, "f3")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept.Evidence, []string{"s1-2"}) || !slices.Equal(kept.Values(privacy.MarkBlacklist), []string{"bo"}) ||
		len(kept.Values(privacy.MarkWhitelist))+len(kept.Values(privacy.MarkReview)) > 0 {
		t.Errorf("kept fact: evidence %v, marks %+v", kept.Evidence, kept.Marks)
	}
	if rules, err := s.EventRules(ctx); err != nil || len(rules) != 1 || rules[0].Turn != "" {
		t.Errorf("event rules: %+v, %v", rules, err)
	}
	ledger, err := s.Ledger(ctx, memory.LedgerFilter{})
	if err != nil || len(ledger) != 3 {
		t.Fatalf("ledger: %+v, %v", ledger, err)
	}
	told := ledger[0]
	if told.Question+told.Answer != "" || !told.Redacted || !told.Finished || !told.At.Equal(noon) || !slices.Equal(told.To, []string{"greta"}) ||
		told.Policy != "h1" || !slices.Equal(told.Permitted, []privacy.FactID{"f3"}) || len(told.Told) > 0 ||
		len(told.Traces) != 1 || !told.Traces[0].Told || !slices.Equal(told.Traces[0].Categories, []privacy.CategoryID{"health"}) {
		t.Errorf("the told entry: %+v", told)
	}
	if ledger[2].Redacted || ledger[2].Question != "Does Mia still swim?" {
		t.Errorf("another matter's entry was touched: %+v", ledger[2])
	}

	// An answer that was on its way doesn't leave, or leaves no words behind.
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"greta"}, Permitted: []privacy.FactID{"f3", "f1"}}); !errors.Is(err, memory.ErrForgotten) {
		t.Errorf("recording a forgotten fact: %v", err)
	}
	if err := s.Finish(ctx, ledger[2].ID, "I am pregnant.", []privacy.FactID{"f1"}); err != nil {
		t.Error(err)
	}
	if ledger, err := s.Ledger(ctx, memory.LedgerFilter{}); err != nil || !ledger[2].Finished || ledger[2].Answer != "" || len(ledger[2].Told) > 0 {
		t.Errorf("finished late: %+v, %v", ledger[2], err)
	}

	// Nothing brings it back.
	if done := apply(t, s, b); done.Tombstoned != 4 || done.Facts+done.Turns != 0 {
		t.Errorf("import again: %+v", done)
	}
	check(s)
	if known, err := s.Known(ctx, "c1", []string{"s1-0", "s1-1"}); err != nil || known["s1-0"] != memory.TurnForgotten || known["s1-1"] != memory.TurnStored {
		t.Errorf("known: %v, %v", known, err)
	}
	renumbered := talk("s5", "c5", "I am pregnant, due 9 November", "Something new.")
	if done := apply(t, s, withLayers(renumbered)); done.Tombstoned != 1 || done.Turns != 1 {
		t.Errorf("the same message with another number: %+v", done)
	}
	check(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check(open(t, s.Path(), options()))
}

func TestForgetSession(t *testing.T) {
	ctx := t.Context()
	s, b := pregnancy(t)
	// A second source for one fact, of which only the first is forgotten.
	twice := fact("f3", "", "s2", "s2-1")
	apply(t, s, memory.Batch{Facts: []memory.Fact{twice}})
	got, err := s.Forget(ctx, memory.Forget{Sessions: []string{"s1"}})
	want := memory.Forgotten{Facts: []privacy.FactID{"f1", "f2"}, Sessions: 1, Turns: 5, Kept: []privacy.FactID{"f3"}, LedgerEntries: 2, Exemplars: 1}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("forgotten: %v (-want +got):\n%s", err, diff)
	}
	if found := grep(t, s, append(secretWords, "grammar")...); len(found) > 0 {
		t.Errorf("still in the home: %v", found)
	}
	kept, err := s.Fact(ctx, "f3")
	if err != nil || kept.Session != "s2" || !slices.Equal(kept.Sessions, []string{"s2"}) || !slices.Equal(kept.Evidence, []string{"s2-1"}) {
		t.Errorf("the fact of two sources: %+v, %v", kept, err)
	}
	if done := apply(t, s, b); done.Sessions+done.Turns+done.Facts != 0 {
		t.Errorf("import again: %+v", done)
	}
	if found := grep(t, s, secretWords...); len(found) > 0 {
		t.Errorf("back in the home: %v", found)
	}
}

func TestForgetPerson(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "My garden is dry.", "Zebrafish sleep a lot."), talk("s2", "c2", "Rain at last."))
	noors := fact("f2", "Noor keeps zebrafish.", "s1", "s1-1")
	noors.Speaker, noors.Subject = "Noor", "Noor"
	about := fact("f3", "Noor moved to Zuidplein.", "s2", "s2-0")
	about.Subject = "ＮＯＯＲ "
	b.Facts = []memory.Fact{fact("f1", "Mia's garden is dry.", "s1", "s1-0"), noors, about}
	apply(t, s, b)
	got, err := s.Forget(ctx, memory.Forget{People: []string{"noor"}})
	want := memory.Forgotten{Facts: []privacy.FactID{"f2", "f3"}, Turns: 2, Sessions: 1}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("forgotten: %v (-want +got):\n%s", err, diff)
	}
	if found := grep(t, s, "ebrafish", "Zuidplein"); len(found) > 0 {
		t.Errorf("still in the home: %v", found)
	}
	session, err := s.Session(ctx, "s1")
	if err != nil || len(session.Turns) != 1 || !slices.Equal(session.Participants, []string{"Mia"}) {
		t.Errorf("the other's words: %+v, %v", session, err)
	}
	if f, err := s.Fact(ctx, "f1"); err != nil || len(f.Evidence) != 1 {
		t.Errorf("the other's fact: %+v, %v", f, err)
	}
	if got, err := s.Forget(ctx, memory.Forget{People: []string{"", "  "}}); err != nil || len(got.Facts)+got.Turns != 0 {
		t.Errorf("nobody's name forgets %+v, %v", got, err)
	}
}

// Without a way to rebuild, what can't be told apart goes.
func TestForgetWithoutRebuild(t *testing.T) {
	ctx := t.Context()
	opts := options()
	opts.Rebuild = nil
	s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
	session := talk("s1", "c1", "The code is 4417.", "Noted.")
	b := memory.Batch{Sessions: []memory.Session{session}, Facts: []memory.Fact{fact("f1", "Mia's code is 4417.", "s1", "s1-0")}}
	b.Layers = []memory.Layers{{Session: "s1", Summary: "A code, 4417.", Entries: []memory.Entry{
		{ID: "e1", Session: "s1", Text: "Noor took note.", Turns: []string{"s1-1"}},
		{ID: "e2", Session: "s1", Text: "4417 is the code.", Turns: []string{"s1-0", "s1-1"}},
		{ID: "e3", Session: "s1", Text: "Something about 4417."},
	}}}
	apply(t, s, b)
	if _, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"f1"}}); err != nil {
		t.Fatal(err)
	}
	entries, err := s.Entries(ctx, "s1")
	if err != nil || len(entries) != 1 || entries[0].ID != "e1" {
		t.Errorf("entries %+v, %v", entries, err)
	}
	if found := grep(t, s, "4417"); len(found) > 0 {
		t.Errorf("still in the home: %v", found)
	}
}

// A reader in another process keeps the log from being emptied; it is emptied later.
func TestForgetBesideAReader(t *testing.T) {
	ctx := t.Context()
	opts := options()
	opts.BusyTimeout = 50_000_000 // 50 ms
	s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
	apply(t, s, memory.Batch{Sessions: []memory.Session{talk("s1", "c1", "The code is 4417.")}, Facts: []memory.Fact{fact("f1", "Mia's code is 4417.", "s1", "s1-0")}})
	other := open(t, s.Path(), opts)
	var done memory.Forgotten
	var forgetErr error
	err := other.Export(ctx, func(kind string, _ any) error {
		if kind == memory.ExportHeader {
			done, forgetErr = s.Forget(context.Background(), memory.Forget{Facts: []privacy.FactID{"f1"}})
		}
		return nil
	})
	if err != nil || forgetErr != nil || !done.Pending {
		t.Fatalf("forget beside a reader: %+v, %v, %v", done, forgetErr, err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, s.Path(), opts)
	if found := grep(t, again, "4417"); len(found) > 0 {
		t.Errorf("still in the home after reopening: %v", found)
	}
}
