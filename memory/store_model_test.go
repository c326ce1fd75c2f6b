package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// modelStore is the record as plain maps: what a store must look like after any
// run of steps.
type modelStore struct {
	turns  map[string]map[string]string       // session → turn → text
	facts  map[privacy.FactID]string          // → text
	rests  map[privacy.FactID]map[string]bool // → evidence
	hangs  map[privacy.FactID]map[string]bool // → sessions
	buried struct {
		turns, sessions map[string]bool
		facts           map[privacy.FactID]bool
	}
}

func newModel() *modelStore {
	m := &modelStore{turns: map[string]map[string]string{}, facts: map[privacy.FactID]string{}, rests: map[privacy.FactID]map[string]bool{},
		hangs: map[privacy.FactID]map[string]bool{}}
	m.buried.turns, m.buried.sessions, m.buried.facts = map[string]bool{}, map[string]bool{}, map[privacy.FactID]bool{}
	return m
}

func sessionOf(turn string) string { return turn[:strings.Index(turn, "-")] }

func (m *modelStore) apply(b memory.Batch) {
	for _, s := range b.Sessions {
		for _, t := range s.Turns {
			if m.buried.turns[t.ID] {
				continue
			}
			if m.turns[s.ID] == nil {
				m.turns[s.ID] = map[string]string{}
			}
			if _, known := m.turns[s.ID][t.ID]; !known {
				m.turns[s.ID][t.ID] = t.Text
			}
		}
	}
	for _, f := range b.Facts {
		living := slices.DeleteFunc(slices.Clone(f.Evidence), func(t string) bool { return m.buried.turns[t] })
		if m.buried.facts[f.ID] || len(living) == 0 {
			continue
		}
		if _, known := m.facts[f.ID]; !known {
			m.facts[f.ID], m.rests[f.ID], m.hangs[f.ID] = f.Text, map[string]bool{}, map[string]bool{}
		}
		m.hangs[f.ID][f.Session] = true
		for _, t := range living {
			m.rests[f.ID][t] = true
		}
	}
}

func (m *modelStore) dropTurn(turn string) {
	session := sessionOf(turn)
	if _, ok := m.turns[session][turn]; !ok {
		return
	}
	m.buried.turns[turn] = true
	delete(m.turns[session], turn)
	for _, rests := range m.rests {
		delete(rests, turn)
	}
}

func (m *modelStore) dropFact(id privacy.FactID) {
	if _, ok := m.facts[id]; !ok {
		return
	}
	m.buried.facts[id] = true
	turns := slices.Collect(maps.Keys(m.rests[id]))
	delete(m.facts, id)
	delete(m.rests, id)
	for _, t := range turns {
		m.dropTurn(t)
	}
}

func (m *modelStore) forgetFact(id privacy.FactID) {
	m.dropFact(id)
	m.dropEmpty()
}

func (m *modelStore) forgetSession(session string) {
	if _, ok := m.turns[session]; !ok {
		return
	}
	for _, id := range slices.Collect(maps.Keys(m.facts)) {
		before := len(m.rests[id])
		left := 0
		for t := range m.rests[id] {
			if sessionOf(t) != session {
				left++
			}
		}
		delete(m.hangs[id], session)
		if left == 0 && (before > 0 || len(m.hangs[id]) == 0) {
			m.dropFact(id)
		}
	}
	for _, t := range slices.Collect(maps.Keys(m.turns[session])) {
		m.dropTurn(t)
	}
	m.dropEmpty()
}

func (m *modelStore) dropEmpty() {
	for session, turns := range m.turns {
		if len(turns) == 0 {
			delete(m.turns, session)
		}
	}
}

