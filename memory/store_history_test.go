package memory_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// count asks the file itself.
func count(t testing.TB, s *memory.Store, query string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func revision(t testing.TB, s *memory.Store) int64 {
	t.Helper()
	r, err := s.Revision(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func edit(t testing.TB, s *memory.Store, id privacy.FactID, change func(*memory.Fact)) {
	t.Helper()
	if err := s.UpdateFact(context.Background(), id, func(f *memory.Fact) error { change(f); return nil }); err != nil {
		t.Fatal(err)
	}
}

func judgedAt(t testing.TB, s *memory.Store, revision int64) memory.Judged {
	t.Helper()
	out, err := s.JudgedAt(context.Background(), revision)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func textsAt(t testing.TB, s *memory.Store, revision int64) map[privacy.FactID]string {
	t.Helper()
	out := map[privacy.FactID]string{}
	for _, f := range judgedAt(t, s, revision).Facts {
		out[f.ID] = f.Text
	}
	return out
}

func TestJudgedAt(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "I moved to Ghent.", "I keep bees."))
	b.Facts = []memory.Fact{fact("f1", "Mia moved to Ghent.", "s1", "s1-0"), fact("f2", "Mia keeps bees.", "s1", "s1-1")}
	apply(t, s, b)
	imported := revision(t, s)
	if n := count(t, s, "SELECT count(*) FROM fact_history"); n != 0 {
		t.Errorf("an import wrote %d rows of history", n)
	}
	edit(t, s, "f1", func(f *memory.Fact) { f.Text = "Mia moved to Bruges." })
	edited := revision(t, s) - 1 // embedding the new text is a revision of its own
	if err := s.AddEventRule(ctx, privacy.EventRule{ID: "r1", Event: "e1", Kind: privacy.MarkClosed, Value: "true"}); err != nil {
		t.Fatal(err)
	}
	ruled := revision(t, s)
	edit(t, s, "f1", func(f *memory.Fact) {
		f.Marks[0].Value = "home" // in place: what is kept must be a copy
		f.HappenedAt = privacy.Stamp{Local: "2025-02-01"}
	})
	marked := revision(t, s)

	for _, c := range []struct {
		at       int64
		text     string // of f1
		category string
		rules    int
	}{
		{1, "", "", 0},
		{imported, "Mia moved to Ghent.", "health", 0},
		{edited, "Mia moved to Bruges.", "health", 0},
		{ruled, "Mia moved to Bruges.", "health", 1},
		{marked, "Mia moved to Bruges.", "home", 1},
	} {
		got := judgedAt(t, s, c.at)
		var f memory.Fact
		if len(got.Facts) > 0 {
			f = got.Facts[0]
		}
		if f.Text != c.text || f.Value(privacy.MarkCategory) != c.category || len(got.Rules) != c.rules || got.Revision != c.at {
			t.Errorf("at revision %d: %+v", c.at, got)
		}
	}
	now, err := s.Judged(ctx, memory.Judged{})
	if diff := cmp.Diff(now, judgedAt(t, s, marked)); err != nil || diff != "" {
		t.Errorf("the present: %v (-Judged +JudgedAt):\n%s", err, diff)
	}
	for _, r := range []int64{-1, 0, marked + 1, 1 << 62} {
		if _, err := s.JudgedAt(ctx, r); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), fmt.Sprintf("1 to %d", marked)) {
			t.Errorf("revision %d: %v, want ErrInvalid with the range", r, err)
		}
	}

	rows := count(t, s, "SELECT count(*) FROM fact_history")
	edit(t, s, "f1", func(*memory.Fact) {})
	if revision(t, s) != marked || count(t, s, "SELECT count(*) FROM fact_history") != rows {
		t.Error("an edit that changes nothing is a change")
	}
	if err := s.DropFact(ctx, "f1"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, "SELECT count(*) FROM fact_history"); n != 0 {
		t.Errorf("%d rows of history outlive the fact that was none", n)
	}
	for _, r := range []int64{imported, marked, revision(t, s)} {
		if got := textsAt(t, s, r); len(got) != 1 || got["f2"] == "" {
			t.Errorf("after dropping f1, at revision %d: %v", r, got)
		}
	}
	if got := textsAt(t, open(t, s.Path(), memory.Options{ReadOnly: true}), imported); len(got) != 1 {
		t.Errorf("opened for reading: %v", got)
	}
}

