package agent_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/epagent/epagent/agent"
	"github.com/epagent/epagent/memory"
	"github.com/epagent/epagent/privacy"
)

// genSpoken is a fact with everything that shapes a ranking: who said it, whom it
// is about, in which sitting, after what, and when.
func genSpoken(id string) *rapid.Generator[memory.Fact] {
	return rapid.Custom(func(t *rapid.T) memory.Fact {
		out := genFact(id).Draw(t, "fact").stored()
		out.Session = rapid.SampledFrom([]string{"s1", "s2"}).Draw(t, "session")
		out.Sessions = []string{out.Session}
		out.Evidence = []string{fmt.Sprint(out.Session, "-", rapid.IntRange(0, 4).Draw(t, "turn"))}
		out.Speaker = rapid.SampledFrom([]string{"Ines Falk", "Raj", "Bo", "李小明", ""}).Draw(t, "speaker")
		out.Subject = rapid.SampledFrom([]string{"Ines Falk", "Ines Falk", "Ines Falk", "李小明", "Ulla Bergström", ""}).Draw(t, "subject")
		if rapid.Bool().Draw(t, "change") {
			out.Text = rapid.SampledFrom([]string{
				"Ines lives in Lisbon.", "Ines moved to Malmö.", "Ines booked a trip.", "The trip of Ines is cancelled.", "Scrap that, Ines never moved.", "Ines no longer drinks coffee.", "Ines wohnt jetzt in Malmö.", "When is the party?",
			}).Draw(t, "text")
		}
		return out
	})
}

// TestRecallSameWithoutDenied: with what its readers may not know removed, all of it
// or a part, the facts that are recalled for them and the answer that they get are
// the same byte for byte: ids, order, scores, and what of it no longer holds.
func TestRecallSameWithoutDenied(t *testing.T) {
	told := 0
	rapid.Check(t, func(rt *rapid.T) {
		var facts []memory.Fact
		var ids []privacy.FactID
		for i := range rapid.IntRange(1, 14).Draw(rt, "facts") {
			f := genSpoken(fmt.Sprintf("f%02d", i)).Draw(rt, "fact")
			facts, ids = append(facts, f), append(ids, f.ID)
		}
		names := rapid.SliceOfNDistinct(rapid.SampledFrom(sameWithoutNames), 1, 2, rapid.ID).Draw(rt, "names")
		question := fmt.Sprintf(rapid.SampledFrom([]string{
			"When did Raj last see the %s?", "How many %s has Ulla?", "%s last month", "where does Ines live and how is the %s", "李小明的%s", "Wann war das mit %s?", "%s before",
		}).Draw(rt, "question"), rapid.SampledFrom(sameWithoutWords).Draw(rt, "word"))
		limit := rapid.IntRange(0, 4).Draw(rt, "limit")

		a, clean := tempAgent(rt, nil)
		defer clean()
		putSpoken(rt, a, facts)
		denied := deniedTo(rt, a, ids, names)
		rest := slices.DeleteFunc(slices.Clone(facts), func(f memory.Fact) bool {
			return denied[f.ID] && rapid.IntRange(0, 2).Draw(rt, "remove") > 0
		})
		b, clean := tempAgent(rt, nil)
		defer clean()
		putSpoken(rt, b, rest)
		kept := slices.DeleteFunc(ids, func(id privacy.FactID) bool {
			return !slices.ContainsFunc(rest, func(f memory.Fact) bool { return f.ID == id })
		})
		for id, was := range deniedTo(rt, b, kept, names) {
			if was == denied[id] {
				continue
			}
			if len(names) == 1 {
				rt.Fatalf("%s may know %s by what %s may not", names[0], id, names[0])
			}
			return // what one of two may know had lent the fact to that one: no matter of ranking
		}

		with, n := recalledFor(rt, a, question, limit, names)
		without, _ := recalledFor(rt, b, question, limit, names)
		if with != without {
			rt.Fatalf("%v for %q, without %v\nwith    %s\nwithout %s", names, question, denied, with, without)
		}
		told += n
		if with, without := ask1(rt, a, question, names[0]), ask1(rt, b, question, names[0]); len(names) == 1 && with != without {
			rt.Fatalf("%v ask %q, without %v\nwith    %s\nwithout %s", names, question, denied, with, without)
		}
	})
	if told == 0 {
		t.Error("nothing was recalled for anybody")
	}
}

// deniedTo tells for each fact whether one of the people may not know it.
func deniedTo(t *rapid.T, a *agent.Agent, ids []privacy.FactID, names []string) map[privacy.FactID]bool {
	t.Helper()
	out := map[privacy.FactID]bool{}
	if len(ids) == 0 {
		return out
	}
	table, err := a.Partition(t.Context(), agent.PartitionRequest{Facts: ids, People: names})
	if err != nil {
		t.Fatal(err)
	}
	for _, person := range table.People {
		for i, v := range person.Verdicts {
			out[ids[i]] = out[ids[i]] || !v.Allow
		}
	}
	return out
}

func putSpoken(t *rapid.T, a *agent.Agent, facts []memory.Fact) {
	t.Helper()
	batch := memory.Batch{Facts: facts}
	for _, id := range []string{"s1", "s2"} {
		session := memory.Session{ID: id, Conversation: "c" + id, Participants: []string{"Ines Falk", "Raj"}, Start: privacy.At(now), Source: memory.Source{Name: "test", Format: "test"}}
		for i := range 5 {
			session.Turns = append(session.Turns, memory.Turn{ID: fmt.Sprint(id, "-", i), Speaker: "Raj", Kind: memory.Message, Text: sameWithoutWords[i], When: privacy.At(now.Add(time.Duration(i) * time.Minute))})
		}
		batch.Sessions = append(batch.Sessions, session)
	}
	if _, err := a.Store().Apply(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
}

// recalledFor is what is recalled for readers, written out, and how many facts it is.
func recalledFor(t *rapid.T, a *agent.Agent, question string, limit int, names []string) (string, int) {
	readers, err := a.Readers(t.Context(), names)
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Recall(t.Context(), agent.RecallRequest{Query: question, As: readers, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), len(got.Facts)
}
