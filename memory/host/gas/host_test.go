package gas_test

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/memory/host/gas"
	"github.com/epagent/epagent/privacy"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func open(t interface{ Fatal(...any) }, path string) *memory.Store {
	s, err := memory.Open(context.Background(), path, memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func talk(id string, lines ...string) memory.Session {
	out := memory.Session{ID: id, Conversation: "c" + id, Participants: []string{"Mia", "Noor"}, Start: privacy.At(noon)}
	for i, line := range lines {
		out.Turns = append(out.Turns, memory.Turn{ID: fmt.Sprint(id, "-", i), Speaker: out.Participants[i%2], Kind: memory.Message, Text: line, When: privacy.At(noon)})
	}
	return out
}

func fact(id, text, session, turn string) memory.Fact {
	return memory.Fact{Record: privacy.Record{ID: privacy.FactID(id), Text: text, Session: session, Evidence: []string{turn}}, Sessions: []string{session}, ImportedAt: noon}
}

func apply(t interface{ Fatal(...any) }, s *memory.Store, sessions []memory.Session, facts ...memory.Fact) {
	b := memory.Batch{Sessions: sessions, Facts: facts}
	host := gas.New(s, gas.Options{})
	for i := range sessions {
		layers, err := host.Compose(context.Background(), &sessions[i])
		if err != nil {
			t.Fatal(err)
		}
		b.Layers = append(b.Layers, layers)
	}
	if _, err := s.Apply(context.Background(), b); err != nil {
		t.Fatal(err)
	}
}

var vocabulary = strings.Fields("apple pear cello choir doctor salary Ghent braces kitten harbour train violin soup winter garden")

func genText(t *rapid.T, name string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 7).Draw(t, name), " ")
}

// fewerChecks makes rapid draw n examples instead of its default number, unless the
// command line asks for another one: each is a store or two.
func fewerChecks(t *testing.T, n int) {
	f := flag.Lookup("rapid.checks")
	if f == nil || f.Value.String() != f.DefValue {
		return
	}
	if err := f.Value.Set(fmt.Sprint(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(f.DefValue) })
}

func genSessions(t *rapid.T) []memory.Session {
	var out []memory.Session
	for i := range rapid.IntRange(0, 14).Draw(t, "sessions") {
		var lines []string
		for j := range rapid.IntRange(0, 4).Draw(t, "turns") {
			lines = append(lines, genText(t, fmt.Sprint("line", i, j)))
		}
		out = append(out, talk(fmt.Sprint("s", i), lines...))
	}
	return out
}

func TestCompose(t *testing.T) {
	s := talk("s", "The orthodontist in Ghent wants 4,000 euros for braces.", "Braces? At your age?", "hi")
	host := gas.New(nil, gas.Options{})
	got, err := host.Compose(t.Context(), &s)
	if err != nil || len(got.Entries) != 3 {
		t.Fatalf("layers %+v, %v", got, err)
	}
	texts := map[string]string{}
	for _, g := range got.Grains {
		texts[g.Kind] = g.Text
	}
	if len(texts) != 3 || strings.Count(texts["whole"], "\n") != 2 || texts["summary"] != got.Summary || !strings.HasPrefix(texts["keywords"], "braces; ") {
		t.Errorf("grains %q", texts)
	}
	empty := talk("e")
	if got, err := host.Compose(t.Context(), &empty); err != nil || len(got.Grains) > 0 || got.Summary != "" {
		t.Errorf("a session without words: %+v, %v", got, err)
	}
}