// world is what the test remembers of one revision.
type world struct {
	facts map[privacy.FactID]memory.Fact
	rules []privacy.EventRule
}

// forget does to w what forgetting turns, facts and a session does to the past.
func (w *world) forget(facts []privacy.FactID, turns map[string]bool, session string) {
	for id, f := range w.facts {
		sourceless := session != "" && len(f.Evidence)+len(f.Sessions) > 0
		for _, turn := range f.Evidence {
			sourceless = sourceless && turns[turn] && strings.HasPrefix(turn, session+"-")
		}
		if len(f.Evidence) == 0 {
			sourceless = sourceless && slices.Equal(f.Sessions, []string{session})
		}
		if slices.Contains(facts, id) || sourceless {
			delete(w.facts, id)
			continue
		}
		f.Evidence = slices.DeleteFunc(slices.Clone(f.Evidence), func(turn string) bool { return turns[turn] })
		f.Sessions = slices.DeleteFunc(slices.Clone(f.Sessions), func(id string) bool { return id == session })
		if f.Session = ""; len(f.Sessions) > 0 {
			f.Session = f.Sessions[0]
		}
		var marks []privacy.Mark
		for _, m := range f.Marks {
			grants := m.Kind == privacy.MarkWhitelist || m.Kind == privacy.MarkReview || m.Kind == privacy.MarkTrusted || m.Kind == privacy.MarkTruth && m.Value == "real"
			if turns[m.Turn] && grants {
				continue
			}
			if turns[m.Turn] {
				m.Turn = ""
			}
			marks = append(marks, m)
		}
		f.Marks = marks
		w.facts[id] = f
	}
	for i := range w.rules {
		if turns[w.rules[i].Turn] {
			w.rules[i].Turn = ""
		}
	}
}