// compare reports where the store differs from the model.
func (m *modelStore) compare(t *rapid.T, s *memory.Store) {
	ctx := context.Background()
	list, err := s.Sessions(ctx)
	if err != nil {
		t.Fatal(err)
	}
	turns := map[string]map[string]string{}
	for _, info := range list {
		session, err := s.Session(ctx, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		turns[info.ID] = map[string]string{}
		restated := 0
		for _, turn := range session.Turns {
			turns[info.ID][turn.ID] = turn.Text
		}
		entries, err := s.Entries(ctx, info.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			for _, id := range e.Turns {
				if _, ok := turns[info.ID][id]; !ok {
					t.Fatalf("entry %s restates turn %s, which is gone", e.ID, id)
				}
				restated++
			}
		}
		if restated != len(session.Turns) {
			t.Fatalf("session %s: %d turns, %d restated", info.ID, len(session.Turns), restated)
		}
	}
	if diff := cmp.Diff(m.turns, turns); diff != "" {
		t.Fatalf("turns (-model +store):\n%s", diff)
	}
	facts, _, err := s.Facts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	texts, rests := map[privacy.FactID]string{}, map[privacy.FactID]map[string]bool{}
	for _, f := range facts {
		texts[f.ID], rests[f.ID] = f.Text, map[string]bool{}
		for _, id := range f.Evidence {
			rests[f.ID][id] = true
		}
		for _, e := range f.Entries {
			if _, ok := turns[e[:strings.Index(e, "/")]]; !ok {
				t.Fatalf("fact %s is linked to entry %s of a session that is gone", f.ID, e)
			}
		}
	}
	if diff := cmp.Diff(m.facts, texts); diff != "" {
		t.Fatalf("facts (-model +store):\n%s", diff)
	}
	if diff := cmp.Diff(m.rests, rests); diff != "" {
		t.Fatalf("evidence (-model +store):\n%s", diff)
	}
}

// Any run of storing, storing again, forgetting and reopening leaves what a plain
// map would hold, and recall finds the living facts and no other.
func TestStoreAgainstModel(t *testing.T) {
	fewerChecks(t, 12) // each step writes to the disk
	dir, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		n++
		s := tempStore(t, dir, n)
		defer func() { _ = s.Close() }()
		recaller := newRecaller(t, s, memory.RecallOptions{})
		model := newModel()
		sessions := []string{"s1", "s2", "s3"}
		turnsOf := rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 0, 4, rapid.ID)
		t.Repeat(map[string]func(*rapid.T){
			"apply": func(t *rapid.T) {
				id := rapid.SampledFrom(sessions).Draw(t, "session")
				whole := talk(id, "c", "zero "+id, "one "+id, "two "+id, "three "+id)
				part := whole
				part.Turns = nil
				for _, i := range slices.Sorted(slices.Values(turnsOf.Draw(t, "turns"))) {
					part.Turns = append(part.Turns, whole.Turns[i])
				}
				if len(part.Turns) == 0 {
					t.Skip("a session without turns")
				}
				var b memory.Batch
				if stored, err := s.Session(ctx, id); err == nil {
					// A host composes what is stored together with what is new.
					for _, turn := range stored.Turns {
						if !slices.ContainsFunc(part.Turns, func(x memory.Turn) bool { return x.ID == turn.ID }) {
							part.Turns = append(part.Turns, turn)
						}
					}
				}
				b = withLayers(part)
				number := rapid.IntRange(0, 4).Draw(t, "fact")
				f := fact(privacy.FactID(fmt.Sprint("f", number)), "Mia told tale"+strings.Repeat("x", number)+".", id)
				for _, turn := range part.Turns {
					if rapid.Bool().Draw(t, "evidence") {
						f.Evidence = append(f.Evidence, turn.ID)
					}
				}
				if len(f.Evidence) > 0 {
					b.Facts = append(b.Facts, f)
				}
				if _, err := s.Apply(ctx, b); err != nil {
					t.Fatal(err)
				}
				model.apply(b)
				if done, err := s.Apply(ctx, b); err != nil || done.Sessions+done.Turns+done.Facts != 0 {
					t.Fatalf("applied again: %+v, %v", done, err)
				}
			},
			"forget fact": func(t *rapid.T) {
				id := privacy.FactID(fmt.Sprint("f", rapid.IntRange(0, 4).Draw(t, "fact")))
				if _, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{id}}); err != nil {
					t.Fatal(err)
				}
				model.forgetFact(id)
			},
			"forget session": func(t *rapid.T) {
				id := rapid.SampledFrom(sessions).Draw(t, "session")
				if _, err := s.Forget(ctx, memory.Forget{Sessions: []string{id}}); err != nil {
					t.Fatal(err)
				}
				model.forgetSession(id)
			},
			"reopen": func(t *rapid.T) {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				var err error
				if s, err = memory.Open(ctx, s.Path(), options()); err != nil {
					t.Fatal(err)
				}
				recaller = newRecaller(t, s, memory.RecallOptions{})
			},
			"": func(t *rapid.T) {
				model.compare(t, s)
				hits, err := recaller.Facts(ctx, memory.Query{Text: "Mia told"})
				if err != nil || len(hits) != len(model.facts) {
					t.Fatalf("recall finds %d of %d facts, %v", len(hits), len(model.facts), err)
				}
			},
		})
	})
}