func TestSearch(t *testing.T) {
	ctx := t.Context()
	s := open(t, filepath.Join(t.TempDir(), memory.FileName))
	defer s.Close()
	host := gas.New(s, gas.Options{})
	if hits, err := host.Search(ctx, "braces", 3); err != nil || len(hits) > 0 {
		t.Errorf("an empty store: %v, %v", hits, err)
	}
	apply(t, s, []memory.Session{
		talk("s1", "The orthodontist wants 4,000 euros for braces.", "That is a lot."), talk("s2", "The choir sings on Friday.", "Is Noor's cello there?"),
	})
	for question, want := range map[string][2]string{"what do braces cost?": {"s1/s1-0", "s1"}, "who plays the cello?": {"s2/s2-1", "s2"}} {
		hits, err := host.Search(ctx, question, 1)
		if err != nil || len(hits) != 1 || hits[0].Entry != want[0] || hits[0].Score != 1 {
			t.Errorf("%s: %+v, %v; want %s", question, hits, err, want[0])
		}
		sessions, err := host.Sessions(ctx, question, 1)
		if err != nil || len(sessions) != 1 || sessions[0] != (memory.SessionHit{Session: want[1], Score: 1}) {
			t.Errorf("%s: sessions %+v, %v; want %s", question, sessions, err, want[1])
		}
	}
	for _, vain := range []string{"", "the", "xylophone"} {
		if hits, err := host.Search(ctx, vain, 3); err != nil || len(hits) > 0 {
			t.Errorf("%q: %+v, %v", vain, hits, err)
		}
		if hits, err := host.Sessions(ctx, vain, 3); err != nil || len(hits) > 0 {
			t.Errorf("%q: sessions %+v, %v", vain, hits, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := host.Search(cancelled, "choir", 1); err == nil {
		t.Error("a cancelled search has no error")
	}
}

// The first k are those of all, and scores fall from 1.
func TestRankingLaws(t *testing.T) {
	fewerChecks(t, 25)
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		s := open(t, filepath.Join(dir, fmt.Sprint(n)))
		defer s.Close()
		apply(t, s, genSessions(t))
		host, question := gas.New(s, gas.Options{}), genText(t, "question")
		all, err := host.Search(context.Background(), question, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range all {
			if h.Score <= 0 || h.Score > 1 || i == 0 && h.Score != 1 || i > 0 && h.Score > all[i-1].Score {
				t.Fatalf("hit %d of %+v", i, all)
			}
		}
		k := rapid.IntRange(1, 12).Draw(t, "k")
		if some, err := host.Search(context.Background(), question, k); err != nil || !slices.Equal(some, all[:min(k, len(all))]) {
			t.Fatalf("the first %d: %+v, %v\nof %+v", k, some, err, all)
		}
		sessions, err := host.Sessions(context.Background(), question, 0)
		if err != nil {
			t.Fatal(err)
		}
		if some, err := host.Sessions(context.Background(), question, k); err != nil || !slices.Equal(some, sessions[:min(k, len(sessions))]) {
			t.Fatalf("the first %d sessions: %+v, %v\nof %+v", k, some, err, sessions)
		}
	})
}

// ties says of each session, in the order of the places, to which nodes each of its own
// is tied, once all ties are made.
func ties(t interface{ Fatal(...any) }, s *memory.Store) (out [][]string) {
	if err := gas.New(s, gas.Options{}).Settle(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, _, _, err := s.Associations(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint64]string{}
	for _, a := range list {
		names[uint64(a.Place)] = a.Session
	}
	for _, a := range list {
		if a.Ties == nil {
			t.Fatal("ties are missing", a.Session)
		}
		row, b := []string{a.Session}, a.Ties[1:]
		next := func() uint64 {
			x, n := binary.Uvarint(b)
			b = b[n:]
			return x
		}
		for g := range 4 {
			node := uint64(0)
			for range next() {
				node += next()
				row = append(row, fmt.Sprint(g, " ", names[node/4], " ", node%4))
			}
		}
		out = append(out, row)
	}
	return out
}

// However the sessions came in, one by one, all at once, with a rewriting between, the
// ties are the same: a function of the sessions and the order of their adding.
func TestTiesAreAFunctionOfTheRecord(t *testing.T) {
	fewerChecks(t, 25)
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		once, steps := open(t, filepath.Join(dir, fmt.Sprint(n, "a"))), open(t, filepath.Join(dir, fmt.Sprint(n, "b")))
		defer once.Close()
		defer steps.Close()
		sessions := genSessions(t)
		apply(t, once, sessions)
		host := gas.New(steps, gas.Options{})
		for i := range sessions {
			short := sessions[i]
			if len(short.Turns) > 1 && rapid.Bool().Draw(t, "in two") {
				short.Turns = short.Turns[:1] // the rest comes later and rewrites what was tied
			}
			apply(t, steps, []memory.Session{short})
			if rapid.Bool().Draw(t, "settled") {
				if err := host.Settle(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		apply(t, steps, sessions)
		if diff := cmp.Diff(ties(t, once), ties(t, steps)); diff != "" {
			t.Fatalf("at once and step by step:\n%s", diff)
		}
		question := genText(t, "question")
		a, err := gas.New(once, gas.Options{}).Sessions(context.Background(), question, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := host.Sessions(context.Background(), question, 0)
		if err != nil {
			t.Fatal(err)
		}
		if g, w := fmt.Sprintf("%#v", b), fmt.Sprintf("%#v", a); g != w {
			t.Fatalf("step by step %s\nat once %s", g, w)
		}
	})
}

// Forgetting a session leaves no trace of it in how the others are tied.
func TestForgottenSessionLeavesNoTie(t *testing.T) {
	ctx := t.Context()
	texts := make([]memory.Session, 0, 14)
	for i := range 14 {
		texts = append(texts, talk(fmt.Sprintf("s%02d", i), strings.Join([]string{vocabulary[i], vocabulary[(i+1)%14], vocabulary[(i+3)%14]}, " "), vocabulary[(i*5)%14]))
	}
	full, bare := open(t, filepath.Join(t.TempDir(), "a")), open(t, filepath.Join(t.TempDir(), "b"))
	defer full.Close()
	defer bare.Close()
	apply(t, full, texts)
	if before := ties(t, full); len(before) != 14 {
		t.Fatalf("%d sessions are placed", len(before))
	}
	if _, err := full.Forget(ctx, memory.Forget{Sessions: []string{"s02"}}); err != nil {
		t.Fatal(err)
	}
	apply(t, bare, slices.Delete(slices.Clone(texts), 2, 3))
	if diff := cmp.Diff(ties(t, bare), ties(t, full)); diff != "" {
		t.Errorf("never known and forgotten:\n%s", diff)
	}
}

// A store that can't be written gives the same answers.
func TestReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), memory.FileName)
	s := open(t, path)
	var sessions []memory.Session
	for i := range 9 {
		sessions = append(sessions, talk(fmt.Sprint("s", i), vocabulary[i]+" "+vocabulary[i+1]))
	}
	apply(t, s, sessions)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	locked, err := memory.Open(t.Context(), path, memory.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := gas.New(locked, gas.Options{}).Sessions(t.Context(), "choir doctor", 0)
	if err != nil || len(got) == 0 {
		t.Fatalf("sessions %+v, %v", got, err)
	}
	if err := locked.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	defer s.Close()
	if want, err := gas.New(s, gas.Options{}).Sessions(t.Context(), "choir doctor", 0); err != nil || !slices.Equal(got, want) {
		t.Errorf("read-only %+v, else %+v, %v", got, want, err)
	}
}

// With β = 0 the overlay gives the host's own ranking byte for byte, whatever facts
// there are, and with β > 0 the native side of each hit is still the host's.
func TestOverlayLaws(t *testing.T) {
	fewerChecks(t, 25)
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		n++
		s := open(t, filepath.Join(dir, fmt.Sprint(n)))
		defer s.Close()
		sessions := genSessions(t)
		apply(t, s, sessions)
		question, k := genText(t, "question"), rapid.IntRange(0, 9).Draw(t, "k")
		host := gas.New(s, gas.Options{})
		bareEntries, err := host.Search(ctx, question, k)
		if err != nil {
			t.Fatal(err)
		}
		bareSessions, err := host.Sessions(ctx, question, k)
		if err != nil {
			t.Fatal(err)
		}
		var facts []memory.Fact
		for i := range sessions {
			if len(sessions[i].Turns) > 0 && rapid.Bool().Draw(t, "fact") {
				facts = append(facts, fact(fmt.Sprint("f", i), genText(t, "fact text"), sessions[i].ID, sessions[i].Turns[0].ID))
			}
		}
		if _, err := s.Apply(ctx, memory.Batch{Facts: facts}); err != nil {
			t.Fatal(err)
		}
		recaller, err := memory.NewRecaller(s, memory.RecallOptions{Host: host})
		if err != nil {
			t.Fatal(err)
		}
		off, err := memory.NewOverlay(recaller, memory.Weights{Alpha: 1})
		if err != nil {
			t.Fatal(err)
		}
		entries, err := off.Entries(ctx, question, k)
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) != len(bareEntries) {
			t.Fatalf("%d entries, the host has %d", len(entries), len(bareEntries))
		}
		for i, e := range entries {
			if e.Entry != bareEntries[i].Entry || e.Score != float64(bareEntries[i].Score) || e.Event != 0 {
				t.Fatalf("entry %d is %+v, the host's %+v", i, e, bareEntries[i])
			}
		}
		if got, err := off.Sessions(ctx, question, k); err != nil || !slices.Equal(got, bareSessions) {
			t.Fatalf("sessions %+v, %v; the host's %+v", got, err, bareSessions)
		}
		all, err := host.Sessions(ctx, question, 0)
		if err != nil {
			t.Fatal(err)
		}
		native := map[string]float64{}
		for _, h := range all {
			native[h.Session] = float64(h.Score)
		}
		alpha := float64(rapid.IntRange(0, 9).Draw(t, "alpha")) / 10
		on, err := memory.NewOverlay(recaller, memory.Weights{Alpha: alpha, Beta: 1 - alpha})
		if err != nil {
			t.Fatal(err)
		}
		fused, err := on.Sessions(ctx, question, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range fused {
			if event := float64(h.Score) - alpha*native[h.Session]; event < -1e-12 || event > 1-alpha+1e-12 {
				t.Fatalf("session %+v: native %v leaves %v for the event side", h, native[h.Session], event)
			}
		}
	})
}