// Whatever is stored, edited, dropped and forgotten: every earlier revision comes
// back as it was seen then, less what is gone since.
func TestJudgedAtAgainstMemory(t *testing.T) {
	fewerChecks(t, 10) // each step writes to the disk
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		n++
		s := tempStore(t, dir, n)
		defer func() { _ = s.Close() }()
		seen := map[int64]*world{}
		words := 0
		word := func() string { words++; return fmt.Sprintf("word%dx%d", n, words) } // no text tells of another
		ids := []privacy.FactID{"f0", "f1", "f2", "f3"}
		sessions := []string{"s0", "s1"}
		must := func(t *rapid.T, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		mark := func(t *rapid.T, turn string) privacy.Mark {
			return privacy.Mark{
				Kind:  rapid.SampledFrom([]privacy.MarkKind{privacy.MarkWhitelist, privacy.MarkBlacklist, privacy.MarkReview}).Draw(t, "kind"),
				Value: word(), By: privacy.BySpoken, Turn: turn, Score: 0.25, At: noon.In(time.FixedZone("", 7200)),
			}
		}
		turn := func(t *rapid.T, session string) string {
			return fmt.Sprintf("%s-%d", session, rapid.IntRange(0, 3).Draw(t, "turn"))
		}
		// The sessions first, so that forgetting one finds its turns.
		for _, id := range sessions {
			apply2(t, s, withLayers(talk(id, "c", word(), word(), word(), word())))
		}
		turns := func(t *rapid.T) map[string]bool {
			out := map[string]bool{}
			for _, id := range sessions {
				session, err := s.Session(ctx, id)
				if errors.Is(err, memory.ErrNotFound) {
					continue
				}
				must(t, err)
				for _, turn := range session.Turns {
					out[turn.ID] = true
				}
			}
			return out
		}
		forget := func(t *rapid.T, what memory.Forget, session string) {
			gone := turns(t)
			done, err := s.Forget(ctx, what)
			must(t, err)
			for turn := range turns(t) {
				delete(gone, turn)
			}
			for _, w := range seen {
				w.forget(done.Facts, gone, session)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"store": func(t *rapid.T) {
				session := rapid.SampledFrom(sessions).Draw(t, "session")
				one := turn(t, session)
				f := fact(rapid.SampledFrom(ids).Draw(t, "fact"), word(), session, one)
				f.Marks = append(f.Marks, mark(t, one))
				apply2(t, s, memory.Batch{Facts: []memory.Fact{f}, Resurrect: rapid.Bool().Draw(t, "resurrect")})
			},
			"mark": func(t *rapid.T) {
				apply2(t, s, memory.Batch{FactMarks: map[privacy.FactID][]privacy.Mark{rapid.SampledFrom(ids).Draw(t, "fact"): {mark(t, "")}}})
			},
			"edit": func(t *rapid.T) {
				err := s.UpdateFact(ctx, rapid.SampledFrom(ids).Draw(t, "fact"), func(f *memory.Fact) error {
					switch rapid.IntRange(0, 4).Draw(t, "what") {
					case 0:
						f.Text = word()
					case 1:
						f.Marks = f.Marks[:rapid.IntRange(0, len(f.Marks)).Draw(t, "marks")]
					case 2:
						f.Subject, f.Language, f.OwnerSaid = word(), "zh", !f.OwnerSaid
						f.Listeners = append(f.Listeners, word())
					case 3:
						f.HappenedAt, f.SaidAt = privacy.Stamp{Local: "2024-02-29"}, privacy.At(noon.In(time.FixedZone("", -3600)))
						f.Source.Name = word()
					case 4:
						f.Entries = nil // links have no history
					}
					return nil
				})
				if !errors.Is(err, memory.ErrNotFound) {
					must(t, err)
				}
			},
			"rule": func(t *rapid.T) {
				must(t, s.AddEventRule(ctx, privacy.EventRule{ID: word(), Event: "e", Kind: privacy.MarkClosed, Value: "true", Turn: turn(t, "s0"), At: noon}))
			},
			"relayer": func(t *rapid.T) {
				session, err := s.Session(ctx, rapid.SampledFrom(sessions).Draw(t, "session"))
				if err != nil {
					t.Skip("it is forgotten")
				}
				apply2(t, s, memory.Batch{Layers: []memory.Layers{{Session: session.ID, Entries: []memory.Entry{{ID: word(), Session: session.ID, Text: word(), Turns: []string{session.Turns[0].ID}}}}}})
			},
			"drop": func(t *rapid.T) {
				id := rapid.SampledFrom(ids).Draw(t, "fact")
				err := s.DropFact(ctx, id)
				if err != nil {
					t.Skip("it isn't there")
				}
				for _, w := range seen {
					delete(w.facts, id)
				}
			},
			"forget fact": func(t *rapid.T) {
				forget(t, memory.Forget{Facts: []privacy.FactID{rapid.SampledFrom(ids).Draw(t, "fact")}}, "")
			},
			"forget session": func(t *rapid.T) {
				id := rapid.SampledFrom(sessions).Draw(t, "session")
				if _, err := s.Session(ctx, id); err != nil {
					t.Skip("it is forgotten")
				}
				forget(t, memory.Forget{Sessions: []string{id}}, id)
			},
			"reopen": func(t *rapid.T) {
				must(t, s.Close())
				var err error
				s, err = memory.Open(ctx, s.Path(), options())
				must(t, err)
			},
			"": func(t *rapid.T) {
				now, err := s.Judged(ctx, memory.Judged{})
				must(t, err)
				if diff := cmp.Diff(now, judgedAt2(t, s, now.Revision)); diff != "" {
					t.Fatalf("the present (-Judged +JudgedAt):\n%s", diff)
				}
				if seen[now.Revision] == nil {
					w := &world{facts: map[privacy.FactID]memory.Fact{}, rules: now.Rules}
					for _, f := range now.Facts {
						w.facts[f.ID] = f
					}
					seen[now.Revision] = w
				}
				for _, r := range slices.Sorted(maps.Keys(seen)) {
					got := judgedAt2(t, s, r)
					facts := map[privacy.FactID]memory.Fact{}
					for _, f := range got.Facts {
						facts[f.ID] = f
					}
					noLinks := cmpopts.IgnoreFields(memory.Fact{}, "Entries")
					if diff := cmp.Diff(seen[r].facts, facts, emptyIsNil, noLinks); diff != "" {
						t.Fatalf("facts of revision %d at %d (-seen +read):\n%s", r, now.Revision, diff)
					}
					if diff := cmp.Diff(seen[r].rules, got.Rules, emptyIsNil); diff != "" {
						t.Fatalf("rules of revision %d at %d (-seen +read):\n%s", r, now.Revision, diff)
					}
				}
			},
		})
	})
}