func TestExportRoundTrip(t *testing.T) {
	ctx := t.Context()
	s, b := pregnancy(t)
	if _, err := s.Forget(ctx, memory.Forget{Facts: []privacy.FactID{"f1"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.PolicyVersion(ctx, memory.PolicyVersion{Hash: "h1", Source: []byte("people: []\n"), At: noon, Author: "owner", Note: ""}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddExemplar(ctx, memory.Exemplar{Text: "Mia swims.", NotFact: true}); err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := s.ExportTo(ctx, &first); err != nil {
		t.Fatal(err)
	}
	into := openNew(t)
	for range 2 { // the second time adds nothing
		if _, err := into.ImportExport(ctx, bytes.NewReader(first.Bytes()), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := into.ExportTo(ctx, &second); err != nil {
		t.Fatal(err)
	}
	// All but the tombstones, where the new home has a key of its own, and numbers is the same.
	number := regexp.MustCompile(`"exemplar","value":{"id":\d+`)
	cut := func(b []byte) string {
		return number.ReplaceAllString(string(b[:bytes.Index(b, []byte(`{"kind":"forgotten"`))]), `"exemplar","value":{"id":0`)
	}
	if diff := cmp.Diff(cut(first.Bytes()), cut(second.Bytes())); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
	if done := apply(t, into, b); done.Tombstoned != 4 || done.Turns+done.Facts != 0 {
		t.Errorf("what was forgotten in the old home comes back in the new one: %+v", done)
	}
}

func TestImportExportRefuses(t *testing.T) {
	ctx := t.Context()
	header := `{"kind":"epagent","value":{"version":1}}` + "\n"
	session := `{"kind":"session","value":{"ID":"s1","Conversation":"c1"}}` + "\n"
	for name, text := range map[string]string{
		"empty":           "",
		"no header":       session,
		"header twice":    header + header,
		"newer":           `{"kind":"epagent","value":{"version":2}}`,
		"unknown kind":    header + session + `{"kind":"song","value":{}}`,
		"unknown field":   header + session + `{"kind":"fact","value":{"id":"f1","tune":"x"}}`,
		"cut":             header + session + `{"kind":"fact","val`,
		"binary":          "\x00\x01\xff",
		"fact without id": header + session + `{"kind":"fact","value":{"text":"x"}}`,
		"bad tombstone":   header + session + `{"kind":"forgotten","value":{"keys":["zz"],"hashes":[]}}`,
	} {
		s := openNew(t)
		if _, err := s.ImportExport(ctx, strings.NewReader(text), nil); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
		if list, err := s.Sessions(ctx); err != nil || len(list) != 0 {
			t.Errorf("%s left %v, %v", name, list, err)
		}
	}
}

// No bytes make a reader of exports panic or store half of them; what it takes
// comes out again and goes in again.
func FuzzImportExport(f *testing.F) {
	f.Add([]byte(`{"kind":"epagent","value":{"version":1}}` + "\n" + `{"kind":"fact","value":{"id":"f","text":"x","Sessions":["s"]}}`))
	f.Add([]byte(`{"kind":"epagent","value":{"version":1}}{"kind":"session","value":{"ID":"s","Turns":[{"ID":"t","Text":"\u0000"}]}}`))
	f.Add([]byte(`{"kind":"epagent","value":null}`))
	f.Add([]byte("\xff"))
	s := openNew(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx := context.Background()
		if _, err := s.ImportExport(ctx, bytes.NewReader(data), nil); err != nil {
			return
		}
		var out bytes.Buffer
		if err := s.ExportTo(ctx, &out); err != nil {
			t.Fatal(err)
		}
		if done, err := s.ImportExport(ctx, &out, nil); err != nil || done.Sessions+done.Turns+done.Facts != 0 {
			t.Fatalf("its own export: %+v, %v", done, err)
		}
	})
}