func apply2(t *rapid.T, s *memory.Store, b memory.Batch) {
	if _, err := s.Apply(context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

func judgedAt2(t *rapid.T, s *memory.Store, revision int64) memory.Judged {
	out, err := s.JudgedAt(context.Background(), revision)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Edits before forgetting must not leave the old words behind, be it in the past
// of the forgotten fact or of one that stays.
func TestForgetLeavesNoHistory(t *testing.T) {
	ctx := t.Context()
	s, _ := pregnancy(t)
	edit(t, s, "f3", func(f *memory.Fact) { f.Text = "Mia is pregnant, due 9 November, and learns Dutch." })
	edit(t, s, "f3", func(f *memory.Fact) {
		f.Text = "Mia learns Dutch."
		f.Marks = slices.DeleteFunc(f.Marks, func(m privacy.Mark) bool { return m.Kind == privacy.MarkReview })
	})
	edit(t, s, "f1", func(f *memory.Fact) { f.Text = "Mia expects Quintus in autumn." })
	edit(t, s, "f1", func(f *memory.Fact) { f.Text = "Mia is expecting." })
	if _, err := s.AddExemplar(ctx, memory.Exemplar{Text: "Mia expects Quintus in autumn.", Category: "health"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"bo"}, Question: "Does Mia expect Quintus?", Action: "deflect"}); err != nil {
		t.Fatal(err)
	}
	before := revision(t, s)
	if n := count(t, s, "SELECT count(*) FROM fact_history WHERE text LIKE '%pregnant%' OR marks LIKE '%pregnant%' OR text LIKE '%Quintus%'"); n < 4 {
		t.Fatalf("%d rows of the past hold the words: the test shows nothing", n)
	}
	if _, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"f1"}}); err != nil {
		t.Fatal(err)
	}
	if found := grep(t, s, append(secretWords, "Quintus", "is expecting")...); len(found) > 0 {
		t.Errorf("still in the home: %v", found)
	}
	texts := map[string]bool{}
	for r := int64(1); r <= revision(t, s); r++ {
		for _, f := range judgedAt(t, s, r).Facts {
			if f.ID != "f3" {
				t.Errorf("revision %d still has %s", r, f.ID)
			}
			if slices.Contains(f.Evidence, "s1-0") || len(f.Values(privacy.MarkWhitelist)) > 0 || !slices.Equal(f.Values(privacy.MarkBlacklist), []string{"bo"}) {
				t.Errorf("revision %d: %+v", r, f)
			}
			texts[f.Text] = true
		}
	}
	if len(texts) != 1 || !texts["Mia learns Dutch."] {
		t.Errorf("wordings of the fact that stays: %v", texts)
	}
	if got := judgedAt(t, s, before); len(got.Facts) != 1 || len(got.Rules) != 1 || got.Rules[0].Turn != "" {
		t.Errorf("before forgetting: %+v", got)
	}
}

// A past that was about the forgotten person goes, though the fact stays.
func TestForgetPersonInHistory(t *testing.T) {
	ctx := t.Context()
	s := openNew(t)
	b := withLayers(talk("s1", "c1", "The zebrafish sleep."))
	b.Facts = []memory.Fact{fact("f1", "Bo keeps zebrafish.", "s1", "s1-0")}
	b.Facts[0].Subject = "Bo"
	apply(t, s, b)
	about := revision(t, s)
	edit(t, s, "f1", func(f *memory.Fact) { f.Text, f.Subject = "Mia keeps goldfish.", "Mia" })
	if textsAt(t, s, about)["f1"] != "Bo keeps zebrafish." {
		t.Fatal("the past is not there even before")
	}
	if _, err := s.Forget(ctx, memory.Forget{People: []string{"bo"}}); err != nil {
		t.Fatal(err)
	}
	if got := textsAt(t, s, about); len(got) != 0 {
		t.Errorf("the past: %v", got)
	}
	if got := textsAt(t, s, revision(t, s)); got["f1"] != "Mia keeps goldfish." {
		t.Errorf("the present: %v", got)
	}
	if found := grep(t, s, "Bo keeps"); len(found) > 0 {
		t.Errorf("still in the home: %v", found)
	}
}

func TestRevisionAt(t *testing.T) {
	ctx := t.Context()
	now := noon
	opts := options()
	opts.Now = func() time.Time { return now }
	s := open(t, filepath.Join(t.TempDir(), memory.FileName), opts)
	at := map[time.Time]int64{noon: 1}
	store := func(i int, t2 time.Time) {
		now = t2
		apply(t, s, memory.Batch{Facts: []memory.Fact{fact(privacy.FactID(fmt.Sprint("f", i)), "Mia swims.", "")}})
		at[t2] = revision(t, s)
	}
	store(1, noon.Add(time.Minute))
	store(2, noon.Add(time.Hour))
	store(3, noon.AddDate(20, 0, 0)) // the clock is wrong once
	store(4, noon.Add(2*time.Hour))
	if _, err := s.Record(ctx, memory.LedgerEntry{To: []string{"bo"}}); err != nil {
		t.Fatal(err)
	}
	last := revision(t, s)
	for when, want := range map[time.Time]int64{
		noon:                                1,
		noon.Add(time.Minute - time.Second): 1,
		noon.Add(time.Minute):               at[noon.Add(time.Minute)],
		noon.Add(time.Minute).In(time.FixedZone("", 3600)): at[noon.Add(time.Minute)],
		noon.Add(119 * time.Minute):                        at[noon.Add(time.Hour)],
		noon.Add(2 * time.Hour):                            last,
		noon.AddDate(30, 0, 0):                             last,
	} {
		if got, err := s.RevisionAt(ctx, when); err != nil || got != want {
			t.Errorf("at %v: %d, %v; want %d", when, got, err, want)
		}
	}
	for _, early := range []time.Time{noon.Add(-time.Second), {}} {
		if _, err := s.RevisionAt(ctx, early); !errors.Is(err, memory.ErrNotFound) || !strings.Contains(err.Error(), "2025-03-01T12:00:00Z") {
			t.Errorf("before the beginning: %v", err)
		}
	}
}

// A record of the first schema keeps what it has; its history begins when it is
// brought up to date.
func TestMigrateFromFirstSchema(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), memory.FileName)
	schema, err := os.ReadFile(filepath.Join("migrations", "0001_record.sql"))
	if err != nil {
		t.Fatal(err)
	}
	model := func() string { // as the embedder of a new store names it
		s := openNew(t)
		db, err := sql.Open("sqlite", s.Path())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var name string
		if err := db.QueryRow("SELECT value FROM meta WHERE key = 'model'").Scan(&name); err != nil {
			t.Fatal(err)
		}
		return name
	}()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		string(schema),
		"PRAGMA application_id = 0x65706167",
		"PRAGMA user_version = 1",
		"INSERT INTO tombstone_keys (key) VALUES (zeroblob(32))",
		"INSERT INTO meta (key, value) VALUES ('revision', 7), ('rewritten', 3), ('scrub', 0), ('model', '" + model + "')",
		`INSERT INTO facts VALUES ('f1', 'Mia moved to Ghent.', 'en', 'Mia', 1, 'Mia', '["Noor"]', '2025-03-01T12:00:00Z', '', '', '2025-02-27',
			's1', '["t1"]', '[{"kind":"category","value":"home","by":"machine"}]', '["s1"]', 'chat.txt', 'plain', '2025-03-01T12:00:00Z', '', '', NULL, 4)`,
		"INSERT INTO event_rules VALUES ('r1', 'e1', 'closed', 'true', 'hand', '', '')",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%.40s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Open(ctx, path, memory.Options{ReadOnly: true}); !errors.Is(err, memory.ErrOlder) {
		t.Errorf("for reading: %v", err)
	}

	s := open(t, path, options())
	if got := revision(t, s); got != 7 {
		t.Errorf("revision %d, want 7", got)
	}
	now, err := s.Judged(ctx, memory.Judged{})
	if diff := cmp.Diff(now, judgedAt(t, s, 7)); err != nil || diff != "" || len(now.Facts) != 1 || len(now.Rules) != 1 {
		t.Errorf("the present: %v, %+v (-Judged +JudgedAt):\n%s", err, now, diff)
	}
	edit(t, s, "f1", func(f *memory.Fact) { f.Marks[0].Value = "travel" })
	after := judgedAt(t, s, revision(t, s))
	if diff := cmp.Diff(now, judgedAt(t, s, 7)); diff != "" || after.Facts[0].Value(privacy.MarkCategory) != "travel" {
		t.Errorf("after an edit: %+v, before it (-was +is):\n%s", after, diff)
	}
	if _, err := s.JudgedAt(ctx, 6); !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "7 to 8") {
		t.Errorf("before the history: %v", err)
	}
	if got, err := s.RevisionAt(ctx, noon); err != nil || got != 8 {
		t.Errorf("revision now: %d, %v", got, err)
	}
	if _, err := s.RevisionAt(ctx, noon.Add(-time.Hour)); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("revision before the history: %v", err)
	}
	if err := s.Check(ctx); err != nil {
		t.Error(err)
	}
}

// BenchmarkJudgedAt reads 10,000 facts, of which each second one was edited: as
// they are and as they were.
func BenchmarkJudgedAt(b *testing.B) {
	s := openNew(b)
	batch := joined(life(10_000, true))
	apply(b, s, batch)
	imported := revision(b, s)
	marks := map[privacy.FactID][]privacy.Mark{}
	for i := range batch.Facts {
		if i%2 == 0 {
			marks[batch.Facts[i].ID] = []privacy.Mark{{Kind: privacy.MarkBlacklist, Value: "bo", By: privacy.ByHand}}
		}
	}
	apply(b, s, memory.Batch{FactMarks: marks})
	b.Run("now", func(b *testing.B) {
		for b.Loop() {
			if got, err := s.Judged(b.Context(), memory.Judged{}); err != nil || len(got.Facts) != 10_000 {
				b.Fatal(len(got.Facts), err)
			}
		}
	})
	for name, r := range map[string]int64{"then": imported} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got := judgedAt(b, s, r); len(got.Facts) != 10_000 {
					b.Fatal(len(got.Facts))
				}
			}
		})
	}
}
